"""A corpus of awkward tables: each is read right with auto, and nothing is misread in silence."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import bayesloom as bl
from awkward_tables import CASES, made
from bayesloom.cli import program
from bayesloom.errors import DataError, FileFormatError, OptionError
from click_runner import CliRunner
from shell import ROOT

TABLES = ROOT / "tests" / "data" / "tables"


def written(folder: Path, name: str) -> Path:
    text, _ = made(name)
    path = folder / ("people.csv.gz" if name == "packed" else "people.csv")
    if isinstance(text, str):
        path.write_bytes(text.encode())
    else:
        path.write_bytes(text)
    return path


@pytest.mark.parametrize("name", CASES)
def test_every_awkward_table_is_read_right(tmp_path: Path, name: str) -> None:
    table = bl.read(written(tmp_path, name), auto=True)
    _, truth = made(name)
    assert set(table.names) == set(truth)
    for column, cells in truth.items():
        assert table[column] == cells, column


@pytest.mark.parametrize("name", CASES)
def test_the_call_that_inspect_names_reads_the_same(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name)
    plan = bl.inspect(path)
    if any("left out: the last row" in x or "rows that repeat" in x for x in plan.notes):
        pytest.skip("rows are left out by auto alone")
    assert bl.read(path, **plan.options).checksum() == bl.read(path, auto=True).checksum()


def test_there_are_sixty_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sentinel -999 in ages", "-999 in column 'age' (22 cells) probably means missing"),
        ("one_word_among_ages", "'old' stands among the numbers of column 'age' ("),
        ("no_header_of_answers", "holds values and no names of columns"),
        ("title_line", "line 1 above the table is no row"),
        ("blanks_at_some_ends", "blanks at the ends of cells make other states of them in"),
    ],
)
def test_a_guess_is_a_problem_that_is_told_and_noted(tmp_path: Path, name: str, told: str) -> None:
    path = written(tmp_path, name)
    assert any(told in problem for problem in bl.inspect(path).problems)
    assert any(told in note for note in bl.read(path, auto=True).notes)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("plain", "left out: id, which holds ids"),
        ("plain", "left out: when, which holds dates"),
        ("plain", "kept as numbers: age, income"),
        ("marker 'NA' everywhere", "taken as missing: 'NA' in age, city, smoker, income"),
        ("repeated_header", "left out: 1 rows that repeat the names of the columns (line 102)"),
        ("total_row", "left out: the last row, in which column id holds 'Total'"),
        ("excel", "has decimal commas"),
    ],
)
def test_what_is_safe_is_done_and_noted(tmp_path: Path, name: str, told: str) -> None:
    path = written(tmp_path, name)
    assert any(told in note for note in bl.read(path, auto=True).notes)


def test_plain_people_have_no_problem(tmp_path: Path) -> None:
    assert bl.inspect(written(tmp_path, "plain")).problems == ()


def test_what_is_written_out_goes_before_the_plan(tmp_path: Path) -> None:
    path = written(tmp_path, "sentinel -999 in ages")
    assert -999.0 in bl.read(path, auto=True, missing_markers=())["age"]
    assert "id" in bl.read(path, auto=True, columns=["id", "smoker"]).names
    cut = bl.read(path, auto=True, numbers={"age": "cut"})
    assert cut.numeric.tolist() == [False, False, False, True]
    dated = bl.read(path, auto=True, dates={"when": ["month"]})
    assert "when_month" in dated.names
    stated = bl.read(path, auto=True, discretize={"age": 3})
    assert len(stated.states[0]) == 3


def test_frames_have_no_text_markers_and_their_categories_are_not_questioned() -> None:
    frame = pd.DataFrame(
        {
            "grade": pd.Categorical(["NA", "?", "a"] * 20),
            "region": ["NA", "EU", None] * 20,
            "age": [k + 0.5 for k in range(60)],
        }
    )
    table = bl.Table.from_frame(frame, auto=True)
    assert table["grade"][:3] == ["NA", "?", "a"]
    assert table["region"][:3] == ["NA", "EU", None]
    assert table.numeric.tolist() == [False, False, True]


def test_a_network_learned_by_a_plan_reads_new_rows_as_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, "sentinel -999 everywhere")
    net = bl.learn(path, bl.HillClimbing(), auto=True, numbers="cut", missing="drop")
    assert net.reading is not None
    assert net.reading.all_markers == ("-999",)
    rows = bl.read(path, auto=True, numbers="cut", missing="drop")
    assert net.log_likelihood(path) == pytest.approx(net.log_likelihood(rows))


def test_the_plan_is_plain_data_and_a_table_to_look_at(tmp_path: Path) -> None:
    plan = bl.inspect(written(tmp_path, "all_markers_mixed"))
    told = json.loads(json.dumps(plan.to_dict()))
    assert [column["kind"] for column in told["columns"]] == [
        *("id", "number", "category", "category", "number", "date")
    ]
    assert told["call"] == plan.call
    assert plan.call.startswith("bl.learn('")
    assert "<table" in plan._repr_html_()
    assert len(plan) == 6
    assert plan.to_pandas()["kind"][0] == "id"


def test_the_command_shows_the_plan_and_its_last_line_works(tmp_path: Path) -> None:
    path = written(tmp_path, "all_markers_mixed")
    found = CliRunner().invoke(program, ["inspect", str(path)])
    assert found.exit_code == 0
    assert found.stdout.splitlines()[-1].startswith("bayesloom learn ")
    as_json = CliRunner().invoke(program, ["inspect", str(path), "--json"])
    assert json.loads(as_json.stdout) == bl.inspect(path).to_dict()


@pytest.mark.parametrize("name", [p.name for p in sorted(TABLES.glob("*.csv*"))])
def test_no_table_of_categories_has_a_marker_or_a_question(name: str) -> None:
    plan = bl.inspect(TABLES / name)
    assert plan.problems == ()
    assert [c.name for c in plan.columns if c.sentinels or c.odd] == []


def test_cells_that_swallow_rows_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "quotes.csv"
    rows = "1,x\n2,y\n"
    path.write_text("a,b\n" + rows * 500 + '"1,x\n' + rows * 1000 + '1",x\n' + rows * 500)
    with pytest.raises(FileFormatError, match="line 1002: a cell in quotes goes on over 2,001"):
        bl.read(path)


def test_cells_of_several_lines_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "lines.csv"
    path.write_text('a,b\nx,"12 Main St,\nSpringfield, IL\nUSA"\ny,"ok"\n')
    assert bl.read(path)["b"] == ["12 Main St,\nSpringfield, IL\nUSA", "ok"]


def test_several_files_and_tables_have_no_plan(tmp_path: Path) -> None:
    for k in range(2):
        (tmp_path / f"{k}.csv").write_text("a\nx\ny\n")
    with pytest.raises(OptionError, match="makes a plan of one file or frame"):
        bl.Reading(auto=True).apply(tmp_path / "*.csv")
    with pytest.raises(OptionError, match="inspect looks at one file"):
        bl.inspect(tmp_path / "*.csv")
    with pytest.raises(OptionError, match="inspect looks at data that have not been read"):
        bl.inspect(bl.Table.from_frame({"a": ["x"]}))


def test_strict_refuses_as_ever(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is nearly all distinct, like an id"):
        bl.read(written(tmp_path, "plain"), strict=True)


def test_learn_does_what_is_safe_at_the_first_call(tmp_path: Path) -> None:
    net = bl.learn(written(tmp_path, "marker 'NA' everywhere"))
    assert set(net.names) == {"age", "city", "smoker", "income"}
    assert net.record is not None
    assert any("kept as numbers: age, income" in note for note in net.record.notes)
    assert any("left out: id" in note for note in net.record.notes)


def test_learn_asks_for_every_guess_in_one_error_whose_call_settles_them(tmp_path: Path) -> None:
    path = written(tmp_path, "sentinel -999 everywhere")
    plan = bl.inspect(path)
    with pytest.raises(DataError) as caught:
        bl.learn(path)
    message = str(caught.value)
    assert "\n" not in message
    for column in ("age", "city", "smoker", "income"):
        assert f"-999 in column '{column}'" in message
    assert plan.call in message
    assert plan.command in message
    settled = bl.learn(path, **plan.options)
    assert settled.edges == bl.learn(path, auto=True).edges
    assert settled.reading == bl.learn(path, auto=True).reading


def test_strict_learning_refuses_what_is_not_certain(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="this cell is missing"):
        bl.learn(written(tmp_path, "marker '' everywhere"), strict=True)


def test_notes_and_doubts_go_to_the_standard_logger(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="bayesloom"):
        bl.read(written(tmp_path, "sentinel -999 in ages"), auto=True)
    levels = {record.getMessage(): record.levelname for record in caplog.records}
    assert {record.name for record in caplog.records} == {"bayesloom"}
    assert levels["kept as numbers: age, income"] == "INFO"
    doubt = "taken as proposed: -999 in column 'age' (22 cells) probably means missing"
    assert levels[doubt] == "WARNING"


def test_nothing_is_printed_where_nobody_listens(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bl.read(written(tmp_path, "sentinel -999 in ages"), auto=True)
    assert capfd.readouterr() == ("", "")


def test_predict_keeps_the_index_of_a_pandas_frame() -> None:
    net = bl.example("asia")
    frame = pd.DataFrame({"smoke": ["yes", "no"], "xray": ["yes", "no"]}, index=[7, 3])
    found = net.predict(frame, "lung")
    assert isinstance(found, pd.Series)
    assert found.index.tolist() == [7, 3]
    assert found.name == "lung"
    assert found.tolist() == net.predict({k: list(x) for k, x in frame.items()}, "lung").tolist()
