from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given

from bayesloom.errors import ModelError
from bayesloom.evaluation import evaluate, kl_divergence
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet
from strategies_evaluation import net_pairs
from strategies_model import bayes_nets

NO_YES = ["no", "yes"]


def fair(edges: list[tuple[str, str]]) -> BayesNet:
    """All variables are fair coins, whatever the edges."""
    dag = DAG.from_edges(edges, nodes=["a", "b", "c", "d"])
    tables = [np.full((2,) * (mask.bit_count() + 1), 0.5) for mask in dag.parent_masks]
    return BayesNet(dag, (("no", "yes"),) * 4, tuple(tables))


def test_measures_agree_with_counting_by_hand() -> None:
    true = fair([("a", "c"), ("b", "c"), ("c", "d")])
    learned = fair([("a", "c"), ("c", "d"), ("a", "b")])
    found = evaluate(true, learned)
    # Shared: a-c, c-d. Network only: a-b. True only: b-c.
    assert (found.adjacency.precision, found.adjacency.recall) == (2 / 3, 2 / 3)
    assert found.adjacency.f == 2 * 2 / (2 * 2 + 1 + 1)
    # True class: all three edges compelled; learned class: none.
    assert (found.arrowhead.true_positives, found.arrowhead.false_negatives) == (0, 3)
    assert found.shd == 4
    assert found.kld == 0


def test_the_json_form_is_the_documented_one() -> None:
    net = fair([("a", "c"), ("b", "c")])
    perfect = {"precision": 1.0, "recall": 1.0, "f": 1.0}
    expected = {"kld": 0.0, "adjacency": perfect, "arrowhead": perfect, "shd": 0}
    assert json.loads(json.dumps(evaluate(net, net).to_dict())) == expected


@given(bayes_nets(5))
def test_a_network_agrees_with_itself(net: BayesNet) -> None:
    found = evaluate(net, net)
    assert (found.kld, found.adjacency.f, found.arrowhead.f, found.shd) == (0, 1, 1, 0)


@given(net_pairs(4))
def test_swapping_the_networks_swaps_precision_and_recall(
    pair: tuple[BayesNet, BayesNet],
) -> None:
    true, learned = pair
    forth, back = evaluate(true, learned), evaluate(learned, true)
    assert forth.adjacency.precision == back.adjacency.recall
    assert forth.arrowhead.precision == back.arrowhead.recall
    assert forth.shd == back.shd
    assert forth.kld == kl_divergence(true, learned)


def test_networks_over_different_variables_are_refused() -> None:
    one = BayesNet.from_tables({"a": (NO_YES, [], [0.5, 0.5])})
    with pytest.raises(ModelError, match="the networks must have the same variables"):
        evaluate(one, fair([]))
