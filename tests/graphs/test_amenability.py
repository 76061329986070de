from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise, permutations
from random import Random

import numpy as np
import pytest

from bayesloom.graphs import close_under_meek, open_path
from reference_graphs import Arcs, Links, all_classes, masks_of, shared_arcs
from reference_inference import Floats, adjusted_effect


@cache
def joint_of(arcs: Arcs, n: int) -> Floats:
    """Draw parameters at random for a DAG of binary variables: generic, and without zeros."""
    rng = np.random.default_rng(0)
    distribution = np.ones((2,) * n)
    for v in range(n):
        family = sorted({v, *(a for a, b in arcs if b == v)})
        table = rng.uniform(0.1, 0.9, (2,) * len(family))
        table /= table.sum(axis=family.index(v), keepdims=True)
        shape = [2 if u in family else 1 for u in range(n)]
        distribution = distribution * table.reshape(shape)
    return distribution


def members_agree(members: Sequence[Arcs], n: int, x: int, y: int) -> bool:
    """Say whether all DAGs of a class give the same effect for a distribution of the class."""
    joint = joint_of(members[0], n)
    effects = [
        adjusted_effect(joint, sorted(a for a, b in arcs if b == x), x, y) for arcs in members
    ]
    return all(np.allclose(effect, effects[0], rtol=0, atol=1e-11) for effect in effects)


def neighbours_of(links: Links, n: int) -> list[int]:
    return [
        sum(1 << u for u in range(n) if frozenset((u, v)) in links and u != v) for v in range(n)
    ]


def assert_open_exactly_if_members_differ(
    arcs: Arcs, links: Links, members: Sequence[Arcs], n: int
) -> None:
    parents, neighbours = masks_of(arcs, n), neighbours_of(links, n)
    for x, y in permutations(range(n), 2):
        path = open_path(parents, neighbours, x, y)
        assert bool(path) != members_agree(members, n, x, y), (arcs, links, x, y)
        if path:
            assert path[0] == x
            assert path[-1] == y
            assert len(set(path)) == len(path)
            assert frozenset(path[:2]) in links
            assert all((a, b) in arcs or frozenset((a, b)) in links for a, b in pairwise(path))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_in_every_class_an_effect_is_open_exactly_if_members_differ(n: int) -> None:
    for members in all_classes(n):
        assert_open_exactly_if_members_differ(*shared_arcs(members), members, n)


def with_knowledge(
    members: Sequence[Arcs], n: int, picks: Iterable[int]
) -> tuple[Arcs, Links, list[Arcs]]:
    """Return a class with some of its open links directed as in one member, and who is left."""
    arcs, links = shared_arcs(members)
    chosen = sorted(tuple(sorted(link)) for link in links)
    true = members[-1]
    known = {(a, b) if (a, b) in true else (b, a) for a, b in (chosen[k] for k in picks)}
    parents, _ = close_under_meek(
        masks_of(arcs | known, n),
        neighbours_of(links - {frozenset(arc) for arc in known}, n),
        fourth_rule=True,
    )
    closed = frozenset((u, v) for v in range(n) for u in range(n) if parents[v] >> u & 1)
    left = [member for member in members if known <= member]
    return closed, frozenset(link for link in links if not (set(permutations(link)) & closed)), left


@pytest.mark.parametrize("n", [3, 4])
def test_with_knowledge_an_effect_is_open_exactly_if_the_members_left_differ(n: int) -> None:
    random = Random(1)
    for members in all_classes(n):
        links = shared_arcs(members)[1]
        for size in range(1, len(links) + 1):
            picks = random.sample(range(len(links)), size)
            arcs, open_links, left = with_knowledge(members, n, picks)
            assert_open_exactly_if_members_differ(arcs, open_links, left, n)


@pytest.mark.slow
def test_classes_of_five_nodes_with_and_without_knowledge() -> None:
    random = Random(2)
    for members in random.sample(all_classes(5), 800):
        arcs, links = shared_arcs(members)
        assert_open_exactly_if_members_differ(arcs, links, members, 5)
        if links:
            picks = random.sample(range(len(links)), random.randint(1, len(links)))
            assert_open_exactly_if_members_differ(*with_knowledge(members, 5, picks), 5)
