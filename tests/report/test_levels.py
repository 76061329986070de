from __future__ import annotations

from collections import Counter
from itertools import product

from hypothesis import given

from bayesloom.graphs import bits
from bayesloom.report.levels import levels
from strategies_graphs import dag_masks


def length(parents: list[int], level: list[int] | tuple[int, ...]) -> int:
    return sum(level[v] - level[p] for v, mask in enumerate(parents) for p in bits(mask))


@given(dag_masks())
def test_every_node_is_below_its_parents(parents: list[int]) -> None:
    level = levels(parents)
    assert all(level[p] < level[v] for v, mask in enumerate(parents) for p in bits(mask))


@given(dag_masks(max_nodes=5))
def test_the_edges_of_a_small_graph_are_as_short_together_as_can_be(parents: list[int]) -> None:
    n = len(parents)
    best = min(
        length(parents, level)
        for level in product(range(n), repeat=n)
        if all(level[p] < level[v] for v, mask in enumerate(parents) for p in bits(mask))
    )
    assert length(parents, levels(parents)) == best


def test_two_parents_follow_a_child_that_moves_down() -> None:
    # 0 -> 1 -> 2 -> 3 -> 4 is long; 5, 6 -> 7 -> 4 should hang just above 4.
    parents = [0, 0b1, 0b10, 0b100, 0b10001000, 0, 0, 0b1100000]
    assert levels(parents) == [0, 1, 2, 3, 4, 2, 2, 3]


def test_the_leaves_of_a_large_star_take_several_rows() -> None:
    parents = [0, *[1] * 40]
    rows = Counter(levels(parents))
    assert max(rows.values()) <= 20
    turned = [(1 << 41) - 2, *[0] * 40]
    assert max(Counter(levels(turned)).values()) <= 20
