"""Parameters by EM: equal to counting on complete rows, likelihoods with holes, bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

import bayesloom as bl
from bayesloom import evaluation, model
from bayesloom.engine import NativeEngine
from bayesloom.errors import EvidenceError, ModelError, OptionError, UnknownVariableError
from bayesloom.incomplete import EM
from bayesloom.model import fit_em, fit_net, row_log_likelihoods
from reference_incomplete import row_probability
from strategies_incomplete import Incomplete, incomplete


@pytest.mark.parametrize("estimator", [bl.MaximumLikelihood(), bl.Laplace(2), bl.BDeuMean(ess=3)])
def test_on_complete_rows_it_is_one_step_and_equal_to_counting(estimator: bl.BDeuMean) -> None:
    dag = bl.example("child").dag
    engine = NativeEngine(bl.example("child").sample(300, 1).in_name_order())
    net, run = fit_em(dag, engine, estimator)
    assert (run.steps, run.converged, run.missing) == (1, True, 0)
    assert net == fit_net(dag, engine, estimator)
    assert run.log_likelihood == pytest.approx(model.log_likelihood(net, engine), rel=1e-12)


@given(incomplete(zeros=True))
def test_likelihoods_of_rows_with_holes_are_those_of_enumeration(case: Incomplete) -> None:
    table = case.table
    net = bl.BayesNet(bl.DAG(table.names, tuple(case.parents)), table.states, tuple(case.tables))
    wanted = [row_probability(row, case.sizes, case.families, case.tables) for row in case.rows]
    found = row_log_likelihoods(net, table)
    np.testing.assert_allclose(np.exp(found), wanted, rtol=1e-10, atol=1e-300)
    total = -math.inf if 0.0 in wanted else math.fsum(map(math.log, wanted))
    assert model.log_likelihood(net, table) == pytest.approx(total, rel=1e-10, abs=1e-10)
    assert evaluation.log_loss(net, table) == pytest.approx(
        -total / len(wanted), rel=1e-10, abs=1e-10
    )


def test_empty_cells_of_a_frame_are_summed_over() -> None:
    net = bl.network(
        {"A": (["n", "y"], [], [0.25, 0.75]), "B": (["n", "y"], ["A"], [[0.5, 0.5], [0.1, 0.9]])}
    )
    found = net.log_likelihood({"A": [None, "y"], "B": ["y", None]})
    assert found == pytest.approx(math.log(0.25 * 0.5 + 0.75 * 0.9) + math.log(0.75))
    assert net.log_loss({"A": [None], "B": [None]}) == pytest.approx(0.0)


def holes() -> bl.Table:
    return bl.Table("AB", [["n", "y"]] * 2, [[0, 1, 2, 1], [0, 1, 1, 2]], holes=True)


def net_with(
    first: list[float], second: list[list[float]], *states: tuple[str, str]
) -> bl.BayesNet:
    dag = bl.DAG.from_edges([("A", "B")])
    return bl.BayesNet(dag, states, (np.array(first), np.array(second)))


def test_a_start_that_makes_a_row_impossible_is_told_with_the_row() -> None:
    dag = bl.DAG.from_edges([("A", "B")])
    sure = net_with([0.5, 0.5], [[1.0, 0.0], [1.0, 0.0]], ("n", "y"), ("n", "y"))
    with pytest.raises(EvidenceError, match=r"^row 1 \(counted from 0\) is impossible: .* drop it"):
        fit_em(dag, NativeEngine(holes()), bl.MaximumLikelihood(), start=sure)


def test_a_start_of_another_graph_or_other_states_is_refused() -> None:
    dag = bl.DAG.from_edges([("A", "B")])
    other = bl.network("B -> A").fit(holes()).net
    with pytest.raises(ModelError, match="must have the graph"):
        fit_em(dag, NativeEngine(holes()), start=other)
    states = net_with([0.5, 0.5], [[0.5, 0.5]] * 2, ("y", "n"), ("n", "y"))
    with pytest.raises(ModelError, match="states of the data"):
        fit_em(dag, NativeEngine(holes()), start=states)


def test_a_start_is_where_it_begins() -> None:
    dag = bl.DAG.from_edges([("A", "B")])
    engine = NativeEngine(holes())
    end, run = fit_em(dag, engine, bl.Laplace(), EM(tolerance=1e-14))
    _, again = fit_em(dag, engine, bl.Laplace(), EM(), start=end)
    assert again.steps < run.steps
    assert again.values[0] == pytest.approx(run.values[-1], rel=1e-9)


def test_bad_input_is_one_sentence() -> None:
    engine = NativeEngine(holes())
    with pytest.raises(OptionError, match=r"prior of its own, .* got TANSmoothing"):
        fit_em(bl.DAG.from_edges([("A", "B")]), engine, bl.TANSmoothing())
    with pytest.raises(UnknownVariableError, match="'C'"):
        fit_em(bl.DAG.from_edges([("A", "C")]), engine)
