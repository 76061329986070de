from __future__ import annotations

from itertools import pairwise

from hypothesis import given

from bayesloom.graphs import bits
from bayesloom.report.layers import layered
from strategies_graphs import dag_masks


@given(dag_masks())
def test_every_edge_leads_down_row_by_row(parents: list[int]) -> None:
    graph = layered(parents)
    row_of = {v: r for r, row in enumerate(graph.rows) for v in row}
    assert sorted(v for v in row_of if v < len(parents)) == list(range(len(parents)))
    for (parent, child), chain in graph.chains.items():
        assert (chain[0], chain[-1]) == (parent, child)
        assert all(row_of[b] == row_of[a] + 1 for a, b in pairwise(chain))


@given(dag_masks())
def test_every_edge_is_drawn_once(parents: list[int]) -> None:
    edges = {(p, v) for v, mask in enumerate(parents) for p in bits(mask)}
    assert set(layered(parents).chains) == edges


def test_two_parallel_edges_are_put_side_by_side_without_crossing() -> None:
    # 0 -> 3 and 1 -> 2 cross in index order.
    graph = layered([0, 0, 0b0010, 0b0001])
    top = [v for v in graph.rows[0] if v < 4]
    bottom = [v for v in graph.rows[1] if v < 4]
    assert [{0: 3, 1: 2}[v] for v in top] == bottom
