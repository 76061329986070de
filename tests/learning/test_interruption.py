from __future__ import annotations

import signal
import threading
from dataclasses import dataclass

import pytest

from bayesloom.engine import Engine
from bayesloom.graphs import DAG
from bayesloom.learning import learn
from bayesloom.learning.interruption import interruptible
from bayesloom.search import HillClimbing, Limits, SearchResult, Step, Stop, Watch

FRAME = {"A": ["n", "y"] * 10, "B": ["n", "y"] * 10}


@dataclass(frozen=True, slots=True)
class Endless:
    """Never ends by itself; after three steps the user presses Ctrl-C."""

    presses: int = 1

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        dag = DAG(engine.names, limits.required)
        while watch.may_go_on():
            watch.saw(Step("insert", 0, 1, 1.0), 0.0)
            if len(watch.steps) == 3:
                for _ in range(self.presses):
                    signal.raise_signal(signal.SIGINT)
        return SearchResult(dag, dag, 0.0, tuple(watch.steps), watch.why(Stop.COMPLETE), 0)


def test_ctrl_c_ends_the_search_and_keeps_what_it_has() -> None:
    before = signal.getsignal(signal.SIGINT)
    learned = learn(FRAME, Endless())
    assert learned.stop is Stop.INTERRUPTED
    assert len(learned.steps) == 3
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_raises_and_restores_the_handler() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        learn(FRAME, Endless(presses=2))
    assert signal.getsignal(signal.SIGINT) is before


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
