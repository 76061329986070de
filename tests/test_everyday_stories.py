"""What people do on their first day, as they would do it: without an option they had to guess."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bayesloom as bl
from bayesloom import facade, inference
from bayesloom.cli import program
from bayesloom.model import log_likelihood
from click_runner import CliRunner
from shell import ROOT

TABLES = ROOT / "tests" / "data" / "tables"

Say = Callable[..., str]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Return a function that runs a command as a user types it, and returns what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("titanic891.csv", "satimage-644.csv", "adult-500.csv"):
        shutil.copy(TABLES / name, tmp_path)

    def run(command: str, *more: str, code: int = 0) -> str:
        done = CliRunner().invoke(program, [*command.split(), *more], prog_name="bayesloom")
        printed = done.stdout + done.stderr
        assert done.exit_code == code, printed
        return printed

    return run


def flat(text: str) -> str:
    """Return a text without its line ends, which depend on the width of the terminal."""
    return " ".join(text.split())


@pytest.mark.parametrize("ending", ["json", "bif"])
def test_a_network_of_bins_meets_its_data_again(say: Say, tmp_path: Path, ending: str) -> None:
    whole = flat(say("learn titanic891.csv"))
    assert "left out: PassengerId, Ticket, which hold ids" in whole
    assert "kept as numbers: Age, Fare" in whole
    refused = say("learn titanic891.csv --strict", code=1)  # says which flags to paste
    assert "--drop" in refused
    assert "--missing" in refused
    net = f"titanic.{ending}"
    learn = "learn titanic891.csv --missing drop --discretize auto"
    ids = " ".join(f"--drop {name}" for name in ("PassengerId", "Name", "Ticket", "Cabin"))
    learned = say(f"{learn} {ids} -o {net}")
    assert "cut into bins: Age" in flat(learned)
    again = "" if ending == "json" else " --missing drop"  # BIF cannot remember that
    assert "712" in say(f"score {net} titanic891.csv{again}")
    assert "nats" in say(f"explain {net} Pclass class --data titanic891.csv{again}")
    assert "P(class | Age=(31,41])" in say(f"query {net} class --given Age=39")
    predict = f"predict {net} titanic891.csv --target class"
    assert "--drop" in say(predict, code=2)
    refused = say(f"{predict} --drop class", code=1)  # 8 siblings are in incomplete rows alone
    assert "--unseen ignore" in refused
    predictions = say(f"{predict} --drop class --unseen ignore")
    assert predictions.splitlines()[0] == "class"
    assert len(predictions.splitlines()) == 892  # rows with holes too

    loaded = bl.load(tmp_path / net)
    frame = pd.read_csv(tmp_path / "titanic891.csv")
    complete = frame.dropna(subset=list(loaded.names))
    assert loaded.log_likelihood(complete) < 0
    found = loaded.predict(complete.drop(columns="class"), "class")
    assert np.mean(found.astype(int) == complete["class"].to_numpy()) > 0.7
    with_number = loaded.query("class", given={"Age": 39, "Sex": "male"})
    assert (
        with_number.probabilities
        == loaded.query("class", {"Age": 39.0, "Sex": "male"}).probabilities
    )


def test_whole_number_quantities_are_not_taken_silently(say: Say) -> None:
    assert "kept as numbers: x_1, x_2" in flat(say("learn satimage-644.csv --max-steps 1"))
    silent = flat(say("learn satimage-644.csv --max-steps 1 --strict"))
    assert "taken as categories" in silent
    assert "discretize" in silent
    cut = say("learn satimage-644.csv --discretize auto -o s.json")
    assert "cut into bins" in flat(cut)
    net = bl.load("s.json")
    assert max(map(len, net.states.values())) <= 7
    assert len([1 for edge in (*net.edges, *net.undirected) if "class" not in edge]) > 10


def test_no_clean_bill_where_no_test_was_conclusive(say: Say) -> None:
    rows = "\n".join(f"a{k % 40},b{(k * 7) % 41},c{k % 37}" for k in range(300))
    Path("thin.csv").write_text(f"a,b,c\n{rows}\n")
    assert "tests was conclusive" in flat(say("learn thin.csv"))


def test_evaluating_what_was_learned_from_a_csv_names_what_is_missing(say: Say) -> None:
    shutil.copy(ROOT / "tests" / "data" / "model" / "networks" / "insurance.bif.gz", ".")
    say("sample insurance.bif.gz -n 500 --seed 1 -o insurance.csv")
    say("learn insurance.csv --search hc -o i.json")
    said = flat(say("evaluate insurance.bif.gz i.json"))
    assert "infinite" in said
    assert "has no state" in said
    assert "--states-from" in said
    say("learn insurance.csv --search hc --states-from insurance.bif.gz -o i.json")
    assert "infinite" not in say("evaluate insurance.bif.gz i.json")


def test_naming_the_default_search_gives_the_default(say: Say) -> None:
    bl.write_csv(bl.example("asia").sample(1000), "asia.csv")
    screen = say("learn asia.csv -o usual.json")
    assert "search   IXGES with chi-square tests (control spending, alpha 0.05)" in screen
    say("learn asia.csv --search ixges -o named.json")
    usual = bl.load("usual.json")
    assert (
        usual == bl.load("named.json") == bl.learn("asia.csv") == bl.learn("asia.csv", bl.IXGES())
    )
    other = say("learn asia.csv --search iges")
    assert "search   IGES with chi-square tests (control fixed, alpha 0.05)" in other
    assert "score    bdeu" in other


def test_pictures_of_a_hand_made_network_have_arrows(say: Say) -> None:
    facade.save(bl.example("asia"), "asia.bif")
    say("plot asia.bif -o asia.svg")
    drawn = Path("asia.svg").read_text()
    assert drawn == str(bl.load("asia.bif").plot())
    graph, _, key = drawn.partition('class="key"')
    assert graph.count('class="head') == 8
    assert "an equivalent network has the other direction" in key
    assert bl.network("rain -> wet <- sprinkler").plot("hand.svg").title == (
        "Network with 3 nodes and 2 edges"
    )


def test_yesterdays_cell_works_after_a_reload(say: Say) -> None:
    bl.write_csv(bl.example("asia").sample(1000), "asia.csv")
    today = bl.learn("asia.csv")
    today.save("asia.json")
    loaded = bl.load("asia.json")
    assert loaded == today
    for call in (
        lambda net: net.query("lung", {"smoke": "yes"}).probabilities,
        lambda net: str(net.plot()),
        lambda net: net.explain("smoke", "lung").edge,
        lambda net: net.sample(5) == today.sample(5),
        lambda net: net.markov_blanket("either"),
        lambda net: [row.source for row in net.edge_table()],
        lambda net: str(net.table("dysp")),
    ):
        assert call(loaded) == call(today)
    assert "inserted" in say("explain asia.json smoke bronc")


def test_functions_take_what_functions_give(tmp_path: Path) -> None:
    frame = bl.example("asia").sample(500).to_pandas()
    path = tmp_path / "rows.csv"
    bl.write_csv(bl.Table.from_frame(frame), path)
    dag = bl.example("asia").dag
    for data in (frame, path, str(path), bl.Table.from_frame(frame)):
        assert bl.fit(dag, data).log_likelihood(data) < 0
    net = bl.learn(frame, bl.GES(score=bl.BIC()))
    file = net.save(tmp_path / "net.json")
    for model in (net, net.net, file, Path(file)):
        assert bl.sample(model, 5).n_rows == 5
        assert bl.evaluate(bl.example("asia"), model).shd >= 0
        assert log_likelihood(model, path) == pytest.approx(net.log_likelihood(frame))
        assert inference.query(model, "lung").variable == "lung"
    assert bl.BIC().explain(frame, net).value == pytest.approx(net.score.value)
    assert not hasattr(net, "junction_forest")


def test_scores_of_a_network_read_data_with_its_bins(say: Say) -> None:
    ids = ["PassengerId", "Name", "Ticket", "Cabin"]
    net = bl.learn("titanic891.csv", bl.HillClimbing(), missing="drop", discretize="auto", drop=ids)
    assert bl.BIC().explain("titanic891.csv", net).value == pytest.approx(net.score.value)
    net.save("t.json")
    loaded = bl.load("t.json")
    assert bl.BIC().explain("titanic891.csv", loaded).value == pytest.approx(net.score.value)
    assert "712" in say("score t.json titanic891.csv")


def test_a_graph_by_hand_meets_a_file_as_it_is(say: Say) -> None:
    graph = "Sex -> class <- Age; Pclass -> class"
    with pytest.raises(bl.errors.DataError, match="missing='drop'"):
        bl.fit(graph, "titanic891.csv")
    net = bl.fit(graph, "titanic891.csv", missing="drop", discretize="auto")
    assert net.data.n_rows == 714  # the cabins are not looked at
    assert net.query("class", {"Age": 39, "Sex": "female", "Pclass": 1})["1"] > 0.8
    assert net.log_likelihood("titanic891.csv") < 0  # missing cells are remembered
    again = net.fit("titanic891.csv", bl.Laplace())
    assert again.states == net.states
    assert bl.BIC().explain("titanic891.csv", bl.DAG.from_edges([("Sex", "class")])).n_rows == 891
    with pytest.raises(bl.errors.DataError, match="missing='drop'"):
        bl.test("titanic891.csv", "Age", "class")
    found = bl.test("titanic891.csv", "Age", "class", missing="drop", discretize="auto")
    with pytest.raises(bl.errors.OptionError, match="mising"):
        bl.fit(graph, "titanic891.csv", mising="drop")  # type: ignore[call-arg]
    said = say("test titanic891.csv Age class --missing drop --discretize auto")
    assert said.rstrip() == repr(found)
    for call in (bl.fit, lambda *a, **k: bl.test(a[1], "Sex", "class", **k)):
        with pytest.raises(bl.errors.OptionError, match="engine"):
            call("Sex -> class", net.data, missing="drop")


def test_tables_print_with_labels(say: Say) -> None:
    asia = bl.example("asia")
    assert str(asia.table("lung")).splitlines()[:2] == [
        "P(lung | smoke)",
        "  smoke       yes        no",
    ]
    assert "lung \\ bronc" in str(asia.query(["lung", "bronc"]))
    asia.save("asia.bif")
    assert "P(lung | smoke)" in say("tables asia.bif lung")
    assert "precision" in str(bl.evaluate(asia, asia))


def test_a_german_excel_export_is_read(say: Say) -> None:
    lines = ["Größe;Gewicht;Raucher"]
    lines += [
        f"1,{50 + k % 50:02d};{60 + k % 40},{k % 10};{'ja' if k % 3 else 'nein'}"
        for k in range(200)
    ]
    text = "\r\n".join(lines) + "\r\n"
    Path("export.csv").write_bytes(text.encode("cp1252"))
    said = say("learn export.csv --discretize auto", code=1)
    assert "--encoding" in said
    assert "cp1252" in said
    learned = flat(say("learn export.csv --discretize auto --encoding cp1252 -o export.json"))
    assert "cut into bins: " in learned
    assert "Gewicht" in learned
    assert "P(Raucher" in say("query export.json Raucher", "--given", "Größe=1.75")
    assert "200" in say("score export.json export.csv")  # the encoding is remembered
    assert (
        len(say("predict export.json export.csv --target Raucher --drop Raucher").splitlines())
        == 201
    )


def test_the_index_column_of_pandas_is_no_hindrance(say: Say, tmp_path: Path) -> None:
    bl.example("asia").sample(300).to_pandas().to_csv(tmp_path / "indexed.csv")
    learned = say("learn indexed.csv -o net.json")
    assert "8 columns" in learned
    assert "no name" in flat(learned)
    assert len(say("predict net.json indexed.csv --target lung --drop lung").splitlines()) == 301


def test_blanks_in_names_are_shown(say: Say) -> None:
    Path("blanks.csv").write_text("Raucher, Husten\n" + "ja, ja\nnein, nein\n" * 50)
    learned = flat(say("learn blanks.csv -o blanks.json"))
    assert "' Husten'" in learned
    said = say("explain blanks.json Raucher Husten", code=1)
    assert "' Husten'" in said
    assert "did you mean ' Husten'" in said
    assert "did you mean ' ja'" in say("query blanks.json Raucher", "--given", " Husten=ja", code=1)


def test_a_name_in_another_case_is_guessed(say: Say) -> None:
    net = bl.network("Sex -> Survived").fit({"Sex": ["m", "f"], "Survived": ["no", "yes"]})
    net.save("n.json")
    assert "did you mean 'Sex'" in say("query n.json sex", code=1)


def bad_inputs() -> dict[str, tuple[Callable[[], Any], type[Exception], str]]:
    """Return the wrong calls of everyday, with what they raise and say."""
    asia = bl.example("asia")
    ages = bl.network({"age": (["(0,20]", "(20,40]"], [], [0.5, 0.5])})
    impossible = {"tub": "yes", "either": "no"}
    errors = bl.errors
    return {
        "a number outside all cuts": (
            lambda: ages.query("age", {"age": 41}), errors.UnknownStateError, "no interval holds",
        ),
        "a number outside all cuts, in data": (
            lambda: ages.log_likelihood({"age": [10, 41]}), errors.DataError, "41 lies in none of",
        ),
        "cuts that do not increase": (
            lambda: bl.learn({"age": [1, 2, 3]}, discretize={"age": [5, 1]}),
            errors.OptionError, "cut points that increase",
        ),
        "do on an unknown state": (
            lambda: asia.do({"smoke": "maybe"}), errors.UnknownStateError, "'maybe'",
        ),
        "do on an unknown variable": (
            lambda: asia.do({"smok": "yes"}), errors.UnknownVariableError, "did you mean 'smoke'",
        ),
        "MAP of impossible evidence": (
            lambda: asia.most_probable(["lung"], impossible), errors.EvidenceError, "is impossible",
        ),
        "MPE of impossible evidence": (
            lambda: asia.most_probable(given=impossible), errors.EvidenceError, "is impossible",
        ),
        "a target among the rows": (
            lambda: asia.predict({"lung": ["no"], "smoke": ["no"]}, "lung"),
            errors.OptionError, "the target 'lung' is among the columns",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("case", list(bad_inputs()))
def test_a_wrong_call_is_one_sentence(case: str) -> None:
    call, kind, said = bad_inputs()[case]
    with pytest.raises(kind) as caught:
        call()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_whose_record_belongs_to_other_data_is_one_sentence(say: Say) -> None:
    bl.write_csv(bl.example("asia").sample(500), "asia.csv")
    bl.write_csv(bl.example("cancer").sample(500), "cancer.csv")
    say("learn asia.csv -o asia.json")
    say("learn cancer.csv -o cancer.json")
    asia, cancer = (json.loads(Path(name).read_text()) for name in ("asia.json", "cancer.json"))
    asia["learned"] = cancer["learned"]
    Path("mixed.json").write_text(json.dumps(asia))
    said = say("explain mixed.json smoke lung", code=1)
    assert said.count("\n") == 1
    assert "mixed.json" in said
    said = say("explain asia.json smoke lung --data cancer.csv", code=1)
    assert "the data must have every variable of the network" in said
