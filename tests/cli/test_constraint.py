"""Constraint-based learners from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from shell import ROOT

Run = Callable[..., Result]
Told = Callable[..., Any]


@pytest.fixture
def alarm(files: Path) -> str:
    table = bl.read(ROOT / "tests" / "data" / "bnlearn" / "alarm.csv.gz").take(slice(0, 2000))
    bl.write_csv(table, files / "alarm.csv")
    return "alarm.csv"


def test_pc_tells_separations_and_conflicts_and_has_no_score(told: Told, alarm: str) -> None:
    found = told("learn", alarm, "--search", "pc", "--alpha", "0.01")
    assert (found["score"], found["steps"]) == (None, [])
    assert found["separations"][0].keys() == {
        *("x", "y", "given", "statistic", "df", "p", "log_p", "min_expected", "conclusive"),
    }
    pairs = len(found["variables"]) * (len(found["variables"]) - 1) // 2
    joined = len(found["directed"]) + len(found["undirected"])
    assert len(found["separations"]) + joined == pairs
    assert all(c.keys() == {"x", "middle", "y", "opposition"} for c in found["conflicts"])
    assert found["conflicts"]


def test_the_story_of_an_absent_pair_tells_what_took_it_apart_also_from_a_file(
    run: Run, told: Told, alarm: str
) -> None:
    learned = told("learn", alarm, "--search", "pc", "--alpha", "0.01", "-o", "net.json")
    apart = next(s for s in learned["separations"] if s["given"])
    story = told("explain", "net.json", apart["x"], apart["y"])
    assert story["separation"] == apart
    assert f"took {apart['x']} and {apart['y']} apart given" in story["text"]
    conflict = learned["conflicts"][0]
    text = run("explain", "net.json", conflict["x"], conflict["middle"]).stdout
    assert "\n  Conflict: " in text
    kept = bl.load("net.json")
    assert [s.to_dict() for s in kept.separations] == learned["separations"]
    assert [c.to_dict() for c in kept.conflicts] == learned["conflicts"]


def test_options_of_tests_reach_the_searches(run: Run, alarm: str) -> None:
    done = run(
        *("learn", alarm, "--test", "g-square", "--control", "bh", "--search"),
        "IAMB(variant='inter', max_given=2, inconclusive='independent')",
        *("-o", "net.json"),
    )
    assert done.exit_code == 0
    record = bl.load("net.json").record
    assert record is not None
    for option in ("Variant.INTER", "test=GSquare(coverage=", "max_given=2", "Benjamini"):
        assert option in record.search


def test_max_min_hill_climbing_has_score_and_tests(told: Told, alarm: str) -> None:
    found = told("learn", alarm, "--search", "mmhc", "--score", "bdeu", "--alpha", "0.01")
    assert found["score"]["name"] == "bdeu"
    assert found["tests"]["made"] > 0
    assert found["separations"]


def test_aracne_tells_triangles_in_json_stories_reports_and_pictures(
    run: Run, told: Told, files: Path, alarm: str
) -> None:
    learn = ("learn", alarm, "--search", "ARACNE(tolerance=0.1)", "--alpha", "0.01")
    found = told(*learn, "-o", "net.json")
    assert (found["score"], found["directed"]) == (None, [])
    triangle = next(s for s in found["separations"] if "middle" in s)
    assert triangle.keys() == {"x", "y", "middle", "information", "sides"}
    assert triangle["information"] < 0.9 * min(triangle["sides"])
    story = told("explain", "net.json", triangle["x"], triangle["y"])
    assert story["separation"] == triangle
    assert f"apart because of {triangle['middle']}: " in story["text"]
    assert run("report", "net.json", "-o", "net.html", "--data", alarm).exit_code == 0
    assert "because of" in (files / "net.html").read_text(encoding="utf-8")
    assert run("plot", "net.json", "-o", "net.svg").exit_code == 0
    assert bl.load("net.json").undirected == tuple(map(tuple, found["undirected"]))


def test_miic_tells_information_and_complexity(
    run: Run, told: Told, files: Path, alarm: str
) -> None:
    found = told("learn", alarm, "--search", "miic", "--score", "bic", "-o", "net.json")
    assert (found["score"], found["tests"]["made"]) == (None, 0)
    for kind, is_larger in (("separations", False), ("weighed", True)):
        assert found[kind]
        for told_ in found[kind]:
            assert told_.keys() == {"x", "y", "given", "information", "complexity"}
            assert (told_["information"] > told_["complexity"]) == is_larger
    kept = found["weighed"][0]
    story = told("explain", "net.json", kept["x"], kept["y"])
    assert story["weighing"] == kept
    text = run("learn", alarm, "--search", "MIIC(everywhere=True)").stdout
    assert "MIIC(everywhere=True)" in text
    assert run("report", "net.json", "-o", "net.html").exit_code == 0
    assert "a pair is joined if its information" in (files / "net.html").read_text("utf-8")


def test_a_limit_on_parents_is_refused_in_one_line(run: Run, alarm: str) -> None:
    done = run("learn", alarm, "--search", "pc", "--max-parents", 2)
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert "PC only tests and cannot keep max_parents = 2" in done.stderr


@pytest.fixture
def knot(files: Path) -> str:
    """Rows from which PC at 50 % learns a graph that no DAG extends."""
    import numpy as np

    for seed in range(200):
        columns = list(np.random.default_rng(seed).integers(0, 2, (6, 60)))
        table = bl.Table("ABCDEF", ["ny"] * 6, columns)
        if bl.learn(table, bl.PC(control=bl.FixedAlpha(0.5))).extension is None:
            break
    bl.write_csv(table, files / "knot.csv")
    return "knot.csv"


def test_a_graph_without_extension_has_a_report(run: Run, files: Path, knot: str) -> None:
    learn = ("learn", knot, "--search", "pc", "--alpha", "0.5")
    done = run(*learn, "-o", "knot.json", "--report", "knot.html")
    assert done.exit_code == 0, done.stderr
    for more in ((), ("--data", knot), ("--data", knot, "--score", "bic")):
        done = run("report", "knot.json", "-o", "later.html", *more)
        assert done.exit_code == 0, done.stderr
        assert "No DAG extends this graph" in (files / "later.html").read_text(encoding="utf-8")
    done = run("explain", "knot.json", "A", "B", "--data", knot)
    assert done.exit_code == 0, done.stderr
    assert "With nothing given" in done.stdout


def test_a_graph_without_extension_is_printed_and_not_saved(
    run: Run, files: Path, knot: str
) -> None:
    done = run("learn", knot, "--search", "pc", "--alpha", "0.5", "-o", "knot.bif")
    assert done.exit_code == 1
    assert "no DAG extends the graph" in done.stdout
    assert "save it as .json instead" in done.stderr
    assert "fit" not in done.stderr
    assert not (files / "knot.bif").exists()


def test_the_blanket_of_a_column_is_printed_and_told(run: Run, told: Told, alarm: str) -> None:
    found = told("blanket", alarm, "CVP", "--alpha", "0.001")
    assert found["target"] == "CVP"
    assert "LVV" in found["blanket"]
    assert found.keys() == {"target", "blanket", "dependencies", "tests", "stop", "seconds"}
    said = run("blanket", alarm, "CVP", "--search", "gs", "--alpha", "0.001").stdout
    assert said.startswith("Markov blanket of CVP, from 2,000 rows:")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("NOBODY",), 1, "unknown variable 'NOBODY'"),
        (("CVP", "--search", "pc"), 2, "--search must be one of gs, iamb, got pc"),
        (("CVP", "--search", "IAMB(variant='slow')"), 2, "must be 'plain' or 'inter' or 'fast'"),
        (("CVP", "--search", "IAMB(speed=1)"), 2, "IAMB has no option 'speed'"),
        (("CVP", "--alpha", "2"), 2, "alpha must be"),
    ],
)
def test_wrong_usage_of_blanket_is_one_line(
    run: Run, alarm: str, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = run("blanket", alarm, *arguments)
    assert done.exit_code == code
    assert message in done.stderr
