"""Exact inference: posteriors, the most probable explanation, the probability of evidence."""

from bayesloom.inference.case import Given, Soft
from bayesloom.inference.compiled import CompiledNet, Strategy, compile_net, most_probable
from bayesloom.inference.conditioning import conditioned_net, sample
from bayesloom.inference.imputation import Imputation, impute
from bayesloom.inference.intervention import CausalEffect, identified_effect, mutilated_net
from bayesloom.inference.posterior import Explanation, JointPosterior, Posterior, Posteriors
from bayesloom.inference.prediction import Predictions, predict, predict_proba
from bayesloom.inference.query import query

__all__ = [
    "CausalEffect",
    "CompiledNet",
    "Explanation",
    "Given",
    "Imputation",
    "JointPosterior",
    "Posterior",
    "Posteriors",
    "Predictions",
    "Soft",
    "Strategy",
    "compile_net",
    "conditioned_net",
    "identified_effect",
    "impute",
    "most_probable",
    "mutilated_net",
    "predict",
    "predict_proba",
    "query",
    "sample",
]
