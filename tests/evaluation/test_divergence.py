from __future__ import annotations

import math
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.engine import NativeEngine
from bayesloom.errors import CapacityError, ModelError, OptionError
from bayesloom.evaluation import entropy, kl_divergence
from bayesloom.model import BayesNet, Laplace, draw_rows, fit_net, load_net, row_log_likelihoods
from reference_evaluation import enumerated_divergence, enumerated_entropy
from strategies_evaluation import net_pairs
from strategies_model import bayes_nets

FOLDER = Path(__file__).parents[1] / "data" / "model" / "networks"
NO_YES = ["no", "yes"]


@given(net_pairs())
def test_divergence_agrees_with_enumeration(pair: tuple[BayesNet, BayesNet]) -> None:
    true, learned = pair
    expected = enumerated_divergence(true, learned)
    assert kl_divergence(true, learned) == pytest.approx(expected, abs=1e-11)


@given(net_pairs())
def test_divergence_is_never_negative(pair: tuple[BayesNet, BayesNet]) -> None:
    true, learned = pair
    assert kl_divergence(true, learned) >= 0
    assert kl_divergence(true, learned, floor=1e-6) < math.inf


@given(bayes_nets(5), st.integers(0, 99))
def test_divergence_of_a_network_from_itself_is_exactly_zero(net: BayesNet, seed: int) -> None:
    names = Random(seed).sample(net.names, net.n)
    assert kl_divergence(net, net) == 0
    assert kl_divergence(net, net.reordered(names)) == 0


@given(bayes_nets(5))
def test_different_distributions_diverge(net: BayesNet) -> None:
    name = net.names[0]
    if len(net.states_of(name)) < 2 or net.parents(name):
        return
    table = np.roll(net.table(name), 1)
    shifted = BayesNet(net.dag, net.states, (table, *net.tables[1:]))
    same = np.allclose(table, net.table(name))
    assert (kl_divergence(net, shifted) > 0) != same


@given(bayes_nets(5))
def test_entropy_agrees_with_enumeration(net: BayesNet) -> None:
    assert entropy(net) == pytest.approx(enumerated_entropy(net), abs=1e-11)


def test_equal_distributions_over_different_graphs_do_not_diverge() -> None:
    forth = BayesNet.from_tables(
        {"a": (NO_YES, [], [0.25, 0.75]), "b": (NO_YES, ["a"], [[0.5, 0.5], [0.125, 0.875]])}
    )
    joint = np.array([[0.125, 0.125], [0.75 * 0.125, 0.75 * 0.875]])
    back = BayesNet.from_tables(
        {
            "b": (NO_YES, [], joint.sum(axis=0)),
            "a": (NO_YES, ["b"], (joint / joint.sum(axis=0)).T),
        }
    )
    assert kl_divergence(forth, back) == pytest.approx(0, abs=1e-15)


def test_what_the_learned_network_rules_out_makes_the_divergence_infinite() -> None:
    true = BayesNet.from_tables({"a": (["x", "y", "z"], [], [0.5, 0.5, 0.0])})
    sure = BayesNet.from_tables({"a": (["x", "y", "z"], [], [1.0, 0.0, 0.0])})
    assert kl_divergence(true, sure) == math.inf
    assert kl_divergence(sure, true) == pytest.approx(math.log(2))
    raised = np.array([1.0, 0.1, 0.1]) / 1.2
    expected = 0.5 * math.log(0.5 / raised[0]) + 0.5 * math.log(0.5 / raised[1])
    assert kl_divergence(true, sure, floor=0.1) == pytest.approx(expected)


def test_states_that_only_one_network_has_are_impossible_in_the_other() -> None:
    wide = BayesNet.from_tables(
        {"a": (["x", "y"], [], [1.0, 0.0]), "b": (NO_YES, ["a"], [[0.5, 0.5], [0.1, 0.9]])}
    )
    narrow = BayesNet.from_tables({"a": (["x"], [], [1.0]), "b": (NO_YES, ["a"], [[0.5, 0.5]])})
    assert kl_divergence(wide, narrow) == 0
    assert kl_divergence(narrow, wide) == 0
    open_minded = BayesNet.from_tables(
        {"a": (["x", "y"], [], [0.5, 0.5]), "b": (NO_YES, ["a"], [[0.5, 0.5], [0.1, 0.9]])}
    )
    assert kl_divergence(open_minded, narrow) == math.inf
    assert kl_divergence(narrow, open_minded) == pytest.approx(math.log(2))


def test_wrong_options_and_variables_get_a_sentence() -> None:
    a = BayesNet.from_tables({"a": (NO_YES, [], [0.5, 0.5])})
    b = BayesNet.from_tables({"b": (NO_YES, [], [0.5, 0.5])})
    with pytest.raises(ModelError, match=r"only the true network has a and only the learned .* b"):
        kl_divergence(a, b)
    for floor in (-0.1, 1.1, math.nan):
        with pytest.raises(OptionError, match="floor must be 0 or more and at most 1"):
            kl_divergence(a, a, floor=floor)
    with pytest.raises(CapacityError):
        kl_divergence(a, a, memory=8)


@pytest.mark.parametrize("name", ["alarm", "insurance"])
def test_divergence_agrees_with_an_average_over_drawn_rows(name: str) -> None:
    true = load_net(FOLDER / f"{name}.bif.gz")
    learned = fit_net(true.dag, NativeEngine(draw_rows(true, 500, 1)), Laplace(1.0))
    rows = draw_rows(true, 20_000, 2)
    ratios = row_log_likelihoods(true, rows) - row_log_likelihoods(learned, rows)
    error = ratios.std() / math.sqrt(len(ratios))
    assert kl_divergence(true, learned) == pytest.approx(ratios.mean(), abs=5 * error)


@pytest.mark.parametrize("name", ["alarm", "insurance", "munin1"])
def test_entropy_agrees_with_an_average_over_drawn_rows(name: str) -> None:
    net = load_net(FOLDER / f"{name}.bif.gz")
    costs = -row_log_likelihoods(net, draw_rows(net, 20_000, 3))
    error = costs.std() / math.sqrt(len(costs))
    assert entropy(net) == pytest.approx(costs.mean(), abs=5 * error)
