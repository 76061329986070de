"""Entropy and parameters of Markov networks: local, chained and global values are the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_dmn as slow
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import UnknownVariableError
from bayesloom.graphs import ChordalGraph, bits, crux
from bayesloom.scores import (
    LogLikelihood,
    delta_entropy,
    delta_parameters,
    model_entropy,
    model_parameters,
)
from bayesloom.search.markov.chordal_state import ChordalState
from bayesloom.search.markov.informations import Informations
from strategies_graphs import chordal_masks
from strategies_search import tables


@settings(max_examples=50)
@given(tables(least=1, most=6), st.data())
def test_entropy_and_parameters_are_sums_over_cliques_and_separators(
    table: Table, data: st.DataObject
) -> None:
    n = table.n_columns
    adjacency = data.draw(chordal_masks(n, least=n))
    graph = slow.empty_graph(n)
    graph.add_edges_from((v, w) for v in range(n) for w in bits(adjacency[v]))
    value = ChordalGraph(table.names, tuple(adjacency))
    engine = NativeEngine(table)
    assert model_entropy(value, engine) == pytest.approx(
        slow.model_entropy(table, graph), abs=1e-10
    )
    assert model_parameters(value, engine) == slow.model_parameters(table, graph)


@settings(max_examples=50)
@given(tables(least=1, most=7), st.data())
def test_the_likelihood_is_minus_n_times_the_entropy(table: Table, data: st.DataObject) -> None:
    n = table.n_columns
    value = ChordalGraph(table.names, tuple(data.draw(chordal_masks(n, least=n))))
    engine = NativeEngine(table)
    dag = value.to_dag()
    likelihood = LogLikelihood().total(engine, dag.parent_masks)
    assert likelihood == pytest.approx(-table.n_rows * model_entropy(value, engine), abs=1e-8)


def drawn_chordal(n: int, rng: np.random.Generator) -> ChordalState:
    """Return a random chordal graph, grown link by link."""
    state = ChordalState([0] * n)
    for _ in range(int(rng.integers(0, 3 * n))):
        x, y = sorted(rng.choice(n, 2, replace=False).tolist())
        if not state.adjacent[x] >> y & 1 and state.separator(x, y) is not None:
            state.link(x, y)
    return state


def test_local_chained_and_global_values_agree_on_thousands_of_graphs() -> None:
    rng = np.random.default_rng(7)
    sizes, seen = [], 0
    tried = 0
    while seen < 2000:
        if tried % 100 == 0:
            n = int(rng.integers(3, 13))
            engine = NativeEngine(drawn_table(n, rng), 1)
            known = Informations.of(engine, 0.0)
        tried += 1
        state = drawn_chordal(n, rng)
        nodes = rng.choice(n, int(rng.integers(2, min(n, 5) + 1)), replace=False).tolist()
        chain = state.chain(nodes)
        if not chain:
            continue
        seen += 1
        names = engine.names
        before = ChordalGraph(names, tuple(state.adjacent))
        found = crux(before, [(names[link.x], names[link.y]) for link in chain])
        for link in chain:
            state.link(link.x, link.y)
        after = ChordalGraph(names, tuple(state.adjacent))
        known.ask(chain)
        _, chained, further = known.gain(chain)
        local = delta_entropy(found, engine)
        assert local == pytest.approx(chained, abs=1e-10)
        assert local == pytest.approx(
            model_entropy(before, engine) - model_entropy(after, engine), abs=1e-10
        )
        more = delta_parameters(found, engine)
        assert more == further
        assert more == model_parameters(after, engine) - model_parameters(before, engine)
        sizes.append((len(chain), len(found.generating)))
    assert max(links for links, _ in sizes) >= 6
    assert max(cliques for _, cliques in sizes) >= 3


def drawn_table(n: int, rng: np.random.Generator) -> Table:
    states = rng.integers(2, 5, n).tolist()
    hidden = rng.integers(0, 4, 150)
    codes = [np.where(rng.random(150) < 0.5, hidden % r, rng.integers(0, r, 150)) for r in states]
    labels = [[str(k) for k in range(r)] for r in states]
    return Table([f"x{v:02}" for v in range(n)], labels, codes)


def test_the_crux_of_parity_gains_one_bit_for_four_parameters() -> None:
    rows = np.array([(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 5).T
    engine = NativeEngine(Table(list("ABC"), [["0", "1"]] * 3, list(rows)))
    found = crux(ChordalGraph.empty(["A", "B", "C"]), [("A", "B"), ("A", "C"), ("B", "C")])
    assert delta_entropy(found, engine) == pytest.approx(math.log(2))
    assert delta_parameters(found, engine) == 4
    single = crux(ChordalGraph.empty(["A", "B", "C"]), [("A", "B")])
    assert delta_entropy(single, engine) == 0.0


def test_a_variable_that_the_data_do_not_have_is_refused() -> None:
    engine = NativeEngine(Table(["A"], [["0", "1"]], [[0, 1]]))
    with pytest.raises(UnknownVariableError, match="'B'"):
        model_entropy(ChordalGraph.from_edges([("A", "B")]), engine)


def test_a_graph_without_nodes_has_neither_entropy_nor_parameters() -> None:
    engine = NativeEngine(Table(["A"], [["0", "1"]], [[0, 1]]))
    assert model_entropy(ChordalGraph.empty([]), engine) == 0.0
    assert model_parameters(ChordalGraph.empty([]), engine) == 0
