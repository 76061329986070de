"""The study of the crux: small, exact, and drawn."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np

from bayesloom.graphs import ChordalGraph, is_chordal
from bayesloom_reproduction import FIGURES
from bayesloom_reproduction.crux import CRUX, SETS, drawn_sets
from bayesloom_reproduction.experiment import Row


def test_local_values_are_those_of_the_whole_graph() -> None:
    rows = CRUX.run({"variables": 50, "rep": 0})["crux"]
    assert {row["links"] for row in rows} == {1, 2, 3}
    for row in rows:
        assert float(row["entropy_error"]) < 1e-10
        assert row["parameter_error"] == 0
        assert 2 <= float(row["crux"]) < 20


def test_drawn_sets_can_be_added_and_are_not_too_many() -> None:
    graph = ChordalGraph.from_edges([(f"x{k}", f"x{k + 1}") for k in range(9)])
    sets = drawn_sets(graph, np.random.default_rng(1))
    assert 0 < len(sets) <= 3 * SETS
    for links in sets:
        after = list(graph.adjacency)
        for x, y in links:
            assert not after[x] >> y & 1
            after[x] |= 1 << y
            after[y] |= 1 << x
        assert is_chordal(after)


def test_the_figure_tells_sizes_times_and_the_largest_error() -> None:
    measured: Row = {
        "links": 1,
        "crux": 3,
        "new_cliques": 1,
        "local": 0.001,
        "global": 0.004,
        "entropy_error": 1e-15,
        "parameter_error": 0,
    }
    rows: list[Row] = [{"variables": n, "rep": 0, **measured} for n in (20, 50)]
    found = FIGURES["crux"][1].make({"crux": rows})
    assert "differ by at most 1.0e-15, numbers of parameters in 0 of them" in found.text
    assert "       50   3.00        3     1.000      4.000    4.0" in found.text
    assert set(found.charts) == {"crux-size", "crux-time"}
    for svg in found.charts.values():
        assert ET.fromstring(svg).tag.endswith("svg")
