"""The program in this process and as a program of its own, with small files to work on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from bayesloom.cli import program
from bayesloom.data import write_csv
from bayesloom.model import draw_rows, load_net
from click_runner import CliRunner
from shell import ROOT
from strategies import punched

NETWORKS = ROOT / "tests" / "data" / "model" / "networks"

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, files: Path) -> Run:
    """Return a function that runs a command in the folder of the small files."""
    monkeypatch.chdir(files)

    def invoke(*args: object) -> Result:
        return CliRunner().invoke(program, [str(arg) for arg in args], prog_name="bayesloom")

    return invoke


@pytest.fixture
def told(run: Run) -> Callable[..., Any]:
    """Return a function that runs a command with --json and returns the one object it prints."""

    def invoke(*args: object) -> Any:  # noqa: ANN401 - JSON
        done = run(*args, "--json")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.count("\n") == 1
        return json.loads(done.stdout)

    return invoke


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    net = load_net(NETWORKS / "asia.bif.gz")
    write_csv(draw_rows(net, 2000, 1), folder / "asia.csv")
    write_csv(punched(draw_rows(net, 500, 1), [0.1] * 8, 1), folder / "holes.csv")
    (folder / "asia.bif.gz").write_bytes((NETWORKS / "asia.bif.gz").read_bytes())
    return folder


@pytest.fixture
def files(made: Path, tmp_path: Path) -> Path:
    """Return a fresh folder that holds asia.csv, holes.csv and asia.bif.gz."""
    for path in made.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path
