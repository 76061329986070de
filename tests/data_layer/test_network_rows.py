"""Tests of data/network_rows.py: data meet a network again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayesloom.data import Reading, Table, read_rows, reading_for
from bayesloom.data.writing import write_table
from bayesloom.errors import DataError, OptionError, UnknownStateError, UnknownVariableError
from strategies_data import cells

NAMES = ("age", "sex")
STATES = (("(-inf,20]", "(20,38.5]", "(38.5,inf)"), ("f", "m"))


def rows(data: object, **options: object) -> dict[str, list[str]]:
    return cells(read_rows(NAMES, STATES, data, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "ages",
    [
        [20, 21, 39],
        [20.0, 38.5, 38.6],
        ["20", "38.50", "4e1"],
        ["(-inf,20]", "(20,38.5]", "(38.5,inf)"],
        ["-3,5", "38,5", "38,6"],
        ["7", "(20,38.5]", "99"],
    ],
)
def test_numbers_go_to_the_bins_of_the_network_and_labels_stay(ages: list[object]) -> None:
    found = rows({"id": ["a", "b", "c"], "sex": ["f", "m", "f"], "age": ages})
    assert found == {"age": list(STATES[0]), "sex": ["f", "m", "f"]}


def test_a_table_that_is_read_already_gets_the_states_of_the_network() -> None:
    table = Table.from_frame({"sex": ["m", "f"], "age": [5, 50], "id": [1, 2]})
    assert rows(table) == {"age": ["(-inf,20]", "(38.5,inf)"], "sex": ["m", "f"]}
    with pytest.raises(UnknownStateError, match="unknown state 'd' of variable 'sex'"):
        rows(Table.from_frame({"sex": ["d"], "age": [5]}))
    with pytest.raises(UnknownVariableError, match="unknown variable 'age'"):
        rows(Table.from_frame({"sex": ["f"]}))


def test_a_number_outside_of_all_intervals_is_refused_with_its_place() -> None:
    with pytest.raises(DataError) as error:
        Reading(states={"x": ["(0,1]", "(2,3]"]}).apply({"x": [0.5, 2.5, 1.5]})
    assert str(error.value) == (
        "the frame, row 2 (counted from 0), column 'x': the number 1.5 lies in none of the "
        "intervals (0,1], (2,3]; correct it, or name it in missing_markers (--missing-marker) if "
        "it means missing"
    )


def test_a_state_that_is_a_number_goes_before_an_interval() -> None:
    states = {"x": ["0", "(-inf,10]", "(10,inf)", "unknown"]}
    for values in ([0, 0.5, 11], ["0.0", "0.5", "11"]):
        assert Reading(states=states).apply({"x": values}).codes[0].tolist() == [0, 1, 2]
    mixed = Reading(states=states).apply({"x": ["unknown", "3"]})
    assert mixed.codes[0].tolist() == [3, 1]


def test_what_was_said_of_missing_cells_when_learning_is_remembered() -> None:
    frame = {"age": [5, None, -9], "sex": ["f", "m", "m"]}
    with pytest.raises(DataError, match="this cell is missing"):
        rows(frame)
    learned = Reading(missing="drop", missing_markers=[-9], drop=["id"], discretize="auto")
    assert rows(frame, remembered=learned) == {"age": ["(-inf,20]"], "sex": ["f"]}
    again = {"missing_markers": ["m"]}
    assert rows(frame, remembered=learned, given=again)["age"] == ["(-inf,20]"]


def test_a_network_with_a_state_for_missing_cells_takes_them() -> None:
    states = ((*STATES[0], "missing"), STATES[1])
    table = read_rows(NAMES, states, {"age": [5, None], "sex": ["f", "m"]})
    assert table.codes[0].tolist() == [0, 3]
    with pytest.raises(DataError, match="column 'sex' has missing cells, and the network has no"):
        read_rows(NAMES, states, {"age": [5, None], "sex": ["f", None]})


def test_what_is_written_out_goes_before_what_is_remembered_also_where_it_is_usual() -> None:
    learned = Reading(missing="keep", missing_markers=[-9], delimiter="|", encoding="cp1252")
    usual: dict[str, object] = {
        "missing": "error",
        "missing_markers": [],
        "delimiter": None,
        "encoding": None,
    }
    for option, value in usual.items():
        found = reading_for(NAMES, STATES, learned, {option: value}).to_dict()
        assert found[option] == value
        others = [other for other in usual if other != option]
        assert [found[x] for x in others] == [learned.to_dict()[x] for x in others]
    with_missing = ((*STATES[0], "missing"), STATES[1])
    assert reading_for(NAMES, with_missing, given={"missing": "error"}).missing == "error"


def test_how_files_are_written_is_remembered_for_text_files_alone(tmp_path: Path) -> None:
    learned = Reading(delimiter="|", encoding="cp1252")
    assert reading_for(NAMES, STATES, learned).delimiter == "|"
    frame = {"age": [1], "sex": ["f"]}
    assert rows(frame, remembered=learned)["sex"] == ["f"]
    for name in ("rows.parquet", "rows.arrow"):
        write_table(Table.from_frame(frame), tmp_path / name)
        assert rows(tmp_path / name, remembered=learned)["sex"] == ["f"]
    assert rows(tmp_path / "*.parquet", remembered=learned)["sex"] == ["f"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"columns": ["age"]}, r"columns \(--column\) has no meaning here"),
        ({"states_from": {"age": ["x"]}}, r"states_from \(--states-from\) has no meaning here"),
        ({"drop": ["age"]}, r"drop \(--drop\) has no meaning here"),
        (
            {"discretize": "auto"},
            r"discretize \(--discretize\) has no meaning here: the states",
        ),
    ],
)
def test_options_that_the_network_leaves_without_a_meaning_are_refused(
    given: dict[str, object], message: str
) -> None:
    for data in ({"age": [1], "sex": ["f"]}, Table.from_frame({"age": [1], "sex": ["f"]})):
        with pytest.raises(OptionError, match=message):
            rows(data, given=given)


def test_data_that_lack_a_variable_are_refused() -> None:
    with pytest.raises(DataError, match=r"^the data must have every variable of the network; the"):
        rows({"age": [1]})


def test_states_of_a_network_serve_columns_that_need_not_be_there() -> None:
    table = Table(NAMES, STATES, [[0], [0]])
    for reading in (
        Reading(states=table),
        Reading(states_from=dict(zip(NAMES, STATES, strict=True))),
    ):
        found = reading.apply({"age": [30], "other": ["x"]})
        assert found.states == (STATES[0], ("x",))
        assert Reading.from_dict(reading.to_dict()) == reading
    with pytest.raises(DataError, match="states names the column 'sex', which is not there"):
        Reading(states={"sex": ["f", "m"]}).apply({"age": [30]})


def test_a_column_that_is_not_there_is_named_by_the_network_and_not_by_an_option() -> None:
    with pytest.raises(DataError, match="the frame: the network names the column 'age'"):
        read_rows(NAMES, STATES, {"other": ["x"]})
