"""Searches on a far engine: fewer round trips, and nothing else changes."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from hypothesis import given, settings

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, NativeEngine
from bayesloom.errors import OptionError
from bayesloom.scores import AIC, BIC
from bayesloom.search import (
    BOSS,
    DMN,
    GES,
    IGES,
    IHC,
    IXGES,
    XGES,
    HillClimbing,
    Knowledge,
    Search,
    Tabu,
)
from bayesloom.search.limits import Limits
from bayesloom.search.result import Stop
from bayesloom.search.watch import Budget, Watch
from every_engine import FarEngine
from strategies_search import rich_tables

MOST_TRIPS = {
    GES(): 40,
    GES(turning=True): 40,
    XGES(): 180,
    HillClimbing(): 20,
    HillClimbing(restarts=3): 60,
    Tabu(): 40,
    IGES(): 40,
    IHC(): 40,
    IXGES(): 180,
    DMN(): 30,
    BOSS(restarts=1): 50,
}
"""Round trips at most on alarm with 5,000 rows; without foresight some are more than 300."""


def small_alarm(alarm: Table) -> Table:
    return alarm.select(sorted(alarm.names)).take(slice(0, 5000))


@pytest.mark.parametrize("search", MOST_TRIPS, ids=repr)
def test_a_far_engine_is_asked_seldom_and_leads_to_the_same_result(
    search: Search, alarm: Table
) -> None:
    table = small_alarm(alarm)
    limits = Limits.none(table.names)
    far = FarEngine(table)
    found = search.search(far, limits, Watch())
    assert found == search.search(NativeEngine(table, 1), limits, Watch())
    assert len(far.trips) <= MOST_TRIPS[search]  # type: ignore[index]


@given(rich_tables(4, 7))
@settings(max_examples=25)
def test_knowledge_and_limits_hold_on_a_far_engine_as_on_a_near_one(table: Table) -> None:
    a, b, c, *_ = table.names
    limits = Knowledge(required=[(a, b)], forbidden=[(b, c)]).limits(table.names, 2)
    searches = [GES(turning=True), XGES(), HillClimbing(restarts=2), Tabu(), IXGES()]
    for search in (*searches, IGES(), IHC(), BOSS(restarts=1)):
        near = search.search(NativeEngine(table, 1), limits, Watch())
        assert search.search(FarEngine(table), limits, Watch()) == near


@given(rich_tables(4, 7))
@settings(max_examples=25)
def test_a_markov_network_is_the_same_on_a_far_engine(table: Table) -> None:
    limits = Limits.none(table.names)
    for search in (DMN(), DMN(score=AIC(), backward=True, max_clique=3)):
        near = search.search(NativeEngine(table, 1), limits, Watch())
        assert search.search(FarEngine(table), limits, Watch()) == near


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_a_step_limit_holds_on_a_far_engine_as_on_a_near_one(steps: int, alarm: Table) -> None:
    table = small_alarm(alarm)
    limits = Limits.none(table.names)
    for search in (GES(), XGES(), HillClimbing(), IGES(), DMN(), BOSS(restarts=0)):
        near, far = (
            search.search(engine, limits, Watch(Budget(max_steps=steps)))
            for engine in (NativeEngine(table, 1), FarEngine(table))
        )
        assert far == near
        assert far.stop is Stop.STEP_LIMIT


def test_a_guess_takes_no_longer_than_a_round_trip(alarm: Table) -> None:
    """With a short round trip there is time for few guesses: more round trips, fewer tables."""
    table = small_alarm(alarm)
    limits = Limits.none(table.names)
    near, short, long = FarEngine(table), FarEngine(table), FarEngine(table)
    near.seconds, short.seconds, long.seconds = 0.0, 1e-6, 60.0
    for engine in (near, short, long):
        XGES().search(engine, limits, Watch())
    tables = [sum(n for _, n in engine.trips) for engine in (near, short, long)]
    assert len(near.trips) >= len(short.trips) > len(long.trips)
    assert tables[0] <= tables[1] < tables[2] < 2 * tables[0]


def test_a_search_on_a_far_engine_stops_at_its_time_limit(alarm: Table) -> None:
    table = small_alarm(alarm)
    began = time.monotonic()
    watch = Watch(Budget(time_limit=0.01))
    found = XGES().search(FarEngine(table), Limits.none(table.names), watch)
    assert found.stop is Stop.TIME_LIMIT
    assert time.monotonic() - began < 5


@dataclass(frozen=True)
class Fussy(BIC):
    """A score of a user that gives no number for large families."""

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        scores = super().local_scores(engine, batch)
        return scores[:-1] if len(batch) > 0 else scores


def test_a_score_that_answers_too_little_is_refused_on_a_far_engine_too(asia: Table) -> None:
    with pytest.raises(OptionError, match="one number per family"):
        GES(score=Fussy()).search(FarEngine(asia), Limits.none(asia.names), Watch())
