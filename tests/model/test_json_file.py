from __future__ import annotations

import json
import time
from typing import Any

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.model import BayesNet, json_file


def content() -> dict[str, Any]:
    return {
        "format": "bayesloom network",
        "version": 1,
        "variables": [
            {"name": "rain", "states": ["no", "yes"], "parents": [], "rows": [[0.8, 0.2]]},
            {
                "name": "caf\u00e9",
                "states": ["no", "yes"],
                "parents": ["rain"],
                "rows": [[0.9, 0.1], [0.2, 0.8]],
            },
        ],
    }


def test_the_file_is_plain_json_and_whole_numbers_are_probabilities() -> None:
    data = content()
    data["variables"][1]["rows"] = [[1, 0], [0, 1]]
    net = json_file.read(json.dumps(data, indent=2), "net.json")
    assert net.table("caf\u00e9").tolist() == [[1, 0], [0, 1]]
    assert json.loads(json_file.write(net))["variables"][1]["rows"] == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["format"], "x", 'expected an object with "format": "bayesloom network"'),
        (["version"], 3, "version 3 is not known; this program reads 1 and 2"),
        (["variables"], {}, 'expected "variables" to be a list'),
        (["variables"], [], "the file holds no variable"),
        (["variables", 0], 3, "variable 1 must be an object with name, parents, rows, states"),
        (["variables", 0], {"name": "x"}, "variable 1 must be an object with"),
        (["variables", 0, "name"], 3, "the name of variable 1 must be a text, got 3"),
        (["variables", 0, "name"], "", "a variable name must not be empty"),
        (["variables", 1, "name"], "rain", "variable 'rain' is defined twice"),
        (["variables", 0, "states"], "no", "\"states\" of variable 'rain' must be a list of texts"),
        (
            ["variables", 0, "states"],
            ["no", 1],
            "\"states\" of variable 'rain' must be a list of tex",
        ),
        (["variables", 0, "states"], ["no", "no"], "variable 'rain' has the state 'no' twice"),
        (
            ["variables", 0, "parents"],
            None,
            "\"parents\" of variable 'rain' must be a list of texts",
        ),
        (["variables", 0, "parents"], ["sun"], "'rain': unknown variable 'sun'"),
        (["variables", 0, "rows"], 1, "\"rows\" of variable 'rain' must be a list"),
        (["variables", 0, "rows"], [1], "'rain': row 1 must be a list of numbers"),
        (["variables", 0, "rows"], [["1", 0]], "'rain': row 1 must be a list of numbers"),
        (["variables", 0, "rows"], [[True, 0]], "'rain': row 1 must be a list of numbers"),
        (["variables", 0, "rows"], [[1, 0, 0]], "'rain': row 1 needs 2 numbers, got 3"),
        (["variables", 0, "rows"], [[1, 0], [1, 0]], "table of 'rain' needs 2 = 2 numbers, got 4"),
        (["variables", 0, "rows"], [[10**400, 0]], "'rain': a number is too large"),
        (["variables", 0, "rows"], [[1e308, 1e308]], "the probabilities of 'rain' sum to inf"),
        (["variables", 0, "rows"], [[-1, 2]], "hold -1.0, which is negative"),
        (["variables", 1, "rows", 1], [0.2, 0.7], "given rain=yes sum to 0.9, not to 1"),
        (["variables", 1, "rows", 1, 0], float("nan"), "NaN is not a number that a table can hold"),
        (
            ["variables", 0, "parents"],
            ["caf\u00e9"],
            "table of 'rain' needs 2 x 2 = 4 numbers, got 2",
        ),
    ],
)
def test_a_wrong_file_is_one_sentence(path: list[Any], value: object, message: str) -> None:
    data = content()
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(FileFormatError, match=message):
        json_file.read(json.dumps(data), "net.json")


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_wrong_row_names_the_line_of_its_variable(ascii_only: bool) -> None:  # noqa: FBT001
    data = content()
    data["variables"][1]["rows"] = [[0.5, 0.4], [0.2, 0.8]]
    text = json.dumps(data, indent=1, ensure_ascii=ascii_only)
    with pytest.raises(
        FileFormatError, match=r"net.json, line 20, column 4: the .* sum to 0.9, not"
    ):
        json_file.read(text, "net.json")


def test_a_syntax_error_names_line_and_column() -> None:
    with pytest.raises(FileFormatError, match=r"net.json, line 2, column 2: not JSON: expecting"):
        json_file.read('{"a":\n x}', "net.json")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        json_file.read(text, "net.json")


def test_repeated_keys_and_endless_numbers_are_refused() -> None:
    with pytest.raises(FileFormatError, match="the same key twice"):
        json_file.read('{"a": 1, "a": 2}', "net.json")
    with pytest.raises(FileFormatError, match="a number that is too long"):
        json_file.read("1" * 100_000, "net.json")


def test_a_large_network_is_read_without_searching_its_text_again_and_again() -> None:
    net = BayesNet.from_tables({f"x{v}": (["0", "1"], [], [0.5, 0.5]) for v in range(3000)})
    text = json_file.write(net)
    start = time.perf_counter()
    json_file.read(text, "net.json")
    assert time.perf_counter() - start < 30
