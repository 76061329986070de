from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bayesloom.errors import FileFormatError
from bayesloom_reproduction.experiment import Experiment, Generator, Key, Rows, Trial, generator
from bayesloom_reproduction.ledger import Ledger
from bayesloom_reproduction.runner import run_trials
from shell import ENVIRONMENT


def draw(trial: Trial, rng: Generator, *, fails_at: int = -1) -> Rows:
    """Draw one number; it can fail at a trial, as if it was interrupted."""
    if trial["rep"] == fails_at:
        raise KeyboardInterrupt
    return {"draws": [{"value": rng.random()}]}


DRAWS = Experiment("draws", {"kind": ("a", "b")}, 5, draw)


def test_an_interrupted_run_goes_on_where_it_was_left_and_ends_the_same(tmp_path: Path) -> None:
    whole = run_trials(DRAWS, Ledger.at(tmp_path / "whole", DRAWS), jobs=1)
    failing = replace(DRAWS, act=partial(draw, fails_at=2))
    with pytest.raises(KeyboardInterrupt):
        run_trials(failing, Ledger.at(tmp_path / "part", DRAWS), jobs=1)
    again = Ledger.at(tmp_path / "part", DRAWS)
    assert list(again.done) == [("b", 4), ("b", 3)]
    seen: list[int] = []
    rest = run_trials(DRAWS, again, jobs=1, report=lambda done, _all: seen.append(done))
    assert rest == whole
    assert seen == [2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert [row["kind"] for row in whole["draws"]] == ["a"] * 5 + ["b"] * 5


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    one, two = (
        run_trials(DRAWS, Ledger.at(tmp_path / str(jobs), DRAWS), jobs=jobs) for jobs in (1, 2)
    )
    assert one == two


def test_a_line_that_was_cut_off_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    Ledger.at(path, DRAWS).add(("a", 1), {"draws": [{"value": 0.5}]})
    whole = path.read_text()
    path.write_text(whole + '01234567 [["a", 2], {"dra')
    assert list(Ledger.at(path, DRAWS).done) == [("a", 1)]
    assert path.read_text() == whole


@pytest.mark.parametrize("lines", range(8))
def test_a_ledger_cut_off_anywhere_leads_to_the_same_results(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "ledger"
    whole = run_trials(DRAWS, Ledger.at(path, DRAWS), jobs=1)
    written = path.read_bytes()
    path.write_bytes(written[: lines * len(written) // 8])
    assert run_trials(DRAWS, Ledger.at(path, DRAWS), jobs=1) == whole
    assert sorted(path.read_bytes().split()) == sorted(written.split())


@pytest.mark.parametrize("place", range(11))
def test_a_damaged_line_is_told_dropped_and_run_again(tmp_path: Path, place: int) -> None:
    path = tmp_path / "ledger"
    whole = run_trials(DRAWS, Ledger.at(path, DRAWS), jobs=1)
    lines = path.read_bytes().split(b"\n")
    lines[place] = lines[place][:30] + b"\xff\x00" + lines[place][32:]
    path.write_bytes(b"\n".join(lines))
    mended = Ledger.at(path, DRAWS)
    assert mended.note == f"{path}: 1 damaged line was dropped; what is missing runs again"
    assert len(mended.done) == (10 if place == 0 else 9)
    assert run_trials(DRAWS, mended, jobs=1) == whole
    assert Ledger.at(path, DRAWS).note == ""


def test_results_of_another_seed_are_not_mixed_in(tmp_path: Path) -> None:
    Ledger.at(tmp_path / "ledger", DRAWS)
    with pytest.raises(FileFormatError, match="seed 2"):
        Ledger.at(tmp_path / "ledger", replace(DRAWS, seed=2))


@pytest.mark.parametrize("text", ["my diary\n", "\nmy diary\n"])
def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "ledger").write_text(text)
    with pytest.raises(FileFormatError, match="other results"):
        Ledger.at(tmp_path / "ledger", DRAWS)
    assert (tmp_path / "ledger").read_text() == text


def test_every_trial_has_its_own_randomness() -> None:
    keys: list[Key] = [("a", 1), ("a", 2), ("b", 1), ("b", 0)]
    draws = {generator(seed, key).random() for seed in (1, 2) for key in keys}
    assert len(draws) == 8


ENDLESS = """
import os, sys, time
from pathlib import Path
from bayesloom_reproduction.experiment import Experiment
from bayesloom_reproduction.ledger import Ledger
from bayesloom_reproduction.runner import run_trials

def draw(trial, rng):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(600)

if __name__ == "__main__":
    experiment = Experiment("endless", {"kind": ("a", "b")}, 5, draw)
    run_trials(experiment, Ledger.at(Path(sys.argv[1], "ledger"), experiment), jobs=2)
"""


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_in_the_midst_of_a_trial_when_their_parent_ends(
    tmp_path: Path, which: signal.Signals
) -> None:
    script, folder = tmp_path / "endless.py", tmp_path / "begun"
    folder.mkdir()
    script.write_text(ENDLESS)
    parent = subprocess.Popen(
        [sys.executable, script, folder],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(list(folder.iterdir())) < 3 and time.monotonic() < deadline:  # ledger, two workers
        time.sleep(0.1)
    parent.send_signal(which)
    try:
        parent.communicate(timeout=30)  # until all workers have closed their end
    finally:
        parent.kill()
    assert len(list(folder.iterdir())) == 3
