"""What the benchmark needs of graphs: a DAG of a class, the class of a DAG, their distance."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Edges = Iterable[Sequence[str]]


def extension(directed: Edges, undirected: Edges) -> list[tuple[str, str]]:
    """Return the edges of a DAG with the same skeleton and colliders (Dor and Tarsi, 1992).

    Parameters
    ----------
    directed, undirected
        The edges of a partially directed graph.

    Raises
    ------
    ValueError
        If there is no such DAG.
    """
    parents, children, near = _sets(directed, undirected)
    result = [(tail, head) for head, tails in parents.items() for tail in tails]
    left = sorted(near)
    while left:
        sink = next((v for v in left if _may_be_last(v, parents, children, near)), None)
        if sink is None:
            msg = "the partially directed graph has no consistent extension"
            raise ValueError(msg)
        result += [(other, sink) for other in near[sink]]
        left.remove(sink)
        for other in near[sink] | parents[sink]:
            near[other].discard(sink)
            children[other].discard(sink)
    return result


Sets = dict[str, set[str]]


def _sets(directed: Edges, undirected: Edges) -> tuple[Sets, Sets, Sets]:
    arrows, lines = [tuple(e) for e in directed], [tuple(e) for e in undirected]
    nodes = {v for edge in arrows + lines for v in edge}
    parents: Sets = {v: {a for a, b in arrows if b == v} for v in nodes}
    children: Sets = {v: {b for a, b in arrows if a == v} for v in nodes}
    both = lines + [(b, a) for a, b in lines]
    return parents, children, {v: {b for a, b in both if a == v} for v in nodes}


def _may_be_last(v: str, parents: Sets, children: Sets, near: Sets) -> bool:
    if children[v]:
        return False
    around = near[v] | parents[v]
    return all(around - {a} <= parents[a] | children[a] | near[a] for a in near[v])


def essential(edges: Edges) -> dict[frozenset[str], tuple[str, str] | None]:
    """Return the class of a DAG: each adjacency with its compelled arrow, or None if it is free."""
    parents: dict[str, set[str]] = {}
    adjacent: dict[str, set[str]] = {}
    for tail, head in edges:
        parents.setdefault(head, set()).add(tail)
        adjacent.setdefault(head, set()).add(tail)
        adjacent.setdefault(tail, set()).add(head)
    arrows = {
        (a, c)
        for c, given in parents.items()
        for a, b in permutations(given, 2)
        if b not in adjacent[a]
    }
    free = {(a, c) for c, given in parents.items() for a in given} - arrows
    while compelled := {arrow for line in free for arrow in _meek(line, arrows, free, adjacent)}:
        arrows |= compelled
        free -= compelled
    found: dict[frozenset[str], tuple[str, str] | None] = {frozenset(line): None for line in free}
    return found | {frozenset(arrow): arrow for arrow in arrows}


def _meek(
    line: tuple[str, str],
    arrows: set[tuple[str, str]],
    free: set[tuple[str, str]],
    adjacent: dict[str, set[str]],
) -> list[tuple[str, str]]:
    """Return the line if a rule of Meek compels it; a rule can only confirm the DAG's arrow."""
    a, b = line
    around_a = adjacent[a]
    into_b = {x for x in adjacent[b] if (x, b) in arrows}
    away_from_collider = any((x, a) in arrows and x not in adjacent[b] for x in around_a)
    acyclic = any((a, x) in arrows for x in into_b)
    kites = [x for x in into_b if (a, x) in free or (x, a) in free]
    kite = any(y not in adjacent[x] for x, y in permutations(kites, 2))
    return [line] if away_from_collider or acyclic or kite else []


def distance(one: Edges, other: Edges) -> int:
    """Return the structural Hamming distance between the classes of two DAGs."""
    first, second = essential(one), essential(other)
    missing = object()
    return sum(
        first.get(e, missing) != second.get(e, missing) for e in first.keys() | second.keys()
    )
