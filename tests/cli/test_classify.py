"""``bayesloom classify``: train, tell, explain, cross-validate, and what is said of bad input."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from pyarrow import parquet

import bayesloom as bl
from uci import FOLDER, read_set

Told = Callable[..., Any]
Run = Callable[..., Result]


@pytest.fixture
def iris(files: Path) -> Path:
    data = gzip.decompress((FOLDER / "iris.csv.gz").read_bytes())
    (files / "iris.csv").write_bytes(data)
    return files


@pytest.mark.parametrize("model", ["nb", "tan", "net"])
def test_cv_prints_one_object_with_the_mean_and_the_folds(
    told: Told, iris: Path, model: str
) -> None:
    found = told(
        "classify", "cv", iris / "iris.csv", "--target", "class", "--model", model, "--seed", 1
    )
    assert found["accuracy"] == pytest.approx(sum(found["folds"]) / 10)
    assert found["accuracy"] > 0.9
    assert len(found["folds"]) == 10
    assert sum(map(sum, found["confusion"])) == found["rows"] == 150
    assert 0 < found["log_loss"] < 1
    assert found["auc"] > 0.95
    assert found["calibration"]["error"] < 0.1
    again = told(
        "classify", "cv", iris / "iris.csv", "--target", "class", "--model", model, "--seed", 1
    )
    assert again == found


def test_cv_prints_a_page_for_people(run: Run, iris: Path) -> None:
    done = run("classify", "cv", iris / "iris.csv", "--target", "class", "--folds", 5)
    assert done.exit_code == 0
    for word in ("accuracy", "log-loss", "AUC", "told Iris-setosa", "calibration error"):
        assert word in done.stdout


def test_a_classifier_is_trained_kept_and_used(told: Told, run: Run, iris: Path) -> None:
    found = told(
        "classify", "fit", iris / "iris.csv", "--target", "class", "-o", "m.json", "--plot", "m.svg"
    )
    assert found["classes"] == ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    assert len(found["edges"]) == 7
    assert set(found["cuts"]) == {"sepallength", "sepalwidth", "petallength", "petalwidth"}
    assert (iris / "m.svg").read_text(encoding="utf-8").startswith("<svg")
    assert bl.load(iris / "m.json").names[-1] == "class"
    query = told("query", "m.json", "class")
    assert sum(query["posterior"].values()) == pytest.approx(1)
    predicted = told("classify", "predict", "m.json", "iris.csv", "--proba")
    truth = read_set("iris")["class"]
    right = sum(a == b for a, b in zip(predicted["predicted"], truth, strict=True))
    assert right / 150 > 0.9
    assert all(sum(row) == pytest.approx(1) for row in predicted["probabilities"])
    done = run("classify", "predict", "m.json", "iris.csv")
    assert done.stdout.splitlines()[:2] == ["class", '"Iris-setosa"']


@pytest.mark.parametrize("name", ["told.csv", "told.csv.gz", "told.parquet", "told.arrow"])
def test_predictions_are_written_in_any_form(told: Told, iris: Path, name: str) -> None:
    told("classify", "fit", "iris.csv", "--target", "class", "-o", "m.json")
    found = told("classify", "predict", "m.json", "iris.csv", "--proba", "-o", name)
    assert found == {"target": "class", "rows": 150, "output": name}
    names = ["class", *(f"P(class=Iris-{x})" for x in ("setosa", "versicolor", "virginica"))]
    if name.endswith(".parquet"):
        assert parquet.read_table(iris / name).schema.names == names
    elif name == "told.csv":
        rows = list(csv.reader((iris / name).read_text(encoding="utf-8").splitlines()))
        assert (rows[0], len(rows)) == (names, 151)


def test_labels_with_commas_and_quotes_survive(told: Told, files: Path) -> None:
    rows = 'x,"the, class"\n' + 'a,"y, ""yes"""\nb,no\n' * 5
    (files / "odd.csv").write_text(rows, encoding="utf-8")
    told("classify", "fit", "odd.csv", "--target", "the, class", "-o", "m.json")
    told("classify", "predict", "m.json", "odd.csv", "-o", "out.csv")
    with (files / "out.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.reader(file))
    assert found[:3] == [["the, class"], ['y, "yes"'], ["no"]]


def test_a_row_is_explained(told: Told, run: Run, iris: Path) -> None:
    told("classify", "fit", "iris.csv", "--target", "class", "-o", "m.json")
    found = told("classify", "explain", "m.json", "iris.csv", "--row", 3, "--plot", "why.svg")
    assert found["label"] == "Iris-setosa"
    total = found["prior"] + sum(part["log_odds"] for part in found["contributions"])
    assert total == pytest.approx(found["log_odds"])
    assert (iris / "why.svg").exists()
    text = run("classify", "explain", "m.json", "iris.csv", "--class", "Iris-virginica").stdout
    assert "log-odds of Iris-virginica against Iris-setosa" in text


def test_missing_cells_and_markers_are_not_known(told: Told, files: Path) -> None:
    (files / "m.csv").write_text("x,y,class\n" + "a,?,n\nb,q,y\n,p,n\n" * 5, encoding="utf-8")
    found = told("classify", "cv", "m.csv", "--target", "class", "--missing-marker", "?")
    assert found["rows"] == 15


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["cv", "iris.csv"], 2, "Missing option '--target'"),
        (["cv", "iris.csv", "--target", "klass"], 1, "unknown variable 'klass' as the target"),
        (["cv", "nowhere.csv", "--target", "class"], 1, "there is no such file"),
        (["cv", "iris.csv", "--target", "class", "--folds", "1"], 2, "folds"),
        (["cv", "iris.csv", "--target", "class", "--folds", "151"], 1, "151 folds need at least"),
        (
            ["cv", "iris.csv", "--target", "class", "--model", "nb", "--root", "x"],
            2,
            "--root has no",
        ),
        (["cv", "iris.csv", "--target", "class", "--search", "ges"], 2, "--search has no meaning"),
        (["cv", "iris.csv", "--target", "class", "--bins", "3"], 2, "--bins needs --discretize"),
        (["cv", "iris.csv", "--target", "class", "--discretize", "none"], 1, "is real-valued"),
        (
            ["cv", "iris.csv", "--target", "class", "--number", "zip"],
            1,
            "'zip' among the attributes",
        ),
        (
            ["cv", "iris.csv", "--target", "class", "--estimator", "ml", "--smoothing", "1"],
            2,
            "--smoothing has no meaning for the estimator ml",
        ),
        (["cv", "iris.csv", "--target", "class", "--smoothing", "-1"], 2, "pseudocount must be"),
        (
            ["cv", "iris.csv", "--target", "class", "--model", "net", "--search", "k2"],
            2,
            "the search k2 needs order: write K2(order=...)",
        ),
        (
            ["fit", "iris.csv", "--target", "class", "-o", "m.bif"],
            1,
            "written as .json or .json.gz",
        ),
        (["fit", "iris.csv", "--target", "class", "-o", "no/m.json"], 1, "no"),
        (["fit", "iris.csv", "--target", "class", "--plot", "m.pdf"], 1, "written as .svg"),
        (["predict", "asia.bif.gz", "iris.csv"], 1, "a classifier is read from .json"),
        (["predict", "net.json", "iris.csv"], 1, "is no classifier; make one with classify fit"),
        (["predict", "m.json", "asia.csv"], 1, "must have every attribute of the classifier"),
        (["predict", "m.json", "iris.csv", "-o", "told.xlsx"], 1, "unknown ending"),
        (["predict", "m.json", "iris.csv", "-o", "iris.csv"], 2, "would replace the file"),
        (["explain", "m.json", "iris.csv", "--row", "151"], 1, "there is no row 151"),
        (["explain", "m.json", "iris.csv", "--class", "rose"], 1, "unknown state 'rose'"),
        (["predict", "m.json", "empty.csv"], 1, "empty"),
        (["fit", "hole.csv", "--target", "class"], 1, "the class is missing here"),
    ],
)
def test_bad_input_gets_one_line_and_its_exit_code(
    run: Run, iris: Path, args: list[str], code: int, message: str
) -> None:
    (iris / "empty.csv").write_text("", encoding="utf-8")
    (iris / "hole.csv").write_text("x,class\na,n\nb,\n", encoding="utf-8")
    assert run("classify", "fit", "iris.csv", "--target", "class", "-o", "m.json").exit_code == 0
    content = json.loads((iris / "m.json").read_text(encoding="utf-8"))
    del content["classifier"]
    (iris / "net.json").write_text(json.dumps(content), encoding="utf-8")
    done = run("classify", *args)
    assert done.exit_code == code
    assert message in done.stderr
    assert done.stdout == ""


