from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import reference
from bayesloom.graphs import DAG
from bayesloom.model import random_dag, random_net, sample
from bayesloom.reproduction import FIGURES, Ledger, keep_findings, keep_tables, run_trials
from bayesloom.reproduction.experiment import Rows
from bayesloom.reproduction.known_networks import known, redrawn
from bayesloom.reproduction.measures import engine_of, holds, learn
from bayesloom.reproduction.random_graphs import LEARNERS, RandomGraphs, _joint, _missed
from bayesloom.search import Dependency


def made(name: str, folder: Path, reps: int) -> Rows:
    experiment = FIGURES[name].experiment
    ledger = Ledger.at(folder / experiment.name, experiment.name, 1)
    return run_trials(experiment, ledger, reps=reps, seed=1, jobs=1)


def test_the_first_figure_is_a_chart_and_a_table_of_shares(tmp_path: Path) -> None:
    tables = made("fig1", tmp_path, reps=2)
    found = FIGURES["fig1"].make(tables)
    assert len(found.text.splitlines()) == 7
    assert ET.fromstring(found.charts["fig1"]).tag.endswith("svg")
    assert {row["right"] for row in tables["collider"]} <= {0, 1}
    written = keep_tables(tables, tmp_path, "collider") + keep_findings(found, tmp_path, "fig1")
    assert {path.suffix for path in written} == {".parquet", ".json", ".svg"}
    assert all(path.stat().st_size for path in written)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fig3", "fig4", "fig5", "tests", "fig7"])
def test_the_figures_of_random_graphs_can_be_drawn(name: str, tmp_path: Path) -> None:
    found = FIGURES[name].make(made(name, tmp_path, reps=2))
    assert found.text
    for svg in found.charts.values():
        ET.fromstring(svg)


def test_a_trial_measures_every_method_and_lists_what_the_score_misses() -> None:
    rows = RandomGraphs().run(("dense", 6, 500, 0), 1)
    assert [row["method"] for row in rows["runs"]] == [learner.name for learner in LEARNERS]
    for row in rows["runs"]:
        assert 0 <= float(row["kl_smooth"]) < math.inf
        assert float(row["kl"]) >= 0
        assert 0 <= float(row["f"]) <= 1
        assert float(row["false"]) <= float(row["rejected"]) <= float(row["conclusive"])
        assert row["uncovered"] == 0
    for missed in rows["missed"]:
        assert float(missed["information"]) > 0
        assert float(missed["p"]) <= 0.05


def test_the_strength_of_a_missed_dependency_is_that_of_the_true_distribution() -> None:
    rng = np.random.default_rng(3)
    net = random_net(random_dag(5, rng, dense=True), rng)
    joint = _joint(net)
    assert joint.sum() == pytest.approx(1)
    engine = engine_of(sample(net, 300, rng))
    by_score, tested = (learn(learner, engine) for learner in LEARNERS[:2])
    large = sample(net, 60_000, 1)
    found = [
        d
        for d in tested.result.dependencies
        if holds(net.dag, d) and not holds(by_score.result.dag, d)
    ]
    for row, d in zip(_missed(net, by_score, tested), found, strict=True):
        rough = float(reference.information(large, d.x, d.y, d.given))
        assert row["information"] == pytest.approx(rough, abs=3e-3)


def test_a_dependency_holds_in_a_graph_that_connects_its_ends() -> None:
    collider = DAG(("A", "B", "C"), (0, 0, 0b011))
    test = (9.0, 1.0, 0.003, -5.8, 20.0)
    assert not holds(collider, Dependency(0, 1, (), *test))
    assert holds(collider, Dependency(0, 1, (2,), *test))


def test_a_network_with_other_parameters_keeps_graph_and_states() -> None:
    net = known("insurance")
    other = redrawn(net, np.random.default_rng(1))
    assert (other.dag, other.states) == (net.dag, net.states)
    assert all(a.shape == b.shape for a, b in zip(net.tables, other.tables, strict=True))
    assert not np.allclose(net.tables[0], other.tables[0])
