from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.errors import GraphError
from bayesloom.graphs import CPDAG, DAG, structural_hamming_distance
from bayesloom.report.difference import difference_drawing
from bayesloom.report.drawing import Line, Tint
from strategies_graphs import dag_masks


def drawn(here: DAG, there: DAG) -> Counter[Tint]:
    return Counter(difference_drawing(here, None, there, None).tints.values())


@st.composite
def two_dags(draw: st.DrawFn) -> tuple[DAG, DAG]:
    first = draw(dag_masks())
    second = draw(dag_masks().filter(lambda masks: len(masks) == len(first)))
    names = tuple(f"v{k}" for k in range(len(first)))
    order = draw(st.permutations(range(len(first))))
    other = DAG(tuple(names[k] for k in order), tuple(second))
    return DAG(names, tuple(first)), other


@given(two_dags())
def test_what_differs_in_the_picture_is_what_the_shd_counts(pair: tuple[DAG, DAG]) -> None:
    here, there = pair
    tints = drawn(here, there)
    apart = tints[Tint.EXTRA] + tints[Tint.MISSING] + tints[Tint.TURNED]
    aligned = there.reordered(here.names)
    assert apart == structural_hamming_distance(CPDAG.of(here), CPDAG.of(aligned))


@given(two_dags())
def test_extra_and_missing_change_places_with_the_networks(pair: tuple[DAG, DAG]) -> None:
    one, other = drawn(*pair), drawn(*pair[::-1])
    assert one[Tint.EXTRA] == other[Tint.MISSING]
    assert one[Tint.TURNED] == other[Tint.TURNED]
    assert one[Tint.SHARED] == other[Tint.SHARED]


@given(two_dags())
def test_arrows_point_as_the_networks_have_them(pair: tuple[DAG, DAG]) -> None:
    here, there = pair
    drawing = difference_drawing(here, None, there, None)
    classes = {True: CPDAG.of(here), False: CPDAG.of(there)}
    for edge, tint in drawing.tints.items():
        top, low = (drawing.labels[v] for v in edge)
        x, y = (low, top) if edge in drawing.upward else (top, low)
        told = classes[tint is not Tint.MISSING]
        if drawing.line(edge) is Line.LINK:
            assert frozenset((x, y)) in {frozenset(pair) for pair in told.undirected}
        else:
            assert (x, y) in told.directed


def test_networks_over_different_variables_are_refused() -> None:
    with pytest.raises(GraphError, match="only one has"):
        bl.network("A -> B").plot(against="A -> C")


def test_links_and_arrows_are_not_compared() -> None:
    links = bl.learn({"A": ["x", "y"] * 20, "B": ["x", "y"] * 20}, bl.DMN())
    with pytest.raises(GraphError, match="two of a kind"):
        links.plot(against="A -> B")
    assert "shared: 1" in str(links.plot(against=links))


def test_the_same_network_has_no_difference() -> None:
    text = str(bl.example("asia").plot(against=bl.example("asia")))
    assert "shared: 8 the same in both" in text
    assert "only here" not in text
