"""The one thread that asks the project (single-thread executor), so that the server never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import ParamSpec, TypeVar

from bayesloom.studio.copies import StorageError

P = ParamSpec("P")
T = TypeVar("T")


class Scribe:
    """Do what touches the project, in the order it is asked for, beside the loop of the server."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "scribe")

    def __call__(self, do: Callable[P, T], *given: P.args, **named: P.kwargs) -> asyncio.Future[T]:
        """Ask for something; its turn is taken at once, whenever the answer is awaited."""
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, lambda: do(*given, **named))

    def note(self, do: Callable[P, object], *given: P.args, **named: P.kwargs) -> None:
        """Have something written that nobody waits for, and that can be missed."""

        def try_it() -> None:
            with suppress(StorageError):
                do(*given, **named)

        self._thread.submit(try_it)

    async def last(self, steps: Iterator[int]) -> int:
        """Take steps, others having their turns in between; return what the last one yields."""
        found = step = await self(next, steps, 0)
        while step:
            found, step = step, await self(next, steps, 0)
        return found

    def close(self) -> None:
        """Do what has been asked for, and end."""
        self._thread.shutdown()
