from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from bayesloom.cli.program import program


@pytest.fixture
def files(tmp_path: Path) -> str:
    for k, wet in enumerate([["no", "yes"] * 50, ["no", "some"] * 50]):
        rows = pa.table({"rain": ["no", "yes"] * 50, "wet": wet})
        parquet.write_table(rows, tmp_path / f"{k}.parquet")
    return f"{tmp_path}/*.parquet"


def run(*args: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(program, args)
    return found.exit_code, found.stdout, found.stderr


def learned(files: str, *options: str) -> dict[str, object]:
    code, out, err = run("learn", files, "--search", "ges", "--json", *options)
    assert code == 0, err
    told: dict[str, object] = json.loads(out)
    del told["seconds"]
    return told


def test_every_engine_prints_the_same(files: str, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    wanted = learned(files, "--engine", "memory")
    assert learned(files) == wanted
    assert learned(files, "--engine", "disk", "--memory", "64MB", "--cache", cache) == wanted
    assert wanted["variables"] == ["rain", "wet"]


def test_caches_are_listed_and_removed(files: str, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    learned(files, "--engine", "disk", "--cache", cache)
    learned(files, "--engine", "disk", "--cache", cache, "--drop", "wet")
    code, out, _ = run("cache", "list", "--cache", cache, "--json")
    told = json.loads(out)
    assert (code, len(told["caches"])) == (0, 2)
    assert {c["rows"] for c in told["caches"]} == {200}
    assert {c["source"] for c in told["caches"]} == {files}
    assert told["bytes"] == sum(c["bytes"] for c in told["caches"])
    code, out, _ = run("cache", "list", "--cache", cache)
    assert "2 caches" in out
    assert "200 rows x 2 columns" in out
    one = told["caches"][0]["key"]
    code, out, _ = run("cache", "remove", one, "--cache", cache, "--json")
    assert (code, [c["key"] for c in json.loads(out)["removed"]]) == (0, [one])
    code, out, err = run("cache", "remove", one, "--cache", cache)
    assert code == 1
    assert err.count("\n") == 1
    assert "there is no cache" in err
    assert run("cache", "remove", files, "--cache", cache, "-q") == (0, "", "")
    learned(files, "--engine", "disk", "--cache", cache)
    code, out, _ = run("cache", "clear", "--cache", cache)
    assert out.startswith(f"{cache}: 1 cache, ")
    assert run("cache", "list", "--cache", cache)[1] == f"{cache}: no caches, 0 B\n"


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--engine", "gpu"], 2, "is not one of 'auto', 'memory', 'disk'"),
        (["--memory", "much"], 2, "memory must be a size such as '1GB' or '512MB', got 'much'"),
        (["--engine", "disk", "--cache", "/dev/null/x"], 1, "the cache cannot be written"),
        (["--engine", "disk", "--discretize", "mdl", "--target", "wet"], 2, "looks at all rows"),
    ],
)
def test_wrong_use_is_one_sentence(files: str, options: list[str], code: int, said: str) -> None:
    found = run("learn", files, *options)
    assert found[0] == code
    assert said in found[2]


def test_standard_input_cannot_be_on_a_disk() -> None:
    found = run("learn", "-", "--engine", "disk")
    assert found[0] == 2
    assert "reads files or a database, and standard input" in found[2]


def test_a_missing_or_broken_file_is_named(files: str, tmp_path: Path) -> None:
    (tmp_path / "9.parquet").write_bytes(b"PAR1")
    code, _, err = run("learn", files, "--engine", "disk", "--cache", str(tmp_path / "cache"))
    assert (code, err.count("\n")) == (1, 1)
    assert "9.parquet: this is not a sound Parquet file" in err
    code, _, err = run("learn", f"{tmp_path}/none-*.csv")
    assert (code, "no file has such a name" in err) == (1, True)


def test_scores_and_tests_count_on_a_disk_too(files: str, tmp_path: Path) -> None:
    net = str(tmp_path / "net.json")
    assert run("learn", files, "--search", "ges", "-o", net, "-q")[0] == 0
    disk = ("--engine", "disk", "--cache", str(tmp_path / "cache"))
    for command in (["score", net, files, "--json"], ["test", files, "rain", "wet", "--json"]):
        memory = run(*command)
        assert memory[0] == 0, memory
        assert run(*command, *disk) == memory
    assert len(list((tmp_path / "cache").iterdir())) == 2
