"""The average of many graphs: one graph of the pairs that are joined often enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.graphs import DAG, ChordalGraph, ancestors, is_chordal
from bayesloom.learning.confidence import PairStrength
from bayesloom.search import Limits


@dataclass(frozen=True, slots=True)
class Averaged:
    """A graph made of pairs, and what could not be had as the majority has it.

    Parameters
    ----------
    graph : DAG or ChordalGraph
        The graph.
    turned : tuple of pairs of str
        Edges (parent, child) that got the rarer direction; the other would close a cycle or is not
        allowed.
    dropped : tuple of pairs of str
        Pairs above the threshold that were left out: no direction of them is allowed, or no way was
        found to keep the graph chordal.
    """

    graph: DAG | ChordalGraph
    turned: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()

    def notes(self) -> tuple[str, ...]:
        """Say what was turned and dropped, one sentence each."""
        said = [
            f"{x} -> {y} is against the majority: the other direction would close a cycle or is "
            "not allowed"
            for x, y in self.turned
        ]
        why = "chordal" if isinstance(self.graph, ChordalGraph) else "free of cycles and allowed"
        said += [
            f"{x} and {y} are above the threshold and not joined, or the graph would not be {why}"
            for x, y in self.dropped
        ]
        return tuple(said)


def average_arrows(pairs: Sequence[PairStrength], limits: Limits) -> Averaged:
    """Join pairs by directed edges, the first first; no edge closes a cycle or breaks the limits.

    A pair gets the direction of the majority if it can, else the other one, else none. Edges that
    are required come before all pairs.

    Examples
    --------
    >>> pairs = [PairStrength(*"AB", 1.0, 0.9), PairStrength(*"BC", 0.9, 0.9)]
    >>> made = average_arrows([*pairs, PairStrength(*"CA", 0.8, 0.6)], Limits.none("ABC"))
    >>> made.graph.edges, made.turned
    ((('A', 'B'), ('A', 'C'), ('B', 'C')), (('A', 'C'),))
    """
    index = {name: v for v, name in enumerate(limits.names)}
    parents = list(limits.required)
    turned, dropped = [], []
    for x, y, *_ in pairs:
        u, v = index[x], index[y]
        if parents[u] >> v & 1 or parents[v] >> u & 1:
            continue
        if _may_join(parents, u, v, limits):
            parents[v] |= 1 << u
        elif _may_join(parents, v, u, limits):
            parents[u] |= 1 << v
            turned.append((y, x))
        else:
            dropped.append((x, y))
    return Averaged(DAG(limits.names, tuple(parents)), tuple(turned), tuple(dropped))


def _may_join(parents: Sequence[int], u: int, v: int, limits: Limits) -> bool:
    """Say whether u -> v is allowed and closes no cycle."""
    allowed = limits.allowed[v] >> u & 1 and parents[v].bit_count() < limits.most
    return bool(allowed) and not ancestors(parents, 1 << u) >> v & 1


def average_links(pairs: Sequence[PairStrength], limits: Limits) -> Averaged:
    """Join pairs by links, the first first, as long as the graph stays chordal.

    A link that has to wait for others is tried again when they are there.

    Examples
    --------
    >>> pairs = [PairStrength(*link, 1.0, 0.5) for link in ("AB", "BC", "CD", "AD", "AC")]
    >>> average_links(pairs, Limits.none("ABCD")).dropped
    ()
    """
    index = {name: v for v, name in enumerate(limits.names)}
    adjacency = [0] * len(limits.names)
    waiting, tried = list(pairs), -1
    while tried != len(waiting):
        tried, still = len(waiting), []
        for pair in waiting:
            u, v = index[pair.x], index[pair.y]
            linked = adjacency.copy()
            linked[u] |= 1 << v
            linked[v] |= 1 << u
            if is_chordal(linked):
                adjacency = linked
            else:
                still.append(pair)
        waiting = still
    dropped = tuple((pair.x, pair.y) for pair in waiting)
    return Averaged(ChordalGraph(limits.names, tuple(adjacency)), dropped=dropped)
