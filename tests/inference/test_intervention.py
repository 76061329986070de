from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given as draw
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.errors import (
    EvidenceError,
    IdentificationError,
    OptionError,
    UnknownStateError,
    UnknownVariableError,
)
from bayesloom.graphs import dag_from_text, open_path
from bayesloom.inference import identified_effect, mutilated_net, query
from bayesloom.model import BayesNet, example_net, random_net
from reference_inference import adjusted_effect
from reference_model import all_rows, conditional, joint
from strategies_model import bayes_nets

ASIA = example_net("asia")


@draw(net=bayes_nets(4), data=st.data())
def test_an_intervention_leaves_out_the_factor_of_what_is_set(
    net: BayesNet, data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from(net.names), unique=True))
    states = {name: data.draw(st.sampled_from(net.states_of(name))) for name in names}
    set_net = mutilated_net(net, states)
    assert set_net.names == net.names
    assert set_net.states == net.states
    for row in all_rows(net):
        expected = 0.0
        if all(row[name] == state for name, state in states.items()):
            factors = [conditional(net, v, row) for v in net.names if v not in states]
            expected = float(np.prod(factors))
        assert joint(set_net, row) == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_setting_cuts_the_arrows_that_come_in_and_no_others() -> None:
    assert set(mutilated_net(ASIA, {"either": "yes"}).edges) == {
        edge for edge in ASIA.edges if edge[1] != "either"
    }
    assert query(mutilated_net(ASIA, {"xray": "yes"}), "lung")["yes"] == pytest.approx(0.055)
    assert query(ASIA, "lung", {"xray": "yes"})["yes"] == pytest.approx(0.488711, abs=1e-6)


def test_what_cannot_be_set_is_told() -> None:
    with pytest.raises(UnknownStateError, match="unknown state 'maybe' of variable 'smoke'; its"):
        mutilated_net(ASIA, {"smoke": "maybe"})
    with pytest.raises(UnknownVariableError, match="unknown variable 'snow'"):
        mutilated_net(ASIA, {"snow": "yes"})
    with pytest.raises(EvidenceError, match="variable smoke is given as yes and as no"):
        mutilated_net(ASIA, [("smoke", "yes"), ("smoke", "no")])
    graph = bl.ChordalGraph.from_edges([("A", "B")])
    markov: Any = bl.DecomposableNet.from_joint(graph, ["ny", "ny"], [[0.5, 0.0], [0.25, 0.25]])
    learned: Any = bl.learn(markov.sample(200), bl.DMN())
    for net in (markov, learned):
        with pytest.raises(OptionError, match="links of a decomposable Markov network have no dir"):
            mutilated_net(net, {"A": "y"})


def joint_array(net: BayesNet) -> np.ndarray[Any, np.dtype[np.float64]]:
    values = [joint(net, row) for row in all_rows(net)]
    return np.array(values).reshape([len(labels) for labels in net.states])


@pytest.mark.parametrize("seed", range(25))
def test_effects_that_are_told_are_adjusted_for_parents_and_the_others_refused(seed: int) -> None:
    net = random_net(bl.random_dag(5, seed), seed, states=(2, 3))
    values, graph = joint_array(net), bl.CPDAG.of(net.dag)
    for x, y in permutations(range(5), 2):
        names = net.names[x], net.names[y]
        path = open_path(graph.parent_masks, graph.neighbour_masks, x, y)
        if path:
            a, b = (net.names[v] for v in path[:2])
            with pytest.raises(IdentificationError, match=f"the edge {a} - {b} may point either"):
                identified_effect(net, *names)
        else:
            found = identified_effect(net, *names)
            assert found.adjustment == net.parents(names[0])
            parents = [net.index(name) for name in found.adjustment]
            expected = adjusted_effect(values, parents, x, y)
            np.testing.assert_allclose(found.probabilities, expected, rtol=0, atol=1e-12)
            assert not found.unsupported
        known = identified_effect(net, *names, graph=net.dag)
        parents = [net.index(name) for name in net.parents(names[0])]
        expected = adjusted_effect(values, parents, x, y)
        np.testing.assert_allclose(known.probabilities, expected, rtol=0, atol=1e-12)


def test_an_effect_prints_its_table_its_adjustment_and_its_limits() -> None:
    found = identified_effect(ASIA, "lung", "xray")
    assert str(found) == (
        "P(xray | do(lung))\n"
        "  lung       yes        no\n"
        "  yes   0.980000  0.020000\n"
        "  no    0.059672  0.940328\n"
        "  adjusted for its parents smoke; arrows learned from data alone are causes only if no "
        "common cause\n    of two variables is missing"
    )
    assert found["yes"]["yes"] == pytest.approx(0.98)
    assert found.difference("yes", "yes", "no") == pytest.approx(0.98 - 0.059672)
    with pytest.raises(UnknownStateError):
        found["maybe"]
    with pytest.raises(ValueError, match="read-only"):
        found.probabilities[0, 0] = 1


def test_rows_that_rest_on_what_never_occurs_are_named() -> None:
    found = identified_effect(ASIA, "either", "xray")
    assert found.unsupported == ("yes", "no")
    assert "either never takes the states yes, no in some cases of its parents" in str(found)


def test_knowledge_makes_effects_known() -> None:
    with pytest.raises(IdentificationError, match="the edge smoke - lung may point either way"):
        identified_effect(ASIA, "smoke", "lung")
    known = bl.PDAG.from_edges(
        [("smoke", "lung")], [e for e in ASIA.edges if e != ("smoke", "lung")], ASIA.names
    )
    with pytest.raises(IdentificationError, match="the edge smoke - bronc may point either way"):
        identified_effect(ASIA, "smoke", "dysp", graph=known)
    assert identified_effect(ASIA, "smoke", "lung", graph=known)["yes"]["yes"] == pytest.approx(0.1)
    assert identified_effect(ASIA, "smoke", "dysp", graph=ASIA.dag).adjustment == ()


def test_a_graph_of_another_network_is_refused() -> None:
    wrong: Any = "asia"
    turned = ASIA.dag.reversed("smoke", "lung")
    for graph, said in [
        (wrong, "graph must be a DAG or a PDAG"),
        (dag_from_text("smoke->lung"), "graph must be one of this network: the same nodes"),
        (ASIA.dag.without_edge("smoke", "lung"), "graph must have the same edges"),
        (turned, "graph has the arrow lung -> smoke, but in the network it points the other way"),
    ]:
        with pytest.raises(OptionError, match=said):
            identified_effect(ASIA, "smoke", "dysp", graph=graph)
    with pytest.raises(OptionError, match="treatment and outcome must differ"):
        identified_effect(ASIA, "smoke", "smoke")
    with pytest.raises(UnknownVariableError):
        identified_effect(ASIA, "smoke", "snow")
