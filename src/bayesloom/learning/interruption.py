"""Ctrl-C during a search: the first one ends it in good order, the second one at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bayesloom.search import Watch


@contextmanager
def interruptible(watch: Watch) -> Iterator[None]:
    """Let Ctrl-C tell the watch of a search instead of raising, while the block runs.

    A second Ctrl-C raises KeyboardInterrupt. Outside the main thread, where signals never arrive,
    and in a process that ignores Ctrl-C nothing is changed. The handler that was there comes back
    in the end.
    """
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before is None or before == signal.SIG_IGN:
        yield
        return

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        if watch.interrupted:
            raise KeyboardInterrupt
        watch.interrupted = True

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
