"""Learning as users meet it: `learn`, what it returns, and the story of every pair."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "criterion": "Criterion",
        "default": "DEFAULT_SEARCH",
        "entry": "learn",
        "evidence": "Change Evidence PairTest gather_evidence gather_link_evidence",
        "learned": "Learned",
        "named": "NamedDependency NamedMove NamedStep",
        "record": "Record ScoreValue",
        "saving": "check_network_path load_record save_network",
        "searches": "Search",
        "story": "Direction Story StoryStep tell_story",
    },
)
