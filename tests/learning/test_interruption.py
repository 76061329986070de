from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass

import pytest

from bayesloom import _native
from bayesloom.engine import Engine, StopSignal
from bayesloom.facade import learn
from bayesloom.graphs import DAG
from bayesloom.learning.interruption import (
    SAME_PRESS,
    interruptible,
    interrupts_on_termination,
)
from bayesloom.search import HillClimbing, Limits, ScoredResult, Step, Stop, Watch

FRAME = {"A": ["n", "y"] * 10, "B": ["n", "y"] * 10}


@dataclass(frozen=True, slots=True)
class Endless:
    """Never ends by itself; after three steps a signal comes, or several."""

    signals: tuple[signal.Signals, ...] = (signal.SIGINT,)
    pause: float = 0.0

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        dag = DAG(engine.names, limits.required)
        while watch.may_go_on():
            watch.saw(Step("insert", 0, 1, 1.0), 0.0)
            if len(watch.steps) == 3:
                for which in self.signals:
                    signal.raise_signal(which)
                    time.sleep(self.pause)
        return ScoredResult(dag, dag, 0.0, tuple(watch.steps), watch.why(Stop.COMPLETE), 0)


def test_ctrl_c_ends_the_search_and_keeps_what_it_has() -> None:
    before = signal.getsignal(signal.SIGINT)
    learned = learn(FRAME, Endless())
    assert learned.stop is Stop.INTERRUPTED
    assert len(learned.steps) == 3
    assert signal.getsignal(signal.SIGINT) is before


def test_a_later_ctrl_c_raises_and_restores_the_handler() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        learn(FRAME, Endless((signal.SIGINT, signal.SIGINT), pause=SAME_PRESS + 0.01))
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_at_once_is_the_same_press_of_the_key() -> None:
    learned = learn(FRAME, Endless((signal.SIGINT, signal.SIGINT), pause=0.01))
    assert learned.stop is Stop.INTERRUPTED


def test_a_second_ctrl_c_at_once_is_the_same_press_even_if_the_search_has_ended() -> None:
    press = threading.Timer(SAME_PRESS / 4, os.kill, [os.getpid(), signal.SIGINT])
    watch = Watch()
    with interruptible(watch):
        signal.raise_signal(signal.SIGINT)
        press.start()
    press.join()
    assert watch.interrupted


def test_termination_ends_the_search_as_ctrl_c_does_where_it_was_asked_for() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with interrupts_on_termination():
        learned = learn(FRAME, Endless((signal.SIGTERM, signal.SIGINT)))
        assert learned.stop is Stop.INTERRUPTED
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_process_that_handles_termination_itself_goes_on_doing_so() -> None:
    seen = []
    before = signal.signal(signal.SIGTERM, lambda which, _frame: seen.append(which))
    try:
        watch = Watch()
        with interrupts_on_termination(), interruptible(watch):
            signal.raise_signal(signal.SIGTERM)
        assert seen == [signal.SIGTERM]
        assert not watch.interrupted
    finally:
        signal.signal(signal.SIGTERM, before)


def test_ctrl_c_after_the_search_raises_as_ever() -> None:
    with interruptible(Watch()):
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        watch = Watch()
        with interruptible(watch):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
        assert not watch.interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def test_learning_works_in_another_thread_where_signals_never_arrive() -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(learn(FRAME, HillClimbing()).edges))
    thread.start()
    thread.join()
    assert found == [(("A", "B"),)]


def test_a_search_within_a_search_gives_the_signal_back_to_the_outer_one() -> None:
    outer, inner = Watch(), Watch()
    with interruptible(outer):
        with interruptible(inner):
            pass
        _native.give_on_signal(signal.SIGTERM, None)  # another signal changes nothing
        os.kill(os.getpid(), signal.SIGINT)
        assert outer.signal.is_set
        assert not inner.signal.is_set
    assert outer.interrupted


def test_a_signal_is_heard_before_python_handles_it() -> None:
    stop, heard = StopSignal(), []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(stop.is_set))
    try:
        assert _native.give_on_signal(signal.SIGINT, stop) is None
        signal.raise_signal(signal.SIGINT)
        assert heard == [True]
        assert _native.give_on_signal(signal.SIGINT, None) is stop
        signal.raise_signal(signal.SIGINT)
        assert len(heard) == 2
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_signal_that_is_ignored_stays_so_and_a_number_that_is_none_is_refused() -> None:
    stop, before = StopSignal(), signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _native.give_on_signal(signal.SIGINT, stop)
        signal.raise_signal(signal.SIGINT)
        assert not stop.is_set
        _native.give_on_signal(signal.SIGINT, None)
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(ValueError, match="no such signal"):
        _native.give_on_signal(64, stop)
