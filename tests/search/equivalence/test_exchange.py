"""Two graphs give each other what raises the score: against all subsets of nodes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import cpdag_of_dag, find_cycle, transposed
from bayesloom.scores import BIC
from bayesloom.search import Budget, Limits, Watch
from bayesloom.search.equivalence.climb import EquivalenceClimb
from bayesloom.search.equivalence.exchange import exchange, exchanged, go_to, towards
from bayesloom.search.equivalence.second_thoughts import EAGER
from bayesloom.search.local_scores import LocalScores
from strategies_graphs import dag_masks
from strategies_search import rich_table

EPSILON = 1e-9
N = 5


def scores_of(table: Table) -> LocalScores:
    return LocalScores(NativeEngine(table, 1), BIC())


def swapped(one: list[int], other: list[int], nodes: int) -> list[int]:
    return [b if nodes >> v & 1 else a for v, (a, b) in enumerate(zip(one, other, strict=True))]


@given(dag_masks(N, N), dag_masks(N, N))
def test_a_graph_turned_towards_another_stays_in_its_class(
    one: list[int], other: list[int]
) -> None:
    near = towards(one, other)
    assert cpdag_of_dag(near) == cpdag_of_dag(one)
    turned = [sum((b & c).bit_count() for b, c in zip(g, other, strict=True)) for g in (one, near)]
    assert turned[1] >= turned[0]


@settings(max_examples=60, deadline=None)
@given(dag_masks(N, N), dag_masks(N, N))
def test_what_is_exchanged_raises_the_score_and_leaves_no_cycle(
    one: list[int], other: list[int]
) -> None:
    scores = scores_of(rich_table(1, N, N))
    best = exchanged(one, other, scores, EPSILON)
    assert not find_cycle(best)
    goal = towards(other, best)
    assert scores.total(best) >= scores.total(one) - EPSILON
    turned = [best[y] & transposed(goal)[y] | goal[y] & transposed(best)[y] for y in range(N)]
    for y in range(N):
        single = swapped(best, goal, 1 << y)
        if not turned[y] and not find_cycle(single):
            assert scores.total(single) <= scores.total(best) + 1e-8


@given(dag_masks(N, N))
def test_a_graph_has_nothing_to_give_to_its_own_class(parents: list[int]) -> None:
    scores = scores_of(rich_table(1, N, N))
    like = towards(parents, [0] * N)
    assert exchanged(parents, like, scores, EPSILON) == parents


def test_two_halves_that_are_better_in_one_graph_each_are_joined() -> None:
    """a - b is right in one, c - d in the other."""
    row = {"a": [0, 1] * 50, "b": [0, 1] * 50, "c": [0, 0, 1, 1] * 25, "d": [0, 0, 1, 1] * 25}
    table = Table.from_frame(row)
    assert exchanged([0, 1, 0, 0], [0, 0, 0, 4], scores_of(table), EPSILON) == [0, 1, 0, 4]


@pytest.mark.parametrize("room", [1, 2])
def test_a_climb_goes_on_from_another_graph_if_its_steps_fit_the_budget(room: int) -> None:
    scores, limits = scores_of(rich_table(1, N, N)), Limits.none(tuple("abcde"))
    climb = EquivalenceClimb.at([0] * N, scores, limits, EAGER)
    watch, chain = Watch(Budget(max_steps=room)), [0, 1, 2, 0, 0]
    assert go_to(climb, chain, watch) == (room == 2)
    assert len(watch.steps) == (2 if room == 2 else 0)
    assert climb.score == pytest.approx(scores.total(chain if room == 2 else [0] * N), abs=1e-9)
    gained = math.fsum(step.gain for step in watch.steps)
    assert gained == pytest.approx(climb.score - scores.total([0] * N), abs=1e-9)


def test_climbs_that_stand_at_one_class_exchange_nothing() -> None:
    scores, limits = scores_of(rich_table(1, N, N)), Limits.none(tuple("abcde"))
    one, other = (
        EquivalenceClimb.at(masks, scores, limits, EAGER)
        for masks in ([0, 1, 2, 0, 0], [2, 4, 0, 0, 0])
    )
    assert not exchange(one, other, Watch())
