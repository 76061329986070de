"""The average of many graphs: one graph of the pairs that are joined often enough."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from bayesloom.graphs import DAG, ChordalGraph, ancestors, close_under_meek, is_chordal
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
    unsettled : tuple of pairs of str
        Edges (parent, child) that have no direction in most graphs; they got one that makes no
        new collider, where that was possible.
    """

    graph: DAG | ChordalGraph
    turned: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    unsettled: tuple[tuple[str, str], ...] = ()

    def notes(self) -> tuple[str, ...]:
        """Say what was turned and dropped, one sentence each, and which directions are open."""
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
        if self.unsettled:
            some = ", ".join(" - ".join(sorted(edge)) for edge in self.unsettled[:_MOST_NAMED])
            more = len(self.unsettled) - _MOST_NAMED
            rest = f" and {more:,} more" if more > 0 else ""
            said.append(
                f"no direction of {some}{rest} is in more than half of the networks that join the "
                "two; directed so as to make no new collider"
            )
        return tuple(said)


_MOST_NAMED = 5
"""How many edges a note names."""


def average_arrows(
    pairs: Sequence[PairStrength],
    limits: Limits,
    unsettled: Container[tuple[str, str]] = frozenset(),
) -> Averaged:
    """Join pairs by directed edges, the first first; no edge closes a cycle or breaks the limits.

    A pair gets the direction of the majority if it can, else the other one, else none. Edges that
    are required come before all pairs.

    Pairs (x, y) that are ``unsettled`` come last. Directing two of them at the same variable would
    claim a collider that hardly any graph has, so each takes the direction that Meek's rules leave
    it, and the more frequent one only where they leave both.

    Examples
    --------
    >>> pairs = [PairStrength(*"AB", 1.0, 0.9), PairStrength(*"BC", 0.9, 0.9)]
    >>> made = average_arrows([*pairs, PairStrength(*"CA", 0.8, 0.6)], Limits.none("ABC"))
    >>> made.graph.edges, made.turned
    ((('A', 'B'), ('A', 'C'), ('B', 'C')), (('A', 'C'),))
    """
    index = {name: v for v, name in enumerate(limits.names)}
    parents = list(limits.required)
    turned, dropped, waiting = [], [], []
    for x, y, *_ in pairs:
        u, v = index[x], index[y]
        if parents[u] >> v & 1 or parents[v] >> u & 1:
            continue
        if (x, y) in unsettled:
            waiting.append((u, v))
        elif not _join(parents, u, v, limits):
            dropped.append((x, y))
        elif parents[u] >> v & 1:
            turned.append((y, x))
    left = _join_without_colliders(parents, waiting, limits)
    names = limits.names
    ways = [(u, v) if parents[v] >> u & 1 else (v, u) for u, v in waiting if (u, v) not in left]
    return Averaged(
        DAG(names, tuple(parents)),
        tuple(turned),
        (*dropped, *((names[u], names[v]) for u, v in left)),
        tuple((names[u], names[v]) for u, v in ways),
    )


def _join(parents: list[int], u: int, v: int, limits: Limits) -> bool:
    """Put u -> v into parents, else v -> u, else say that neither may be."""
    for a, b in ((u, v), (v, u)):
        if _may_join(parents, a, b, limits):
            parents[b] |= 1 << a
            return True
    return False


def _join_without_colliders(
    parents: list[int], pairs: Sequence[tuple[int, int]], limits: Limits
) -> list[tuple[int, int]]:
    """Put pairs into parents as Meek's rules direct them; return those that may not be joined."""
    free = [0] * len(parents)
    for u, v in pairs:
        free[u] |= 1 << v
        free[v] |= 1 << u
    waiting, dropped = list(pairs), []
    while waiting:
        into, still = close_under_meek(parents, free, fourth_rule=True)
        led = [pair for pair in waiting if not still[pair[0]] >> pair[1] & 1]
        now = led or waiting[:1]
        for u, v in now:
            a, b = (v, u) if into[u] >> v & 1 else (u, v)
            if not _join(parents, a, b, limits):
                dropped.append((u, v))
            free[u] &= ~(1 << v)
            free[v] &= ~(1 << u)
        waiting = [pair for pair in waiting if pair not in now]
    return dropped


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
