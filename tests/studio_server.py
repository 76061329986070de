"""The studio for tests: a server of its own, and a visitor who has the address."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx
import uvicorn

from bayesloom.studio.app import MOST_UPLOADED, application
from bayesloom.studio.project import Project
from shell import COMMAND, ENVIRONMENT

TOKEN = "the-token-of-the-tests"
LONG = {"search": {"name": "hc", "options": {"restarts": 10**6}}}
"""A plan that takes longer than any test."""


@dataclass(slots=True)
class Visitor:
    """Somebody who opened the address, with what the page would ask."""

    base: str
    token: str
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.base, headers={"Origin": self.base}, timeout=120)
        assert self.client.get("/", params={"token": self.token}).status_code == 200

    @property
    def address(self) -> str:
        return f"{self.base}/?token={self.token}"

    def get(self, path: str) -> Any:  # noqa: ANN401 - JSON
        return self.client.get(path).json()

    def post(self, path: str, told: object = None) -> Any:  # noqa: ANN401 - JSON
        return self.client.post(path, json={} if told is None else told).json()

    def upload(self, name: str, content: bytes) -> int:
        found = self.client.post("/api/data", params={"name": name}, content=content).json()
        return int(found["id"])

    def start(self, data: int, plan: object) -> int:
        found = self.post("/api/runs", {"data": data, "plan": plan})
        assert "error" not in found, found
        return int(found["id"])

    def events(self, run: int, after: int | None = None) -> Iterator[tuple[str, int | None, Any]]:
        """Yield what is told of a run until it ends: kind, number, content."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self.client.stream("GET", f"/api/runs/{run}/events", headers=headers) as stream:
            parts: dict[str, str] = {}
            for line in stream.iter_lines():
                if line:
                    key, _, value = line.partition(": ")
                    parts[key] = value
                elif parts:
                    number = int(parts["id"]) if "id" in parts else None
                    if "event" in parts:
                        yield parts["event"], number, json.loads(parts["data"])
                    parts = {}

    def finished(self, run: int) -> dict[str, Any]:
        """Wait for the end of a run."""
        for _ in self.events(run):
            pass
        found: dict[str, Any] = self.get(f"/api/runs/{run}")
        return found


@contextmanager
def serving(path: Path, most_uploaded: int = MOST_UPLOADED) -> Iterator[Visitor]:
    """Serve a project in this process, from a thread."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app = application(
        Project(path), TOKEN, port=port, host="127.0.0.1", most_uploaded=most_uploaded
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    visitor = Visitor(f"http://127.0.0.1:{port}", TOKEN)
    try:
        yield visitor
    finally:
        visitor.client.close()
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def program(
    project: Path, *arguments: str, errors: int | IO[str] = subprocess.DEVNULL
) -> Iterator[tuple[subprocess.Popen[str], Visitor]]:
    """Run ``bayesloom studio`` as a program of its own."""
    command = [*COMMAND, "studio", *arguments, "--project", str(project), "--no-browser"]
    process = subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=errors, text=True
    )
    assert process.stdout is not None
    with process:
        address = httpx.URL(process.stdout.readline().split()[-1])
        visitor = Visitor(f"http://{address.host}:{address.port}", address.params["token"])
        try:
            yield process, visitor
        finally:
            visitor.client.close()
            process.terminate()


def children(process: int) -> list[int]:
    """Return the processes that another has started, where the system tells."""
    if sys.platform != "linux":
        return []
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(number) for number in found]
