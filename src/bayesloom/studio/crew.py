"""Worker processes as the server sees them: orders out, answers and news in."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from typing import Any

from bayesloom.errors import BayesloomError

_LONGEST_LINE = 1 << 30
_KILLED = -9
News = Callable[[dict[str, Any]], None]


class WorkError(BayesloomError):
    """A worker could not do what it was asked for; the message is for the user."""


class WorkerProcess:
    """One process that works for the studio.

    It has a session of its own, so that Ctrl-C in the terminal reaches the studio alone, and ends
    when its input does, so that it never outlives the studio.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self._asked: dict[int, asyncio.Future[tuple[dict[str, Any], list[str]]]] = {}
        self._number = 0
        self.on_news: News = lambda _: None
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls) -> WorkerProcess:
        """Start a process; it loads what it needs while others go on."""
        errors = None if os.environ.get("BAYESLOOM_DEBUG") else DEVNULL
        command = [sys.executable, "-P", "-m", "bayesloom.studio.worker"]
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=errors,
            start_new_session=True,
            limit=_LONGEST_LINE,
        )
        return cls(process)

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return self._process.returncode is None and not self._reading.done()

    def tell(self, do: str) -> None:
        """Give an order without an answer: pause, resume or stop."""
        if self.is_alive:
            self._write({"do": do})

    async def ask(self, do: str, **details: object) -> tuple[dict[str, Any], list[str]]:
        """Give an order and wait for the answer and its texts.

        Raises
        ------
        WorkError
            If it cannot be done; the message says why.
        """
        if not self.is_alive:
            raise WorkError(self._end())
        self._number += 1
        number = self._number
        future: asyncio.Future[tuple[dict[str, Any], list[str]]] = asyncio.Future()
        self._asked[number] = future
        self._write({"id": number, "do": do, **details})
        return await future

    def _write(self, order: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")

    async def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        try:
            while line := await stream.readline():
                told = json.loads(line)
                texts = [(await stream.readexactly(n)).decode() for n in told.get("sizes", ())]
                if "progress" in told:
                    self.on_news(told["progress"])
                elif (future := self._asked.pop(told["id"], None)) and not future.done():
                    if "error" in told:
                        future.set_exception(WorkError(told["error"]))
                    else:
                        future.set_result((told["answer"], texts))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        await self._process.wait()
        for future in self._asked.values():
            if not future.done():
                future.set_exception(WorkError(self._end()))

    def _end(self) -> str:
        code = self._process.returncode
        if code == _KILLED:
            return "the worker process was killed; perhaps the memory did not suffice"
        return f"the worker process ended unexpectedly (exit code {code})"

    async def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._process.returncode is None:
            self._process.kill()
        await asyncio.wait([self._reading])


class Desk:
    """A worker process for short questions, started when the first comes and again if it dies."""

    def __init__(self) -> None:
        self._worker: WorkerProcess | None = None
        self._starting = asyncio.Lock()

    async def worker(self) -> WorkerProcess:
        """Return the process, started if need be."""
        async with self._starting:
            if self._worker is None or not self._worker.is_alive:
                self._worker = await WorkerProcess.start()
        return self._worker

    async def ask(self, do: str, **details: object) -> tuple[dict[str, Any], list[str]]:
        """Give an order and wait for the answer; see `WorkerProcess.ask`."""
        return await (await self.worker()).ask(do, **details)

    async def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            await self._worker.close()
