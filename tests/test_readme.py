"""The first page: its Python runs, and its commands are done."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from bayesloom.cli import program
from click_runner import CliRunner
from shell import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go where the examples are and nothing else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")


def test_the_python_of_the_page_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 1
    exec("\n".join(blocks), {})
    assert Path("alarm.json").exists()
    assert Path("alarm.svg").exists()


def test_the_commands_of_the_page_are_done() -> None:
    commands = re.findall(r"^bayesloom (.*)$", TEXT, re.MULTILINE)
    others = ("learns", "studio")  # a sentence, and what serves until it is ended
    commands = [command for command in commands if not command.startswith(others)]
    assert len(commands) > 8
    for command in commands:
        done = CliRunner().invoke(
            program, shlex.split(command, comments=True), prog_name="bayesloom"
        )
        assert (done.exit_code, done.stderr) == (0, ""), command
    assert len(Path("predicted.csv").read_text().splitlines()) == 5001