def test_one_row_and_constant_columns_are_legal(told: Told, files: Path) -> None:
    (files / "one.csv").write_text("x,flat,class\na,k,n\n", encoding="utf-8")
    told("classify", "fit", "one.csv", "--target", "class", "-o", "m.json")
    assert told("classify", "predict", "m.json", "one.csv")["predicted"] == ["n"]


def test_a_missing_marker_counts_in_training_and_in_new_rows(told: Told, iris: Path) -> None:
    lines = (iris / "iris.csv").read_text(encoding="utf-8").splitlines()
    for name, hole in (("marked", "?"), ("empty", "")):
        text = [
            f"{hole},{line.split(',', 1)[1]}" if k % 9 == 4 else line
            for k, line in enumerate(lines)
        ]
        (iris / f"{name}.csv").write_text("\n".join(text), encoding="utf-8")
    marker = ("--missing-marker", "?")
    for command in ("fit", "cv"):
        found = told("classify", command, "marked.csv", "--target", "class", *marker)
        assert found == told("classify", command, "empty.csv", "--target", "class")
    told("classify", "fit", "iris.csv", "--target", "class", "-o", "m.json")
    for asked in (("predict", "--proba"), ("explain", "--row", "4")):
        found = told("classify", *asked, "m.json", "marked.csv", *marker)
        assert found == told("classify", *asked, "m.json", "empty.csv")


@pytest.mark.parametrize("model", ["nb", "tan"])
def test_the_searches_of_classifiers_take_the_target_as_their_class(
    told: Told, iris: Path, model: str
) -> None:
    asked = ("classify", "cv", iris / "iris.csv", "--target", "class", "--folds", 3)
    found = told(*asked, "--model", "net", "--search", model)
    assert found["confusion"] == told(*asked, "--model", model)["confusion"]


def test_a_single_class_costs_nothing_and_not_minus_nothing(run: Run, files: Path) -> None:
    (files / "sure.csv").write_text("x,class\na,n\nb,n\n", encoding="utf-8")
    done = run("classify", "cv", "sure.csv", "--target", "class", "--folds", 2)
    assert "log-loss  0.0000" in done.stdout
