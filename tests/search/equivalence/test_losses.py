"""A class that loses edges in place, and copies of large graphs, against classes made anew."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom._native import CPDAGState, Operator, OperatorKind
from bayesloom.graphs import bits
from bayesloom.search.equivalence.climb import cpdag_state_of


def random_parents(rng: random.Random, n: int, share: float) -> list[int]:
    """Return a DAG whose edges follow a random order."""
    order = rng.sample(range(n), n)
    parents = [0] * n
    for k, y in enumerate(order):
        for x in order[:k]:
            parents[y] |= (rng.random() < share) << x
    return parents


def check_losses(parents: list[int], kept: list[int]) -> None:
    families = [(y, old, new) for y, (old, new) in enumerate(zip(parents, kept, strict=True))]
    state = cpdag_state_of(parents)
    before = state.copy()
    changed = [family for family in families if family[1] != family[2]]
    assert state.after_losses(changed) == cpdag_state_of(kept)
    assert state == before == cpdag_state_of(parents)


@given(st.integers(0, 2**32), st.integers(2, 12), st.floats(0.05, 0.95), st.floats(0, 1))
def test_what_is_left_is_the_class_of_what_is_left(
    seed: int, n: int, share: float, lost: float
) -> None:
    rng = random.Random(seed)
    parents = random_parents(rng, n, share)
    kept = [sum((rng.random() >= lost) << x for x in bits(mask)) for mask in parents]
    check_losses(parents, kept)


@pytest.mark.parametrize("n", [128, 129, 300])
def test_copies_of_large_graphs_go_their_own_ways(n: int) -> None:
    rng = random.Random(n)
    parents = random_parents(rng, n, 3 / n)
    kept = [sum((rng.random() >= 0.3) << x for x in bits(mask)) for mask in parents]
    check_losses(parents, kept)
    state = cpdag_state_of([0] * n)
    copy = state.copy()
    copy.move(Operator(OperatorKind.INSERT, 0, n - 1, 0, 1.0))
    assert copy != state == cpdag_state_of([0] * n)
    assert copy.neighbours[0] == 1 << (n - 1)
    assert copy.neighbours[n - 1] == 1
    again = copy.copy()
    state.move(Operator(OperatorKind.INSERT, 0, n - 1, 0, 1.0))
    assert state == copy == again


@pytest.mark.parametrize(
    "families", [[(3, 0, 0)], [(0, 1, 0)], [(2, 1, 0)], [(1, 1, 3)], [(1, 9, 0)]]
)
def test_only_parents_can_be_lost(families: list[tuple[int, int, int]]) -> None:
    state: CPDAGState = cpdag_state_of([0, 1, 0])
    with pytest.raises(ValueError, match=r"lose parents|does not exist"):
        state.after_losses(families)
