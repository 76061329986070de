"""EM against that of other programs: pyAgrum for drawn holes, pgmpy for latent variables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.engine import NativeEngine
from bayesloom.facade.fitting import with_latent
from bayesloom.model import BayesNet, fit_em

HERE = Path(__file__).parent
HOLES: dict[str, Any] = json.loads((HERE / "em_pyagrum.json").read_text())["data"]
LATENT: dict[str, Any] = json.loads((HERE / "em_pgmpy.json").read_text())["data"]


def columns_of(text: str) -> dict[str, list[str]]:
    head, *rows = (line.split(",") for line in text.splitlines())
    return {name: [row[v] for row in rows] for v, name in enumerate(head)}


@pytest.mark.parametrize("name", HOLES)
def test_the_maximum_for_drawn_holes_is_that_of_pyagrum(name: str) -> None:
    told = HOLES[name]
    net = bl.fit(
        bl.DAG.from_edges([tuple(arc) for arc in told["arcs"]]),
        columns_of(told["rows"]),
        bl.MaximumLikelihood(),
        method=bl.EM(tolerance=1e-16, max_steps=100_000),
        missing_markers=["?"],
    )
    for child, there in told["tables"].items():
        parents = list(net.parents(child))
        order = [parents.index(p) for p in there["parents"]]
        table = net.net.table(child).transpose([*order, len(parents)])
        assert np.abs(table - np.array(there["table"])).max() < 1e-8


@pytest.mark.parametrize("case", LATENT)
def test_steps_with_a_latent_variable_are_those_of_pgmpy(case: str) -> None:
    told = LATENT[case]
    dag = bl.DAG.from_edges([tuple(arc) for arc in told["arcs"]])
    rows = with_latent(bl.Table.from_frame(columns_of(told["rows"])), told["latent"])
    states = dict(zip(rows.names, rows.states, strict=True))

    def table_of(child: str, key: str) -> Any:  # noqa: ANN401 - an array
        """Return a table with the axes as the graph has them, the child's last."""
        there = told["tables"][child]
        sizes = [len(states[v]) for v in [child, *there["parents"]]]
        axes = [there["parents"].index(p) + 1 for p in dag.parents(child)]
        return np.array(there[key]).reshape(sizes).transpose([*axes, 0])

    start = BayesNet(
        dag,
        tuple(states[v] for v in dag.names),
        tuple(table_of(v, "start") for v in dag.names),
    )
    found, run = fit_em(
        dag,
        NativeEngine(rows.in_name_order()),
        bl.MaximumLikelihood(),
        bl.EM(tolerance=1e-300, max_steps=told["steps"]),
        start=start,
    )
    assert run.steps == told["steps"]
    for child in dag.names:
        assert np.abs(found.table(child) - table_of(child, "table")).max() < 1e-8
