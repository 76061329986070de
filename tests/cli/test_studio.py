"""``bayesloom studio``: what it says before it serves."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from click.testing import Result

from studio_server import program

Run = Callable[..., Result]


def test_the_help_shows_how_to_begin(run: Run) -> None:
    done = run("studio", "--help")
    assert done.exit_code == 0
    for word in ("bayesloom studio data.csv", "--project", "--no-browser", "bayesloom[web]"):
        assert word in done.stdout


def test_a_file_that_is_not_there_is_told(run: Run, tmp_path: Path) -> None:
    done = run("studio", "gone.csv", "--project", tmp_path / "p.db", "--no-browser")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: gone.csv: the file cannot be read (No such file")
    assert not (tmp_path / "p.db").exists()


def test_a_file_that_is_no_project_is_told(run: Run) -> None:
    done = run("studio", "--project", "asia.csv", "--no-browser")
    assert done.exit_code == 1
    assert "asia.csv: this is no project of the studio" in done.stderr


def test_a_port_that_is_taken_is_told(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("studio", "--port", port, "--project", tmp_path / "p.db", "--no-browser")
    assert done.exit_code == 2
    assert f"nobody can listen on 127.0.0.1 port {port}" in done.stderr


def test_without_the_extra_one_line_names_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("studio", "--no-browser")
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: the studio needs uvicorn; install it with: pip install 'bayesloom[web]'\n"
    )


def test_it_serves_the_file_it_was_given_and_ends_when_told(files: Path, tmp_path: Path) -> None:
    with program(tmp_path / "p.db", str(files / "asia.csv")) as (process, visitor):
        assert [data["name"] for data in visitor.get("/api/project")["data"]] == ["asia.csv"]
        assert httpx.get(visitor.base).status_code == 403
    assert process.wait(20) == 0
    assert not (tmp_path / "p.db.files").exists()
