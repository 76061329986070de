"""predict, most-probable, test, and evidence in sample and query: as Python, by the same names."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom import facade
from bayesloom.cli.program import _COMMANDS
from failing import failed

Run = Callable[..., Result]
Told = Callable[..., Any]

NEW = "smoke,xray,dysp,note\nyes,yes,yes,a\nno,no,no,b\nyes,,no,c\n"


@pytest.fixture
def rows(files: Path) -> Path:
    path = files / "new.csv"
    path.write_text(NEW)
    return path


@pytest.fixture
def asia(files: Path) -> bl.Network:
    return bl.load(files / "asia.bif.gz")


def test_predictions_are_those_of_python(
    run: Run, told: Told, rows: Path, asia: bl.Network
) -> None:
    expected = asia.predict_proba(rows, "lung")
    found = told("predict", "asia.bif.gz", rows.name, "--target", "lung", "--proba")
    assert list(found) == ["target", "states", "rows", "predictions", "probabilities"]
    assert found["predictions"] == expected.labels.tolist()
    np.testing.assert_array_equal(found["probabilities"], expected.probabilities)
    assert "probabilities" not in told("predict", "asia.bif.gz", rows.name, "--target", "lung")
    said = run("predict", "asia.bif.gz", rows.name, "--target", "lung").stdout
    assert list(csv.reader(said.splitlines())) == [["lung"], *([x] for x in expected.labels)]


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "arrow"])
def test_predictions_are_written(
    run: Run, rows: Path, files: Path, asia: bl.Network, ending: str
) -> None:
    name = f"found.{ending}"
    said = run("predict", "asia.bif.gz", rows.name, "--target", "lung", "-o", name).stdout
    assert said == f"3 predictions of lung written to {name}\n"
    table = bl.read(files / name)
    labels = [table.states[0][code] for code in table.column("lung")]
    assert labels == asia.predict(rows, "lung").tolist()


def test_probabilities_stand_in_columns_of_their_own(run: Run, rows: Path) -> None:
    said = run("predict", "asia.bif.gz", rows.name, "--target", "lung", "--proba").stdout
    first = next(csv.DictReader(said.splitlines()))
    assert list(first) == ["lung", "lung=yes", "lung=no"]
    assert float(first["lung=yes"]) + float(first["lung=no"]) == pytest.approx(1)


def test_labels_with_commas_are_quoted(run: Run, files: Path) -> None:
    states = ["x, or y", 'say "z"']
    net = bl.BayesNet.from_tables(
        {"a": (["0", "1"], [], [0.5, 0.5]), "b,c": (states, ["a"], [[0.9, 0.1], [0.2, 0.8]])}
    )
    facade.save(net, files / "odd.json")
    (files / "odd.csv").write_text("a\n0\n1\n")
    said = run("predict", "odd.json", "odd.csv", "--target", "b,c").stdout
    assert list(csv.reader(said.splitlines())) == [["b,c"], ["x, or y"], ['say "z"']]


def test_the_target_is_dropped_where_the_rows_have_it(
    run: Run, told: Told, asia: bl.Network
) -> None:
    message = failed(run("predict", "asia.bif.gz", "asia.csv", "--target", "lung"), exit_code=2)
    assert "the target 'lung' is among the columns of the rows" in message
    assert "--drop" in message
    found = told("predict", "asia.bif.gz", "asia.csv", "--target", "lung", "--drop", "lung")
    expected = asia.predict("asia.csv", "lung", drop=["lung"])
    assert found["predictions"] == expected.tolist()
    table = bl.read("asia.csv")
    assert asia.predict(table, "lung", drop=["lung"]).tolist() == expected.tolist()


def test_what_the_network_remembers_need_not_be_said_again(run: Run, files: Path) -> None:
    (files / "own.csv").write_text("a;b\n" + "x;yes\ny;no\n?;no\n" * 20)
    run("learn", "own.csv", "--missing", "drop", "--missing-marker", "?", "-o", "own.json")
    (files / "own-new.csv").write_text("a;c\nx;1\n?;2\n")
    done = run("predict", "own.json", "own-new.csv", "--target", "b")
    assert done.exit_code == 0
    assert list(csv.reader(done.stdout.splitlines()))[:2] == [["b"], ["yes"]]


def test_the_most_probable_states_of_some_and_of_all(
    run: Run, told: Told, asia: bl.Network
) -> None:
    found = told("most-probable", "asia.bif.gz", "lung", "bronc", "--given", "dysp=yes")
    expected = asia.most_probable(["lung", "bronc"], {"dysp": "yes"})
    assert found == expected.to_dict()
    assert found["states"] == {"lung": "no", "bronc": "yes"}
    every = told("most-probable", "asia.bif.gz", "--soft", 'dysp={"yes": 0.9, "no": 0.1}')
    assert every == asia.most_probable(soft={"dysp": {"yes": 0.9, "no": 0.1}}).to_dict()
    said = run("most-probable", "asia.bif.gz", "lung", "bronc", "--given", "dysp=yes").stdout
    assert said.splitlines() == [
        "Most probable states together, probability 0.76894 given dysp=yes",
        "  variable  state",
        "  lung      no",
        "  bronc     yes",
    ]


def test_one_pair_is_tested(run: Run, told: Told) -> None:
    found = told("test", "asia.csv", "smoke", "bronc", "--given", "lung", "--alpha", "0.01")
    assert found == bl.test("asia.csv", "smoke", "bronc", given="lung", alpha=0.01).to_dict()
    other = told("test", "asia.csv", "smoke", "bronc", "--test", "g-square", "--min-expected", 1)
    expected = bl.test("asia.csv", "smoke", "bronc", test=bl.GSquare(min_expected=1))
    assert other == expected.to_dict()
    said = run("test", "asia.csv", "smoke", "bronc").stdout
    assert said.startswith("smoke and bronc are dependent: p = ")


def test_numbers_are_cut_for_a_test(told: Told, files: Path) -> None:
    lines = [f"{k * 0.37:.2f},{'old' if k > 60 else 'young'},{k}" for k in range(120)]
    (files / "dose.csv").write_text("dose,age,id\n" + "\n".join(lines) + "\n")
    found = told("test", "dose.csv", "dose", "age", "--discretize", "auto", "--bins", 4)
    assert (found["df"], found["rows"]) == (3, 120)
    best = told("test", "dose.csv", "dose", "age", "--discretize", "mdl", "--target", "age")
    assert best["df"] == 1


def test_rows_are_drawn_given_evidence(told: Told, files: Path, asia: bl.Network) -> None:
    found = told("sample", "asia.bif.gz", "-n", 40, "--given", "smoke=yes", "--given", "xray=no")
    place = {name: k for k, name in enumerate(found["variables"])}
    assert {(row[place["smoke"]], row[place["xray"]]) for row in found["data"]} == {("yes", "no")}
    told("sample", "asia.bif.gz", "-n", 40, "--given", "smoke=yes", "-o", "s.csv")
    bl.write_csv(asia.sample(40, given={"smoke": "yes"}), files / "p.csv")  # the same seed, 0
    assert (files / "s.csv").read_text() == (files / "p.csv").read_text()


def test_several_targets_are_asked_for_jointly(told: Told, asia: bl.Network) -> None:
    found = told("query", "asia.bif.gz", "lung", "bronc", "--given", "dysp=yes")
    assert found == asia.query(["lung", "bronc"], {"dysp": "yes"}).to_dict()


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["predict", "asia.bif.gz", "new.csv"], 2, "Missing option '--target'"),
        (["predict", "asia.bif.gz", "new.csv", "--target", "lnug"], 1, "did you mean 'lung'?"),
        (
            ["predict", "asia.bif.gz", "new.csv", "--target", "lung", "--drop", "smok"],
            1,
            "new.csv: drop names the column 'smok', which is not there (did you mean 'smoke'?)",
        ),
        (["predict", "asia.bif.gz", "none.csv", "--target", "lung"], 1, "there is no such file"),
        (
            ["predict", "asia.bif.gz", "new.csv", "--target", "lung", "-o", "a.xlsx"],
            1,
            "unknown ending",
        ),
        (
            ["predict", "asia.bif.gz", "new.csv", "--target", "lung", "-o", "new.csv"],
            2,
            "--output new.csv would replace the file that DATA reads",
        ),
        (["most-probable", "asia.bif.gz", "lnug"], 1, "did you mean 'lung'?"),
        (["most-probable", "asia.bif.gz", "lung", "lung"], 2, "asked for twice"),
        (
            ["most-probable", "asia.bif.gz", "lung", "--given", "tub=yes", "--given", "either=no"],
            1,
            "the evidence tub=yes, either=no is impossible",
        ),
        (["most-probable", "asia.bif.gz", "--given", "smoke"], 2, "expected NAME=STATE"),
        (["test", "asia.csv", "smoke", "smoke"], 2, "names 'smoke' twice"),
        (["test", "asia.csv", "smoke", "lnug"], 1, "(did you mean 'lung'?)"),
        (["test", "asia.csv", "smoke", "lung", "--alpha", "2"], 2, "alpha"),
        (["test", "asia.csv", "smoke", "lung", "--test", "exact"], 2, "'exact'"),
        (
            ["sample", "asia.bif.gz", "--given", "tub=yes", "--given", "either=no"],
            1,
            "is impossible",
        ),
        (["sample", "asia.bif.gz", "--given", "smoke=maybe"], 1, "unknown state 'maybe'"),
        (["query", "asia.bif.gz", "lung", "lung"], 2, "asked for twice"),
    ],
)
def test_wrong_usage_gets_a_sentence(
    run: Run, rows: Path, args: list[str], code: int, said: str
) -> None:
    assert said in failed(run(*args), code)
    assert rows.read_text() == NEW


def test_unknown_states_in_rows_are_refused_or_ignored(run: Run, told: Told, files: Path) -> None:
    (files / "odd.csv").write_text("smoke,xray\nyes,no\nsometimes,no\n")
    message = failed(run("predict", "asia.bif.gz", "odd.csv", "--target", "lung"))
    assert "line 3, column 'smoke'" in message
    assert "--unseen ignore" in message
    options = ["--target", "lung", "--unseen", "ignore"]
    assert told("predict", "asia.bif.gz", "odd.csv", *options)["rows"] == 2


def test_quiet_commands_print_nothing(run: Run, rows: Path) -> None:
    for args in (
        ["predict", "asia.bif.gz", rows.name, "--target", "lung"],
        ["most-probable", "asia.bif.gz"],
        ["test", "asia.csv", "smoke", "lung"],
    ):
        assert run(*args, "-q").output == ""


@pytest.mark.parametrize("command", _COMMANDS)
def test_every_command_has_help_and_json(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert f"bayesloom {command} " in done.stdout
    groups = {"reproduce", "classify", "cache", "studio"}  # whose commands have it, or a page
    assert ("--json" in done.stdout) or command in groups
