from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.reproduction import Ledger, run_trials
from bayesloom.reproduction.experiment import Key, Rows, generator


@dataclass(frozen=True)
class Draws:
    """An experiment that draws one number; it can fail at a trial, as if it was interrupted."""

    fails_at: int = -1
    name: str = "draws"
    reps: int = 3

    def keys(self, reps: int) -> list[Key]:
        return [(kind, rep) for rep in reversed(range(reps)) for kind in ("b", "a")]

    def run(self, key: Key, seed: int) -> Rows:
        if key[1] == self.fails_at:
            raise KeyboardInterrupt
        return {"draws": [{"kind": key[0], "rep": key[1], "value": generator(seed, key).random()}]}


def test_an_interrupted_run_goes_on_where_it_was_left_and_ends_the_same(tmp_path: Path) -> None:
    whole = run_trials(Draws(), Ledger.at(tmp_path / "whole", "draws", 1), reps=5, seed=1, jobs=1)
    ledger = Ledger.at(tmp_path / "part", "draws", 1)
    with pytest.raises(KeyboardInterrupt):
        run_trials(Draws(fails_at=2), ledger, reps=5, seed=1, jobs=1)
    again = Ledger.at(tmp_path / "part", "draws", 1)
    assert len(again.done) == 4
    seen: list[int] = []
    rest = run_trials(
        Draws(), again, reps=5, seed=1, jobs=1, report=lambda done, _all: seen.append(done)
    )
    assert rest == whole
    assert seen == [4, 5, 6, 7, 8, 9, 10]
    assert [row["kind"] for row in whole["draws"]] == ["a"] * 5 + ["b"] * 5


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    one, two = (
        run_trials(Draws(), Ledger.at(tmp_path / str(jobs), "draws", 1), reps=4, seed=1, jobs=jobs)
        for jobs in (1, 2)
    )
    assert one == two


def test_a_line_that_was_cut_off_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    Ledger.at(path, "draws", 1).add(("a", 1), {"draws": [{"value": 0.5}]})
    whole = path.read_text()
    path.write_text(whole + '[["a", 2], {"dra')
    assert list(Ledger.at(path, "draws", 1).done) == [("a", 1)]
    assert path.read_text() == whole


def test_results_of_another_seed_are_not_mixed_in(tmp_path: Path) -> None:
    Ledger.at(tmp_path / "ledger", "draws", 1)
    with pytest.raises(FileFormatError, match="seed 2"):
        Ledger.at(tmp_path / "ledger", "draws", 2)


def test_every_trial_has_its_own_randomness() -> None:
    keys: list[Key] = [("a", 1), ("a", 2), ("b", 1), ("b", 0)]
    draws = {generator(seed, key).random() for seed in (1, 2) for key in keys}
    assert len(draws) == 8
