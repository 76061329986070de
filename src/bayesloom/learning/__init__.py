"""Learning as users meet it: `learn`, what it returns, and the story of every pair."""

from __future__ import annotations

from bayesloom.learning.entry import learn
from bayesloom.learning.evidence import (
    Change,
    Evidence,
    PairTest,
    gather_evidence,
    gather_link_evidence,
)
from bayesloom.learning.learned import Learned
from bayesloom.learning.named import NamedDependency, NamedMove, NamedStep
from bayesloom.learning.record import Record, ScoreValue
from bayesloom.learning.saving import check_network_path, load_record, save_network
from bayesloom.learning.searches import DEFAULT_SEARCH, Search
from bayesloom.learning.story import Direction, Story, StoryStep, tell_story

__all__ = [
    "DEFAULT_SEARCH",
    "Change",
    "Direction",
    "Evidence",
    "Learned",
    "NamedDependency",
    "NamedMove",
    "NamedStep",
    "PairTest",
    "Record",
    "ScoreValue",
    "Search",
    "Story",
    "StoryStep",
    "check_network_path",
    "gather_evidence",
    "gather_link_evidence",
    "learn",
    "load_record",
    "save_network",
    "tell_story",
]
