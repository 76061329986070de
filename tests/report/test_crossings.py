from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product

from hypothesis import given
from hypothesis import strategies as st

from bayesloom.report.crossings import with_few_crossings
from bayesloom.report.layers import layered
from strategies_graphs import dag_masks


def crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    """Count the pairs of edges between neighbouring rows that are in opposite orders."""
    place = {v: k for row in rows for k, v in enumerate(row)}
    total = 0
    for row in rows:
        edges = [(place[v], place[w]) for v in row for w in below[v]]
        total += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(edges, 2))
    return total


@given(st.lists(st.sets(st.integers(4, 7), min_size=1), min_size=4, max_size=4))
def test_two_short_rows_cross_as_little_as_any_order_does(joined: list[set[int]]) -> None:
    below = [sorted(ends) for ends in joined] + [[]] * 4
    chains = [(v, w) for v, ends in enumerate(joined) for w in ends]
    rows = [[0, 1, 2, 3], [4, 5, 6, 7]]
    best = min(
        crossings(order, below)
        for order in product(permutations(range(4)), permutations(range(4, 8)))
    )
    assert crossings(with_few_crossings(rows, below, chains), below) == best


@given(dag_masks())
def test_rows_keep_their_nodes(parents: list[int]) -> None:
    graph = layered(parents)
    rows = [sorted(row) for row in graph.rows]
    found = with_few_crossings(rows, graph.below, graph.chains.values())
    assert [sorted(row) for row in found] == rows
    assert crossings(found, graph.below) <= crossings(rows, graph.below)


def test_a_long_edge_is_led_around_a_crowd() -> None:
    # 0 -> 5 passes bends 6 and 7; the crowd 1 -> 2, 3 -> 4 stands in its way.
    rows = [[0, 1], [2, 6, 3], [4, 7, 8], [5]]
    below = [[6], [2, 3], [4], [8], [], [], [7], [5], []]
    chains = [(0, 6, 7, 5), (1, 2), (1, 3), (2, 4), (3, 8)]
    assert crossings(with_few_crossings(rows, below, chains), below) == 0
