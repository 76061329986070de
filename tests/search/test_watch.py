"""Budgets: what a search returns when it has to stop early."""

from __future__ import annotations

import math
import threading
import time
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import OptionError
from bayesloom.search import Budget, HillClimbing, Step, Stop, Watch
from example_samples import sampled
from reference_graphs import arcs_of
from reference_search import Law, Scorer, replayed, run
from strategies_search import CLASSES, SEARCHES, TREES, Known, known, rich_tables, searches


@pytest.mark.parametrize("name", SEARCHES)
class TestEverySearch:
    @given(rich_tables(3, 6), st.integers(0, 6), st.data())
    @settings(max_examples=10)
    def test_makes_no_more_steps_than_allowed_and_keeps_what_it_has(
        self, name: str, table: Table, most: int, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        law = Law.of(given_.knowledge, table.names, given_.max_parents)
        assume(name not in TREES or given_.fits_a_tree)
        watch = Watch(Budget(max_steps=most))
        search = searches(given_.order)[name]
        found = run(search, table, given_.limits(table.names), watch)
        assert len(watch.steps) <= most
        assert law.holds(arcs_of(found.dag.parent_masks))
        score = search.score  # type: ignore[attr-defined]
        total = Scorer.of(table, score).total(arcs_of(found.dag.parent_masks))
        assert found.score == pytest.approx(total, abs=1e-6)
        if found.stop is not Stop.STEP_LIMIT:
            assert found == run(search, table, given_.limits(table.names))

    def test_stops_when_the_time_is_over(self, name: str) -> None:
        table = sampled("asia", 500).in_name_order()
        watch = Watch(Budget(time_limit=1e-9))
        found = run(searches(table.names)[name], table, watch=watch)
        if name not in TREES:
            assert found.stop is Stop.TIME_LIMIT
        assert found.dag.names == table.names

    @pytest.mark.parametrize("after", [1, 3])
    def test_stops_when_it_is_interrupted(self, name: str, after: int) -> None:
        table = sampled("asia", 500).in_name_order()

        def report(watch: Watch) -> None:
            watch.interrupted = len(watch.steps) >= after

        full, watch = Watch(), Watch(report=report)
        run(searches(table.names)[name], table, watch=full)
        found = run(searches(table.names)[name], table, watch=watch)
        if len(full.steps) > after:
            assert found.stop is Stop.INTERRUPTED
        if name in ("hc", "hc-k2", "tabu", "tabu-empty", *CLASSES):
            assert len(watch.steps) == after

    def test_returns_at_once_when_it_was_interrupted_before(self, name: str) -> None:
        table = sampled("asia", 500).in_name_order()
        watch = Watch(interrupted=True)
        found = run(searches(table.names)[name], table, watch=watch)
        if name not in TREES:
            assert (found.stop, found.steps) == (Stop.INTERRUPTED, ())

    def test_tells_the_progress_of_the_score(self, name: str) -> None:
        """The score told with a step is that of the graph after it."""
        table = sampled("asia", 500).in_name_order()
        told: list[tuple[float, Step]] = []
        proven: list[float] = []

        def report(seen: Watch) -> None:
            if seen.trials:
                return
            if seen.bound is None:
                told.append((seen.score, seen.steps[-1]))
            else:
                proven.append(seen.bound - seen.score)

        watch = Watch(report=report)
        found = run(searches(table.names)[name], table, watch=watch)
        assert proven == sorted(proven, reverse=True)
        assert len(told) >= len(watch.steps) > 0
        if name not in ("xges", "exact", "exact-ilp"):  # which keep the best of several runs
            assert len(told) == len(watch.steps)
        assert all(math.isfinite(score) for score, _ in told)
        one_run = {*CLASSES, "hc", "hc-k2", "k2", "k3", "chow-liu", "forest"} - {"xges"}
        if name in one_run:
            assert told[-1][0] == pytest.approx(found.score, abs=1e-6)
            for (before, _), (after, step) in pairwise(told):
                assert after - before == pytest.approx(step.gain, abs=1e-6)


@pytest.mark.parametrize("name", ["hc", "tabu-empty", "ges", "xges-empty", "k2", "chow-liu"])
def test_a_longer_budget_goes_on_where_a_shorter_one_ends(name: str) -> None:
    table = sampled("asia", 500).in_name_order()
    search = searches(table.names)[name]
    full = run(search, table)
    for most in range(4):
        found = run(search, table, watch=Watch(Budget(max_steps=most)))
        assert found.stop is Stop.STEP_LIMIT
        assert found.steps == full.steps[:most]


@pytest.mark.parametrize("name", ["hc", "tabu-empty", "k2", "chow-liu", "order"])
def test_no_step_means_the_start(name: str) -> None:
    table = sampled("asia", 500).in_name_order()
    found = run(searches(table.names)[name], table, watch=Watch(Budget(max_steps=0)))
    assert (found.stop, found.dag.n_edges, found.steps) == (Stop.STEP_LIMIT, 0, ())


def test_restarts_count_their_random_moves() -> None:
    table = sampled("asia", 500).in_name_order()
    for most in range(30):
        watch = Watch(Budget(max_steps=most))
        found = run(searches(table.names)["hc-restarts"], table, watch=watch)
        assert len(watch.steps) <= most
        assert replayed(found.steps, frozenset()) == arcs_of(found.dag.parent_masks)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "time_limit must be above 0, got 0"),
        ({"time_limit": -1.0}, "time_limit must be above 0, got -1.0"),
        ({"time_limit": math.nan}, "time_limit must be above 0, got nan"),
        ({"max_steps": -1}, "max_steps must be 0 or more, got -1"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Budget(**options)  # type: ignore[arg-type]


def test_a_stop_is_for_good() -> None:
    watch = Watch(Budget(max_steps=1))
    assert watch.may_go_on()
    assert not watch.may_go_on(ahead=1)
    assert not watch.may_go_on()
    assert watch.why(Stop.COMPLETE) is Stop.STEP_LIMIT


class Paused:
    """Pauses the watch of a search at its third step and resumes it from another thread."""

    def __init__(self, held: float) -> None:
        self.held, self.steps_while_paused = held, [-1, -1]

    def __call__(self, watch: Watch) -> None:
        if len(watch.steps) == 3 and self.steps_while_paused[0] < 0:
            self.steps_while_paused[0] = 3
            watch.pause()
            threading.Timer(self.held, self.resume, [watch]).start()

    def resume(self, watch: Watch) -> None:
        self.steps_while_paused[1] = len(watch.steps)
        watch.resume()


def test_a_paused_search_waits_and_goes_on_as_if_it_had_not(alarm: Table) -> None:
    pausing = Paused(0.3)
    watch = Watch(Budget(time_limit=60), report=pausing)
    began = time.monotonic()
    found = run(HillClimbing(), alarm, watch=watch)
    assert pausing.steps_while_paused == [3, 3]
    assert found == run(HillClimbing(), alarm)
    assert time.monotonic() - began - watch.seconds == pytest.approx(0.3, abs=0.15)


def test_the_time_of_a_pause_is_not_of_the_time_limit(asia: Table) -> None:
    watch = Watch(Budget(time_limit=1.0), report=Paused(1.2))
    found = run(HillClimbing(), asia, watch=watch)
    assert found.stop is Stop.LOCAL_OPTIMUM


def test_a_paused_search_can_be_interrupted(asia: Table) -> None:
    def stop_while_paused(watch: Watch) -> None:
        if len(watch.steps) == 2:
            watch.pause()
            threading.Timer(0.05, watch.interrupt).start()

    watch = Watch(report=stop_while_paused)
    found = run(HillClimbing(), asia, watch=watch)
    assert (found.stop, len(found.steps)) == (Stop.INTERRUPTED, 2)
    watch.pause()  # a search that was ended is not held again
    assert not watch.may_go_on()
