from __future__ import annotations

import io
from typing import Any

import pytest

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import OptionError
from bayesloom.facade import learn
from bayesloom.learning.progress import ProgressLine
from bayesloom.search import (
    IAMB,
    MIIC,
    PC,
    XGES,
    Budget,
    GrowShrink,
    HillClimbing,
    Limits,
    Step,
    Stop,
    Watch,
)

FRAME = {"A": ["n", "y"] * 10, "B": ["n", "y"] * 10, "C": ["n", "y", "y", "n"] * 5}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_learning_is_silent_unless_asked(capfd: pytest.CaptureFixture[str]) -> None:
    learn(FRAME)
    assert capfd.readouterr() == ("", "")


def test_progress_goes_to_standard_error_in_lines(capfd: pytest.CaptureFixture[str]) -> None:
    learn(FRAME, HillClimbing(), progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    first, last = err.splitlines()
    assert first == "HillClimbing: looking at the first graph"
    assert last.startswith("HillClimbing: ended after ")
    assert "\r" not in err


def test_on_a_terminal_there_is_one_line_and_it_is_wiped() -> None:
    stream = Terminal()
    with ProgressLine("GES", stream) as line:
        watch = Watch(report=line)
        watch.saw(Step("insert", 0, 1, 12.5), -1234.5)
    assert stream.getvalue().endswith("\r\033[K")
    assert "\n" not in stream.getvalue()


def test_a_notebook_gets_one_line_without_control_codes() -> None:
    notebook = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
    with ProgressLine("GES", notebook):
        pass
    assert notebook.getvalue().endswith("\r")
    assert "\033" not in notebook.getvalue()
    assert "\n" not in notebook.getvalue()


def test_lines_of_a_log_come_at_growing_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    stream, told = io.StringIO(), []
    watch = Watch(report=ProgressLine("GES", stream))
    for second in range(600):
        now = float(second)
        before = len(stream.getvalue())
        watch.saw(Step("insert", 0, 1, 1.0), float(second))
        if len(stream.getvalue()) > before:
            told.append(second)
    assert told == [1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363, 423, 483, 543]


def test_a_trial_does_not_look_like_going_backwards() -> None:
    stream = Terminal()
    watch = Watch(Budget(time_limit=60.0, max_steps=9), ProgressLine("XGES", stream, pause=0))
    watch.saw(Step("insert", 0, 1, 2.8), -9757.0)
    watch.tries()
    watch.tries()
    watch.saw(Step("delete", 0, 1, -681.9), -10207.8)
    watch.saw(Step("insert", 1, 0, 700.0), -9507.8)
    lines = stream.getvalue().split("\r\033[K")[1:]
    assert lines[0].startswith("XGES: step 1 of 9 (insert, gain 2.8), score -9,757.0, 0.")
    assert "best score -9,757.0, trying changes (2), 0." in lines[2]
    assert "step 2 of 9, best score -9,757.0, trying changes, 0." in lines[3]
    assert "10,207" not in "".join(lines)
    assert "step 3 of 9 (insert, gain 700.0), score -9,507.8" in lines[4]
    assert all(line.endswith(" of 60 s") for line in lines)


def test_second_thoughts_are_counted(asia: Table) -> None:
    seen = []
    watch = Watch(report=lambda watch: seen.append(watch.trials))
    engine = NativeEngine(asia.in_name_order())
    XGES().search(engine, Limits.none(engine.names), watch)
    assert max(seen) > 1


def test_the_line_tells_step_operator_gain_score_and_time() -> None:
    stream = Terminal()
    watch = Watch(report=ProgressLine("GES", stream, pause=0))
    watch.saw(Step("insert", 0, 1, 12.5), -1234.5)
    watch.interrupted = True
    watch.saw(Step("delete", 0, 1, 0.25), -1234.25)
    first, second = stream.getvalue().split("\r\033[K")[1:]
    assert first.startswith("GES: step 1 (insert, gain 12.5), score -1,234.5, 0.")
    assert second.endswith(" s; stopping")


def test_the_line_is_drawn_no_more_often_than_the_eye_can_follow() -> None:
    stream = Terminal()
    watch = Watch(report=ProgressLine("GES", stream, pause=60))
    for _ in range(100):
        watch.saw(Step("insert", 0, 1, 1.0), 0.0)
    assert stream.getvalue().count("GES") == 1


def test_a_long_line_is_cut_to_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    with ProgressLine("x" * 100, stream):
        pass
    assert max(map(len, stream.getvalue().split("\r\033[K"))) < 20


def test_a_function_sees_every_step_and_can_end_the_search() -> None:
    seen: list[int] = []

    def look(watch: Watch) -> None:
        seen.append(len(watch.steps))
        if len(watch.steps) == 1:
            watch.interrupt()

    found = learn(FRAME, HillClimbing(), progress=look)
    assert seen == [0, 1]
    assert len(found.steps) == 1
    assert found.stop is Stop.INTERRUPTED
    with pytest.raises(OptionError, match="progress"):
        learn(FRAME, progress=ProgressLine)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "search", [PC(), GrowShrink(), IAMB(), MIIC()], ids=["pc", "gs", "iamb", "miic"]
)
def test_the_line_moves_while_a_search_only_tests(asia: Table, search: Any) -> None:  # noqa: ANN401
    stream = io.StringIO()
    watch = Watch(report=ProgressLine("tests", stream, pause=0))
    engine = NativeEngine(asia.in_name_order())
    search.search(engine, Limits.none(engine.names), watch)
    counts = [int(line.split()[1].replace(",", "")) for line in stream.getvalue().splitlines()]
    assert counts == sorted(set(counts))
    assert len(counts) > 1
