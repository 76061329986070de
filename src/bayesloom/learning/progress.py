"""The progress line of a search, on standard error."""

from __future__ import annotations

import math
import shutil
import sys
import time
from typing import Self, TextIO

from bayesloom.search import Watch

_PAUSE = 0.1  # seconds between two drawings on a terminal
_FIRST, _LONGEST = 1.0, 60.0  # seconds between two lines of a log, which double
_CLEAR = "\r\033[K"


class ProgressLine:
    r"""Say in one line, over and over, where a search stands; wiped when the search ends.

    Use it as the ``report`` of a watch and as a context. Where nothing can be wiped, in a log file
    for example, there is a new line instead: after a second, after two, four, and so on up to one
    every minute, and one at the end. Scores never seem to fall: while a search tries what may lead
    further the best score so far is told.

    Parameters
    ----------
    title : str
        The name of the search.
    stream : text stream, optional
        Where to write; by default standard error.
    pause : float, optional
        The least number of seconds between two drawings.

    Examples
    --------
    >>> import io
    >>> from bayesloom.search import Step
    >>> stream = io.StringIO()
    >>> watch = Watch(report=ProgressLine("HillClimbing", stream, pause=0))
    >>> watch.saw(Step("insert", 0, 1, gain=2.5), score=-10.0)
    >>> stream.getvalue()
    'HillClimbing: step 1 (insert, gain 2.5), score -10.0, 0.0 s\n'
    """

    _first = "looking at the first graph"

    def __init__(
        self, title: str, stream: TextIO | None = None, pause: float | None = None
    ) -> None:
        self._title = title
        self._stream = stream if stream is not None else sys.stderr
        # A notebook obeys a carriage return like a terminal, but no control codes.
        notebook = type(self._stream).__module__.startswith("ipykernel")
        self._overwrites = self._stream.isatty() or notebook
        self._grows = pause is None and not self._overwrites
        self._pause = (_PAUSE if self._overwrites else _FIRST) if pause is None else pause
        self._drawn_at = time.monotonic() - (self._pause if self._overwrites or pause == 0 else 0)
        self._width = 0
        self._best = -math.inf
        self._watch: Watch | None = None
        self._scan = ""

    def __enter__(self) -> Self:
        self._draw(f"{self._title}: {self._first}")
        return self

    def __exit__(self, *_: object) -> None:
        if self._overwrites:
            self._draw("")
        elif self._watch is not None:
            self._draw(self._told(self._watch, ended=True))

    def __call__(self, watch: Watch) -> None:
        """Draw the line, unless it was drawn a moment ago."""
        self._watch = watch
        self._best = max(self._best, watch.score)
        now = time.monotonic()
        if now - self._drawn_at < self._pause:
            return
        self._drawn_at = now
        if self._grows:
            self._pause = min(2 * self._pause, _LONGEST)
        self._draw(self._told(watch))

    def scanned(self, watch: Watch, scan: str) -> None:
        """Tell how far an engine is with a scan of its rows."""
        self._scan = scan
        self(watch)

    def _told(self, watch: Watch, *, ended: bool = False) -> str:
        """Say where the search stands, or where it ended."""
        most = watch.budget.max_steps
        steps = f"step {len(watch.steps):,}" + (f" of {most:,}" if most is not None else "")
        best = f"{self._best:,.1f}"
        if watch.bound is not None:
            gap = watch.bound - watch.score
            told = f"best {watch.score:,.1f}, bound {watch.bound:,.1f}, gap {gap:,.2f}"
        elif watch.tests and not watch.steps:
            told = f"{'ended after ' if ended else ''}{watch.tests:,} tests"
        elif ended:
            told = f"ended after {len(watch.steps):,} steps, score {best}"
        elif watch.trials:
            told = f"{steps}, best score {best}, trying changes ({watch.trials:,})"
        elif not watch.steps or watch.score < self._best:
            told = f"{steps}, best score {best}, trying changes"
        else:
            step = watch.steps[-1]
            told = f"{steps} ({step.operator}, gain {step.gain:,.1f}), score {best}"
        limit = watch.budget.time_limit
        allowed = f" of {limit:,.0f}" if limit < math.inf and not ended else ""
        stopping = "; stopping" if watch.interrupted and not ended else ""
        scan = f" ({self._scan})" if self._scan and not ended else ""
        return f"{self._title}: {told}, {watch.seconds:,.1f}{allowed} s{scan}{stopping}"

    def _draw(self, text: str) -> None:
        if not self._overwrites:
            self._stream.write(f"{text}\n")
        else:
            text = text[: shutil.get_terminal_size().columns - 1]
            if self._stream.isatty():
                self._stream.write(_CLEAR + text)
            else:
                self._stream.write("\r" + text.ljust(self._width) + "\r" * (not text))
            self._width = len(text)
        self._stream.flush()


class EncodingLine(ProgressLine):
    r"""The same for a cache that is made: how many rows are in it; nothing if there is one already.

    Examples
    --------
    >>> import io
    >>> stream = io.StringIO()
    >>> EncodingLine(stream, pause=0)("3,000,000 rows, 2.0 million rows/s")
    >>> stream.getvalue()
    'encoding: 3,000,000 rows, 2.0 million rows/s\n'
    """

    def __init__(self, stream: TextIO | None = None, pause: float | None = None) -> None:
        super().__init__("encoding", stream, pause)

    def __enter__(self) -> Self:
        return self

    def __call__(self, progress: object) -> None:
        """Draw the line, unless it was drawn a moment ago."""
        self._scan = str(progress)
        super().__call__(Watch())

    def _told(self, _watch: Watch, *, ended: bool = False) -> str:
        return f"{self._title}{' ended' if ended else ''}: {self._scan}"


class RoundsLine(ProgressLine):
    r"""The same for work of many equal rounds: how many are done, and how long the rest takes.

    Examples
    --------
    >>> import io
    >>> stream = io.StringIO()
    >>> line = RoundsLine("bootstrap", 200, "replicates", stream, pause=0)
    >>> line.done = 57
    >>> line(Watch())
    >>> stream.getvalue().partition(", 0.0 s")[0]
    'bootstrap: 57 of 200 replicates'
    """

    _first = "the first one"

    def __init__(
        self,
        title: str,
        total: int,
        noun: str,
        stream: TextIO | None = None,
        pause: float | None = None,
    ) -> None:
        super().__init__(title, stream, pause)
        self._total, self._noun = total, noun
        self.done = 0
        self.known = 0
        """Rounds that were done before this run, which say nothing of its pace."""

    def _told(self, watch: Watch, *, ended: bool = False) -> str:
        told = f"{self._title}: {self.done:,} of {self._total:,} {self._noun}"
        told += f", {watch.seconds:,.1f} s"
        fresh = self.done - self.known
        if fresh and not ended and self.done < self._total:
            left = watch.seconds / fresh * (self._total - self.done)
            told += f", about {left:,.0f} s more"
        return told + "; stopping" * (watch.interrupted and not ended)


class FitProgressLine(ProgressLine):
    """Say where EM stands: its step and what it has reached."""

    _first = "looking at the missing cells"

    def _told(self, watch: Watch, *, ended: bool = False) -> str:
        steps = f"{watch.trials:,} steps" if ended else f"step {watch.trials:,}"
        end = "ended after " if ended else ""
        return f"{self._title}: {end}{steps}, value {watch.score:,.4f}, {watch.seconds:,.1f} s"
