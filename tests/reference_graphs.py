"""Slow, obvious graph algorithms that the mask kernel must agree with."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from bayesloom.graphs.spanning import TIE, _places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bayesloom.arrays import Floats

Arcs = frozenset[tuple[int, int]]
Links = frozenset[frozenset[int]]


def arcs_of(parents: Sequence[int]) -> Arcs:
    n = len(parents)
    return frozenset((p, v) for v in range(n) for p in range(n) if parents[v] >> p & 1)


def links_of(adjacency: Sequence[int]) -> Links:
    n = len(adjacency)
    return frozenset(frozenset((u, v)) for v in range(n) for u in range(n) if adjacency[v] >> u & 1)


def masks_of(arcs: Arcs, n: int) -> tuple[int, ...]:
    return tuple(sum(1 << p for p in range(n) if (p, v) in arcs) for v in range(n))


def is_acyclic(arcs: Arcs, n: int) -> bool:
    left = set(range(n))
    while True:
        roots = {v for v in left if not any((p, v) in arcs for p in left)}
        if not roots:
            return not left
        left -= roots


@cache
def all_dags(n: int) -> tuple[Arcs, ...]:
    """List all labelled DAGs: each pair has no edge or one of two."""
    choices = [((), ((a, b),), ((b, a),)) for a, b in combinations(range(n), 2)]
    graphs = (frozenset(sum(choice, ())) for choice in product(*choices))
    return tuple(arcs for arcs in graphs if is_acyclic(arcs, n))


def skeleton(arcs: Arcs) -> Links:
    return frozenset(frozenset(arc) for arc in arcs)


def v_structures(arcs: Arcs) -> frozenset[tuple[frozenset[int], int]]:
    links = skeleton(arcs)
    return frozenset(
        (frozenset((a, b)), c)
        for a, c in arcs
        for b, d in arcs
        if c == d and a != b and frozenset((a, b)) not in links
    )


@cache
def all_classes(n: int) -> tuple[tuple[Arcs, ...], ...]:
    """Group all DAGs by skeleton and v-structures."""
    classes: dict[object, list[Arcs]] = {}
    for arcs in all_dags(n):
        classes.setdefault((skeleton(arcs), v_structures(arcs)), []).append(arcs)
    return tuple(tuple(members) for members in classes.values())


def shared_arcs(members: Sequence[Arcs]) -> tuple[Arcs, Links]:
    """Return the arcs that all members have, and the links on whose direction they differ."""
    common = frozenset.intersection(*members)
    return common, skeleton(members[0]) - skeleton(common)


def all_pdags(n: int) -> Iterator[tuple[Arcs, Links]]:
    """List all graphs whose pairs have no edge, an arrow either way, or an undirected edge."""
    pairs = list(combinations(range(n), 2))
    for marks in product(range(4), repeat=len(pairs)):
        arcs = frozenset(
            (a, b) if mark == 1 else (b, a)
            for (a, b), mark in zip(pairs, marks, strict=True)
            if mark in (1, 2)
        )
        links = frozenset(
            frozenset(pair) for pair, mark in zip(pairs, marks, strict=True) if mark == 3
        )
        yield arcs, links


def extensions(arcs: Arcs, links: Links, n: int) -> list[Arcs]:
    """List the DAGs with the same adjacencies and arrows and with no other v-structure."""
    adjacent = skeleton(arcs) | links
    colliders = frozenset(
        (frozenset((a, b)), c)
        for a, c in arcs
        for b, d in arcs
        if c == d and a != b and frozenset((a, b)) not in adjacent
    )
    return [
        dag
        for dag in all_dags(n)
        if arcs <= dag and skeleton(dag) == adjacent and v_structures(dag) == colliders
    ]


def descendants(arcs: Arcs, v: int) -> set[int]:
    found = {v}
    while True:
        more = found | {b for a, b in arcs if a in found}
        if more == found:
            return found
        found = more


def simple_paths(links: Links, x: int, y: int) -> Iterator[list[int]]:
    def extend(path: list[int]) -> Iterator[list[int]]:
        if path[-1] == y:
            yield path
            return
        for link in links:
            if path[-1] in link:
                (other,) = link - {path[-1]}
                if other not in path:
                    yield from extend([*path, other])

    yield from extend([x])


def d_separated_by_paths(arcs: Arcs, x: int, y: int, given: set[int]) -> bool:
    """List every path between two nodes and look for one that is active."""
    for path in simple_paths(skeleton(arcs), x, y):
        triples = zip(path, path[1:], path[2:], strict=False)
        if all(
            bool(descendants(arcs, b) & given)
            if (a, b) in arcs and (c, b) in arcs
            else b not in given
            for a, b, c in triples
        ):
            return False
    return True


def mark(arcs: Arcs, links: Links, a: int, b: int) -> str:
    """Return how a graph joins a pair of nodes."""
    if (a, b) in arcs:
        return "->"
    if (b, a) in arcs:
        return "<-"
    return "-" if frozenset((a, b)) in links else " "


def kruskal_forest(n: int, weights: Floats, tie: float = TIE) -> list[tuple[int, int]]:
    """Return a maximum spanning forest by joining pairs ``(a, b)``, a < b, in order (Kruskal)."""
    a, b = np.triu_indices(n, 1)
    tree = list(range(n))

    def root(v: int) -> int:
        while tree[v] != v:
            tree[v] = tree[tree[v]]
            v = tree[v]
        return v

    edges = []
    for k in np.argsort(_places(weights, tie)):
        if weights[k] == -np.inf:
            break
        x, y = root(int(a[k])), root(int(b[k]))
        if x != y:
            tree[y] = x
            edges.append((int(a[k]), int(b[k])))
    return edges
