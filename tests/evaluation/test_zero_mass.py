from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from bayesloom.errors import ModelError
from bayesloom.evaluation import evaluate, kl_divergence
from bayesloom.model import BayesNet
from strategies_evaluation import net_pairs

NO_YES = ["no", "yes"]


def coin(states: list[str], chances: list[float]) -> BayesNet:
    return BayesNet.from_tables({"coin": (states, [], chances)})


@given(net_pairs(4))
def test_a_reason_is_named_if_and_only_if_the_divergence_is_infinite(
    pair: tuple[BayesNet, BayesNet],
) -> None:
    found = evaluate(*pair)
    assert found.kld is not None
    assert bool(found.infinite) == math.isinf(found.kld)


def test_a_state_that_the_learned_network_lacks_is_named_with_the_remedy() -> None:
    true = coin(["heads", "tails", "edge"], [0.5, 0.375, 0.125])
    found = evaluate(true, coin(["heads", "tails"], [0.5, 0.5]))
    (why,) = found.infinite
    assert why == (
        "coin has no state edge in the learned network, and the true one gives it 0.125; learn "
        "with the states of the true network (states=..., --states-from NET)"
    )
    assert f"kld infinite: {found.infinite[0]}" in " ".join(str(found).split())
    assert found.to_dict()["infinite"] == list(found.infinite)


def test_a_probability_of_zero_is_named_with_what_is_given() -> None:
    true = BayesNet.from_tables(
        {"a": (NO_YES, [], [0.25, 0.75]), "b": (NO_YES, ["a"], [[0.5, 0.5], [0.5, 0.5]])}
    )
    learned = BayesNet.from_tables(
        {"a": (NO_YES, [], [0.25, 0.75]), "b": (NO_YES, ["a"], [[0.5, 0.5], [0.0, 1.0]])}
    )
    (why,) = evaluate(true, learned).infinite
    assert why.startswith(
        "the learned network gives P(b=no | a=yes) = 0, and the true one gives these states 0.375"
    )


def test_a_state_that_a_parent_lacks_is_told_once() -> None:
    true = BayesNet.from_tables(
        {
            "a": (["x", "y"], [], [0.5, 0.5]),
            "b": (NO_YES, ["a"], [[0.5, 0.5], [0.5, 0.5]]),
        }
    )
    learned = BayesNet.from_tables({"a": (["x"], [], [1.0]), "b": (NO_YES, ["a"], [[0.5, 0.5]])})
    (why,) = evaluate(true, learned).infinite
    assert why.startswith("a has no state y")


def test_a_state_without_probability_makes_nothing_infinite() -> None:
    found = evaluate(coin(["heads", "never"], [1.0, 0.0]), coin(["heads"], [1.0]))
    assert (found.kld, found.infinite) == (0.0, ())


def test_other_bins_are_named_and_no_floor_hides_them() -> None:
    true, learned = coin(["(-inf,2]", "(2,inf)"], [0.5, 0.5]), coin(["low", "high"], [0.5, 0.5])
    (why,) = evaluate(true, learned).infinite
    assert why.startswith("coin has other states in the learned network (low, high) than in the")
    assert evaluate(true, learned).shd == 0
    with pytest.raises(ModelError, match="variable coin has other states in the two networks"):
        kl_divergence(true, learned, floor=0.01)


def test_a_state_that_only_one_network_has_can_be_floored() -> None:
    true, learned = coin(["heads", "tails"], [0.5, 0.5]), coin(["heads"], [1.0])
    raised = np.array([1.0, 0.1]) / 1.1
    expected = 0.5 * math.log(0.5 / raised[0]) + 0.5 * math.log(0.5 / raised[1])
    assert kl_divergence(true, learned, floor=0.1) == pytest.approx(expected)
