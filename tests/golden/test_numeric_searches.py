"""Searches on tables with numbers against the graphs and the scores of R bnlearn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bayesloom as bl
from bayesloom.graphs import CPDAG, DAG
from bayesloom.graphs.compare import structural_hamming_distance
from example_tables import NUMBERS, read_example

HERE = Path(__file__).parent
BNLEARN: dict[str, Any] = json.loads((HERE / "bnlearn_r_gaussian.json").read_text())["data"]
ROWS = (250, 500, 1000, 5000)


def graph_of(name: str, which: str) -> DAG:
    names = read_example(name).names
    return DAG.from_edges(map(tuple, BNLEARN[name]["graphs"][which]["arcs"]), names)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("search", [bl.HillClimbing(), bl.Tabu()], ids=["hc", "tabu"])
def test_climbs_over_dags_reach_the_score_of_bnlearn(name: str, search: bl.Search) -> None:
    table = read_example(name)
    theirs = graph_of(name, "hc" if isinstance(search, bl.HillClimbing) else "tabu")
    reached = bl.learn(table, search).score.value
    assert reached >= bl.BIC().explain(table, theirs).value - 1e-9 * abs(reached)


@pytest.mark.parametrize(
    ("name", "rows", "most"),
    [
        (name, rows, 2 if (name, rows) == ("clgaussian.test", 250) else 0)
        for name in ("gaussian.test", "clgaussian.test")
        for rows in ROWS
    ],
)
def test_the_default_finds_the_true_class(name: str, rows: int, most: int) -> None:
    """Of clgaussian.test no score finds it in 250 rows: a cell that R's tabu misses by 2, too."""
    net = bl.learn(read_example(name).take(slice(0, rows)))
    true = CPDAG.of(graph_of(name, "true").reordered(net.cpdag.names))
    assert structural_hamming_distance(true, net.cpdag) <= most


@pytest.mark.parametrize("name", ["gaussian.test", "marks"])
@pytest.mark.parametrize(
    ("key", "search"), [("aracne", bl.ARACNE()), ("chow.liu", bl.ChowLiu())], ids=["aracne", "tree"]
)
def test_trees_and_triangles_join_the_pairs_of_bnlearn(
    name: str, key: str, search: bl.Search
) -> None:
    net = bl.learn(read_example(name), search)
    ours = {frozenset(pair) for pair in (*net.edges, *net.undirected)}
    assert ours == {frozenset(arc) for arc in BNLEARN[name]["learners"][key]}
