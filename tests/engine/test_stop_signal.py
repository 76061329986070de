"""Work that is given up in the middle: soon, without a trace, and only where it was asked for."""

from __future__ import annotations

import gc
import resource
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.engine import (
    Batch,
    CountingEngine,
    FamilyKernel,
    NativeEngine,
    StopSignal,
    TestKernel,
)
from bayesloom.engine.batch import NONE
from bayesloom.errors import BayesloomError, OptionError, Stopped
from every_engine import EngineOf
from strategies import make_table

ASK: dict[str, Callable[[CountingEngine, Batch], object]] = {
    "counts": lambda engine, batch: engine.counts(batch),
    "families": lambda engine, batch: engine.families(batch, FamilyKernel.BDEU),
    "informations": lambda engine, batch: engine.informations(batch),
    "tests": lambda engine, batch: engine.tests(batch, TestKernel.G_SQUARE),
    "entropies": lambda engine, batch: engine.entropies(batch),
}


def drawn_table(states: int, n_rows: int, n_columns: int) -> Table:
    rng = np.random.default_rng(states)
    columns = [rng.integers(0, states, n_rows, np.uint16) for _ in range(n_columns)]
    return make_table(columns, [states] * n_columns)


def endless(n: int) -> Batch:
    """Ask for far more tables than anyone waits for."""
    return Batch.of(
        (x, (a, b), [y for y in range(n) if y not in {x, a, b}])
        for x in range(n)
        for a in range(n)
        for b in range(a)
        if x not in {a, b}
    )


def test_a_signal_is_set_by_hand_or_by_its_deadline() -> None:
    by_hand, by_time = StopSignal(), StopSignal()
    assert not by_hand.is_set
    by_hand.set()
    assert by_hand.is_set
    by_time.deadline(1000)
    assert not by_time.is_set
    by_time.deadline(0)
    assert by_time.is_set
    by_time.deadline(None)
    assert not by_time.is_set
    by_time.deadline(float("inf"))
    assert not by_time.is_set


@pytest.mark.parametrize("ask", ASK)
def test_an_engine_raises_once_the_signal_is_given_and_its_origin_goes_on(
    ask: str, engine_of: EngineOf, asia: Table
) -> None:
    engine, signal, batch = engine_of(asia), StopSignal(), Batch.pairs(8)
    stoppable = engine.until(signal)
    before = engine.entropies(batch).tobytes()
    assert stoppable.entropies(batch).tobytes() == before
    assert stoppable.n_rows == asia.n_rows
    signal.set()
    with pytest.raises(Stopped, match="stopped before it was done"):
        ASK[ask](stoppable, batch)
    with pytest.raises(Stopped):
        stoppable.families_with_prior(batch, asia)
    assert engine.entropies(batch).tobytes() == before
    assert engine.until(StopSignal()).entropies(batch).tobytes() == before


def test_being_stopped_is_an_error_of_ours_and_no_fault_of_the_batch(asia: Table) -> None:
    assert issubclass(Stopped, BayesloomError)
    assert not issubclass(Stopped, ValueError)
    signal = StopSignal()
    signal.set()
    with pytest.raises(Stopped):
        NativeEngine(asia).until(signal).informations(Batch.pairs(8))
    with pytest.raises(OptionError, match="signal must be a StopSignal, got True"):
        NativeEngine(asia).until(True)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("states", [3, 40, 300], ids=["bitmaps", "indices", "sparse"])
def test_a_batch_over_a_million_rows_stops_within_a_tenth_of_a_second(
    states: int, threads: int
) -> None:
    n = 30 if states == 3 else 10
    table = drawn_table(states, 1_000_000, n)
    engine, few = NativeEngine(table, threads), Batch.of([(0, (1,), (2, 3, NONE))])
    before = engine.families(few, FamilyKernel.BDEU).tobytes()
    for _ in range(3):
        signal = StopSignal()
        signal.deadline(0.05)
        started = time.process_time()
        with pytest.raises(Stopped):
            engine.until(signal).families(endless(n), FamilyKernel.BDEU)
        # Time on the processor: a busy machine makes the clock run on, never this.
        assert time.process_time() - started <= threads * (0.05 + 0.1)
    assert engine.families(few, FamilyKernel.BDEU).tobytes() == before


def test_another_thread_may_give_the_signal() -> None:
    table, signal = drawn_table(3, 100_000, 20), StopSignal()
    engine = NativeEngine(table, 2).until(signal)
    threading.Timer(0.05, signal.set).start()
    with pytest.raises(Stopped):
        engine.informations(endless(20))


def test_who_waits_for_the_engine_is_stopped_too() -> None:
    engine, first, second = NativeEngine(drawn_table(3, 100_000, 20), 1), StopSignal(), StopSignal()
    second.deadline(0.05)
    heard: list[str] = []

    def work() -> None:
        try:
            engine.until(first).informations(endless(20))
        except Stopped:
            heard.append("first")

    worker = threading.Thread(target=work)
    worker.start()
    with pytest.raises(Stopped):
        engine.until(second).informations(endless(20))
    assert not heard
    first.set()
    worker.join()
    assert heard == ["first"]


def test_a_collapse_that_was_stopped_is_made_later() -> None:
    distinct = drawn_table(40, 300, 6)
    table = distinct.take(np.random.default_rng(8).integers(0, 300, 100_000))
    engine, batch = NativeEngine(table, 1), Batch.of([(0, (1,), (2, 3, 4, 5))] * 30)
    expected = engine.families(batch, FamilyKernel.BDEU).tobytes()
    for _ in range(5):
        signal = StopSignal()
        signal.deadline(0.001)
        with pytest.raises(Stopped):
            engine.until(signal).families(Batch.of([(0, (1,), (2,))] * 10**5), FamilyKernel.BDEU)
    for _ in range(5):
        assert engine.families(batch, FamilyKernel.BDEU).tobytes() == expected


def test_stopping_a_thousand_times_leaves_no_memory_behind() -> None:
    engine, batch = NativeEngine(drawn_table(40, 1000, 8), 2), endless(8)

    def stop_often(times: int) -> None:
        for i in range(times):
            signal = StopSignal()
            signal.deadline(1e-5 * (i % 50))
            with pytest.raises(Stopped):
                engine.until(signal).informations(batch)

    stop_often(200)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    stop_often(1000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8000  # KiB
