"""Blocks of pages that are written as a script, not as a dialogue: they run as they stand.

Files that a page takes for granted are made here, small, with the columns that the page names.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import bayesloom as bl
from bayesloom.cli import program
from click_runner import CliRunner
from shell import ROOT

DOCS = ROOT / "docs"
PAGES = ["index", "classification", "em", "missing", "pictures", "report", "scale-disk", "data"]


def people() -> pd.DataFrame:
    """Return rows like those of the Titanic's list, with ids, holes and quantities."""
    rows = range(300)
    return pd.DataFrame(
        {
            "PassengerId": [k + 1 for k in rows],
            "Name": [f"Person {k}" for k in rows],
            "Ticket": [f"T{k * 7919 % 100_003}" for k in rows],
            "Cabin": [None if k % 4 else f"C{k}" for k in rows],
            "Sex": ["female" if k % 3 == 0 else "male" for k in rows],
            "Pclass": [1 + k * 7 % 3 for k in rows],
            "Age": [None if k % 9 == 0 else 1 + k * 37 % 70 for k in rows],
            "Fare": [round(100 / (1 + k * 7 % 3) + k % 13 / 7, 2) for k in rows],
            "Survived": ["yes" if k % 3 == 0 or k * 7 % 3 == 0 else "no" for k in rows],
        }
    )


def wet() -> pd.DataFrame:
    """Return two columns with holes."""
    rain = [None if k % 11 == 0 else ["no", "yes"][k % 3 > 0] for k in range(90)]
    wet = [None if k % 13 == 0 else ["no", "yes"][k % 3 > 0 and k % 10 > 0] for k in range(90)]
    return pd.DataFrame({"rain": rain, "wet": wet})


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names that pages use without saying what they are, beside the files they name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BAYESLOOM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    asia = bl.example("asia").sample(400, seed=1)
    bl.write_csv(asia, "people.csv")
    frame = asia.to_pandas().astype(str).rename(columns={"lung": "class"})
    frame.to_csv("data.csv", index=False)
    frame.drop(columns="class").to_csv("new.csv", index=False)
    people().to_csv("titanic.csv", index=False)
    wet().to_csv("holes.csv", index=False)
    bl.fit("rain -> wet", "holes.csv", method="em").save("net.json")
    (tmp_path / "big").mkdir()
    for k in range(2):
        frame.iloc[k::2].to_parquet(f"big/{k}.parquet")
    given = frame.drop(columns="class")
    return {
        "bl": bl,
        "X": given,
        "y": frame["class"],
        "X_test": given,
        "y_test": frame["class"],
        "new": given,
        "df": frame[["asia", "smoke", "dysp"]].set_axis(["A", "B", "C"], axis=1),
        "dag": bl.network("rain -> wet").dag,
        "table": bl.Table.from_frame(wet(), missing="keep"),
    }


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run(page: str, told: dict[str, Any]) -> None:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(python|sh|)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    scripts = [block for kind, block in blocks if kind == "python"]
    exec("\n".join(scripts), told)
    shells = "\n".join(block for kind, block in blocks if kind != "python")
    lines = re.findall(r"^(?:\$ )?bayesloom (.*)$", shells, re.MULTILINE)
    commands = [part for line in lines for part in re.split(r"\s+bayesloom ", line)]
    assert scripts or commands
    for command in commands:
        words = shlex.split(command, comments=True)
        done = CliRunner().invoke(program, words, prog_name="bayesloom")
        assert (done.exit_code, done.stderr) == (0, ""), command


def test_every_page_with_a_script_is_run_somewhere() -> None:
    elsewhere = {"coming-from", "extending"}
    for page in DOCS.glob("**/*.md"):
        blocks = re.findall(
            r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
        if any(">>> " not in block for block in blocks):
            assert page.stem in {*PAGES, *elsewhere}, page.name
