from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import CPDAG, DAG, ChordalGraph
from bayesloom.report import Drawing, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    root = ET.fromstring(picture)
    nodes = [g for g in root.iter(f"{NAMESPACE}g") if g.get("class") == "node"]
    return ["".join(g.itertext()) for g in nodes]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12))
def test_any_label_gives_well_formed_svg_that_shows_it(label: str) -> None:
    assert texts(svg(Drawing((label,), (0,)))) == [label]


def test_a_free_direction_is_dashed_and_a_compelled_one_has_an_arrowhead() -> None:
    collider = DAG.from_edges([("A", "C"), ("B", "C"), ("D", "A")])
    picture = svg(Drawing.of(CPDAG.of(collider)))
    # A -> C and B -> C are compelled, D - A is free; the key repeats one of each.
    assert picture.count('class="edge free"') == 2
    assert picture.count('class="head"') == 3


def test_isolated_nodes_are_drawn() -> None:
    assert sorted(texts(svg(Drawing.of(DAG.empty(["A", "B", "C"]))))) == ["A", "B", "C"]


def test_a_chordal_graph_and_its_junction_forest_have_no_arrowheads() -> None:
    graph = ChordalGraph.from_edges([("A", "B"), ("B", "C"), ("A", "C"), ("C", "D")])
    assert 'class="head"' not in svg(Drawing.of(graph))
    assert sorted(texts(svg(Drawing.of(graph.junction_forest())))) == ["A, B, C", "C, D"]


@pytest.mark.parametrize("note", ["p < 0.05 & more", "<script>alert(1)</script>"])
def test_notes_are_escaped(note: str) -> None:
    picture = svg(Drawing(("A", "B"), (0, 1), notes={(0, 1): note}))
    assert "<script>" not in picture
    titles = [t.text for t in ET.fromstring(picture).iter(f"{NAMESPACE}title")]
    assert titles == [note]


def test_the_edges_of_a_junction_forest_tell_what_the_cliques_share() -> None:
    forest = ChordalGraph.from_edges([("A", "B"), ("B", "C")]).junction_forest()
    assert "<title>shares B</title>" in svg(Drawing.of(forest))
