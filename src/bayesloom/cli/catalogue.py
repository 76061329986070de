"""The names of searches, scores and estimators on the command line; nothing is imported here."""

from __future__ import annotations

SEARCHES = {
    "chow-liu": "ChowLiu",
    "hc": "HillClimbing",
    "tabu": "Tabu",
    "k2": "K2",
    "order": "OrderSearch",
    "ges": "GES",
    "xges": "XGES",
    "iges": "IGES",
    "ihc": "IHC",
    "dmn": "DMN",
}
"""Name and class in `bayesloom.search`; a new search is one line here."""

DEFAULT_SEARCH = "iges"
"""The name of `bayesloom.learning.DEFAULT_SEARCH`, for the help."""

SCORES = {
    "loglik": "LogLikelihood",
    "aic": "AIC",
    "bic": "BIC",
    "bdeu": "BDeu",
    "k2": "K2Score",
    "bde": "BDe",
}
"""Name and class in `bayesloom.scores`."""

TESTS = {"chi-square": "ChiSquare", "g-square": "GSquare"}
"""Name and class in `bayesloom.independence`."""

CONTROLS = {
    "fixed": "FixedAlpha",
    "bh": "BenjaminiHochberg",
    "lord": "LORD",
    "saffron": "SAFFRON",
    "spending": "AlphaSpending",
}
"""Name and class in `bayesloom.independence`."""

COVERAGES = ("strict", "relaxed")
"""The values of `bayesloom.independence.Coverage`."""

ESTIMATORS = {"bdeu": "BDeuMean", "laplace": "Laplace", "ml": "MaximumLikelihood"}
"""Name and class in `bayesloom.model`."""

STARTS = ("empty", "complete", "chow-liu")
"""The values of `bayesloom.search.Start`."""
