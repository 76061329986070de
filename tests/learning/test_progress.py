from __future__ import annotations

import io

import pytest

from bayesloom.facade import learn
from bayesloom.learning.progress import ProgressLine
from bayesloom.search import HillClimbing, Step, Watch

FRAME = {"A": ["n", "y"] * 10, "B": ["n", "y"] * 10, "C": ["n", "y", "y", "n"] * 5}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_learning_is_silent_unless_asked(capfd: pytest.CaptureFixture[str]) -> None:
    learn(FRAME)
    assert capfd.readouterr() == ("", "")


def test_progress_goes_to_standard_error_and_is_wiped(capfd: pytest.CaptureFixture[str]) -> None:
    learn(FRAME, HillClimbing(), progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "HillClimbing: " in err
    assert err.endswith("\r")
    assert "\n" not in err


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
