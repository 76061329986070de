from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bayesloom.cli.program import program
from bayesloom.cli.reproduce import NAMES
from bayesloom_reproduction import FIGURES
from click_runner import CliRunner
from shell import COMMAND, ENVIRONMENT


def reproduce(*arguments: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(program, ["reproduce", *arguments])
    return found.exit_code, found.stdout, found.stderr


def test_the_command_knows_every_figure() -> None:
    assert set(NAMES) == set(FIGURES)


def test_a_figure_is_printed_as_one_object_and_kept_as_tables_and_charts(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    first = reproduce("fig1", "--reps", "1", "--jobs", "1", "-o", str(folder), "--json")
    assert first[0] == 0
    found = json.loads(first[1])
    assert found["figure"] == "fig1"
    assert {Path(name).name for name in found["files"]} == {
        "collider-collider.parquet",
        "fig1.json",
        "fig1.svg",
    }
    assert all(Path(name).exists() for name in found["files"])
    again = reproduce("fig1", "--reps", "1", "--jobs", "1", "-o", str(folder), "--json")
    assert again == first


def test_another_seed_in_the_same_folder_is_refused_with_one_sentence(tmp_path: Path) -> None:
    reproduce("fig1", "--reps", "1", "--jobs", "1", "-o", str(tmp_path), "-q")
    code, out, said = reproduce("fig1", "--seed", "2", "--jobs", "1", "-o", str(tmp_path))
    assert (code, out) == (1, "")
    assert "seed 2" in said
    assert said.count("\n") == 1


def test_a_signal_is_exit_code_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for which in (signal.SIGINT, signal.SIGTERM):
        monkeypatch.setattr(
            "bayesloom_reproduction.command.run_trials",
            lambda *_, which=which, **__: signal.raise_signal(which),
        )
        assert reproduce("fig1", "-o", str(tmp_path)) == (130, "", "Interrupted.\n")


def test_a_damaged_ledger_is_told_in_one_sentence_and_mended(tmp_path: Path) -> None:
    arguments = ("fig1", "--reps", "1", "--jobs", "1", "-o", str(tmp_path), "--json")
    first = reproduce(*arguments)
    ledger = tmp_path / "collider.jsonl"
    ledger.write_text(ledger.read_text().replace('"right"', '"wrong"', 1))
    code, out, said = reproduce(*arguments)
    assert (code, out) == first[:2]
    assert said == f"{ledger}: 1 damaged line was dropped; what is missing runs again\n"


def test_without_the_experiments_the_command_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "bayesloom_reproduction", None)
    code, out, said = reproduce("fig1")
    assert (code, out) == (1, "")
    assert said.endswith("in the source tree of bayesloom: pip install ./reproduction\n")
    assert said.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("which", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)]
)
def test_an_interrupted_run_keeps_the_finished_trials_and_leaves_no_workers(
    tmp_path: Path, which: signal.Signals, code: int
) -> None:
    command = [*COMMAND, "reproduce", "fig1", "--reps", "1000", "--jobs", "2", "-o", str(tmp_path)]
    process = subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    ledger = tmp_path / "collider.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if ledger.exists() and ledger.read_text().count("\n") > 1:
            break
        time.sleep(0.2)
    process.send_signal(which)
    _, said = process.communicate(timeout=60)  # until all workers have closed their end
    assert process.returncode == code
    assert "Traceback" not in said
    kept = ledger.read_text().count("\n") - 1
    assert 0 < kept < 7000
