"""Files that have no place for numbers are refused before the search."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from bayesloom.cli.program import program
from bayesloom.search import XGES
from click_runner import CliRunner


def run(*arguments: object) -> Result:
    return CliRunner().invoke(program, [*map(str, arguments)])


@pytest.fixture(name="people")
def people_file(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    rows = [f"{x:.3f},{'yes' if x > 0 else 'no'}" for x in rng.normal(size=200)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["age,smoker", *rows]))
    return path


@pytest.mark.parametrize(
    ("option", "file", "said"),
    [
        ("-o", "net.bif", "BIF files have no place for numbers such as 'age'"),
        ("-o", "net.uai", "have no place for numbers such as 'age'"),
        ("--report", "net.html", "a report counts how often states occur together"),
    ],
)
def test_what_cannot_hold_numbers_is_refused_before_the_search(
    people: Path, monkeypatch: pytest.MonkeyPatch, option: str, file: str, said: str
) -> None:
    def search(*_: object) -> None:
        pytest.fail("the search began")

    monkeypatch.setattr(XGES, "search", search)
    found = run("learn", people, "--numbers", "keep", option, people.parent / file)
    assert found.exit_code == 1
    assert said in found.stderr
    assert not (people.parent / file).exists()


def test_what_can_hold_numbers_is_written(people: Path) -> None:
    place = people.parent / "net.json"
    assert run("learn", people, "--numbers", "keep", "-o", place).exit_code == 0
    assert "smoker" in place.read_text()
