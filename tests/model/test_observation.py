from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayesloom.data import Reading, Table
from bayesloom.errors import DataError, OptionError
from bayesloom.model import BayesNet
from bayesloom.model.observation import Observations, observe

NO_YES = ["no", "yes"]
NET = BayesNet.from_tables(
    {"rain": (NO_YES, [], [0.8, 0.2]), "n": (["1", "2", "10"], ["rain"], [[0.2, 0.3, 0.5]] * 2)}
)


def told(found: Observations) -> dict[str, list[int]]:
    return {NET.names[v]: codes.tolist() for v, codes in found.codes.items()}


def test_cells_become_codes_of_the_network_whatever_order_the_data_would_give_them() -> None:
    rows = {"n": [10, 2, None, 1], "rain": ["yes", "yes", "yes", ""], "other": [1.5, 2.5, 3.5, 4.5]}
    found = observe(NET, rows)
    assert found.n_rows == 4
    assert told(found) == {"n": [2, 1, -1, 0], "rain": [1, 1, 1, -1]}
    table = Table(["n", "z"], [["10", "2", "missing"], ["a"]], [[0, 1, 2, 0], [0] * 4])
    assert told(observe(NET, table)) == {"n": [2, 1, -1, 2]}


def test_a_file_is_read_as_the_options_say(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id|rain|n\na|yes|2\nb|?|1\n")
    options: dict[str, Any] = {"delimiter": "|", "missing_markers": ["?"], "drop": ["id"]}
    assert told(observe(NET, path, given=options)) == {"rain": [1, -1], "n": [1, 0]}
    only = {**options, "drop": [], "columns": ["n"]}
    assert told(observe(NET, path, given=only)) == {"n": [1, 0]}
    left = {**options, "drop": ["rain"]}
    assert told(observe(NET, path, target="rain", given=left)) == {"n": [1, 0]}
    before = Reading(delimiter="|", missing_markers=["?"], missing="drop")
    assert told(observe(NET, {"rain": ["?", "no"]}, remembered=before)) == {"rain": [-1, 0]}


def test_what_is_said_of_missing_cells_holds(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("rain,n\nyes,2\n?,1\n")
    before = Reading(missing_markers=["?"])
    dropped = observe(NET, path, remembered=before, given={"missing": "drop"})
    assert (dropped.n_rows, told(dropped)) == (1, {"rain": [1], "n": [1]})
    kept = observe(NET, path, remembered=before, given={"missing": "keep"})
    assert told(kept) == {"rain": [1, -1], "n": [1, 0]}
    with pytest.raises(DataError, match="this cell is missing"):
        observe(NET, path, remembered=before, given={"missing": "error"})
    with pytest.raises(DataError, match=r"'\?'"):  # no marker any more
        observe(NET, path, remembered=before, given={"missing_markers": []})


@pytest.mark.parametrize("option", ["states", "states_from", "discretize", "bins"])
def test_options_that_the_network_settles_are_refused(option: str) -> None:
    value = {"discretize": "auto", "bins": 3}.get(option, {"n": ["1"]})
    with pytest.raises(OptionError, match=f"^{option} has no meaning here"):
        observe(NET, {"rain": ["no"]}, given={option: value})


def test_a_row_is_enough_and_no_row_or_no_file_is_told(tmp_path: Path) -> None:
    assert told(observe(NET, [{"rain": "no"}])) == {"rain": [0]}
    (tmp_path / "empty.csv").write_text("")
    for rows, said in [
        (tmp_path / "empty.csv", "the file is empty"),
        (tmp_path / "none.csv", "there is no such file"),
        ({"rain": []}, "there are no rows"),
    ]:
        with pytest.raises(ValueError, match=said):
            observe(NET, rows)


@pytest.mark.parametrize("unseen", ["error", "ignore"])
def test_the_target_is_looked_for_before_its_cells_are(unseen: str) -> None:
    with pytest.raises(OptionError, match="the target 'rain' is among the columns"):
        observe(NET, {"rain": ["maybe"], "n": [1]}, unseen, target="rain")  # type: ignore[arg-type]


def test_unknown_states_become_holes_one_by_one() -> None:
    rows = {"n": [1, 3, 2.0], "rain": ["no", "no", "snow"]}
    assert told(observe(NET, rows, "ignore")) == {"n": [0, -1, 1], "rain": [0, 0, -1]}
    with pytest.raises(DataError, match=r"row 1 \(counted from 0\), column 'n': the value '3'"):
        observe(NET, rows)


def test_the_state_missing_of_a_variable_is_that_of_its_empty_cells() -> None:
    net = BayesNet.from_tables({"dose": (["low", "missing"], [], [0.5, 0.5])})
    assert observe(net, {"dose": [None, "low"]}).codes[0].tolist() == [1, 0]
    table = Table(["dose"], [["low", "missing"]], [np.array([0, 1])])
    assert observe(net, table).codes[0].tolist() == [0, 1]
