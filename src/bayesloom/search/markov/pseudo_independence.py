"""Variables that look independent in pairs and depend on each other together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Unpack

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats, Longs
from bayesloom.engine import Batch, CountingEngine, counting
from bayesloom.engine.data_engine import engine_in_name_order
from bayesloom.engine.set_scan import SetRule, dependent_sets
from bayesloom.errors import OptionError, check_kind, check_number, check_whole
from bayesloom.graphs import bits, mask_of
from bayesloom.independence import BenjaminiHochberg, Control, Coverage, FixedAlpha, GSquare

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions

_SETS = 1 << 18  # asked for in one batch
_IN_TURN = 1 << 22  # sets whose p-values are handed to a control that wants them all
_KEPT, _MORE = 1 << 10, 1 << 4  # sets that may be rejected at first, and how many times more then
_SLACK = 1e-9  # of a statistic that is compared with another way to compute it
_APART, _EXPECTED = 0.01, 5.0  # what pairs and cells have to keep to by default
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
    link_p : float
        The largest p-value of a pair given the others: by it the set is judged.
    """

    variables: tuple[str, ...]
    total_correlation: float
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    pair_p: float
    link_p: float = math.nan


def find_pseudo_independence(
    data: object,
    size: int = 3,
    *,
    independent: float = _APART,
    control: Control = BenjaminiHochberg(),  # noqa: B008 - a frozen value
    min_expected: float = _EXPECTED,
    **reading: Unpack[ReadingOptions],
) -> tuple[PseudoIndependence, ...]:
    """Find sets of variables that are independent in pairs and jointly dependent.

    All sets of three up to ``size`` variables are looked at in which no pair is significantly
    dependent, over all pairs together. In such a set every pair must be dependent given the others:
    a set is as significant as the least significant of these tests, and the control is over all
    sets of the size that were looked at. A set is left out if a smaller one inside it has been
    found, or if too few rows are expected in a cell. The number of sets grows with the number of
    variables to the power ``size``; they are counted many at a time, as bits.

    Parameters
    ----------
    data : path, frame, Table or Engine
        The data.
    size : int, default 3
        The most variables of a set.
    independent : float, default 0.01
        A pair counts as dependent if the p-value of its G-square test is at most this divided by
        the number of pairs (Bonferroni), so that hardly any true set is lost by it.
    control : Control, default ``BenjaminiHochberg(0.05)``
        Which of the sets are rejected; it decides once for each size. Where sets are many, it has
        to be one that needs no p-values in turn: BenjaminiHochberg or FixedAlpha.
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
    engine = counting(engine_in_name_order(data, reading), "find_pseudo_independence")
    finder = _Finder.of(engine, independent, min_expected)
    return tuple(finder.all_told(size, control))


def sets_dependent_together(engine: CountingEngine, size: int) -> list[tuple[int, ...]]:
    """Return the sets that `find_pseudo_independence` finds of an engine's variables.

    Examples
    --------
    >>> from bayesloom.engine import as_engine
    >>> rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 25
    >>> sets_dependent_together(as_engine(dict(zip("ABC", zip(*rows)))), 3)
    [(0, 1, 2)]
    """
    index = {name: v for v, name in enumerate(engine.names)}
    found = _Finder.of(engine, _APART, _EXPECTED).all_told(size, BenjaminiHochberg())
    return [tuple(index[name] for name in each.variables) for each in found]


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    """The pairs that look independent, and what the joint tests need of single variables."""

    engine: CountingEngine
    apart: list[int]  # for every variable those that look independent of it
    pair_p: Floats
    observed: Floats
    rarest: Floats  # the smallest share of a state that occurs
    min_expected: float

    @classmethod
    def of(cls, engine: CountingEngine, independent: float, min_expected: float) -> _Finder:
        """Test all pairs: one batch, and one for the single variables."""
        n = engine.n_variables
        tests = GSquare(min_expected=0, coverage=Coverage.RELAXED).run(engine, Batch.pairs(n))
        pair_p = np.ones((n, n))
        above = np.triu_indices(n, 1)
        pair_p[above] = pair_p.T[above] = tests.p
        single = Batch.sets([v] for v in range(n))
        rarest = [counts[counts > 0].min() / engine.n_rows for counts in engine.counts(single)]
        near = pair_p > independent / max(1, len(tests.p))
        near &= ~(engine.constant | engine.constant[:, None])
        np.fill_diagonal(near, val=False)
        apart = [mask_of(np.flatnonzero(row).tolist()) for row in near]
        observed = np.asarray(engine.observed, np.float64)
        return cls(engine, apart, pair_p, observed, np.array(rarest), min_expected)

    def all_told(self, size: int, control: Control) -> list[PseudoIndependence]:
        """Return the sets of up to ``size`` variables, the largest total correlation first."""
        found: list[PseudoIndependence] = []
        known: list[list[int]] = []
        for k in range(_LEAST, min(size, self.engine.n_variables) + 1):
            sets = self.rejected(k, control, known)
            found += [self.told(nodes, log_p) for nodes, log_p in sets]
            known += [nodes for nodes, _ in sets]
        return sorted(found, key=lambda each: (-each.total_correlation, each.variables))

    def rejected(
        self, size: int, control: Control, known: list[list[int]]
    ) -> list[tuple[list[int], float]]:
        """Return the sets that are rejected, none with a known one inside, with their log p."""
        level = _level_of(control)
        most = 0.0 if level is None else math.log(level)
        # What Benjamini and Hochberg can reject among so many of the most significant sets.
        keep = _KEPT if isinstance(control, BenjaminiHochberg) else math.inf
        while True:
            n_sets = max(1, math.comb(len(self.apart), size))
            bound = most + min(0.0, math.log(keep / n_sets))
            sets, looked = self._sets(size, math.inf if level is None else bound)
            log_p = self._log_p(sets)
            chosen = _chosen(control, log_p, looked, in_turn=level is None)
            if bound >= most or len(chosen) < keep:
                break
            keep *= _MORE
        told = [(sets[i].tolist(), float(log_p[i])) for i in chosen]
        return [each for each in told if not any(set(small) <= set(each[0]) for small in known)]

    def _sets(self, size: int, bound: float) -> tuple[Longs, int]:
        """Return the conclusive sets that may have a log p up to ``bound``; how many there are.

        No test of a pair given the others exceeds the joint one, which is counted for all sets.
        Without a bound all sets are returned, in order.
        """
        least = -math.inf
        if bound < 0:
            fewest = np.sort(self.observed[self.observed > 1] - 1)
            df = float(fewest[:2].prod() * (fewest[: size - 2] + 1).prod()) if len(fewest) else 1.0
            least = 0.5 * _quantile(bound, df) * (1 - _SLACK)
        floor = self.min_expected / self.engine.n_rows
        rule = SetRule(size, self.apart, least=least, share=self.rarest, floor=floor)
        scan = dependent_sets(self.engine, rule)
        if scan is not None:
            return scan.sets, scan.looked
        rows = [
            np.column_stack([np.tile(base, (len(last), 1)), last])
            for base, others in self._bases(size - 1, [], (1 << len(self.apart)) - 1)
            if (last := bits(others))
        ]
        sets: Longs = np.concatenate([np.zeros((0, size), np.int64), *rows])
        sets = sets[self.rarest[sets].prod(axis=-1) >= floor]
        return sets, len(sets)

    def _bases(self, size: int, base: list[int], others: int) -> Iterator[tuple[list[int], int]]:
        """Yield sets of variables that look independent, each with those that may follow."""
        if len(base) == size:
            yield base, others
            return
        for v in bits(others):
            after = others >> (v + 1) << (v + 1)
            yield from self._bases(size, [*base, v], after & self.apart[v])

    def _log_p(self, sets: Longs) -> Floats:
        """Return the largest log p of a pair of each set given the others."""
        found = np.full(len(sets), -math.inf)
        size = sets.shape[1]
        for first in range(0, len(sets), _SETS):
            block = sets[first : first + _SETS]
            for a, b in combinations(range(size), 2):
                rest = [k for k in range(size) if k not in (a, b)]
                batch = Batch.of(
                    (nodes[a], [nodes[k] for k in rest], (nodes[b],)) for nodes in block.tolist()
                )
                df = (self.observed[block[:, a]] - 1) * (self.observed[block[:, b]] - 1)
                df = df * self.observed[block[:, rest]].prod(axis=1)
                statistic = (
                    2 * self.engine.n_rows * np.maximum(self.engine.informations(batch), 0.0)
                )
                part = found[first : first + _SETS]
                np.maximum(part, _native.log_p_values(statistic, df), out=part)
        return found

    def told(self, nodes: list[int], link_log_p: float) -> PseudoIndependence:
        """Return what was found of one set."""
        entropies = self.engine.entropies(Batch.sets([*([v] for v in nodes), nodes]))
        total = max(0.0, float(entropies[:-1].sum() - entropies[-1]))
        levels, n_rows = self.observed[nodes], self.engine.n_rows
        df = float(levels.prod() - (levels - 1).sum() - 1)
        log_p = float(_native.log_p_values(np.array([2 * n_rows * total]), np.array([df]))[0])
        pairs = self.pair_p[np.ix_(nodes, nodes)]
        return PseudoIndependence(
            variables=tuple(self.engine.names[v] for v in nodes),
            total_correlation=total,
            statistic=2 * n_rows * total,
            df=df,
            p=math.exp(log_p),
            log_p=log_p,
            min_expected=float(n_rows * self.rarest[nodes].prod()),
            pair_p=float(pairs[np.triu_indices(len(nodes), 1)].min()),
            link_p=math.exp(link_log_p),
        )


def _level_of(control: Control) -> float | None:
    """Return from where on no p-value is rejected; None if all are needed, in turn."""
    plain = isinstance(control, BenjaminiHochberg | FixedAlpha)
    return control.alpha if plain else None


def _chosen(control: Control, log_p: Floats, looked: int, *, in_turn: bool) -> list[int]:
    """Return which sets are rejected of all that were looked at, most of which have larger p."""
    if isinstance(control, BenjaminiHochberg):
        order = np.argsort(log_p, kind="stable")
        rank = np.arange(1, len(order) + 1)
        below = np.flatnonzero(log_p[order] <= np.log(rank * control.alpha / max(1, looked)))
        return sorted(order[: below[-1] + 1].tolist()) if len(below) else []
    if in_turn and looked > _IN_TURN:
        msg = (
            f"{type(control).__name__} wants the p-values of all {looked:,} sets in turn; take "
            "BenjaminiHochberg or FixedAlpha for so many"
        )
        raise OptionError(msg)
    return np.flatnonzero(control.decider().rejects(np.exp(log_p))).tolist()


def _quantile(log_p: float, df: float) -> float:
    """Return the statistic that is exceeded with a probability, by bisection."""
    low, high = 0.0, 1.0
    degrees = np.array([df])
    while _native.log_p_values(np.array([high]), degrees)[0] > log_p:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        above = _native.log_p_values(np.array([middle]), degrees)[0] > log_p
        low, high = (middle, high) if above else (low, middle)
    return low
