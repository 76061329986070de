from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import reference
from bayesloom.data import Table
from bayesloom.graphs import DAG
from bayesloom.model import draw_rows, random_dag, random_net
from bayesloom.search import Dependency
from bayesloom_reproduction import FIGURES
from bayesloom_reproduction.collider import supported
from bayesloom_reproduction.experiment import Experiment, Row, Rows
from bayesloom_reproduction.known_networks import known, redrawn
from bayesloom_reproduction.ledger import Ledger
from bayesloom_reproduction.measures import engine_of, holds, learn
from bayesloom_reproduction.random_figures import _exponent
from bayesloom_reproduction.random_graphs import LEARNERS, _joint, _missed
from bayesloom_reproduction.results import keep_findings, keep_tables
from bayesloom_reproduction.runner import run_trials


def made(experiment: Experiment, folder: Path, reps: int) -> Rows:
    few = replace(experiment, reps=reps)
    return run_trials(few, Ledger.at(folder / few.name, few), jobs=1)


def test_the_first_figure_is_a_chart_and_a_table_of_shares(tmp_path: Path) -> None:
    experiment, figure = FIGURES["fig1"]
    tables = made(experiment, tmp_path, reps=2)
    found = figure.make(tables)
    assert len(found.text.splitlines()) == 14
    assert ET.fromstring(found.charts["fig1"]).tag.endswith("svg")
    assert {row["right"] for row in tables["collider"]} <= {0, 1}
    written = keep_tables(tables, tmp_path, "collider") + keep_findings(found, tmp_path, "fig1")
    assert {path.suffix for path in written} == {".parquet", ".json", ".svg"}
    assert all(path.stat().st_size for path in written)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fig3", "fig6", "fig7", "crux"])
def test_the_figures_can_be_drawn(name: str, tmp_path: Path) -> None:
    experiment, _ = FIGURES[name]
    tables = made(experiment, tmp_path, reps=2)
    for figure in experiment.figures:
        found = figure.make(tables)
        assert found.text
        assert found.charts
        for svg in found.charts.values():
            ET.fromstring(svg)


def test_a_trial_measures_every_method_and_lists_what_the_score_misses() -> None:
    trial: Row = {"setting": "dense", "nodes": 6, "rows": 500, "rep": 0}
    rows = FIGURES["fig3"][0].run(trial)
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
    engine = engine_of(draw_rows(net, 300, rng))
    by_score, tested = (learn(learner, engine) for learner in LEARNERS[:2])
    large = draw_rows(net, 60_000, 1)
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


def test_an_adjacency_is_supported_by_a_test_alone_or_given_the_third() -> None:
    bits = np.random.default_rng(1).integers(0, 2, (3, 200), np.uint8)
    bits[2] = bits[0] ^ bits[1]
    parity = engine_of(Table(["X", "Y", "Z"], [["0", "1"]] * 3, list(bits)))
    assert supported(parity, 0, 1)
    bits = np.array([[0, 0, 1, 1] * 50, [0, 1, 0, 1] * 50, [0] * 100 + [1] * 100], np.uint8)
    free = engine_of(Table(["X", "Y", "Z"], [["0", "1"]] * 3, list(bits)))
    assert not supported(free, 0, 1)


def test_the_exponent_of_a_power_is_found() -> None:
    assert _exponent((1, 10, 100), [5.0, 0.5, 0.05]) == pytest.approx(-1)


def test_the_paired_numbers_of_figure_3_are_positive_where_a_method_is_better() -> None:
    experiment, figure = FIGURES["fig3"]
    best = {"GES": 0.3, "IGES 5%": 0.2, "IGES 1%": 0.1, "IGES BH 5%": 0.4}
    rows: list[Row] = [
        {**trial, "method": name, "f": 1 - kl, **dict.fromkeys(("kl", "kl_cut", "kl_smooth"), kl)}
        for trial in replace(experiment, reps=2).trials()
        for name, kl in best.items()
    ]
    data = figure.make({"runs": rows}).data
    for measure in ("kl", "kl_cut", "kl_smooth", "f"):
        better, worse = (data[f"dense, IGES {level}, {measure}"] for level in ("1%", "BH 5%"))
        assert isinstance(better, dict)
        assert isinstance(worse, dict)
        assert (better["better"], worse["worse"]) == (56, 56)
