"""Decomposable scores of graphs: frozen values that check themselves; larger is better."""

from __future__ import annotations

from bayesloom.scores.decomposable import (
    delta_entropy,
    delta_parameters,
    model_entropy,
    model_parameters,
)
from bayesloom.scores.dirichlet import BDe, BDeu, K2Score
from bayesloom.scores.explanation import ScoreExplanation
from bayesloom.scores.information import AIC, BIC, LogLikelihood
from bayesloom.scores.score import Score, check_score, free_parameters

__all__ = [
    "AIC",
    "BIC",
    "BDe",
    "BDeu",
    "K2Score",
    "LogLikelihood",
    "Score",
    "ScoreExplanation",
    "check_score",
    "delta_entropy",
    "delta_parameters",
    "free_parameters",
    "model_entropy",
    "model_parameters",
]
