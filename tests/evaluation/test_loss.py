from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import UnknownVariableError
from bayesloom.evaluation import entropy, log_loss
from bayesloom.model import BayesNet, draw_rows
from reference_model import joint
from strategies_model import bayes_nets


@given(bayes_nets(4), st.integers(1, 20))
def test_loss_is_the_mean_surprise_of_the_rows(net: BayesNet, n_rows: int) -> None:
    table = draw_rows(net, n_rows, 1)
    surprises = []
    for i in range(n_rows):
        row = {name: net.states[v][int(table.codes[v][i])] for v, name in enumerate(net.names)}
        surprises.append(-math.log(joint(net, row)))
    assert log_loss(net, table) == pytest.approx(math.fsum(surprises) / n_rows, abs=1e-12)


def test_an_impossible_row_makes_the_loss_infinite() -> None:
    net = BayesNet.from_tables({"a": (["x", "y"], [], [1.0, 0.0])})
    assert log_loss(net, Table(["a"], [["x", "y"]], [[0, 1]])) == math.inf


def test_loss_on_much_data_approaches_the_entropy() -> None:
    net = BayesNet.from_tables({"a": (["x", "y"], [], [0.9, 0.1])})
    assert log_loss(net, draw_rows(net, 100_000, 1)) == pytest.approx(entropy(net), abs=0.01)


def test_a_missing_column_is_named() -> None:
    net = BayesNet.from_tables({"a": (["x"], [], [1.0])})
    with pytest.raises(UnknownVariableError, match="'a'"):
        log_loss(net, Table(["b"], [["x"]], [[0]]))
