"""What a search that only tests, or weighs, finds: its run, its arrows, who is joined."""

from __future__ import annotations

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import PDAG, bits
from bayesloom.search import Limits, Search, SearchResult, Watch


def run(search: Search, table: Table, limits: Limits | None = None) -> SearchResult:
    """Run a search over all rows."""
    return search.search(NativeEngine(table, 1), limits or Limits.none(table.names), Watch())


def arrows(found: SearchResult) -> set[tuple[int, int]]:
    """Return the directed edges."""
    graph = found.graph
    assert isinstance(graph, PDAG)
    return {(u, v) for v, mask in enumerate(graph.parent_masks) for u in bits(mask)}


def joined(found: SearchResult) -> dict[int, set[int]]:
    """Return the neighbours of every variable, whatever the direction."""
    graph = found.graph
    assert isinstance(graph, PDAG)
    masks = zip(graph.parent_masks, graph.child_masks, graph.neighbour_masks, strict=True)
    return {v: set(bits(pa | ch | ne)) for v, (pa, ch, ne) in enumerate(masks)}


def check_law(found: SearchResult, limits: Limits) -> None:
    """Check that a result keeps what knowledge asks for."""
    near, directed = joined(found), arrows(found)
    for v, mask in enumerate(limits.required):
        assert all((p, v) in directed for p in bits(mask))
    assert all(limits.allowed[v] >> u & 1 for u, v in directed)
    for v, mask in enumerate(limits.pairs):
        assert all(mask >> u & 1 for u in near[v])
    if found.dag is not None:
        assert limits.keeps(found.dag.parent_masks)
