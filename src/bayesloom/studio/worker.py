"""The work of the studio, in a process of its own: ``python -m bayesloom.studio.worker``.

Orders come as lines of JSON on standard input, answers go as lines of JSON to standard output. A
line that tells ``sizes`` is followed by as many texts of so many bytes. The process ends with its
input, so nothing goes on working for a studio that is gone.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from bayesloom.errors import BayesloomError
from bayesloom.studio.job import Job
from bayesloom.studio.news import Telling

_PAUSE = 0.1  # seconds between two messages about a search


class Station:
    """Take orders and do them one by one; those about a running search are heeded at once."""

    def __init__(self, orders: BinaryIO, answers: BinaryIO) -> None:
        self._orders, self._answers = orders, answers
        self._writing = threading.Lock()
        self._waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.job = Job()

    def serve(self) -> None:
        """Work until the orders end."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            order = self._waiting.get()
            number = order.pop("id")
            try:
                answer = self._done(order)
            except BayesloomError as error:
                self.say({"id": number, "error": " ".join(str(error).split())})
            except MemoryError:
                said = "the memory does not suffice; use fewer columns or rows, or fewer parents"
                self.say({"id": number, "error": said})
            except OSError as error:
                said = f"reading or writing failed ({error.strerror or error}); see to the disk"
                self.say({"id": number, "error": said})
            except Exception as error:  # noqa: BLE001 - told to the user, and the studio goes on
                said = f"internal error ({type(error).__name__}: {error}); please report it"
                self.say({"id": number, "error": said})
            else:
                texts = answer.pop("texts", [])
                self.say({"id": number, "answer": answer}, texts)

    def _done(self, order: dict[str, Any]) -> dict[str, Any]:
        do: Callable[..., dict[str, Any]] = getattr(self.job, str(order.pop("do")))
        if do != self.job.learn:
            return do(**order)
        with _Ticker(self.job.telling, self.say):
            return do(**order)

    def _listen(self) -> None:
        """Read orders; the end of them is the end of the process, whatever it is doing."""
        for line in self._orders:
            order = json.loads(line)
            if order["do"] in ("pause", "resume", "stop"):
                getattr(self.job.telling, order["do"])()
            else:
                self._waiting.put(order)
        os._exit(0)

    def say(self, told: dict[str, Any], texts: tuple[str, ...] | list[str] = ()) -> None:
        """Write a message and the texts that belong to it."""
        parts = [text.encode() for text in texts]
        if parts:
            told = {**told, "sizes": [len(part) for part in parts]}
        with self._writing:
            self._answers.write(b"".join([json.dumps(told).encode(), b"\n", *parts]))
            self._answers.flush()


class _Ticker:
    """Tell where a search stands several times a second, from a thread beside it."""

    def __init__(self, telling: Telling, say: Callable[[dict[str, Any]], None]) -> None:
        self._telling, self._say = telling, say
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._tell()

    def _run(self) -> None:
        while not self._ended.wait(_PAUSE):
            self._tell()

    def _tell(self) -> None:
        if (news := self._telling.news()) is not None:
            self._say({"progress": news})


def main() -> None:
    """Take the streams for messages; whatever else is printed goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Station(sys.stdin.buffer, answers).serve()


if __name__ == "__main__":
    main()
