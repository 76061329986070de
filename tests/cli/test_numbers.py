"""Networks with numbers on the command line: objects of the documented form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from bayesloom.model import BayesNet, LinearGaussian, save_net

Run = Callable[..., Result]


@pytest.fixture
def net(tmp_path: Path) -> str:
    family = LinearGaussian([1000.0, 900.0], [[412.0], [350.0]], 300.0)
    network = BayesNet.from_tables(
        {
            "smoker": (["no", "yes"], [], [0.7, 0.3]),
            "age": ((), [], LinearGaussian(40.0, None, 12.0)),
            "income": ((), ["smoker", "age"], family),
        }
    )
    path = tmp_path / "net.json"
    save_net(network, path)
    return str(path)


def test_query_of_a_number_prints_its_object(run: Run, net: str) -> None:
    told = json.loads(run("query", net, "income", "--given", "age=39", "--json").stdout)
    assert list(told) == ["target", "mean", "sd", "interval", "components", "evidence_log_density"]
    assert [part["weight"] for part in told["components"]] == pytest.approx([0.7, 0.3])
    text = run("query", net, "income", "--given", "age=39", "--given", "smoker=yes").stdout
    assert "14550" in text


def test_query_of_a_category_given_numbers_prints_its_object(run: Run, net: str) -> None:
    given = ("--given", "age=39", "--given", "income=14550")
    told = json.loads(run("query", net, "smoker", *given, "--json").stdout)
    assert list(told) == ["target", "posterior", "evidence_log_density"]
    assert told["posterior"]["yes"] > 0.99


def test_tables_print_regressions(run: Run, net: str) -> None:
    told = json.loads(run("tables", net, "income", "--json").stdout)
    assert told["tables"][0]["regressions"][1] == {
        "given": {"smoker": "yes"},
        "intercept": 900.0,
        "coefficients": {"age": 350.0},
        "sd": 300.0,
    }
    assert "income | smoker, age" in run("tables", net).stdout


def test_sample_and_predict_go_round(run: Run, net: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    run("sample", net, "-n", "50", "--seed", "1", "--given", "smoker=yes", "-o", str(rows))
    found = run("predict", net, str(rows), "--target", "income", "--drop", "income", "--proba")
    lines = found.stdout.splitlines()
    assert lines[0] == "income,income_sd,income_low,income_high"
    assert len(lines) == 51
    told = json.loads(
        run("predict", net, str(rows), "--target", "income", "--drop", "income", "--json").stdout
    )
    assert list(told) == ["target", "rows", "predictions"]
    assert told["predictions"][0] == pytest.approx(float(lines[1].split(",")[0]))


def test_the_most_probable_explanation_has_values(run: Run, net: str) -> None:
    told = json.loads(run("most-probable", net, "--given", "age=39", "--json").stdout)
    assert told["states"]["smoker"] in ("no", "yes")
    assert told["values"]["age"] == 39.0


def test_a_format_without_numbers_is_refused_in_one_line(
    run: Run, net: str, tmp_path: Path
) -> None:
    found = run("convert", net, str(tmp_path / "net.bif"))
    assert found.exit_code == 1
    assert "BIF files have no place for numbers such as 'age'" in found.stderr
