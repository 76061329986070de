"""Decomposable scores of graphs: frozen values that check themselves; larger is better."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "decomposable": "delta_entropy delta_parameters model_entropy model_parameters",
        "dirichlet": "BDe BDeu K2Score",
        "explanation": "ScoreExplanation",
        "information": "AIC BIC LogLikelihood",
        "score": "Score check_score free_parameters",
    },
)
