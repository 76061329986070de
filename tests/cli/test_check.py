"""check: what it prints and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

import bayesloom as bl

Run = Callable[..., Result]
Told = Callable[..., Any]


def test_a_network_file_is_checked(told: Told, files: Path) -> None:
    found = told("check", "asia.bif.gz", "asia.csv")
    net, table = bl.load(files / "asia.bif.gz"), bl.read(files / "asia.csv")
    expected = net.check(table)
    assert found["failures"] == list(expected.failures)
    assert found["claims"] == len(expected)
    assert found["passed"] is expected.passed
    assert set(found) == {
        "passed",
        "failures",
        "rows",
        "alpha",
        "claims",
        "inconclusive",
        "failing",
    }


def test_people_get_a_sentence(run: Run) -> None:
    run("learn", "asia.csv", "-q", "-o", "learned.bif")
    text = run("check", "learned.bif", "asia.csv").stdout
    assert text.startswith("nothing fails in ") or "would mend it" in text


def test_a_wrong_level_is_one_sentence(run: Run) -> None:
    done = run("check", "asia.bif.gz", "asia.csv", "--alpha", "2")
    assert done.exit_code == 2
    assert "alpha must be" in done.output
