"""The study behind the default: its learners, its data and its tables."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from bayesloom.learning import DEFAULT_SEARCH
from bayesloom.scores import QNML
from bayesloom.search import IXGES
from bayesloom_reproduction.experiment import Rows, Trial
from bayesloom_reproduction.held_out import HELD_OUT, TABLES, figure_held_out, table_of
from bayesloom_reproduction.known_networks import known
from bayesloom_reproduction.learners import CHOSEN, EARLIER, learners
from bayesloom_reproduction.study import ESTIMATORS, NETWORKS, STUDY, figure_study

FOLDER = Path(__file__).parents[2] / "reproduction" / "bayesloom_reproduction"


def test_the_learner_that_the_study_chose_is_the_default() -> None:
    found = {learner.name: learner.search for learner in learners()}
    assert len(found) == len(learners())
    assert found[CHOSEN] == DEFAULT_SEARCH
    assert found[EARLIER] == IXGES(score=QNML(guard=4, sparsity=0.5))


@pytest.mark.parametrize("folder", ["networks", "tables"])
def test_the_data_are_those_that_were_recorded(folder: str) -> None:
    said = (FOLDER / folder / "README.md").read_text()
    files = sorted((FOLDER / folder).glob("*.gz"))
    assert files
    for file in files:
        assert f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" in said


def test_every_network_and_table_of_the_study_is_there() -> None:
    sizes = [known(name).dag.n for name in NETWORKS]
    assert (min(sizes), max(sizes)) == (6, 76)
    for name in TABLES:
        assert table_of(name).n_rows > 100


def test_trials_measure_every_learner_and_make_tables() -> None:
    rows: Rows = {"runs": []}
    for parameters in ("own", "random"):
        for size in (200, 500, 2000, 10_000):
            trial: Trial = {"network": "asia", "parameters": parameters, "rows": size, "rep": 0}
            rows["runs"] += STUDY.run(trial)["runs"]
    assert {row["method"] for row in rows["runs"]} == {learner.name for learner in learners()}
    for row in rows["runs"]:
        assert all(0 <= float(row[name]) < 10 for name in ESTIMATORS)
        assert row["uncovered"] == 0
    found = figure_study(rows)
    assert f"| {CHOSEN} |" in found.text
    assert set(found.data) >= {"change, all", "change, own", "change, asia", "means"}


def test_losses_on_real_tables_make_a_table() -> None:
    found = figure_held_out(HELD_OUT.run({"table": "flare", "rep": 0}))
    assert f"| {CHOSEN} |" in found.text
    losses = found.data[CHOSEN]
    assert isinstance(losses, dict)
    assert 5 < losses["flare"] < 7
    assert losses["above the best"] >= 0
