"""Networks with their parameters: made, fitted, sampled, read and written."""

from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.decomposable_net import DecomposableNet, as_bayes_net
from bayesloom.model.files import load, save
from bayesloom.model.likelihood import log_likelihood, row_log_likelihoods
from bayesloom.model.parameters import BDeuMean, Estimator, Laplace, MaximumLikelihood, fit
from bayesloom.model.pseudo_independent import embedded_pi, full_pi, partial_pi
from bayesloom.model.sampling import sample
from bayesloom.model.simulate import random_dag, random_net

__all__ = [
    "BDeuMean",
    "BayesNet",
    "DecomposableNet",
    "Estimator",
    "Laplace",
    "MaximumLikelihood",
    "as_bayes_net",
    "embedded_pi",
    "fit",
    "full_pi",
    "load",
    "log_likelihood",
    "partial_pi",
    "random_dag",
    "random_net",
    "row_log_likelihoods",
    "sample",
    "save",
]
