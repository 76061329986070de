"""Regressions from sums against least squares over the rows themselves."""

from __future__ import annotations

import numpy as np
import pytest

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import MomentsEngine
from bayesloom.errors import DataError
from bayesloom.graphs import DAG
from bayesloom.model import BDeuMean, Laplace, MaximumLikelihood, fit_net
from bayesloom.model.linear_gaussian import LinearGaussian

DAG_OF = DAG.from_edges([("c", "y"), ("x", "y"), ("z", "y")], ["c", "x", "y", "z"])


def rows_of(n: int, seed: int, states: int = 2) -> tuple[Table, Floats, Floats, np.ndarray]:
    rng = np.random.default_rng(seed)
    c = rng.integers(0, states, n)
    x, z = rng.normal(50, 9, n), rng.normal(-3, 2, n)
    y = 4 + c + 2 * x - z * (1 + c) + rng.normal(0, 1 + c, n)
    labels = tuple(f"s{k}" for k in range(states + 1))  # the last never occurs
    table = Table(["c", "x", "y", "z"], [labels, (), (), ()], [c, x, y, z])
    return table, np.column_stack([np.ones(n), x, z]), y, c


def line(family: LinearGaussian, j: int) -> list[float]:
    return [float(family.intercepts[j]), *family.coefficients[j].tolist()]


def test_maximum_likelihood_is_least_squares_in_every_configuration() -> None:
    table, design, y, c = rows_of(300, seed=1)
    family = fit_net(DAG_OF, MomentsEngine(table), MaximumLikelihood()).regression("y")
    for j in (0, 1):
        own = c == j
        slopes, rest, _, _ = np.linalg.lstsq(design[own], y[own], rcond=None)
        assert line(family, j) == pytest.approx(slopes.tolist(), rel=1e-10)
        assert float(family.sds[j]) == pytest.approx(np.sqrt(rest[0] / own.sum()), rel=1e-10)


def test_standard_errors_are_those_of_least_squares() -> None:
    table, design, y, c = rows_of(300, seed=2)
    family = fit_net(DAG_OF, MomentsEngine(table), MaximumLikelihood()).regression("y")
    assert family.errors is not None
    own = c == 0
    _, rest, _, _ = np.linalg.lstsq(design[own], y[own], rcond=None)
    inverse = np.linalg.inv(design[own].T @ design[own])
    wanted = np.sqrt(np.diag(inverse) * rest[0] / (own.sum() - 3))
    assert family.errors[0] == pytest.approx(wanted, rel=1e-8)
    assert np.isnan(family.errors[2]).all()  # no rows


@pytest.mark.parametrize("estimator", [MaximumLikelihood(), BDeuMean(), Laplace()], ids=repr)
def test_a_configuration_without_rows_has_the_line_of_all_rows(estimator: object) -> None:
    table, design, y, _ = rows_of(300, seed=3)
    family = fit_net(DAG_OF, MomentsEngine(table), estimator).regression("y")  # type: ignore[arg-type]
    slopes, rest, _, _ = np.linalg.lstsq(design, y, rcond=None)
    assert line(family, 2) == pytest.approx(slopes.tolist(), rel=1e-9)
    assert float(family.sds[2]) == pytest.approx(np.sqrt(rest[0] / len(y)), rel=1e-9)


def test_the_prior_is_rows_of_the_pooled_distribution_as_far_as_configurations_are_alike() -> None:
    table, design, y, c = rows_of(40, seed=4)
    ess = 5.0
    family = fit_net(DAG_OF, MomentsEngine(table), BDeuMean(number_ess=ess)).regression("y")
    left, free = 0.0, 0
    for j in (0, 1):
        own = c == j
        left += float(np.linalg.lstsq(design[own], y[own], rcond=None)[1][0])
        free += int(own.sum()) - 3
    pooled = float(np.linalg.lstsq(design, y, rcond=None)[1][0])
    share = (left / free) / (pooled / (len(y) - 3))
    assert 0 < share < 1
    # Every row of the data once more in the configuration, with a small weight.
    own = c == 1
    weights = np.concatenate([np.ones(own.sum()), np.full(len(y), ess * share / len(y))])
    both, targets = np.concatenate([design[own], design]), np.concatenate([y[own], y])
    root = np.sqrt(weights)
    slopes, rest, _, _ = np.linalg.lstsq(both * root[:, None], targets * root, rcond=None)
    assert line(family, 1) == pytest.approx(slopes.tolist(), rel=1e-9)
    n = float(own.sum())
    rows = n + 2 * ess - 3 * n / (n + ess)
    variance = (float(rest[0]) + ess * share * pooled / len(y)) / rows
    assert float(family.sds[1]) == pytest.approx(np.sqrt(variance), rel=1e-9)


def test_lines_that_differ_by_far_are_not_drowned_by_the_prior() -> None:
    # Two lines 1,000 deviations apart: one whole row of both together would spoil either.
    rng = np.random.default_rng(8)
    c = rng.integers(0, 2, 400)
    y = 1000.0 * c + rng.normal(0, 1, 400)
    table = Table(["c", "y"], [("a", "b"), ()], [c, y])
    family = fit_net(DAG.from_edges([("c", "y")]), MomentsEngine(table), BDeuMean()).regression("y")
    assert family.sds == pytest.approx([1.0, 1.0], abs=0.1)
    assert family.intercepts == pytest.approx([0.0, 1000.0], abs=0.3)


def test_parents_that_are_functions_of_each_other_leave_finite_coefficients() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(0, 1, 100)
    y = 3 * x + rng.normal(0, 1, 100)
    names = ["x", "y", "z"]
    table = Table(names, [(), (), ()], [x, y, 2 * x])
    dag = DAG.from_edges([("x", "y"), ("z", "y")], names)
    family = fit_net(dag, MomentsEngine(table), MaximumLikelihood()).regression("y")
    slope = float(family.coefficients[0] + 2 * family.coefficients[1])
    assert slope == pytest.approx(float(np.polyfit(x, y, 1)[0]), rel=1e-9)
    assert np.abs(family.coefficients).max() < 10


def test_fewer_rows_than_coefficients_are_fitted_without_nan() -> None:
    table, _, _, _ = rows_of(3, seed=6, states=1)
    for estimator in (MaximumLikelihood(), MaximumLikelihood(unbiased=True), BDeuMean()):
        family = fit_net(DAG_OF, MomentsEngine(table), estimator).regression("y")
        assert np.isfinite(family.intercepts).all()
        assert np.isfinite(family.sds).all()


def test_a_constant_number_has_no_deviation() -> None:
    table = Table(["x"], [()], [np.full(10, 7.5)])
    family = fit_net(DAG.from_edges([], ["x"]), MomentsEngine(table)).regression("x")
    assert (float(family.intercepts), float(family.sds)) == (7.5, 0.0)


def test_a_family_without_rows_is_one_sentence() -> None:
    table = Table(["x", "y"], [(), ()], [[1.0, np.nan], [np.nan, 2.0]], holes=True)
    with pytest.raises(DataError, match="the number 'y': no row knows the number and all its par"):
        fit_net(DAG.from_edges([("x", "y")]), MomentsEngine(table))
