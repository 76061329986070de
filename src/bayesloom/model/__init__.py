"""Bayesian networks with their parameters: made, fitted, sampled, read and written."""

from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.files import load, save
from bayesloom.model.likelihood import log_likelihood, row_log_likelihoods
from bayesloom.model.parameters import BDeuMean, Estimator, Laplace, MaximumLikelihood, fit
from bayesloom.model.sampling import sample
from bayesloom.model.simulate import random_dag, random_net

__all__ = [
    "BDeuMean",
    "BayesNet",
    "Estimator",
    "Laplace",
    "MaximumLikelihood",
    "fit",
    "load",
    "log_likelihood",
    "random_dag",
    "random_net",
    "row_log_likelihoods",
    "sample",
    "save",
]
