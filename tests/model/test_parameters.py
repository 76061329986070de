from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine, Tables
from bayesloom.errors import ModelError, OptionError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.model import (
    BayesNet,
    BDeuMean,
    Laplace,
    MaximumLikelihood,
    TANSmoothing,
    draw_rows,
    fit_net,
)
from reference_model import all_rows, frequencies
from strategies_model import bayes_nets


class CountingEngine(NativeEngine):
    """Remembers how often it was asked."""

    asked = 0

    def counts(self, batch: Batch) -> Tables:
        self.asked += 1
        return super().counts(batch)


@given(bayes_nets(), st.integers(1, 30), st.sampled_from([0.25, 1.0, 3.0]), st.data())
def test_estimates_are_the_textbook_fractions(
    net: BayesNet, n_rows: int, prior: float, data: st.DataObject
) -> None:
    table = draw_rows(net, n_rows, 1)
    columns = data.draw(st.permutations(net.names))
    engine = CountingEngine(table.reordered(columns))
    fitted = {
        "ml": fit_net(net.dag, engine),
        "laplace": fit_net(net.dag, engine, Laplace(prior)),
        "bdeu": fit_net(net.dag, engine, BDeuMean(prior)),
    }
    assert engine.asked == 3
    for name in net.names:
        family = (*net.parents(name), name)
        n_jk, n_j = frequencies(table, family), frequencies(table, family[:-1])
        r, cells = len(net.states_of(name)), net.table(name).size
        for row in all_rows(net):
            labels = tuple(row[u] for u in family)
            place = tuple(net.state_index(u, row[u]) for u in family)
            count, total = n_jk[labels], n_j[labels[:-1]]
            expected = {
                "ml": Fraction(count, total) if total else Fraction(1, r),
                "laplace": (count + Fraction(prior)) / (total + r * Fraction(prior)),
                "bdeu": (count + Fraction(prior) / cells) / (total + r * Fraction(prior) / cells),
            }
            for kind, value in expected.items():
                assert fitted[kind].table(name)[place] == pytest.approx(float(value), rel=1e-12)


def test_the_network_has_the_order_of_the_graph_and_the_labels_of_the_data() -> None:
    table = Table(("b", "a", "c"), (("x", "y"), ("0", "1", "2"), ("k",)), ([0, 1], [2, 2], [0, 0]))
    net = fit_net(DAG.from_edges([("b", "a")], nodes=["a", "b"]), NativeEngine(table))
    assert net.names == ("a", "b")
    assert net.states == (("0", "1", "2"), ("x", "y"))
    assert net.table("a").tolist() == [[0, 0, 1], [0, 0, 1]]


def test_maximum_likelihood_recovers_the_parameters_from_many_rows() -> None:
    yes_no = ["no", "yes"]
    net = BayesNet.from_tables(
        {
            "rain": (yes_no, [], [0.8, 0.2]),
            "wet": (yes_no, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
        }
    )
    again = fit_net(net.dag, NativeEngine(draw_rows(net, 200_000, 5)))
    assert again.table("wet") == pytest.approx(net.table("wet"), abs=0.01)


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_priors_must_be_above_zero(value: float) -> None:
    with pytest.raises(OptionError, match="ess must be above 0"):
        BDeuMean(value)
    with pytest.raises(OptionError, match="pseudocount must be above 0"):
        Laplace(value)


def test_nodes_that_the_data_do_not_have_are_an_error() -> None:
    engine = NativeEngine(Table(("a",), (("x",),), ([0],)))
    with pytest.raises(UnknownVariableError, match="unknown variable 'b'; known are a"):
        fit_net(DAG.from_edges([("a", "b")]), engine)


def test_too_many_parents_are_an_error() -> None:
    names = tuple(f"x{v}" for v in range(65))
    codes: Any = (np.zeros(1, np.uint8),) * 65
    engine = NativeEngine(Table(names, (("k",),) * 65, codes))
    with pytest.raises(ModelError, match="'x64' has 64 parents; at most 63"):
        fit_net(DAG(names, (*(0,) * 64, (1 << 64) - 1)), engine)


def test_estimators_are_values() -> None:
    assert Laplace(2) == Laplace(2.0)
    assert hash(BDeuMean()) == hash(BDeuMean(10))
    assert MaximumLikelihood() == MaximumLikelihood()


def test_smoothing_draws_rare_configurations_towards_the_child_alone() -> None:
    """Friedman's formula, cell by cell."""
    counts = np.array([[[3, 1], [0, 0]], [[0, 2], [7, 7]]])
    found = TANSmoothing(strength=5.0).probabilities(counts)
    alone = counts.sum(axis=(0, 1)) / counts.sum()
    for j in np.ndindex(2, 2):
        n_j = counts[j].sum()
        w = n_j / (n_j + 5.0)
        own = counts[j] / n_j if n_j else alone
        np.testing.assert_allclose(found[j], w * own + (1 - w) * alone)
    nothing = TANSmoothing().probabilities(np.zeros((2, 3), np.int64))
    np.testing.assert_allclose(nothing, np.full((2, 3), 1 / 3))


def test_an_engine_that_counts_in_another_shape_is_noticed() -> None:
    class Turned(NativeEngine):
        def counts(self, batch: Batch) -> Any:  # noqa: ANN401
            return [table.T for table in super().counts(batch)]

    rows = {"a": ["1", "2", "3"] * 4, "b": ["n", "y"] * 6}
    with pytest.raises(OptionError, match=r"counted 'b' in the shape \(2, 3\), not \(3, 2\)"):
        fit_net(DAG.from_edges([("a", "b")]), Turned(Table.from_frame(rows)))
