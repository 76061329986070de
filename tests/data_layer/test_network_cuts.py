"""Cuts for a network: the shortest description, found fast and by trying all divisions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Reading, Table
from bayesloom.data.cutting import FineReading
from bayesloom.data.interval import interval_labels
from bayesloom.data.network_cuts import FineTable, best_division
from bayesloom.errors import OptionError


def regret(n: int, k: int) -> float:
    """Sum the largest likelihoods of all samples of ``n`` rows over ``k`` states, as defined."""
    if n == 0 or k == 1:
        return 0.0
    known = [Fraction(1), sum(_term(n, h) for h in range(n + 1))]
    for j in range(1, k - 1):
        known.append(known[-1] + Fraction(n, j) * known[-2])
    return log(known[k - 1])


def _term(n: int, h: int) -> Fraction:
    return comb(n, h) * Fraction(h, n) ** h * Fraction(n - h, n) ** (n - h)


def description(rows: list[tuple[int, ...]], sizes: list[int], parents: list[list[int]]) -> float:
    """Return the length of rows over the families of a network, one count at a time."""
    total, n = 0.0, len(rows)
    for v, given_ in enumerate(parents):
        joint = Counter((tuple(row[u] for u in given_), row[v]) for row in rows)
        contexts = Counter(tuple(row[u] for u in given_) for row in rows)
        own = Counter(row[v] for row in rows)
        for (context, state), count in joint.items():
            total -= count * log(count * n / (contexts[context] * own[state]))
        total += sum(regret(count, sizes[v]) for count in contexts.values())
    return total


def coarse(code: int, starts: tuple[int, ...]) -> int:
    return sum(start <= code for start in starts)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], int, list[list[int]]]:
    """Draw rows of a fine column and three others, and a graph over them."""
    n_fine = draw(st.integers(2, 5))
    cell = st.tuples(st.integers(0, n_fine - 1), *[st.integers(0, 1)] * 3)
    rows = draw(st.lists(cell, min_size=4, max_size=40))
    order = draw(st.permutations(range(4)))
    parents: list[list[int]] = [[] for _ in range(4)]
    for a, b in combinations(order, 2):
        if draw(st.booleans()):
            parents[b].append(a)
    return rows, n_fine, parents


def fine_of(rows: list[tuple[int, ...]], n_fine: int) -> FineTable:
    states = [interval_labels(range(1, n_fine)), *[["no", "yes"]] * 3]
    return FineTable(Table("abcd", states, np.array(rows).T.tolist()), {"a": 3})


@settings(max_examples=60, deadline=None)
@given(problems())
def test_the_best_cuts_are_those_of_the_shortest_description_of_all(
    problem: tuple[list[tuple[int, ...]], int, list[list[int]]],
) -> None:
    rows, n_fine, parents = problem
    fine = fine_of(rows, n_fine)

    def length(starts: tuple[int, ...]) -> float:
        cut = [(coarse(row[0], starts), *row[1:]) for row in rows]
        price = log(n_fine) + log(comb(n_fine - 1, len(starts)))
        return description(cut, [len(starts) + 1, 2, 2, 2], parents) + price

    choices = [x for k in range(n_fine) for x in combinations(range(1, n_fine), k)]
    start = fine.start()
    assert fine.length(start, parents) == pytest.approx(length(start[0]), abs=1e-8)
    found = fine.improved(start, parents)
    if not parents[0] and not any(0 in family for family in parents):
        assert found == start
        return
    shortest = min(map(length, choices))
    alone = length(()) <= shortest + 1e-7  # then the column keeps what it has
    assert alone or length(found[0]) == pytest.approx(shortest, abs=1e-6)
    assert not alone or found == start or length(found[0]) == pytest.approx(shortest, abs=1e-6)


def test_of_divisions_that_are_equally_good_the_fewest_and_lowest_parts_are_taken() -> None:
    values = np.triu(np.ones((5, 5)), 1)
    assert best_division(values, [0.0, 1.0, 2.0, 3.0], 1e-9) == ()
    assert best_division(values, [0.0, 0.5, 2.0, 3.0], 1e-9) == (1,)


def test_cuts_depend_neither_on_the_order_of_rows_nor_of_columns() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=600)
    frame = {"x": x, "y": x + 0.3 * rng.normal(size=600), "z": (x > 0.7).astype(int)}
    kept = []
    for order, names in ((slice(None), "xyz"), (rng.permutation(600), "zyx")):
        reading = FineReading(discretize={"x": "network", "y": "network"})
        table = reading.apply({name: frame[name][order] for name in names}).in_name_order()
        fine = FineTable(table, reading.bins_of)
        kept.append(fine.points(fine.improved(fine.start(), [[], [0], [0]])))
    assert kept[0] == kept[1]
    assert any(abs(point - 0.7) < 0.1 for point in kept[0]["x"])


def test_a_state_of_missing_cells_stays_a_state() -> None:
    cells = [0.5, 1.5, 2.5, 3.5, None] * 30
    reading = FineReading(missing="state", discretize={"x": ("network", 4)})
    table = reading.apply({"x": cells, "y": [None if c is None else str(c > 2) for c in cells]})
    fine = FineTable(table, reading.bins_of)
    found = fine.coarse(fine.improved(fine.start(), [[], [0]]))
    assert found.states[0] == ("(-inf,2]", "(2,inf)", "missing")
    assert np.bincount(found.codes[0]).tolist() == [60, 60, 30]


def test_regrets_beyond_a_thousand_rows_are_those_of_the_definition() -> None:
    from bayesloom.data.network_cuts import _regrets

    rows = [0, 1, 7, 1024, 1500, 2047]
    for k in (1, 2, 5):
        found = _regrets(np.array(rows, dtype=np.float64), k)
        assert found.tolist() == pytest.approx([regret(n, k) for n in rows], abs=2e-6)


@pytest.mark.parametrize("rule", ["network", {"x": "network"}, {"x": ("network", 4)}])
def test_without_a_network_there_is_nothing_to_cut_for(rule: object) -> None:
    with pytest.raises(OptionError, match="cuts for a network that is learned or fitted"):
        Reading(discretize=rule).apply({"x": [1.5, 2.5] * 20})  # type: ignore[arg-type]
