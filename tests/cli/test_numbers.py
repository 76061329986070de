"""Numbers survive: what was learned from bins takes raw numbers again, from every kind of file."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom import facade, inference, model
from bayesloom.cli import program
from click_runner import CliRunner
from failing import failed
from shell import ROOT

Run = Callable[..., Result]
Told = Callable[..., Any]

TABLES = ROOT / "tests" / "data" / "tables"
PEOPLE = ("--missing", "drop", *(f"--drop={n}" for n in ("PassengerId", "Name", "Ticket", "Cabin")))


@pytest.fixture
def titanic(files: Path) -> str:
    shutil.copy(TABLES / "titanic891.csv", files)
    return "titanic891.csv"


@pytest.fixture
def satimage(files: Path) -> str:
    shutil.copy(TABLES / "satimage-644.csv", files)
    return "satimage-644.csv"


@pytest.mark.parametrize("ending", ["json", "bif", "xml", "net"])
@pytest.mark.parametrize(
    "how",
    ["auto", "frequency", "width", "Age=4 Fare=width:6", "Age=12,18,60 Fare=10,", "mdl"],
)
def test_a_network_of_bins_meets_its_data_again(
    told: Told, run: Run, titanic: str, ending: str, how: str
) -> None:
    rules = [f"--discretize={rule}" for rule in how.split()]
    rules += ["--target=class"] if how == "mdl" else []
    net = f"t.{ending}"
    learned = told("learn", titanic, *PEOPLE, *rules, "--search", "hc", "-o", net)
    assert any(note.startswith("cut into bins: Age ") for note in learned["notes"])
    score = told("score", net, titanic, "--missing", "drop")
    assert score["rows"] == 712
    assert score["score"]["value"] == pytest.approx(learned["score"]["value"])
    again = () if ending == "json" else ("--missing", "drop")  # which only JSON remembers
    assert told("score", net, titanic, *again) == score
    story = run("explain", net, "Pclass", "Fare", "--data", titanic, *again)
    assert "mutual information" in story.stdout
    labels = [s for s in bl.load(net).states["Fare"] if s.startswith("(")]
    told_of = told("query", net, "class", "--given", "Fare=0.25")
    assert told_of == told("query", net, "class", "--given", f"Fare={labels[0]}")
    assert (
        told("query", net, "class", "--given", "Fare=1e9")["posterior"]
        == (told("query", net, "class", "--given", f"Fare={labels[-1]}")["posterior"])
    )


@pytest.mark.parametrize("ending", ["json", "bif"])
def test_whole_numbers_meet_their_bins_again(
    told: Told, run: Run, satimage: str, files: Path, ending: str
) -> None:
    net = f"s.{ending}"
    learned = told("learn", satimage, "--discretize", "auto", "--search", "hc", "-o", net)
    assert told("score", net, satimage)["score"]["value"] == (
        pytest.approx(learned["score"]["value"])
    )
    loaded = bl.load(files / net)
    from_file = model.log_likelihood(loaded, files / satimage)
    with (files / satimage).open(newline="") as file:
        rows = list(csv.DictReader(file))
    frame = {name: [row[name] for row in rows] for name in loaded.names}
    assert model.log_likelihood(loaded, frame) == pytest.approx(from_file)
    whole = {name: [int(x) for x in frame[name]] for name in loaded.names if name != "class"}
    assert model.log_likelihood(loaded, whole | {"class": frame["class"]}) == pytest.approx(
        from_file
    )
    raw = bl.read(files / satimage)  # a table of raw whole numbers
    assert model.log_likelihood(loaded, raw) == pytest.approx(from_file)
    said = run("learn", satimage, "--max-steps", "0").stdout
    assert "taken as categories" in " ".join(said.split())


def test_numbers_in_python_and_on_the_command_line_are_the_same_evidence(
    told: Told, run: Run, titanic: str, files: Path
) -> None:
    run("learn", titanic, *PEOPLE, "--discretize", "auto", "--search", "hc", "-o", "t.json")
    net = bl.load(files / "t.json")
    label = net.states["Age"][net.net.state_index("Age", 39)]
    by_label = net.query("class", {"Age": label})
    for value in (39, 39.0, "39", "3.9e1"):
        assert inference.query(net, "class", {"Age": value}).to_dict() == by_label.to_dict()
    assert told("query", "t.json", "class", "--given", "Age=39") == by_label.to_dict()
    for wrong in (True, None, "old", float("nan"), float("inf")):
        with pytest.raises(bl.errors.UnknownStateError, match="its states are"):
            inference.query(net, "class", {"Age": wrong})
    with pytest.raises(bl.errors.EvidenceError, match="variable Age is given as"):
        inference.query(net, "class", [("Age", 1), ("Age", 80)])


def test_a_number_outside_of_all_intervals_is_one_sentence(run: Run, files: Path) -> None:
    net = bl.BayesNet.from_tables({"x": (["(0,1]", "(2,3]"], [], [0.5, 0.5])})
    facade.save(net, files / "x.json")
    assert failed(run("query", "x.json", "x", "--given", "x=1.5")) == (
        "unknown state '1.5' of variable 'x' (no interval holds it); its states are (0,1], (2,3]"
    )
    (files / "x.csv").write_text("x\n0.5\n1.5\n")
    assert "x.csv, line 3, column 'x': the number 1.5 lies in none of the intervals" in failed(
        run("score", "x.json", "x.csv")
    )


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("Age=0,5,1", "discretize of column 'Age' must be cut points that increase, and 1.0"),
        (
            "Age=",
            "--discretize Age=: expected one of none, frequency, width, mdl, auto, network, or",
        ),
        ("Age=a,b", "--discretize Age=a,b: expected one of"),
        ("Age=width:x", "--discretize Age=width:x: expected one of"),
        ("Age=inf,", "discretize of column 'Age' must be cut points that are finite, got inf"),
        ("Age=1", "the number of bins in discretize of column 'Age' must be at least 2, got 1"),
        ("often", "--discretize often: expected one of"),
        ("mdl", "discretize='mdl' needs a target"),
    ],
)
def test_a_wrong_rule_is_wrong_usage(run: Run, titanic: str, rule: str, message: str) -> None:
    assert message in failed(run("learn", titanic, "--discretize", rule), exit_code=2)


def test_options_that_the_network_decides_are_wrong_usage(run: Run) -> None:
    message = failed(run("score", "asia.bif.gz", "asia.csv", "--discretize", "auto"), exit_code=2)
    assert message.startswith("discretize (--discretize) has no meaning here: the states of the")
    assert "--bins needs --discretize" in failed(run("learn", "asia.csv", "--bins", 3), exit_code=2)


def test_states_come_from_a_network(told: Told, files: Path) -> None:
    (files / "few.csv").write_text("asia,smoke,new\nno,no,1\nno,no,2\n")
    told("learn", "few.csv", "--states-from", "asia.bif.gz", "-o", "few.bif")
    wanted = (("yes", "no"), ("yes", "no"), ("1", "2"))
    assert bl.load(files / "few.bif").net.states == wanted
    asia = bl.load(files / "asia.bif.gz")
    for states in (files / "asia.bif.gz", asia, asia.net):
        assert bl.learn(files / "few.csv", states=states).net.states == wanted
    assert bl.read(files / "few.csv", states=asia).states == wanted


def test_data_come_from_a_pipe(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    text = (files / "asia.csv").read_bytes()
    piped = CliRunner().invoke(program, ["learn", "-", "--json"], input=text)
    named = CliRunner().invoke(program, ["learn", "asia.csv", "--json"])
    found, wanted = json.loads(piped.stdout), json.loads(named.stdout)
    for part in ("directed", "undirected", "score"):
        assert found[part] == wanted[part]


def test_a_german_excel_export_is_learned_from(run: Run, files: Path) -> None:
    rows = "".join(
        f"{k};{'männlich' if k % 2 else 'weiblich'};{k * 7 % 97},{k % 10}5;;\r\n" for k in range(60)
    )
    (files / "de.csv").write_bytes(("Nr;Geschlecht;Größe;;\r\n" + rows).encode("cp1252"))
    assert "--encoding cp1252" in failed(run("learn", "de.csv"))
    done = run("learn", "de.csv", "--encoding", "cp1252", "--drop", "Nr", "--discretize", "auto")
    assert done.exit_code == 0
    assert "column 'Größe' has decimal commas: 0,05 is read as 0.05" in done.stdout
    assert "column 4 has neither a name nor a value, and is left out" in done.stdout


def test_a_name_that_is_nearly_right_is_guessed(run: Run, titanic: str) -> None:
    assert "'sex', which is not there (did you mean 'Sex'?)" in failed(
        run("learn", titanic, "--drop", "sex")
    )
    assert "unknown variable 'lungs' (did you mean 'lung'?)" in failed(
        run("query", "asia.bif.gz", "lungs")
    )
    assert "unknown state 'Yes' of variable 'lung' (did you mean 'yes'?)" in failed(
        run("query", "asia.bif.gz", "asia", "--given", "lung=Yes")
    )


def test_what_means_missing_and_how_files_are_written_is_remembered(files: Path, run: Run) -> None:
    rows = "".join(f"{(-9, 20, 40)[k % 3]}|{'jü'[k % 2]}\n" for k in range(60))
    (files / "p.csv").write_bytes(f"alter|art\n{rows}".encode("cp1252"))
    options = ("--missing", "drop", "--missing-marker", "-9", "--delimiter", "|")
    done = run(
        "learn",
        "p.csv",
        *options,
        "--encoding",
        "cp1252",
        "--discretize",
        "alter=30,",
        "-o",
        "p.json",
    )
    assert done.exit_code == 0
    assert run("score", "p.json", "p.csv").exit_code == 0
    net = bl.load(files / "p.json")
    assert net.log_likelihood(files / "p.csv") == model.log_likelihood(net, files / "p.csv")
    frame = {"alter": [-9, 20, 40]}
    found = net.predict_proba(frame, "art").probabilities
    assert found[0] == pytest.approx(net.query("art").values)  # nothing is known of the first
    assert inference.predict_proba(net, frame, "art").probabilities.tolist() == found.tolist()
    given = net.query("art", {"alter": 25}).values
    assert found[1] == pytest.approx(given)
