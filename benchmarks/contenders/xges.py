"""xges with a discrete score in numpy plugged in; the package itself has a Gaussian one only."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy
from xges import XGES
from xges.scorer import ScorerInterface

import dataset
import scorer
from contenders import Prepared


class DiscreteScorer(ScorerInterface):
    """Local scores, each computed once; n log n is looked up, not computed.

    The extended search copies its state for every trial; the copies share this memory.
    """

    def __init__(self, codes: dataset.Codes, score: str) -> None:
        super().__init__()
        self.codes = codes
        self.n_variables = len(codes.names)
        self.compute = self.bic if score == "bic" else self.bdeu
        self.known: dict[tuple[int, frozenset[int]], float] = {}
        numbers = np.arange(codes.n_rows + 1.0)
        self.n_log_n = xlogy(numbers, numbers)

    def __deepcopy__(self, memo: dict) -> DiscreteScorer:
        return self  # known scores stay true

    def local_score(self, target: int, parents: set[int]) -> float:
        """Return the score of one family."""
        key = target, frozenset(parents)
        if key not in self.known:
            self.known[key] = self.compute(target, sorted(parents))
        return self.known[key]

    def bic(self, child: int, parents: list[int]) -> float:
        """Return log-likelihood minus half of log N per free parameter."""
        counts, q = scorer.family_counts(self.codes, child, parents)
        likelihood = self.n_log_n[counts].sum() - self.n_log_n[counts.sum(axis=1)].sum()
        free = (self.codes.cardinality[child] - 1) * q
        return likelihood - 0.5 * math.log(self.codes.n_rows) * free

    def bdeu(self, child: int, parents: list[int]) -> float:
        """Return the log marginal likelihood, equivalent sample size 10."""
        return scorer.bdeu(self.codes, child, parents, lgamma=gammaln)


def _search(csv: str, score: str, *, extended: bool) -> Prepared:
    codes = dataset.load_codes(Path(csv))
    codes = dataset.Codes(codes.names, codes.states, codes.columns.astype(np.intp))
    rows = np.empty((codes.n_rows, len(codes.names)))  # only its shape is used
    discrete = DiscreteScorer(codes, score)
    model = XGES()

    def work() -> XGES:
        model.fit(rows, extended_search=extended, scorer=discrete)
        return model

    return work, lambda fitted: _edges(fitted, codes.names)


def ges(csv: str, score: str) -> Prepared:
    return _search(csv, score, extended=False)


def xges(csv: str, score: str) -> Prepared:
    return _search(csv, score, extended=True)


def _edges(model: XGES, names: tuple[str, ...]) -> dict[str, Any]:
    pdag = model.get_pdag()
    directed = [[names[p], names[v]] for v in pdag.get_nodes() for p in pdag.get_parents(v)]
    undirected = [
        [names[u], names[v]] for v in pdag.get_nodes() for u in pdag.get_neighbors(v) if u < v
    ]
    return {"directed": directed, "undirected": undirected}
