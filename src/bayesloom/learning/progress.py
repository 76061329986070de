"""The progress line of a search, on standard error."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Self, TextIO

from bayesloom.search import Watch

_PAUSE = 0.1  # seconds between two drawings
_CLEAR = "\r\033[K"


class ProgressLine:
    """Say in one line, over and over, where a search stands; wiped when the search ends.

    Use it as the ``report`` of a watch and as a context. On a stream that is no terminal, such as
    a log file or a notebook, the line is overwritten with blanks instead of control codes.

    Parameters
    ----------
    title : str
        The name of the search.
    stream : text stream, optional
        Where to write; by default standard error.
    pause : float
        The least number of seconds between two drawings.

    Examples
    --------
    >>> import io
    >>> from bayesloom.search import Step
    >>> stream = io.StringIO()
    >>> watch = Watch(report=ProgressLine("HillClimbing", stream, pause=0))
    >>> watch.saw(Step("insert", 0, 1, gain=2.5), score=-10.0)
    >>> stream.getvalue().strip()
    'HillClimbing: step 1 (insert, gain 2.5), score -10.0, 0.0 s'
    """

    def __init__(self, title: str, stream: TextIO | None = None, pause: float = _PAUSE) -> None:
        self._title = title
        self._stream = stream if stream is not None else sys.stderr
        self._pause = pause
        self._drawn_at = -pause
        self._width = 0

    def __enter__(self) -> Self:
        self._draw(f"{self._title}: looking at the first graph")
        return self

    def __exit__(self, *_: object) -> None:
        self._draw("")

    def __call__(self, watch: Watch) -> None:
        """Draw the line, unless it was drawn a moment ago."""
        now = time.monotonic()
        if now - self._drawn_at < self._pause:
            return
        self._drawn_at = now
        self._draw(
            f"{self._title}: {_state(watch)}, {watch.seconds:.1f} s"
            + ("; stopping" if watch.interrupted else "")
        )

    def _draw(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        if self._stream.isatty():
            self._stream.write(_CLEAR + text)
        else:
            self._stream.write("\r" + text.ljust(self._width) + "\r" * (not text))
        self._width = len(text)
        self._stream.flush()


def _state(watch: Watch) -> str:
    """Say where a search stands: its last step, or what it has proven."""
    if watch.bound is not None:
        gap = watch.bound - watch.score
        return f"best {watch.score:,.1f}, bound {watch.bound:,.1f}, gap {gap:,.2f}"
    step = watch.steps[-1]
    taken = f"step {len(watch.steps):,} ({step.operator}, gain {step.gain:,.1f})"
    return f"{taken}, score {watch.score:,.1f}"
