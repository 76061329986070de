"""The five-minute page, as somebody new goes through it: in an empty folder, from top to bottom."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import bayesloom as bl
from bayesloom.cli import program
from click_runner import CliRunner
from shell import ROOT

PAGE = ROOT / "docs" / "start.md"
TEXT = PAGE.read_text(encoding="utf-8")


def questionnaire() -> str:
    lines = ["id,age,smokes,cough"]
    for k in range(400):
        age = 18 + 37 * k % 63
        smokes = (age < 40 and k % 3 > 0) or k % 7 == 0
        cough = "yes" if (smokes and k % 5 > 0) or k % 11 == 0 else "no"
        told = "" if k % 19 == 5 else cough
        lines.append(f"{1000 + k},{age},{'yes' if smokes else 'no'},{told}")
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def done(command: str) -> tuple[int, str]:
    words = shlex.split(command, comments=True)[1:]
    found = CliRunner().invoke(program, words, prog_name="bayesloom")
    return found.exit_code, found.stderr


def in_order(pieces: list[str], text: str) -> bool:
    """Say whether pieces stand in a text one after the other, whatever the blanks."""
    loose = [r"\s+".join(map(re.escape, piece.split())) for piece in pieces]
    return re.search(".*".join(loose), text, re.DOTALL) is not None


def test_the_page_can_be_followed_in_an_empty_folder() -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=flags)
    assert found.attempted > 10
    assert found.failed == 0
    Path("people.csv").write_text(questionnaire(), encoding="utf-8")
    shells = re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    commands = re.findall(r"^bayesloom .*$", "\n".join(shells), re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        assert done(command) == (0, ""), command
    for name in ("clinic.html", "people.html", "clinic.svg", "people.json"):
        assert Path(name).exists()


def test_the_file_that_is_not_ready_is_told_as_the_page_says() -> None:
    Path("people.csv").write_text(questionnaire(), encoding="utf-8")
    rows, said = re.findall(r"^```text\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert in_order(rows.split("..."), questionnaire())
    assert done("bayesloom learn people.csv")[0] == 0
    code, error = done("bayesloom learn people.csv --strict")
    assert code == 1
    assert in_order(said.strip().removesuffix("...").split("..."), error)


def test_the_picture_of_the_page_is_what_its_lines_draw() -> None:
    drawn = str(bl.learn(bl.example("asia").sample(5000, seed=1)).plot())
    assert drawn.strip() == (PAGE.parent / "start" / "learned.svg").read_text().strip()
