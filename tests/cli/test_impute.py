"""``bayesloom impute`` and structural EM: as Python, by the same names."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from failing import failed

Run = Callable[..., Result]
Told = Callable[..., Any]

ROWS = "rain,wet,id\nno,no,1\nyes,,2\n,yes,3\n,,4\nno,no,5\nyes,yes,6\n"


@pytest.fixture
def holes(files: Path) -> Path:
    """Write rows with empty cells, and a network fitted to them."""
    path = files / "holes.csv"
    path.write_text(ROWS)
    bl.fit("rain -> wet", path, method="em").save(files / "rain.json")
    return path


@pytest.mark.parametrize("method", ["most_probable", "sample"])
def test_rows_are_filled_in_as_by_python(run: Run, files: Path, holes: Path, method: str) -> None:
    expected = bl.impute(files / "rain.json", holes, method, seed=4).table  # type: ignore[arg-type]
    said = run("impute", "rain.json", holes.name, "--method", method, "--seed", 4).stdout
    rows = list(csv.reader(said.splitlines()))
    assert rows[0] == ["rain", "wet"]
    assert [row[0] for row in rows[1:]] == expected["rain"]
    assert [row[1] for row in rows[1:]] == expected["wet"]


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "arrow"])
def test_rows_and_cells_are_written(
    run: Run, told: Told, files: Path, holes: Path, ending: str
) -> None:
    name, cells = f"full.{ending}", f"cells.{ending}"
    said = run("impute", "rain.json", holes.name, "-o", name).stdout
    assert said == f"4 missing cells of 6 rows filled in, written to {name}\n"
    found = told("impute", "rain.json", holes.name, "-o", name, "--cells", cells)
    assert found["filled"] == {"rain": 2, "wet": 2}
    assert (found["rows"], found["output"], found["cells"]) == (6, name, cells)
    assert bl.read(files / name).n_rows == 6
    assert bl.read(files / cells, columns=["column", "state"]).n_rows == 4
    again = told("impute", "rain.json", name)
    assert again["filled"] == {}
    assert again["log_probability"] == 0


def test_wrong_usage_is_told(run: Run, holes: Path) -> None:
    assert "would replace the file" in failed(
        run("impute", "rain.json", holes.name, "-o", holes.name), 2
    )
    assert "most_probable" in failed(run("impute", "rain.json", holes.name, "--method", "mean"), 2)
    assert "no such file" in failed(run("impute", "rain.json", "nothing.csv"), 1)


def test_structural_em_is_a_search_like_any_other(told: Told, holes: Path) -> None:
    found = told(
        "learn",
        holes.name,
        "--drop",
        "id",
        "--missing",
        "keep",
        "--search",
        "StructuralEM(copies=2, then=ges)",
        "--score",
        "bic",
        "--seed",
        3,
    )
    assert found["score"]["name"] == "bic"
    assert found["em"]["missing"] == 4
    assert any("completed 2 times" in note for note in found["notes"])


def test_rows_with_missing_cells_are_scored_by_pnal_unless_told(run: Run, files: Path) -> None:
    (files / "holes.csv").write_text("a,b\nn,n\ny,y\nn,\ny,y\nn,n\n,y\n", encoding="utf-8")
    learned = run("learn", "holes.csv", "--missing", "keep", "-o", "holes.json")
    assert learned.exit_code == 0
    done = run("score", "holes.json", "holes.csv", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["score"]["name"] == "pnal"
    refused = run("score", "holes.json", "holes.csv", "--score", "bic")
    assert refused.exit_code == 1
    assert "use the score PNAL" in refused.stderr
