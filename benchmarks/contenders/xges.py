"""xges with a discrete score in numpy plugged in; the package itself has a Gaussian one only."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import gammaln
from xges import XGES
from xges.scorer import ScorerInterface

import dataset
import scorer
from contenders import Prepared


class DiscreteScorer(ScorerInterface):
    """Local scores of the common scorer, each computed once.

    The extended search copies its state, the score included, for every trial.
    """

    def __init__(self, codes: dataset.Codes, score: str) -> None:
        super().__init__()
        self.codes = codes
        self.n_variables = len(codes.names)
        self.local = scorer.bic if score == "bic" else partial(scorer.bdeu, lgamma=gammaln)
        self.known: dict[tuple[int, frozenset[int]], float] = {}

    def local_score(self, target: int, parents: set[int]) -> float:
        """Return the score of one family."""
        key = target, frozenset(parents)
        if key not in self.known:
            self.known[key] = self.local(self.codes, target, sorted(parents))
        return self.known[key]


class SharedScorer(DiscreteScorer):
    """The same, with one memory for all copies: a kindness to the package."""

    def __deepcopy__(self, memo: dict) -> SharedScorer:
        return self  # known scores stay true


def _search(csv: str, score: str, *, extended: bool, shared: bool = False) -> Prepared:
    codes = dataset.load_codes(Path(csv))
    codes = dataset.Codes(codes.names, codes.states, codes.columns.astype(np.intp))
    model = XGES()
    rows = np.empty((codes.n_rows, len(codes.names)))  # only its shape is used

    def work() -> XGES:
        scorer = (SharedScorer if shared else DiscreteScorer)(codes, score)
        model.fit(rows, extended_search=extended, scorer=scorer)
        return model

    return work, lambda fitted: _edges(fitted, codes.names)


def ges(csv: str, score: str) -> Prepared:
    return _search(csv, score, extended=False)


def xges(csv: str, score: str, *, shared: bool = False) -> Prepared:
    return _search(csv, score, extended=True, shared=shared)


def _edges(model: XGES, names: tuple[str, ...]) -> dict[str, Any]:
    pdag = model.get_pdag()
    directed = [[names[p], names[v]] for v in pdag.get_nodes() for p in pdag.get_parents(v)]
    undirected = [
        [names[u], names[v]] for v in pdag.get_nodes() for u in pdag.get_neighbors(v) if u < v
    ]
    return {"directed": directed, "undirected": undirected}
