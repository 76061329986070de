"""Where other programs differ from the textbook, and by what; everything else must agree.

The textbook decides. Each entry says which program, in what, why, and what its number is in terms
of the textbook's, so that the tests can show that this is the whole difference.

pyAgrum, AIC
    takes one bit off per parameter, not one nat: LL - f ln 2.
pyAgrum, BDeu and every score with fractional prior counts
    takes the log gamma function of small arguments from a coarse table. One variable with three
    states and ess 1 is off by 0.047 nats, with two or four states by less than 1e-5. The totals
    are right to 2 in 10,000.
pyAgrum, tests
    p-values below about 1e-11 are printed as 0, and the degrees of freedom of tables with empty
    rows or columns follow a rule of its own.
pgmpy, K2
    adds log (r - 1)! for every parent configuration that never occurs.
pgmpy, tests
    applies Yates' correction to strata with one degree of freedom, and gives NaN where a G-square
    test meets an expected count of 0.
bnlearn, degrees of freedom
    `mi` and `x2` count all levels in all strata, as our strict coverage does; `mi-adf` and `x2-adf`
    count the levels that occur in each stratum, as our relaxed coverage does, and so do pgmpy and
    causal-learn.
bnlearn, qNML and fNML
    rounds the regret: totals are right to 1 in 100 million (qNML) and 1 in a billion (fNML). Our
    regrets are compared with their definition to 12 digits (`tests/scores/test_nml.py`).
causal-learn, BDeu
    always adds a structure prior; it is our option `per_parent`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import reference
from bayesloom.data import Table

Families = Sequence[tuple[int, tuple[int, ...]]]

PYAGRUM_LOG_GAMMA = 2e-4
"""Relative error of pyAgrum's scores with fractional prior counts."""

PYAGRUM_P_IS_ZERO_BELOW = 1e-11

BNLEARN_REGRET = {"qnml": 1e-8, "fnml": 1e-9}
"""Relative errors of bnlearn's scores with regrets."""


def pyagrum_aic(table: Table, families: Families) -> float:
    """Return the AIC that takes one bit per parameter."""
    likelihood = sum(reference.log_likelihood(table, v, parents) for v, parents in families)
    free = sum(reference.free_parameters(table, v, parents) for v, parents in families)
    return float(likelihood - free * math.log(2))


def pgmpy_k2_surplus(table: Table, families: Families) -> float:
    """Return what pgmpy adds for parent configurations that never occur."""
    return sum(
        math.lgamma(len(table.states[v]))
        * (reference.n_configurations(table, parents) - len(reference.counts(table, parents)))
        for v, parents in families
    )


def is_corrected_by_yates(table: Table, x: int, y: int, given: Sequence[int]) -> bool:
    """Return whether some stratum has one degree of freedom, so that pgmpy corrects it."""
    cells = reference.counts(table, [*given, x, y])
    strata: dict[tuple[int, ...], tuple[set[int], set[int]]] = {}
    for *s, i, j in cells:
        in_x, in_y = strata.setdefault(tuple(s), (set(), set()))
        in_x.add(i)
        in_y.add(j)
    return any((len(i) - 1) * (len(j) - 1) == 1 for i, j in strata.values())
