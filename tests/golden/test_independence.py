"""Independence tests on public data against those of other programs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from bayesloom.engine import Batch, NativeEngine
from bayesloom.independence import ChiSquare, ContingencyTest, Coverage, GSquare
from example_tables import read_example
from golden import disagreements

HERE = Path(__file__).parent
BNLEARN: dict[str, Any] = json.loads((HERE / "bnlearn_r.json").read_text())["data"]
OTHERS: dict[str, Any] = json.loads((HERE / "cross_check.json").read_text())["data"]

KINDS: dict[str, type[ContingencyTest]] = {"mi": GSquare, "x2": ChiSquare}
TESTS = [(data, i) for data, values in BNLEARN.items() for i in range(len(values["ci_tests"]))]
CROSS_CHECKED = [
    (data, i) for data, values in OTHERS.items() for i in range(len(values["ci_tests"]))
]

TWELVE_DIGITS = 1e-11
P_VALUE = 1e-9
"""A statistic of 12 digits near 1500 fixes a p-value no better."""

SMALLEST = math.log(5e-324)


def computed(
    name: str, coverage: Coverage, data: str, test: dict[str, Any]
) -> tuple[float, float, float]:
    """Return statistic, degrees of freedom and log p of a recorded test."""
    table = read_example(data)
    x, y, *given = (table.index(v) for v in (test["x"], test["y"], *test["z"]))
    kind = KINDS[name](min_expected=0, coverage=coverage)
    found = kind.run(NativeEngine(table), Batch.of([(x, given, (y,))]))
    return float(found.statistic[0]), float(found.df[0]), float(found.log_p[0])


def assert_same_p(log_p: float, p: float, tolerance: float = P_VALUE) -> None:
    if p == 0:
        assert log_p < SMALLEST + 50
    else:
        assert math.exp(log_p) == pytest.approx(p, rel=tolerance)


@pytest.mark.parametrize(("data", "i"), TESTS)
@pytest.mark.parametrize("name", ["mi", "x2", "mi-adf", "x2-adf"])
def test_statistic_and_df_and_p_are_those_of_bnlearn(data: str, i: int, name: str) -> None:
    test = BNLEARN[data]["ci_tests"][i]
    expected = test["tests"][name]
    base, _, adjusted = name.partition("-")
    coverage = Coverage.RELAXED if adjusted else Coverage.STRICT
    statistic, df, log_p = computed(base, coverage, data, test)
    assert statistic == pytest.approx(expected["statistic"], rel=TWELVE_DIGITS)
    assert df == expected["df"]
    assert_same_p(log_p, expected["p_value"])


@pytest.mark.parametrize(("data", "i"), CROSS_CHECKED)
@pytest.mark.parametrize("name", KINDS)
def test_both_files_record_the_same_tests_of_bnlearn(data: str, i: int, name: str) -> None:
    test, other = BNLEARN[data]["ci_tests"][i], OTHERS[data]["ci_tests"][i]
    assert (test["x"], test["y"], test["z"]) == (other["x"], other["y"], other["z"])
    assert other["bnlearn_r"][name] == test["tests"][name]


@pytest.mark.parametrize(("data", "i"), CROSS_CHECKED)
@pytest.mark.parametrize("name", KINDS)
def test_p_values_are_those_of_causal_learn(data: str, i: int, name: str) -> None:
    test = OTHERS[data]["ci_tests"][i]
    _, _, log_p = computed(name, Coverage.RELAXED, data, test)
    assert_same_p(log_p, test["causal-learn"][name]["p_value"])


@pytest.mark.parametrize(("data", "i"), CROSS_CHECKED)
@pytest.mark.parametrize("name", KINDS)
def test_statistics_and_p_values_are_those_of_pgmpy_where_it_does_not_correct(
    data: str, i: int, name: str
) -> None:
    test = OTHERS[data]["ci_tests"][i]
    table, expected = read_example(data), test["pgmpy"][name]
    statistic, df, log_p = computed(name, Coverage.RELAXED, data, test)
    x, y, *given = (table.index(v) for v in (test["x"], test["y"], *test["z"]))
    assert df == expected["df"]
    if math.isnan(expected["statistic"]):
        assert name == "mi"
        assert math.isfinite(statistic)
    elif disagreements.is_corrected_by_yates(table, x, y, given):
        assert expected["statistic"] < statistic
    else:
        assert statistic == pytest.approx(expected["statistic"], rel=TWELVE_DIGITS)
        assert_same_p(log_p, expected["p_value"])


@pytest.mark.parametrize(("data", "i"), CROSS_CHECKED)
@pytest.mark.parametrize("name", KINDS)
def test_statistics_are_those_of_pyagrum_and_p_values_where_all_levels_occur(
    data: str, i: int, name: str
) -> None:
    test = OTHERS[data]["ci_tests"][i]
    expected = test["pyagrum"][name]
    statistic, df, log_p = computed(name, Coverage.STRICT, data, test)
    assert statistic == pytest.approx(expected["statistic"], rel=TWELVE_DIGITS)
    if df != computed(name, Coverage.RELAXED, data, test)[1]:
        return
    if expected["p_value"] == 0:
        assert math.exp(log_p) < disagreements.PYAGRUM_P_IS_ZERO_BELOW
    else:
        assert math.exp(log_p) == pytest.approx(expected["p_value"], rel=1e-6)
