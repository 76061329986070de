"""Tests of data/discretization.py, data/cutting.py and of bins that their labels tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Discretization, Reading
from bayesloom.data.interval import interval_of
from bayesloom.errors import DataError, OptionError
from strategies_data import cells
from strict import from_frame, read_strictly

RNG = np.random.default_rng(3)


@pytest.mark.parametrize(
    "discretize",
    [
        "auto",
        {"a": 4, "b": "width", "c": ("width", 6), "d": [0, 1.5, 5], "e": "none", "*": "auto"},
        {"a": "frequency", "b": np.array([1, 2])},
        {1: 3},
    ],
)
def test_a_discretisation_survives_as_plain_data(discretize: Any) -> None:  # noqa: ANN401
    reading = Reading(discretize=discretize)
    assert Reading.from_dict(json.loads(json.dumps(reading.to_dict()))) == reading


@pytest.mark.parametrize(
    ("discretize", "message"),
    [
        (
            None,
            "discretize must be one of none, frequency, width, mdl, auto, network, or a mapping",
        ),
        (5, "discretize must be one of"),
        (["auto"], "discretize must be one of"),
        ({"dose": [0, 5, 1]}, "column 'dose' must be cut points that increase, and 1 follows 5"),
        ({"dose": [0, 0]}, "must be cut points that increase, and 0 follows 0"),
        ({"dose": [2**60, 2**60 + 1]}, "must be cut points that increase"),
        ({"dose": [0, float("inf")]}, "must be cut points that are finite, got inf"),
        ({"dose": [float("nan")]}, "must be cut points that are finite, got nan"),
        ({"dose": [10**400]}, "must be cut points that are finite, got 1000000"),
        ({"dose": []}, "must be 1 to 65,535 cut points, got 0"),
        ({"dose": [True]}, "discretize of column 'dose' must be a number of bins, one of none"),
        ({"dose": ["0"]}, "discretize of column 'dose' must be a number of bins, one of none"),
        ({"dose": None}, "discretize of column 'dose' must be a number of bins, one of none"),
        ({"dose": 2.5}, "discretize of column 'dose' must be a number of bins, one of none"),
        ({"dose": "auto"}, "discretize of column 'dose' must be a number of bins, one of none"),
        ({"dose": 1}, "the number of bins in discretize of column 'dose' must be at least 2"),
        ({"dose": ("width", 70_000)}, "must be at most 65536"),
        ({"dose": ("mdl", 3)}, "discretize of column 'dose' must be a number of bins, one of none"),
        ({None: 3}, "discretize must be a mapping of names of columns to rules, got None in it"),
        ({"*": 3}, "column '*', which is that of all others, must be one of none, frequency"),
        ("mdl", "discretize='mdl' needs a target, the column to cut for: target='class'"),
    ],
)
def test_what_is_no_discretisation_is_refused_in_one_sentence(
    discretize: Any,  # noqa: ANN401
    message: str,
) -> None:
    with pytest.raises(OptionError) as error:
        Reading(discretize=discretize)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_options_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(OptionError, match="states and discretize both say what becomes of column"):
        Reading(states={"a": ["x"]}, discretize={"a": 3})
    with pytest.raises(OptionError, match=r"^target is the column that discretize='mdl'"):
        Reading(target="class", discretize="auto")
    with pytest.raises(OptionError, match="target must be the name of a column, got 5"):
        Reading(target=5, discretize="mdl")  # type: ignore[arg-type]


AGES = list(range(15, 75)) * 5
FRAME = {
    "age": AGES,
    "dose": [0, 1, 2, 5, 6] * 60,
    "fare": [k / 7 for k in range(300)],
    "sex": ["f", "m"] * 150,
}


def test_columns_have_rules_of_their_own_and_all_others_that_of_the_star() -> None:
    rules: Discretization = {"age": 3, "dose": [0, 5], "fare": ("width", 2)}
    table = from_frame(FRAME, discretize=rules)
    assert table.states == (
        ("(-inf,34]", "(34,54]", "(54,inf)"),
        ("(-inf,0]", "(0,5]", "(5,inf)"),
        ("(-inf,21.36]", "(21.36,inf)"),
        ("f", "m"),
    )
    assert table.notes == ("cut into bins: age at 34, 54; dose at 0, 5; fare at 21.36",)
    with pytest.raises(DataError, match="column 'fare' is real-valued"):
        from_frame(FRAME, discretize={"age": 3})
    others = from_frame(FRAME, discretize={"age": "none", "*": "auto"}, bins=4)
    assert others.cardinality.tolist() == [60, 5, 4, 2]


def test_bins_between_cuts_that_a_user_lists_are_kept_though_they_are_empty() -> None:
    table = from_frame({"dose": [3, 4, 3]}, discretize={"dose": [0, 1, 5]})
    assert table.states == (("(-inf,0]", "(0,1]", "(1,5]", "(5,inf)"),)
    assert table.observed.tolist() == [1]


@pytest.mark.parametrize(
    ("discretize", "message"),
    [
        ({"sex": 3}, "discretize cannot cut the column 'sex', as it holds 'f', which is no number"),
        ({"sx": 3}, "names the column 'sx', which is not there (did you mean 'sex'?); the columns"),
        ({"height": 3}, "discretize names the column 'height', which is not there; the columns"),
    ],
)
def test_a_rule_for_a_column_that_cannot_be_cut_is_refused(
    discretize: Discretization, message: str
) -> None:
    with pytest.raises(DataError) as error:
        from_frame(FRAME, discretize=discretize)
    assert message in str(error.value)


def test_a_constant_column_with_a_rule_is_one_bin() -> None:
    for rule in (3, "width", ("frequency", 2)):
        table = from_frame({"A": [7.5] * 4, "B": list("xyxy")}, discretize={"A": rule})
        assert table.states[0] == ("(-inf,inf)",)


def test_auto_cuts_quantities_leaves_categories_and_refuses_ids() -> None:
    frame = FRAME | {
        "digit": [k % 10 for k in range(300)],
        "month": [k % 12 + 1 for k in range(300)],
    }
    table = from_frame(frame, discretize="auto")
    assert table.cardinality.tolist() == [5, 5, 5, 2, 10, 12]
    assert table.notes[0].startswith("cut into bins: age at 26, 38, 50, 62; fare at ")
    with pytest.raises(DataError) as error:
        from_frame(frame | {"row": range(300)}, discretize="auto")
    assert str(error.value).endswith(
        "; drop with drop=['row'] (--drop row), or cut what is a quantity with "
        "discretize={'row': 5} (--discretize row=5)"
    )
    frequency = from_frame(frame | {"row": range(300)}, discretize="frequency")
    assert "row differs in nearly every row, like an id; leave out" in frequency.notes[1]


def test_mdl_cuts_where_the_target_changes_and_leaves_the_target_alone(tables_dir: Path) -> None:
    table = read_strictly(tables_dir / "iris.csv", discretize="mdl", target="class")
    assert table.states[:4] == (
        ("(-inf,5.55]", "(5.55,6.15]", "(6.15,inf)"),
        ("(-inf,2.95]", "(2.95,3.35]", "(3.35,inf)"),
        ("(-inf,2.45]", "(2.45,4.75]", "(4.75,inf)"),
        ("(-inf,0.8]", "(0.8,1.75]", "(1.75,inf)"),
    )
    noise = {"x": RNG.normal(size=100), "class": ["a", "b"] * 50}
    table = from_frame(noise, discretize="mdl", target="class")
    assert table.states[0] == ("(-inf,inf)",)
    assert table.notes == ("cut into bins: x nowhere",)


def test_mdl_goes_by_the_rows_in_which_quantity_and_target_are_known() -> None:
    x = [*range(30), *range(100, 130), None, 50.5]
    target = [*["a"] * 30, *["b"] * 30, "a", None]
    table = from_frame({"x": x, "y": target}, discretize={"x": "mdl"}, target="y", missing="state")
    assert len(table.states[0]) == 3  # two bins and missing


def test_a_target_has_to_be_there_and_a_category() -> None:
    frame = {"x": RNG.normal(size=50), "y": RNG.normal(size=50)}
    with pytest.raises(DataError, match="the target that mdl cuts for must be a category; column"):
        from_frame(frame, discretize={"x": "mdl"}, target="y")
    table = from_frame(frame, discretize={"x": "mdl", "y": 2}, target="y")
    assert table.cardinality.tolist()[1] == 2
    with pytest.raises(DataError, match="target names the column 'z', which is not there"):
        from_frame(frame, discretize="mdl", target="z")
    with pytest.raises(DataError, match="target names the column 'y', which is left out"):
        from_frame(frame, discretize="mdl", target="y", drop=["y"])


rules = st.sampled_from(["frequency", "width", "auto", "mdl", "own", "cuts"])
some_numbers = st.lists(
    st.floats(-1e6, 1e6, allow_subnormal=False) | st.integers(-30, 30) | st.floats(-1, 1),
    min_size=6,
    max_size=60,
)


@given(some_numbers, rules, st.integers(2, 6), st.lists(st.floats(-2e6, 2e6), max_size=10))
def test_numbers_fall_where_the_labels_of_their_bins_say(
    values: list[float], rule: str, bins: int, more: list[float]
) -> None:
    """Bins by labels equal bins by numbers, and every number, seen or not, has one."""
    frame = {"x": values, "y": [k % 2 for k in range(len(values))]}
    cuts = sorted(set(more[:3])) or [0.0]
    how: Any = {"own": {"x": bins}, "cuts": {"x": cuts}, "mdl": {"x": "mdl"}}.get(rule, rule)
    try:
        target = "y" if rule == "mdl" else None
        table = from_frame(frame, discretize=how, bins=bins, target=target)
    except DataError:
        return  # an id or a quantity that the rule leaves alone
    if interval_of(table.states[0][0]) is None:
        return
    again = from_frame(frame, states=dict(zip(table.names, table.states, strict=True)))
    assert again.codes[0].tolist() == table.codes[0].tolist()
    texts = from_frame({"x": [str(v) for v in values]}, states={"x": table.states[0]})
    assert texts.codes[0].tolist() == table.codes[0].tolist()
    for value in (*values, *more, -1e300, 1e300):
        own = cells(from_frame({"x": [value]}, states={"x": table.states[0]}))["x"][0]
        interval = interval_of(own)
        assert interval is not None
        assert interval.low < value <= interval.high
