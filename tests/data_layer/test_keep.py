"""Missing cells that are kept: how tables hold, show, hand on and write them."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import MOST_STATES, MissingCells, Reading, Table, read, read_rows, write_csv
from bayesloom.data.writing import write_table
from bayesloom.errors import DataError
from strategies import punched, tables

GAPS = {"A": ["x", None, "y", "x"], "B": ["1", "2", None, None], "C": ["u", "v", "u", "v"]}


def kept(frame: object = GAPS, **options: object) -> Table:
    return Table.from_frame(frame, missing="keep", **options)  # type: ignore[arg-type]


def columns(table: Table) -> dict[str, list[str | None]]:
    return {name: table[name] for name in table.names}


def test_a_hole_has_the_code_one_past_the_last_state_and_is_no_state() -> None:
    table = kept()
    assert columns(table) == GAPS
    assert table.states == (("x", "y"), ("1", "2"), ("u", "v"))
    assert [c.tolist() for c in table.codes] == [[0, 2, 1, 0], [0, 1, 2, 2], [0, 1, 0, 1]]
    assert table.observed.tolist() == table.cardinality.tolist() == [2, 2, 2]
    assert table.missing.tolist() == [1, 2, 0]
    assert table.missing.dtype == np.int64
    assert table.missing is table.missing
    assert not table.is_complete
    with pytest.raises(ValueError, match="read-only"):
        table.missing[0] = 0


def test_a_table_takes_holes_only_if_it_is_told() -> None:
    with pytest.raises(DataError, match=r"code 2 in row 1 .* 2 states have the codes 0 to 1$"):
        Table("A", ["ny"], [[0, 2]])
    assert Table("A", ["ny"], [[0, 2]], holes=True).missing.tolist() == [1]
    with pytest.raises(DataError, match=r"codes 0 to 1, and a missing cell 2$"):
        Table("A", ["ny"], [[0, 3]], holes=True)
    with pytest.raises(DataError, match="has the code -1"):
        Table("A", ["ny"], [[0, -1]], holes=True)
    assert Table("A", ["ny"], [[0, 1]], holes=True).is_complete


@pytest.mark.parametrize(("n", "kind"), [(255, np.uint8), (256, np.uint16), (300, np.uint16)])
def test_codes_are_as_narrow_as_the_hole_allows(n: int, kind: type) -> None:
    labels = [str(k) for k in range(n)]
    assert Table("A", [labels], [[0, n - 1, n]], holes=True).codes[0].dtype == kind
    whole = Table("A", [labels], [[0, n - 1]]).codes[0].dtype
    assert whole == (np.uint8 if n <= 256 else np.uint16)


def test_a_column_with_all_the_states_there_can_be_has_no_room_for_holes() -> None:
    labels = [str(k) for k in range(MOST_STATES)]
    with pytest.raises(
        DataError, match="the most there can be, so none of its cells can be missing"
    ):
        Table("A", [labels], [[0, MOST_STATES]], holes=True)
    frame = {"A": pd.Categorical([None, "0"], categories=labels)}
    with pytest.raises(DataError, match="the frame: column 'A' has 65,536 states"):
        kept(frame)


@settings(max_examples=40)
@given(table=tables(max_columns=4), share=st.sampled_from([0.1, 0.6]), seed=st.integers(0, 99))
def test_selecting_taking_copying_and_sorting_keep_the_holes(
    table: Table, share: float, seed: int
) -> None:
    hollow = punched(table, [share] * table.n_columns, seed)
    assert columns(pickle.loads(pickle.dumps(hollow))) == columns(hollow)
    assert columns(copy.deepcopy(hollow)) == columns(hollow)
    last = hollow.names[-1]
    assert hollow.select([last])[last] == hollow[last]
    assert hollow.reordered(reversed(hollow.names))[last] == hollow[last]
    assert hollow.take(slice(None, None, -1))[last] == hollow[last][::-1]
    assert hollow.checksum() == hollow.in_name_order().checksum()
    assert (hollow.checksum() == table.checksum()) == hollow.is_complete


@settings(max_examples=30)
@given(table=tables(max_columns=4), seed=st.integers(0, 99))
def test_frames_and_files_of_every_kind_give_the_holes_back(
    tmp_path_factory: pytest.TempPathFactory, table: Table, seed: int
) -> None:
    hollow = punched(table, [0.3] * table.n_columns, seed)
    states = dict(zip(hollow.names, hollow.states, strict=True))
    folder = tmp_path_factory.mktemp("kept")
    for frame in (hollow.to_pandas(), hollow.to_polars(), hollow.to_arrow()):
        assert columns(kept(frame, states=states)) == columns(hollow)
    for ending in (".csv", ".csv.gz", ".parquet", ".arrow"):
        path = folder / f"t{ending}"
        write_table(hollow, path)
        again = read(path, states=states, missing="keep")
        assert columns(again) == columns(hollow)
        assert again.checksum() == hollow.checksum()


def test_a_csv_file_has_empty_cells_for_holes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_csv(kept(), path)
    assert path.read_text() == "A,B,C\nx,1,u\n,2,v\ny,,u\nx,,v\n"
    quoted = kept({"A": ["x, y", None], "B": ["u", "v"]})
    write_csv(quoted, path)
    assert columns(read(path, missing="keep")) == columns(quoted)
    one = kept({"A": ["x", None, "y"]})
    write_csv(one, path)
    assert columns(read(path, missing="keep")) == columns(one)


def test_frames_of_other_libraries_hold_none_for_a_hole() -> None:
    assert kept().to_pandas()["A"].isna().tolist() == [False, True, False, False]
    assert kept().to_polars()["B"].to_list() == ["1", "2", None, None]
    assert kept().to_arrow()["A"].to_pylist() == ["x", None, "y", "x"]
    assert pl.DataFrame(kept())["A"].null_count() == 1
    assert kept().to_frame("arrow").num_rows == 4


def test_a_table_with_holes_prints_them_empty_and_counts_them() -> None:
    assert str(kept()).split("\n")[3].split() == ["2", "v"]
    assert repr(kept()).split("\n")[1] == "  A: x, y (1 missing)"
    assert "None" not in kept()._repr_html_()


def test_a_column_without_a_known_cell_is_refused_by_name_and_declared_states_save_it() -> None:
    frame = {"A": ["x", "y"], "B": [None, None]}
    with pytest.raises(DataError) as error:
        kept(frame)
    assert str(error.value) == (
        "the frame: column 'B' has no cell that is known, so nothing can be learned of it; drop it "
        "with drop=['B'] (--drop B)"
    )
    table = kept(frame, states={"B": ["u", "v"]})
    assert table.missing.tolist() == [0, 2]
    assert table.observed.tolist() == [2, 0]


def test_missing_markers_are_holes(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\nx,?\n?,1\ny,2\n")
    table = read(path, missing="keep", missing_markers=["?"])
    assert columns(table) == {"a": ["x", None, "y"], "b": [None, "1", "2"]}


@pytest.mark.parametrize("rule", ["frequency", "width", "auto", {"x": [3.0]}])
def test_cuts_are_chosen_from_the_cells_that_are_there(rule: object) -> None:
    rng = np.random.default_rng(1)
    numbers = rng.normal(3, 1, 200).round(2).tolist()
    holes: list[float | None] = []
    for k, number in enumerate(numbers):
        holes += [number, None] if k % 3 == 0 else [number]
    whole = Table.from_frame({"x": numbers}, discretize=rule)  # type: ignore[arg-type]
    hollow = kept({"x": holes}, discretize=rule)
    assert hollow.states == whole.states
    assert [x for x in hollow["x"] if x is not None] == whole["x"]
    assert hollow.missing.tolist() == [len(holes) - 200]


def test_mdl_cuts_for_a_target_with_holes_by_the_rows_that_know_both() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(0, 1, 400).round(3)
    y = np.where(x > 0.5, "b", "a")
    frame = {"x": [*x, *x[:40], None], "y": [*y, *[None] * 40, "a"]}
    table = kept(frame, discretize="mdl", target="y")
    whole = Table.from_frame({"x": x, "y": y}, discretize="mdl", target="y")
    assert table.states == whole.states
    assert table.missing.tolist() == [1, 40]


def test_the_choice_is_remembered() -> None:
    reading = Reading(missing="keep", missing_markers=["?"])
    assert reading.memory() == {"missing": "keep", "missing_markers": ["?"]}
    assert Reading.from_dict(reading.memory()) == reading


def test_rows_for_a_network_keep_their_holes() -> None:
    names, states = ["A", "B"], [("y", "x", "z"), ("1", "2")]
    table = read_rows(names, states, kept())
    assert columns(table) == {"A": GAPS["A"], "B": GAPS["B"]}
    again = read_rows(names, states, GAPS, given={"missing": "keep"})
    assert columns(again) == columns(table)


# What is missing, and what together


def test_missing_cells_are_counted_by_column_and_pattern() -> None:
    found = kept().missing_cells()
    assert found.columns == (("B", 2), ("A", 1))
    assert found.n_complete == 1
    assert {(p.columns, p.rows) for p in found.patterns} == {(("A",), 1), (("B",), 2)}
    assert found.patterns[0].columns == ("B",)
    assert found.sentence() == "B 2 (50 %), A 1 (25 %); 1 of 4 rows misses nothing"
    assert MissingCells.from_dict(found.to_dict()) == found
    assert pa.table(found)["rows"].to_pylist() == [2, 1]


def test_nothing_missing_is_told_as_such() -> None:
    found = kept({"A": ["x", "y"]}).missing_cells()
    assert not found
    assert found.sentence() == "nothing is missing"
    assert found.n_complete == 2


@settings(max_examples=30)
@given(table=tables(max_columns=5), seed=st.integers(0, 99))
def test_patterns_are_those_that_a_dictionary_counts(table: Table, seed: int) -> None:
    hollow = punched(table, [0.4] * table.n_columns, seed)
    rows = list(zip(*(hollow[name] for name in hollow.names), strict=True))
    patterns: dict[tuple[str, ...], int] = {}
    for row in rows:
        gone = tuple(sorted(n for n, x in zip(hollow.names, row, strict=True) if x is None))
        patterns[gone] = patterns.get(gone, 0) + 1
    found = hollow.missing_cells()
    assert found.n_complete == patterns.pop((), 0)
    assert found.n_patterns == len(patterns)
    assert len(found) == min(10, len(patterns))
    assert all(patterns[p.columns] == p.rows for p in found.patterns)
    kept_rows = [p.rows for p in found.patterns]
    assert kept_rows == sorted(patterns.values(), reverse=True)[:10]
