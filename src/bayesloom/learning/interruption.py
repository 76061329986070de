"""Signals during a search: the first one ends it in good order, a later one at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from bayesloom._native import give_on_signal

if TYPE_CHECKING:
    from bayesloom.engine import StopSignal
    from bayesloom.search import Watch

SAME_PRESS = 0.2
"""Seconds in which further signals count as the same: a key that bounces, an impatient finger."""

_Handler = Callable[[int, FrameType | None], None]


@contextmanager
def interruptible(watch: Watch) -> Iterator[None]:
    """Let Ctrl-C tell the watch of a search instead of raising, while the block runs.

    A second Ctrl-C raises KeyboardInterrupt, unless it follows at once: then it counts as the
    first, even if the search has ended by then. Within `interrupts_on_termination` SIGTERM does
    the same. Outside the main thread, where signals never arrive, and in a process that ignores
    Ctrl-C nothing is changed. The handlers that were there come back in the end.
    """
    patience_ends: float | None = None
    has_ended = False

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        nonlocal patience_ends
        if patience_ends is None:
            patience_ends = time.monotonic() + SAME_PRESS
            watch.interrupt()
        elif time.monotonic() > patience_ends and not has_ended:
            raise KeyboardInterrupt

    with ExitStack() as stack:
        if signal.getsignal(signal.SIGINT) not in (None, signal.SIG_IGN):
            stack.enter_context(_handled(signal.SIGINT, interrupt, watch.signal))
        if signal.getsignal(signal.SIGTERM) is _raise_interrupt:
            stack.enter_context(_handled(signal.SIGTERM, interrupt, watch.signal))
        yield
        has_ended = True
        if patience_ends is not None:
            time.sleep(max(0.0, patience_ends - time.monotonic()))


@contextmanager
def interrupts_on_termination() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, while the block runs, unless somebody handles it."""
    with ExitStack() as stack:
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            stack.enter_context(_handled(signal.SIGTERM, _raise_interrupt))
        yield


def _raise_interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _handled(
    which: signal.Signals, handler: _Handler, stop: StopSignal | None = None
) -> Iterator[None]:
    """Set a handler while the block runs, where a thread may.

    Python runs handlers between its own instructions, so they wait for the end of a native batch;
    ``stop`` is given at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(which, handler)
    gave = give_on_signal(which, stop)
    try:
        yield
    finally:
        signal.signal(which, before)
        give_on_signal(which, gave)
