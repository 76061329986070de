"""Exact inference: posteriors, the most probable explanation, the probability of evidence."""

from bayesloom.inference.case import Given, Soft
from bayesloom.inference.compiled import CompiledNet, Strategy, compile_net
from bayesloom.inference.posterior import Explanation, JointPosterior, Posterior, Posteriors
from bayesloom.inference.query import query

__all__ = [
    "CompiledNet",
    "Explanation",
    "Given",
    "JointPosterior",
    "Posterior",
    "Posteriors",
    "Soft",
    "Strategy",
    "compile_net",
    "query",
]
