"""certify: what it prints and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from failing import failed

Run = Callable[..., Result]
Told = Callable[..., Any]


def test_a_network_file_is_certified(told: Told, files: Path) -> None:
    found = told("certify", "asia.bif.gz", "asia.csv", "--score", "bdeu", "--max-parents", "3")
    net, table = bl.load(files / "asia.bif.gz"), bl.read(files / "asia.csv")
    expected = bl.certify(net, table, bl.BDeu(), max_parents=3)
    assert found["score"] == {"name": "bdeu", "value": pytest.approx(expected.score)}
    assert found["gap"] == pytest.approx(expected.gap)
    assert found["optimal"] is expected.optimal
    assert found["bound"] >= found["best"] - 1e-6 >= found["score"]["value"] - 2e-6


@pytest.mark.parametrize("missing", ["drop", "keep"])
def test_rows_on_a_disk_are_certified_as_rows_in_memory(
    told: Told, tmp_path: Path, missing: str
) -> None:
    call = ("certify", "asia.bif.gz", "holes.csv", "--missing", missing, "--max-parents", "2")
    disk = ("--engine", "disk", "--cache", str(tmp_path / "cache"))
    assert told(*call, *disk) == told(*call)
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_people_get_a_sentence(run: Run) -> None:
    run("learn", "asia.csv", "--search", "exact", "-q", "-o", "best.bif")
    text = run("certify", "best.bif", "asia.csv").stdout
    assert text.startswith("bic -")
    assert text.strip().endswith("optimal, proven")


def test_learning_tells_the_proof(told: Told, run: Run) -> None:
    found = told("learn", "asia.csv", "--search", "exact", "--max-parents", "2")
    assert found["proof"]["optimal"] is True
    assert found["stop"] == "optimum"
    text = run("learn", "asia.csv", "--search", "Exact(method='ilp')").stdout
    assert "  proof    optimal, proven" in text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing.bif", "asia.csv"], 1, "nothing.bif"),
        (["asia.bif.gz", "nothing.csv"], 1, "nothing.csv"),
        (["asia.bif.gz", "asia.csv", "--max-parents", "1"], 1, "more than max_parents = 1"),
        (["asia.bif.gz", "asia.csv", "--max-parents", "-1"], 2, "--max-parents"),
        (["asia.bif.gz", "asia.csv", "--time-limit", "soon"], 2, "time_limit must be a time"),
        (["asia.bif.gz", "asia.csv", "--score", "best"], 2, "--score"),
        (["asia.bif.gz"], 2, "DATA"),
    ],
)
def test_failures_are_one_line(run: Run, arguments: list[str], code: int, message: str) -> None:
    assert message in failed(run("certify", *arguments), code)
