"""Bayesian networks with their parameters: made, fitted, sampled, read and written."""

from bayesloom.model.bayes_net import BayesNet

__all__ = ["BayesNet"]
