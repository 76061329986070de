from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Table, read
from bayesloom.engine import NativeEngine
from bayesloom.errors import UnknownStateError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, fit_net, log_likelihood, row_log_likelihoods
from reference_model import joint, rows_of
from strategies_model import bayes_nets

DATA = Path(__file__).parents[1] / "data" / "model"


def rain() -> BayesNet:
    return BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})


@given(bayes_nets(), st.data())
def test_every_row_gets_the_product_of_its_conditional_probabilities(
    net: BayesNet, data: st.DataObject
) -> None:
    n_rows = data.draw(st.integers(1, 5))
    states = [tuple(data.draw(st.permutations(labels))) for labels in net.states]
    codes = [
        np.array(data.draw(st.lists(st.integers(0, len(s) - 1), min_size=n_rows, max_size=n_rows)))
        for s in states
    ]
    table = Table(net.names, tuple(states), tuple(codes))
    table = table.reordered(data.draw(st.permutations(net.names)))
    for value, row in zip(row_log_likelihoods(net, table).tolist(), rows_of(table), strict=True):
        probability = joint(net, row)
        if probability == 0:
            assert value == -math.inf
        else:
            assert value == pytest.approx(math.log(probability), rel=1e-12, abs=1e-12)


def test_one_impossible_row_makes_the_total_minus_infinity() -> None:
    net = BayesNet.from_tables({"x": (["never", "always"], [], [0, 1])})
    assert log_likelihood(net, Table(("x",), (("always", "never"),), ([0, 1],))) == -math.inf
    assert log_likelihood(net, Table(("x",), (("always", "never"),), ([0, 0],))) == 0


def test_the_total_agrees_with_r_bnlearn_and_pgmpy_on_asia() -> None:
    # R bnlearn 5.2.1: score(dag, asia, type = "loglik"); pgmpy 1.1.2 gives the same.
    arcs = ["AT", "SL", "SB", "BD", "ED", "TE", "LE", "EX"]
    table = read(DATA / "asia.csv.gz")
    net = fit_net(DAG.from_edges([(arc[0], arc[1]) for arc in arcs]), NativeEngine(table))
    assert log_likelihood(net, table) == pytest.approx(-11033.0871338, abs=1e-6)


def test_columns_that_the_network_lacks_are_ignored_and_missing_ones_are_an_error() -> None:
    table = Table(("sun", "rain"), (("a",), ("no", "yes")), ([0, 0], [0, 1]))
    assert row_log_likelihoods(rain(), table) == pytest.approx(np.log([0.75, 0.25]))
    with pytest.raises(UnknownVariableError, match="unknown variable 'rain'; known are sun"):
        log_likelihood(rain(), table.select(["sun"]))


def test_a_state_that_the_network_lacks_is_an_error_only_if_it_occurs() -> None:
    states = (("yes", "maybe", "no"),)
    assert log_likelihood(rain(), Table(("rain",), states, ([0, 2],))) == pytest.approx(
        math.log(0.25 * 0.75)
    )
    with pytest.raises(UnknownStateError, match="unknown state 'maybe' of variable 'rain'; its st"):
        log_likelihood(rain(), Table(("rain",), states, ([0, 1],)))


def test_a_state_that_the_network_calls_1_point_0_is_1_in_data() -> None:
    net = BayesNet.from_tables({"grade": (["1.0", "2.0"], [], [0.75, 0.25])})
    table = Table.from_frame({"grade": [2, 1]}, states={"grade": net.states_of("grade")})
    assert table.states == (("1", "2"),)
    assert row_log_likelihoods(net, table) == pytest.approx(np.log([0.25, 0.75]))
