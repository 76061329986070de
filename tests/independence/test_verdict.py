from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import DataError, OptionError, UnknownVariableError
from every_engine import ENGINES
from example_tables import read_example

GOLDEN = Path(__file__).parents[1] / "golden" / "bnlearn_r.json"
BNLEARN: dict[str, Any] = json.loads(GOLDEN.read_text())["data"]
TESTS = [(data, i) for data, values in BNLEARN.items() for i in range(len(values["ci_tests"]))]
KINDS: dict[str, bl.IndependenceTest] = {"mi": bl.GSquare(), "x2": bl.ChiSquare()}


@pytest.mark.parametrize(("data", "i"), TESTS)
@pytest.mark.parametrize("name", KINDS)
def test_the_numbers_are_those_of_bnlearn_however_thin_the_table(
    data: str, i: int, name: str
) -> None:
    asked = BNLEARN[data]["ci_tests"][i]
    expected = asked["tests"][name]
    table = read_example(data)
    found = bl.test(table, asked["x"], asked["y"], asked["z"], test=KINDS[name])
    assert found.statistic == pytest.approx(expected["statistic"], rel=1e-11)
    assert found.df == expected["df"]
    if expected["p_value"] > 0:
        assert found.p == pytest.approx(expected["p_value"], rel=1e-9)
    if name == "mi":
        information = expected["statistic"] / (2 * table.n_rows)
        assert found.mutual_information == pytest.approx(information, rel=1e-9, abs=1e-15)


def parity() -> bl.Table:
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 25
    return bl.Table("ABC", [["0", "1"]] * 3, list(zip(*rows, strict=True)))


@pytest.mark.parametrize("kind", ENGINES)
def test_every_kind_of_data_gives_the_same_answer(kind: Any, tmp_path: Path) -> None:  # noqa: ANN401
    table = parity()
    bl.write_csv(table, tmp_path / "parity.csv")
    expected = bl.test(table, "A", "B", given=["C"]).to_dict()
    for data in (kind(table), table.to_pandas(), table.to_arrow(), tmp_path / "parity.csv"):
        assert bl.test(data, "A", "B", given="C").to_dict() == expected
    assert bl.test(table, "B", "A", given="C").log_p == expected["log_p"]


def test_only_the_columns_named_are_read() -> None:
    rows = {
        "id": [f"r{k}" for k in range(100)],
        "A": ["n", "y"] * 50,
        "B": ["n", "y", "y", "n"] * 25,
    }
    assert bl.test(rows, "A", "B").independent
    with pytest.raises(DataError, match="nearly all distinct"):
        bl.test(rows, "A", "id")


def test_a_verdict_reads_as_a_sentence() -> None:
    assert str(bl.test(parity(), "A", "B")) == (
        "no dependence of A and B was found: p = 1 is above alpha = 0.05 (chi-square 0 with 1 "
        "degree of freedom, smallest expected count 25, mutual information 0 nats, 100 rows)"
    )
    assert str(bl.test(parity(), "A", "B", given="C", alpha=0.01)).startswith(
        "A and B are dependent given C: p = 1.93e-22 is at most alpha = 0.01 (chi-square 100 "
    )
    few = bl.test(parity().take(slice(0, 12)), "A", "B", given="C")
    assert not few.conclusive
    assert not few.dependent
    assert not few.independent
    assert "is not settled: there are fewer rows than min_expected = 5 asks for" in str(few)
    constant = bl.test({"A": ["x"] * 9, "B": ["n", "y", "y"] * 3}, "A", "B")
    assert str(constant).startswith("nothing is to be tested between A and B: one of them is const")


@pytest.mark.parametrize(
    ("given", "which"), [((), "both of them"), ("C", "all of these variables")]
)
def test_where_no_row_knows_the_variables_that_is_what_is_told(given: object, which: str) -> None:
    codes = [[0, 1, 0, 1, 2, 2], [2, 2, 2, 2, 0, 1], [0, 1] * 3]
    found = bl.test(bl.Table("ABC", [["n", "y"]] * 3, codes, holes=True), "A", "B", given)  # type: ignore[arg-type]
    assert found.n_rows == 0
    assert not found.conclusive
    assert f"is not settled: no row knows {which} (" in str(found)


def test_a_p_value_below_all_floats_is_told_by_its_logarithm() -> None:
    codes = np.repeat([0, 1], 20_000)
    found = bl.test(bl.Table("AB", [["n", "y"]] * 2, [codes, codes]), "A", "B")
    assert found.p == 0
    assert math.isfinite(found.log_p)
    assert f"p = exp({found.log_p:.6g})" in str(found)
    assert found.dependent


def test_what_cannot_be_tested_is_refused() -> None:
    wrong: Any = 5
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: bl.test(parity(), "A", "A"), "names 'A' twice"),
        (lambda: bl.test(parity(), "A", "B", given="B"), "names 'B' twice"),
        (lambda: bl.test(parity(), "A", "B", alpha=2), "alpha must be between 0 and 1"),
        (lambda: bl.test(parity(), "A", "B", given=wrong), "given must be the name of a variable"),
        (lambda: bl.test(parity(), wrong, wrong), "names '5' twice"),
        (lambda: bl.test(parity(), "A", "B", test=wrong), "test must be a test such as"),
    ]
    for call, said in calls:
        with pytest.raises(OptionError, match=said):
            call()
    for data in (parity(), bl.NativeEngine(parity())):
        with pytest.raises(UnknownVariableError, match="unknown variable 'Z'"):
            bl.test(data, "A", "Z")
