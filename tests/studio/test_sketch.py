"""Layouts of edges that need not be a DAG."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import DataError
from bayesloom.studio.sketch import sketched

NODES = 6
edges = st.lists(
    st.tuples(
        st.integers(0, NODES - 1),
        st.integers(0, NODES - 1),
        st.sampled_from(["arrow", "free", "link"]),
    ).filter(lambda edge: edge[0] != edge[1]),
    max_size=12,
)


@given(edges)
def test_every_pair_is_drawn_once_as_it_was_first_given(asked: list[tuple[int, int, str]]) -> None:
    drawn = sketched([f"v{k}" for k in range(NODES)], asked)
    first: dict[frozenset[int], tuple[int, int, str]] = {}
    for x, y, kind in asked:
        first.setdefault(frozenset((x, y)), (x, y, kind))
    assert len(drawn["nodes"]) == NODES
    assert len(drawn["edges"]) == len(first)
    for edge in drawn["edges"]:
        x, y, kind = first[frozenset(edge["ends"])]
        assert bool(edge["head"]) == (kind == "arrow")
        assert ("free" in edge["line"]) == (kind == "free")
        assert edge["ends"] == [x, y]


def test_an_arrow_that_closes_a_circle_ends_at_its_own_child() -> None:
    drawn = sketched("ABC", [(0, 1, "arrow"), (1, 2, "arrow"), (2, 0, "arrow")])
    edge = next(edge for edge in drawn["edges"] if edge["ends"] == [2, 0])
    x, y = map(float, edge["head"][1:].split("L")[0].split())
    centre = drawn["nodes"][0]
    assert (x - centre[0]) ** 2 + (y - centre[1]) ** 2 < 60**2


@pytest.mark.parametrize(
    "edge",
    [(0, 0, "arrow"), (0, 2, "free"), (-1, 0, "link"), (0, 1, "<b>"), (0, 1), (0, "1", "link")],
)
def test_what_is_no_edge_is_refused(edge: tuple[int, int, str]) -> None:
    with pytest.raises(DataError, match="two different nodes and one of arrow, free and link"):
        sketched(["A", "B"], [edge])
