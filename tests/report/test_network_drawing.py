from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import bayesloom as bl
from bayesloom.errors import GraphError, OptionError
from bayesloom.graphs import CPDAG, DAG, PDAG, ChordalGraph
from bayesloom.report import Drawing, Line
from bayesloom.report.network_drawing import network_drawing, recorded_drawing
from strategies_graphs import dags

COLLIDER = DAG.from_edges([("A", "C"), ("B", "C"), ("D", "A")])


def named(drawing: Drawing) -> dict[tuple[str, str], Line]:
    return {(drawing.labels[p], drawing.labels[v]): line for (p, v), line in drawing.lines.items()}


@pytest.fixture
def learned() -> bl.Network:
    rain = ["no", "yes", "yes", "no"] * 50
    wet = ["no", "yes", "no", "no"] * 50
    return bl.learn({"wet": wet, "rain": rain, "moon": ["old", "new"] * 100})


def test_a_dag_is_drawn_with_arrows_and_its_free_ones_are_dashed() -> None:
    drawn = named(network_drawing(COLLIDER))
    assert drawn == {
        ("A", "C"): Line.ARROW,
        ("B", "C"): Line.ARROW,
        ("D", "A"): Line.TURNABLE,
    }


def test_a_class_is_drawn_with_lines_where_its_direction_is_free() -> None:
    for drawing in (
        network_drawing(COLLIDER, view="class"),
        network_drawing(CPDAG.of(COLLIDER)),
    ):
        lines = list(named(drawing).values())
        assert sorted(line.name for line in lines) == ["ARROW", "ARROW", "OPEN"]
        assert any("class" in text for text in drawing.key.values())


@given(dags())
def test_what_is_printed_is_what_is_drawn(dag: DAG) -> None:
    cpdag = CPDAG.of(dag)
    drawn = named(network_drawing(cpdag, dag))
    assert {edge for edge, line in drawn.items() if line.has_head} == set(cpdag.directed)
    lines = {frozenset(edge) for edge, line in drawn.items() if not line.has_head}
    assert lines == {frozenset(edge) for edge in cpdag.undirected}
    assert set(named(network_drawing(dag))) == set(dag.edges)


def test_directions_from_knowledge_are_told_apart() -> None:
    known = PDAG.from_edges([("A", "B")], [("B", "C")])
    assert named(network_drawing(known)) == {("A", "B"): Line.KNOWN, ("B", "C"): Line.OPEN}


def test_a_graph_that_is_no_class_is_drawn_as_it_is() -> None:
    square = PDAG.from_edges([], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
    assert set(named(network_drawing(square)).values()) == {Line.OPEN}


def test_a_network_without_data_does_not_speak_of_data() -> None:
    drawing = network_drawing(COLLIDER)
    assert not any("data" in text for text in [*drawing.key.values(), *drawing.notes.values()])
    assert not drawing.measure


def test_a_markov_network_has_no_view_of_directions() -> None:
    graph = ChordalGraph.from_edges([("A", "B")])
    assert named(network_drawing(graph)) == {("A", "B"): Line.LINK}
    with pytest.raises(OptionError, match="no directions"):
        network_drawing(graph, view="class")


def test_an_unknown_view_is_refused() -> None:
    with pytest.raises(OptionError, match='view must be "dag" or "class"'):
        network_drawing(COLLIDER, view="cpdag")  # type: ignore[arg-type]


def test_a_directed_cycle_is_told_and_not_drawn() -> None:
    circle = PDAG.from_edges([("A", "B"), ("B", "C"), ("C", "A"), ("C", "<D>")], [("<D>", "E")])
    with pytest.raises(GraphError, match="the cycle A -> B -> C -> A cannot be drawn in rows"):
        network_drawing(circle)
    net = bl.network(circle)
    with pytest.raises(GraphError, match="cannot be drawn"):
        net.plot()
    assert "cannot be drawn in rows" in net._repr_html_()


def test_the_key_names_no_range_where_all_widths_are_the_same() -> None:
    copies = {"A": ["n", "y"] * 20, "B": ["n", "y"] * 20}
    said = str(bl.learn(copies, bl.GES()).plot())
    assert "width: bic falls by" in said
    assert "thicker" not in said
    said = str(bl.bootstrap(copies, bl.GES(), replicates=4).plot())
    assert "width: every edge is in 1.00 of 4 resamples" in said
    assert "thicker" not in said


def test_a_graph_that_no_dag_extends_is_drawn_as_no_class_of_networks() -> None:
    square = PDAG.from_edges([], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
    drawn = network_drawing(square)
    assert drawn.key[Line.OPEN] == "joined, the direction left open"
    assert all("fits equally well" not in note for note in drawn.notes.values())
    assert drawn.title == "Network"
    path = network_drawing(PDAG.from_edges([], [("A", "B"), ("B", "C")]))
    assert "class" in path.key[Line.OPEN]
    assert "class" in path.title.lower()


def test_directions_that_kinds_of_columns_give_are_not_told_as_knowledge() -> None:
    draw = np.random.default_rng(1)
    smoker = draw.integers(0, 2, 300)
    frame = {"smoker": ["ny"[k] for k in smoker], "income": draw.normal(size=300) + 3 * smoker}
    for knowledge, said in (
        (bl.Knowledge(), "given by the kinds of the columns: a number is no parent"),
        (bl.Knowledge(required=[("smoker", "income")]), "given by knowledge or the kinds"),
    ):
        net = bl.learn(frame, knowledge=knowledge)
        assert net.edges == (("smoker", "income"),)
        assert net.record is not None
        drawing = recorded_drawing(net.graph, net.extension, net.record)
        assert said in drawing.key[Line.KNOWN]
        assert all(said in note for note in drawing.notes.values())
