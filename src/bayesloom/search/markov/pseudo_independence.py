"""Variables that look independent in pairs and depend on each other together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats, Longs
from bayesloom.engine import Batch, CountingEngine, Engine, counting
from bayesloom.engine.data_engine import engine_in_name_order
from bayesloom.errors import check_kind, check_number, check_whole
from bayesloom.graphs import bits
from bayesloom.independence import BenjaminiHochberg, Control, Coverage, GSquare

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions

_TABLES = 1 << 20  # tables asked for in one batch
_LEAST = 3  # variables that can be independent in pairs and dependent together


@dataclass(frozen=True, slots=True)
class PseudoIndependence:
    """Variables no pair of which is significantly dependent, while all together are.

    Parameters
    ----------
    variables : tuple of str
        The variables, in the order of names.
    total_correlation : float
        The sum of their entropies minus their joint entropy, in nats.
    statistic, df, p, log_p : float
        The test of the joint distribution against the product of the single ones: G-square is 2 N
        times the total correlation, its degrees of freedom, the p-value and its logarithm.
    min_expected : float
        The smallest expected count of the test.
    pair_p : float
        The smallest p-value of a pair.
    """

    variables: tuple[str, ...]
    total_correlation: float
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    pair_p: float


def find_pseudo_independence(
    data: object,
    size: int = 3,
    *,
    independent: float = 0.01,
    control: Control = BenjaminiHochberg(),  # noqa: B008 - a frozen value
    min_expected: float = 5.0,
    **reading: Unpack[ReadingOptions],
) -> tuple[PseudoIndependence, ...]:
    """Find sets of variables that are independent in pairs and jointly dependent.

    All sets of three up to ``size`` variables are looked at whose pairs are not significantly
    dependent. A set is left out if a smaller one inside it has been found, or if too few rows are
    expected in a cell. The number of sets grows with the number of variables to the power
    ``size``.

    Parameters
    ----------
    data : path, frame, Table or Engine
        The data.
    size : int, default 3
        The most variables of a set.
    independent : float, default 0.01
        A pair counts as independent if the p-value of its G-square test is above this.
    control : Control, default ``BenjaminiHochberg(0.05)``
        Which of the joint tests reject; it decides once for each size.
    min_expected : float, default 5
        The smallest expected count that makes a joint test conclusive.
    **reading
        How to read the data, such as ``missing="drop"``; see `bayesloom.Reading`.

    Returns
    -------
    tuple of PseudoIndependence
        The largest total correlation first.

    Raises
    ------
    OptionError
        If an option has a value it cannot take.

    Examples
    --------
    >>> rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 25
    >>> found = find_pseudo_independence(dict(zip("ABC", zip(*rows))))
    >>> found[0].variables, round(found[0].total_correlation, 4), found[0].df
    (('A', 'B', 'C'), 0.6931, 4.0)
    """
    check_whole("size", size, _LEAST)
    check_number("independent", independent, least=0, below=1)
    check_kind("control", control, Control, "a value such as BenjaminiHochberg(0.05)")
    check_number("min_expected", min_expected, least=0)
    engine = engine_in_name_order(data, reading)
    finder = _Finder.of(engine, independent, min_expected)
    found: list[PseudoIndependence] = []
    known: list[list[int]] = []
    for k in range(_LEAST, min(size, engine.n_variables) + 1):
        sets = finder.sets(k, known)
        tests = finder.test(sets)
        rejected = np.flatnonzero(control.decider().rejects(np.exp(tests.log_p)))
        found += [finder.told(sets[i], tests, i) for i in rejected.tolist()]
        known += sets[rejected].tolist()
    return tuple(sorted(found, key=lambda each: (-each.total_correlation, each.variables)))


class _Tests(NamedTuple):
    """One entry per set."""

    total: Floats
    df: Floats
    log_p: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    """The pairs that look independent, and what the joint tests need of single variables."""

    engine: CountingEngine
    apart: list[int]  # for every variable the later ones that look independent of it
    pair_p: Floats
    entropy: Floats
    rarest: Floats  # the smallest share of a state that occurs
    min_expected: float

    @classmethod
    def of(cls, engine: Engine, independent: float, min_expected: float) -> _Finder:
        """Test all pairs: one batch, and one for the single variables."""
        engine, n = counting(engine, "a search for pseudo-independence"), engine.n_variables
        tests = GSquare(min_expected=0, coverage=Coverage.RELAXED).run(engine, Batch.pairs(n))
        pair_p = np.ones((n, n))
        pair_p[np.triu_indices(n, 1)] = tests.p
        single = Batch.sets([v] for v in range(n))
        rarest = [counts[counts > 0].min() / engine.n_rows for counts in engine.counts(single)]
        varies = engine.observed > 1
        apart = [
            sum(1 << w for w in range(v + 1, n) if varies[w] and pair_p[v, w] > independent)
            if varies[v]
            else 0
            for v in range(n)
        ]
        return cls(engine, apart, pair_p, engine.entropies(single), np.array(rarest), min_expected)

    def sets(self, size: int, known: list[list[int]]) -> Longs:
        """Return the conclusive sets of so many variables without a known one inside, in order."""
        rows = [
            np.column_stack([np.tile(base, (len(last), 1)), last])
            for base, others in self._bases(size - 1, [], (1 << len(self.apart)) - 1)
            if (last := bits(others))
        ]
        sets: Longs = np.concatenate([np.zeros((0, size), np.int64), *rows])
        sets = sets[self._least(sets) >= self.min_expected]
        for small in known:
            sets = sets[np.isin(sets, small).sum(axis=1) < len(small)]
        return sets

    def _bases(self, size: int, base: list[int], others: int) -> Iterator[tuple[list[int], int]]:
        """Yield sets of variables that look independent, each with those that may follow."""
        if len(base) == size:
            yield base, others
            return
        for v in bits(others):
            yield from self._bases(size, [*base, v], others & self.apart[v])

    def _least(self, sets: Longs) -> Floats:
        least: Floats = self.engine.n_rows * self.rarest[sets].prod(axis=-1)
        return least

    def test(self, sets: Longs) -> _Tests:
        """Test the joint distribution of each set against the product of the single ones."""
        blocks = np.array_split(sets, len(sets) // _TABLES + 1)
        joint = np.concatenate(
            [self.engine.entropies(Batch.sets(block.tolist())) for block in blocks]
        )
        total = np.maximum(self.entropy[sets].sum(axis=1) - joint, 0.0)
        levels = self.engine.observed[sets].astype(np.float64)
        df = levels.prod(axis=1) - (levels - 1).sum(axis=1) - 1
        return _Tests(total, df, _native.log_p_values(2 * self.engine.n_rows * total, df))

    def told(self, nodes: Longs, tests: _Tests, i: int) -> PseudoIndependence:
        """Return what was found of one set."""
        total, log_p = float(tests.total[i]), float(tests.log_p[i])
        return PseudoIndependence(
            variables=tuple(self.engine.names[v] for v in nodes),
            total_correlation=total,
            statistic=2 * self.engine.n_rows * total,
            df=float(tests.df[i]),
            p=math.exp(log_p),
            log_p=log_p,
            min_expected=float(self._least(nodes)),
            pair_p=float(self.pair_p[np.ix_(nodes, nodes)].min()),
        )
