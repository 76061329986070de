"""Tests of the climb over orders of the variables and of what XGES makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.engine import NativeEngine
from bayesloom.scores import BIC
from bayesloom.search import BOSS, XGES, HillClimbing, Limits, Start
from bayesloom.search.equivalence.climb import EquivalenceClimb
from bayesloom.search.equivalence.order_climb import VariableOrder
from bayesloom.search.equivalence.orders import limits_near
from bayesloom.search.equivalence.second_thoughts import EAGER
from bayesloom.search.local_scores import LocalScores
from example_samples import sampled
from reference_search import run

WIN95PTS = sampled("win95pts", 1000).in_name_order()


@given(st.permutations(range(7)), st.integers(0, 6), st.integers(0, 6))
def test_an_order_knows_who_stands_where_and_before_whom(
    variables: list[int], v: int, place: int
) -> None:
    order = VariableOrder(list(variables))
    order.move(v, place)
    rest = [w for w in variables if w != v]
    assert order.variables == [*rest[:place], v, *rest[place:]]
    for k, w in enumerate(order.variables):
        assert order.place[w] == k
        assert order.before[w] == sum(1 << u for u in order.variables[:k])


def test_orders_lead_farther_than_all_other_starts_and_than_boss() -> None:
    starts = (None, Start.EMPTY, Start.CHOW_LIU, run(HillClimbing(BIC()), WIN95PTS).dag)
    reached = [run(XGES(start=start), WIN95PTS).score for start in starts]
    reached.append(run(BOSS(), WIN95PTS).score)
    assert reached[0] > max(reached[1:]) + 1


@pytest.mark.parametrize("most", [2, 3])
def test_with_a_limit_on_parents_all_starts_are_tried_too(most: int) -> None:
    law = Limits.none(WIN95PTS.names, most)
    several, empty = (run(XGES(start=start), WIN95PTS, law) for start in (None, Start.EMPTY))
    hill = run(HillClimbing(), WIN95PTS, law)
    assert max(mask.bit_count() for mask in several.dag.parent_masks) <= most
    assert several.score >= max(empty.score, hill.score) - 1e-6
    assert several.score > empty.score + 1


def test_near_are_those_that_score_better_as_a_pair_or_are_joined() -> None:
    engine, limits = NativeEngine(WIN95PTS), Limits.none(WIN95PTS.names)
    scores = LocalScores(engine, BIC())
    joined = [0] * engine.n_variables
    joined[3] = 1 << 5
    near = limits_near(EquivalenceClimb.at(joined, scores, limits, EAGER))
    for v in range(engine.n_variables):
        for u in range(v):
            scores.ask([], [(v, 0), (v, 1 << u)])
            helps = scores[v, 1 << u] > scores[v, 0] + 1e-6
            assert near.allowed[v] >> u & 1 == near.allowed[u] >> v & 1
            assert bool(near.allowed[v] >> u & 1) == (helps or (u, v) == (3, 5))
