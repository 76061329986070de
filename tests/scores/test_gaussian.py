"""Scores of numbers: laws, refusals, and a slow twin."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.engine import Batch, MomentsEngine, NativeEngine
from bayesloom.errors import BayesloomError
from bayesloom.graphs import DAG
from bayesloom.scores import AIC, BIC, BDeu, BGe, DegenerateGaussian, K2Score, LogLikelihood, Score
from bayesloom.scores.score import family_batch
from reference_gaussian import bge, random_mixed

ORDERS = list(itertools.permutations(range(4)))


def totals(score: Score, engine: MomentsEngine) -> list[float]:
    """Return the score of the complete graph of every order of four variables."""
    return [
        math.fsum(
            score.local_scores(
                engine, family_batch([(v, sorted(order[:k])) for k, v in enumerate(order)])
            )
        )
        for order in ORDERS
    ]


def numbers(n_rows: int = 200, seed: int = 1) -> Table:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n_rows)
    b = 2 * a + rng.normal(size=n_rows)
    c = rng.normal(size=n_rows) * 50 + 1000
    return Table("ABCD", [()] * 4, [a, b, c, a + b - c / 50 + rng.normal(size=n_rows)])


@pytest.mark.parametrize(
    "score", [BGe(), BGe(alpha_mu=3, alpha_w=9.5), BGe(scale="raw"), BGe(kappa=0.1, sparsity=1)]
)
def test_all_complete_graphs_of_numbers_have_one_bge(score: BGe) -> None:
    found = totals(score, MomentsEngine(numbers()))
    assert max(found) - min(found) <= 1e-9 * abs(found[0])


def test_all_complete_graphs_of_a_mixed_table_have_one_degenerate_score() -> None:
    table = random_mixed(300, seed=2).select(["c0", "c3", "x0", "x2"])
    found = totals(DegenerateGaussian(), MomentsEngine(table))
    assert max(found) - min(found) <= 1e-9 * abs(found[0])


@pytest.mark.parametrize("scale", ["unit", "raw"])
def test_bge_is_the_formula_in_slow_arithmetic(scale: str) -> None:
    table = numbers(60)
    score = BGe(alpha_mu=2.0, alpha_w=7.0, scale=scale)  # type: ignore[arg-type]
    families = [(0, ()), (1, (0,)), (3, (0, 1, 2)), (2, (0, 3))]
    found = score.local_scores(MomentsEngine(table), family_batch(families))
    for (child, parents), value in zip(families, found.tolist(), strict=True):
        expected = bge(table, child, parents, alpha_mu=2.0, alpha_w=7.0, scale=scale)
        assert value == pytest.approx(expected, rel=1e-11)


def test_a_unit_changes_no_difference_of_bge() -> None:
    table = numbers()
    metres = MomentsEngine(table)
    feet = MomentsEngine(Table("ABCD", [()] * 4, [column / 0.3048 for column in table.codes]))
    batch = Batch.of([(0, (2,), (-1, 1, 3))])
    gains = BGe().local_scores(metres, batch)
    assert BGe().local_scores(feet, batch) - gains == pytest.approx(0, abs=1e-9)
    raw = BGe(scale="raw")
    assert np.diff(raw.local_scores(feet, batch)) != pytest.approx(
        np.diff(raw.local_scores(metres, batch)), abs=1e-3
    )


def test_the_number_of_columns_cancels_in_bge_unless_it_is_told() -> None:
    table = numbers()
    batch = Batch.of([(0, (), (-1, 1))])
    all_of_them = BGe().local_scores(MomentsEngine(table), batch)
    some = BGe().local_scores(MomentsEngine(table.select("AB")), batch)
    assert all_of_them == pytest.approx(some, rel=1e-12)
    with pytest.raises(BayesloomError, match="alpha_w must be above 5 for 4 columns, got 5"):
        BGe(alpha_w=5).local_scores(MomentsEngine(table), batch)


def test_scores_say_which_columns_they_cannot_take() -> None:
    mixed = MomentsEngine(random_mixed(50, seed=1))
    categories = NativeEngine(Table("AB", ["ny", "ny"], [[0, 1], [1, 0]]))
    batch = Batch.of([(0, (), (1,))])
    with pytest.raises(BayesloomError, match="c0, c1, c2, c3 hold categories"):
        BGe().local_scores(mixed, batch)
    with pytest.raises(BayesloomError, match=r"needs a column of numbers.*BDeu"):
        DegenerateGaussian().local_scores(categories, batch)
    for score in (BDeu(), K2Score()):
        with pytest.raises(BayesloomError, match="x0"):
            score.local_scores(mixed, Batch.of([(4, (), (0,))]))


def test_an_explanation_of_numbers_names_the_function_of_sets() -> None:
    table = random_mixed(200, seed=3)
    graph = DAG.from_edges([("c0", "x0"), ("x0", "x1")], table.names)
    said = BIC().explain(table, graph)
    assert "F(family) - F(parents)" in said.formula
    free = {term.variable: term.free_parameters for term in said.terms}
    assert (free["x0"], free["x1"], free["c1"]) == (4, 3, 2)
    degenerate = DegenerateGaussian().explain(table, graph)
    assert [term.free_parameters for term in degenerate.terms if term.variable == "x1"] == [2]


@pytest.mark.parametrize("score", [LogLikelihood(), AIC(), BIC()])
def test_no_family_of_numbers_scores_above_its_ceiling(score: Score) -> None:
    engine = MomentsEngine(numbers())
    for child in range(4):
        others = [v for v in range(4) if v != child]
        for k in range(4):
            for parents in itertools.combinations(others, k):
                (ceiling,) = score.ceilings(engine, Batch.families([(child, parents)]))
                more = [
                    (child, [*parents, *rest])
                    for m in range(4 - k)
                    for rest in itertools.combinations([v for v in others if v not in parents], m)
                ]
                assert score.local_scores(engine, family_batch(more)).max() <= ceiling + 1e-9


def test_the_degenerate_score_is_gaussian_in_indicators_of_states() -> None:
    table = random_mixed(250, seed=4).select(["c3", "x0"])
    indicators = [(table.codes[0] == k).astype(np.float64) for k in (1, 2, 3)]
    covariance = np.cov(np.array([*indicators, table.codes[1]]), bias=True)
    both, alone = (np.linalg.slogdet(c)[1] for c in (covariance, covariance[:3, :3]))
    expected = -125 * (both - alone + math.log(2 * math.pi) + 1) - math.log(250) / 2 * (3 + 1)
    (found,) = DegenerateGaussian().local_scores(MomentsEngine(table), Batch.of([(1, (), (0,))]))
    assert found == pytest.approx(expected, rel=1e-12)
