"""The worker process: what goes wrong in it is one sentence, and it goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shell import ENVIRONMENT


class Worker:
    """A worker process that is asked one thing after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, do: str, **details: object) -> dict[str, Any]:
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert answers is not None
        orders.write(json.dumps({"id": 1, "do": do, **details}) + "\n")
        orders.flush()
        told: dict[str, Any] = json.loads(answers.readline())
        return told


@pytest.fixture
def worker() -> Iterator[Worker]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bayesloom.studio.worker"],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Worker(process)


def test_what_the_system_refuses_is_one_sentence(worker: Worker, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone" / "a.csv")
    assert worker.ask("profile", path=gone, reading={})["error"] == (
        "reading or writing failed (No such file or directory); see to the disk"
    )
    (tmp_path / "a.csv").write_text("a,b\n" + "x,y\ny,x\n" * 20)
    told = worker.ask("profile", path=str(tmp_path / "a.csv"), reading={})
    assert told["answer"]["rows"] == 40
