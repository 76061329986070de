from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pytest
from pyarrow import parquet

import bayesloom as bl
from bayesloom.cli.program import program
from bayesloom.errors import OptionError
from click_runner import CliRunner


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
        (
            ["--engine", "disk", "--cache", "/dev/null/x"],
            1,
            "/dev/null/x: this folder cannot be made (Not a directory); choose another folder",
        ),
        (["--engine", "disk", "--discretize", "mdl", "--target", "snow"], 1, "names the column"),
    ],
)
def test_wrong_use_is_one_sentence(files: str, options: list[str], code: int, said: str) -> None:
    found = run("learn", files, *options)
    assert found[0] == code
    assert said in found[2]


def test_a_file_in_the_place_of_the_folder_of_caches_is_called_so(
    files: str, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("mine")
    place = str(tmp_path / "taken")
    code, _, err = run("learn", files, "--engine", "disk", "--cache", place)
    assert (code, err.count("\n")) == (1, 1)
    assert f"{place}: this is a file, and caches need a folder; choose another folder" in err
    assert Path(place).read_text() == "mine"


def test_only_a_full_disk_is_told_to_be_cleared(
    files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, said in ((errno.EACCES, ""), (errno.ENOSPC, "make room (`bayesloom cache clear`)")):
        monkeypatch.setattr(
            "bayesloom.data.cache_folder._fill", mock.Mock(side_effect=OSError(number, "so"))
        )
        code, _, err = run("learn", files, "--engine", "disk", "--cache", str(tmp_path / "c"))
        assert (code, err.count("\n")) == (1, 1)
        assert "the cache cannot be written (so); " in err
        assert ("make room" in err) == bool(said)
        assert "choose another folder (cache=, --cache, BAYESLOOM_CACHE)" in err


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


COMMANDS = {
    "score": ["score", "NET", "FILES"],
    "test": ["test", "FILES", "rain", "wet"],
    "explain": ["explain", "NET", "rain", "wet", "--data", "FILES"],
    "edges": ["edges", "NET", "--data", "FILES"],
    "blanket": ["blanket", "FILES", "wet"],
    "bootstrap": ["bootstrap", "FILES", "--search", "ges", "--replicates", "4"],
    "posterior": ["posterior", "FILES", "--moves", "500", "--samples", "50"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_counts_does_so_on_a_disk_too(
    name: str, files: str, tmp_path: Path
) -> None:
    net = str(tmp_path / "net.bif")
    assert run("learn", files, "--search", "ges", "-o", net, "-q")[0] == 0
    told = [{"NET": net, "FILES": files}.get(part, part) for part in COMMANDS[name]]
    cache = tmp_path / "cache"
    memory = run(*told, "--json", "--engine", "memory", "--cache", str(cache))
    assert memory[0] == 0, memory
    assert not cache.exists()
    disk = run(*told, "--json", "--engine", "disk", "--memory", "64MB", "--cache", str(cache))
    assert disk[0] == 0, disk
    plain = [json.loads(out) | {"seconds": None} for _, out, _ in (memory, disk)]
    assert plain[0] == plain[1]
    assert [file.suffix for file in cache.iterdir()] == [".codes"]
    refused = run(*told, "--engine", "dask")
    assert refused[0] == 2
    assert "is not one of 'auto', 'memory', 'disk'" in refused[2]


def test_a_report_counts_on_a_disk_too(files: str, tmp_path: Path) -> None:
    net, cache = str(tmp_path / "net.bif"), tmp_path / "cache"
    assert run("learn", files, "--search", "ges", "-o", net, "-q")[0] == 0
    pages = [str(tmp_path / f"{k}.html") for k in range(2)]
    told = ["report", net, "--data", files, "-q", "--cache", str(cache)]
    assert run(*told, "-o", pages[0], "--engine", "memory") == (0, "", "")
    assert run(*told, "-o", pages[1], "--engine", "disk") == (0, "", "")
    assert len(list(cache.iterdir())) == 1
    assert abs(Path(pages[0]).stat().st_size - Path(pages[1]).stat().st_size) < 3000


def test_engine_options_of_a_network_need_data(files: str, tmp_path: Path) -> None:
    net = str(tmp_path / "net.bif")
    assert run("learn", files, "--search", "ges", "-o", net, "-q")[0] == 0
    code, _, err = run("explain", net, "rain", "wet", "--engine", "disk")
    assert (code, "--engine needs --data" in err) == (2, True)


def test_python_takes_the_same_options(files: str, tmp_path: Path) -> None:
    disk: dict[str, Any] = {"engine": "disk", "cache": tmp_path / "cache", "memory": "64MB"}
    found = bl.bootstrap(files, bl.GES(), replicates=3, **disk)
    assert found.edges["rain", "wet"].strength == 1
    assert bl.posterior(files, moves=500, **disk).edges["rain", "wet"].strength > 0.9
    assert bl.markov_blanket(files, "wet", **disk).members == ("rain",)
    assert len(list((tmp_path / "cache").iterdir())) == 1
    said = "engine must be one of auto, memory, disk, got 'dask'"
    for ask in (
        lambda: bl.bootstrap(files, bl.GES(), engine="dask"),
        lambda: bl.posterior(files, engine="dask"),
        lambda: bl.markov_blanket(files, "wet", engine="dask"),
    ):
        with pytest.raises(OptionError, match=said):
            ask()
    engine = bl.open(files, cache=tmp_path / "cache")
    with pytest.raises(OptionError, match="memory is an option of reading, and an engine has"):
        bl.bootstrap(engine, bl.GES(), memory="1GB")
