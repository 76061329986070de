"""Signals during a search: the first one ends it in good order, a later one at once."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
        handled = set()
        if signal.getsignal(signal.SIGINT) not in (None, signal.SIG_IGN):
            stack.enter_context(_handled(signal.SIGINT, interrupt))
            handled.add(signal.SIGINT)
        if signal.getsignal(signal.SIGTERM) is _raise_interrupt:
            stack.enter_context(_handled(signal.SIGTERM, interrupt))
            handled.add(signal.SIGTERM)
        stack.enter_context(_heard_at_once(handled, watch))
        yield
        has_ended = True
        if patience_ends is not None:
            time.sleep(max(0.0, patience_ends - time.monotonic()))


@contextmanager
def _heard_at_once(which: set[signal.Signals], watch: Watch) -> Iterator[None]:
    """Give the stop signal of a watch as soon as one of some signals arrives.

    Python runs handlers between its own instructions, so they wait for the end of a native batch;
    but the number of the signal is written to a wake-up file at once, and a thread reads it there.
    """
    if threading.current_thread() is not threading.main_thread() or not which:
        yield
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)

    def listen() -> None:
        while arrived := reader.recv(64):
            if which.intersection(arrived):
                watch.signal.set()
            if before != -1:
                os.write(before, arrived)  # somebody else listens, too

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        writer.close()
        listener.join()
        reader.close()


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
def _handled(which: signal.Signals, handler: _Handler) -> Iterator[None]:
    """Set a handler while the block runs, where a thread may."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(which, handler)
    try:
        yield
    finally:
        signal.signal(which, before)
