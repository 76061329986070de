"""The names of searches, scores and estimators on the command line, without importing any of them."""

from __future__ import annotations

SEARCHES = {
    "hc": "HillClimbing",
    "tabu": "Tabu",
    "ges": "GES",
    "xges": "XGES",
}
"""Name and class in `bayesloom.search`; a new search is one line here."""

SCORES = {
    "loglik": "LogLikelihood",
    "aic": "AIC",
    "bic": "BIC",
    "bdeu": "BDeu",
    "k2": "K2Score",
    "bde": "BDe",
}
"""Name and class in `bayesloom.scores`."""

ESTIMATORS = {"bdeu": "BDeuMean", "laplace": "Laplace", "ml": "MaximumLikelihood"}
"""Name and class in `bayesloom.model`."""

STARTS = ("empty", "complete", "chow-liu")
"""The values of `bayesloom.search.Start`."""
