"""Decomposable Markov networks with tables, against their formula and against Bayesian networks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import CapacityError, ModelError, OptionError, UnknownVariableError
from bayesloom.graphs import ChordalGraph, bits
from bayesloom.inference import compile_net, query
from bayesloom.model import BDeuMean, DecomposableNet, MaximumLikelihood, fit_net
from bayesloom.scores import model_entropy, model_parameters
from strategies_graphs import chordal_masks
from strategies_search import tables

BITS = ("0", "1")


@st.composite
def fitted(
    draw: st.DrawFn, most: int = 6, ess: tuple[float, ...] = (0.0, 1.0, 7.5)
) -> tuple[Table, DecomposableNet, float]:
    """Draw a table, a chordal graph over it and the weight of a prior; fit."""
    table = draw(tables(least=1, most=most))
    n = table.n_columns
    graph = ChordalGraph(table.names, tuple(draw(chordal_masks(n, least=n))))
    weight = draw(st.sampled_from(ess))
    return table, DecomposableNet.fit(graph, NativeEngine(table), weight), weight


@settings(max_examples=60)
@given(fitted())
def test_it_is_the_bayesian_network_of_its_dag(drawn: tuple[Table, DecomposableNet, float]) -> None:
    table, net, ess = drawn
    estimator = BDeuMean(ess) if ess else MaximumLikelihood()
    expected = fit_net(net.graph.to_dag(), NativeEngine(table), estimator)
    found = net.to_bayes_net()
    assert found.dag == expected.dag
    for here, there in zip(found.tables, expected.tables, strict=True):
        np.testing.assert_allclose(here, there, atol=1e-12)


@settings(max_examples=60)
@given(fitted())
def test_the_joint_sums_to_one_and_has_the_clique_tables_as_marginals(
    drawn: tuple[Table, DecomposableNet, float],
) -> None:
    _, net, _ = drawn
    joint = net.joint()
    assert joint.sum() == pytest.approx(1.0, abs=1e-12)
    everything = (1 << net.graph.n) - 1
    for clique, table in zip(net.forest.cliques, net.tables, strict=True):
        np.testing.assert_allclose(
            joint.sum(axis=tuple(bits(everything & ~clique))), table, atol=1e-12
        )


@settings(max_examples=40)
@given(fitted())
def test_the_joint_is_the_product_of_cliques_divided_by_separators(
    drawn: tuple[Table, DecomposableNet, float],
) -> None:
    _, net, _ = drawn
    joint = net.joint()
    for cell in np.ndindex(joint.shape):
        above = math.prod(
            float(table[tuple(cell[v] for v in bits(clique))])
            for clique, table in zip(net.forest.cliques, net.tables, strict=True)
        )
        below = math.prod(
            float(net.separator_table(i)[tuple(cell[v] for v in bits(separator))])
            for i, separator in enumerate(net.forest.separators)
        )
        assert joint[cell] == pytest.approx(above / below if below else 0.0, abs=1e-12)
        if joint.size > 300:
            break


@settings(max_examples=60)
@given(fitted(ess=(0.0,)))
def test_the_likelihood_of_its_data_is_minus_n_times_its_entropy(
    drawn: tuple[Table, DecomposableNet, float],
) -> None:
    table, net, _ = drawn
    entropy = model_entropy(net.graph, NativeEngine(table))
    assert net.entropy == pytest.approx(entropy, abs=1e-10)
    assert net.log_likelihood(table) == pytest.approx(-table.n_rows * entropy, abs=1e-7)
    assert net.n_parameters == model_parameters(net.graph, NativeEngine(table))


@settings(max_examples=40)
@given(fitted())
def test_a_clique_given_the_one_above_is_a_distribution_wherever_that_is_possible(
    drawn: tuple[Table, DecomposableNet, float],
) -> None:
    _, net, _ = drawn
    for i, clique in enumerate(net.forest.cliques):
        separator = net.forest.separators[i]
        kept = tuple(k for k, v in enumerate(bits(clique)) if not separator >> v & 1)
        sums = net.conditional(i).sum(axis=kept)
        np.testing.assert_allclose(sums, net.separator_table(i) > 0, atol=1e-12)


@settings(max_examples=25)
@given(fitted(most=5, ess=(1.0,)), st.data())
def test_posteriors_are_those_of_the_joint(
    drawn: tuple[Table, DecomposableNet, float], data: st.DataObject
) -> None:
    _, net, _ = drawn
    target, *rest = data.draw(st.permutations(range(net.graph.n)))
    joint = net.joint()
    evidence = {}
    cell: list[slice | int] = [slice(None)] * net.graph.n
    for v in rest[:2]:
        state = data.draw(st.integers(0, len(net.states[v]) - 1))
        evidence[net.names[v]] = net.states[v][state]
        cell[v] = slice(state, state + 1)
    part = joint[tuple(cell)]
    others = tuple(v for v in range(net.graph.n) if v != target)
    expected = part.sum(axis=others)
    found = query(net, net.names[target], evidence)
    np.testing.assert_allclose(found.values, expected / expected.sum(), atol=1e-12)
    assert found.evidence_probability == pytest.approx(float(expected.sum()))
    again = compile_net(net).posterior(net.names[target], evidence)
    np.testing.assert_allclose(again.values, found.values, atol=1e-12)


def made(graph: ChordalGraph, states: Sequence[Sequence[str]], tables: Any) -> DecomposableNet:  # noqa: ANN401
    return DecomposableNet(graph, tuple(map(tuple, states)), tuple(tables))


def parity(noise: float = 0.05) -> DecomposableNet:
    joint = np.empty((2, 2, 2))
    for a, b, c in np.ndindex(2, 2, 2):
        joint[a, b, c] = 0.25 * (1 - noise if c == a ^ b else noise)
    return made(ChordalGraph.from_cliques([["A", "B", "C"]]), [BITS] * 3, [joint])


def test_samples_have_the_frequencies_of_the_tables() -> None:
    net = parity()
    table = net.sample(40_000, 3)
    refitted = DecomposableNet.fit(net.graph, NativeEngine(table))
    np.testing.assert_allclose(refitted.tables[0], net.tables[0], atol=0.01)


def test_columns_of_the_data_may_stand_in_another_order() -> None:
    table = parity().sample(500, 1)
    graph = ChordalGraph.from_edges([("C", "A"), ("A", "B")])
    net = DecomposableNet.fit(graph, NativeEngine(table))
    swapped = DecomposableNet.fit(graph, NativeEngine(table.select(["B", "C", "A"])))
    for here, there in zip(net.tables, swapped.tables, strict=True):
        np.testing.assert_array_equal(here, there)


def test_a_network_from_a_joint_with_its_independences_is_that_joint() -> None:
    net = parity()
    again = DecomposableNet.from_joint(net.graph, [BITS] * 3, net.joint())
    np.testing.assert_allclose(again.joint(), net.joint(), atol=1e-15)
    apart = DecomposableNet.from_joint(ChordalGraph.empty(net.names), [BITS] * 3, net.joint())
    np.testing.assert_allclose(apart.joint(), 0.125, atol=1e-15)


def test_it_prints_its_junction_forest() -> None:
    graph = ChordalGraph.from_edges([("A", "B"), ("B", "C")])
    net = DecomposableNet.from_joint(graph, [BITS] * 3, np.full((2, 2, 2), 0.125))
    assert repr(net) == (
        "DecomposableNet of 3 variables, 2 cliques, 5 free parameters\n  A, B\n    B, C (shares B)"
    )


def test_parts_that_do_not_fit_are_refused_with_the_place() -> None:
    pair = ChordalGraph.from_edges([("A", "B")])
    path = ChordalGraph.from_edges([("A", "B"), ("B", "C")])
    quarter = np.full((2, 2), 0.25)
    with pytest.raises(ModelError, match="2 cliques need as many tables, got 1"):
        made(path, [BITS] * 3, [quarter])
    with pytest.raises(ModelError, match=r"clique A, B must have the shape \(2, 2\), got \(3,\)"):
        made(pair, [BITS] * 2, [np.full(3, 1 / 3)])
    with pytest.raises(
        ModelError, match=r"clique A, B must be a distribution; .* sum to 2, not to 1"
    ):
        made(pair, [BITS] * 2, [quarter * 2])
    with pytest.raises(ModelError, match=r"hold -0\.25, which is negative"):
        made(pair, [BITS] * 2, [quarter * [[1, -1], [2, 2]]])
    other = np.array([[0.4, 0.2], [0.2, 0.2]])
    with pytest.raises(ModelError, match=r"B, C and A, B disagree on B by 0\.1"):
        made(path, [BITS] * 3, [quarter, other])
    with pytest.raises(ModelError, match="2 variables and 1 state lists"):
        made(pair, [BITS], [quarter])
    with pytest.raises(ModelError, match="at least one variable"):
        made(ChordalGraph.empty([]), (), ())
    with pytest.raises(ModelError, match="joint table must have the shape"):
        DecomposableNet.from_joint(pair, [BITS] * 2, [0.5, 0.5])


def test_fitting_refuses_unknown_variables_and_a_negative_prior() -> None:
    engine = NativeEngine(Table(["A"], [BITS], [[0, 1]]))
    with pytest.raises(UnknownVariableError, match="'B'"):
        DecomposableNet.fit(ChordalGraph.from_edges([("A", "B")]), engine)
    with pytest.raises(OptionError, match="ess must be 0 or more, got -1"):
        DecomposableNet.fit(ChordalGraph.empty(["A"]), engine, -1.0)


def test_a_joint_that_does_not_fit_is_refused() -> None:
    names = [f"x{v}" for v in range(25)]
    single = [np.array([0.5, 0.5])] * 25
    net = made(ChordalGraph.empty(names), [BITS] * 25, single)
    with pytest.raises(CapacityError, match="at most 16,777,216 fit"):
        net.joint()


def test_tables_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        parity().tables[0][0, 0, 0] = 1.0
