"""What is told of a search while it goes: the graph of its last step, with directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.graphs import bits
from bayesloom.search import Watch
from bayesloom.studio.news import Telling
from example_samples import sampled

SEARCHES: dict[str, bl.search.Search] = {
    "dag": bl.HillClimbing(restarts=2),
    "tabu": bl.Tabu(patience=30),
    "class": bl.GES(turning=True),
    "second thoughts": bl.XGES(),
    "covering": bl.IXGES(),
    "covering dags": bl.IHC(),
    "from a tree": bl.GES(start=bl.Start.CHOW_LIU),
}


def followed(search: Any, each: Callable[[Watch, dict[str, Any]], object]) -> bl.Network:  # noqa: ANN401
    """Learn asia with somebody who looks after every step."""
    telling, seen = Telling(), [0]

    def look(watch: Watch) -> None:
        telling(watch)
        if len(watch.steps) != seen[0]:
            seen[0] = len(watch.steps)
            news = telling.news()
            assert news is not None
            each(watch, news)

    return bl.learn(sampled("asia", 2000), search, progress=look)


def equivalent_dags(masks: Sequence[int]) -> list[set[tuple[int, int]]]:
    """Return the edges of all equivalent DAGs: turn covered edges (Chickering 1995, theorem 2)."""
    first = tuple(masks)
    found, left = {first}, [first]
    while left:
        parents = left.pop()
        for y, mask in enumerate(parents):
            for x in bits(mask):
                if parents[x] | 1 << x == mask:  # it is covered
                    turned = list(parents)
                    turned[y], turned[x] = parents[x], parents[x] | 1 << y
                    if tuple(turned) not in found:
                        found.add(tuple(turned))
                        left.append(tuple(turned))
    return [{(p, v) for v, mask in enumerate(dag) for p in bits(mask)} for dag in found]


@pytest.mark.parametrize("name", SEARCHES)
def test_edges_are_those_of_the_class_of_the_graph_at_hand(name: str) -> None:
    looked = []

    def each(watch: Watch, news: dict[str, Any]) -> None:
        graph = watch.graph
        assert graph is not None
        dags = equivalent_dags(graph if isinstance(graph, list) else graph.member())
        compelled = set.intersection(*dags)
        assert {(x, y) for x, y, kind in news["edges"] if kind == "arrow"} == compelled
        assert {(x, y) for x, y, _ in news["edges"]} in dags  # free ones as in one of them
        looked.append(news)

    followed(SEARCHES[name], each)
    assert len(looked) > 3


def test_links_of_a_markov_network_have_no_direction() -> None:
    last: list[dict[str, Any]] = []
    net = followed(bl.DMN(), lambda _, news: last.append(news))
    assert {kind for *_, kind in last[-1]["edges"]} == {"link"}
    assert len(last[-1]["edges"]) == len(net.undirected)
