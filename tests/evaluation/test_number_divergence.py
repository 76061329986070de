"""The divergence of networks with numbers against slow twins: one normal law, and drawn rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import CapacityError, ModelError
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, LinearGaussian


def normal_law(net: BayesNet) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and covariance of a network of numbers, by inverting one matrix."""
    n = net.n
    slopes, start, sds = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    for v, name in enumerate(net.names):
        family = net.families[v]
        assert isinstance(family, LinearGaussian)
        start[v], sds[v] = float(family.intercepts), float(family.sds)
        slopes[v, [net.index(p) for p in net.parents(name)]] = family.coefficients
    spread = np.linalg.inv(np.eye(n) - slopes)
    return spread @ start, spread @ np.diag(sds**2) @ spread.T


@pytest.mark.parametrize("seed", range(5))
def test_the_divergence_of_gaussian_networks_is_that_of_their_normal_laws(seed: int) -> None:
    true, learned = (
        bl.random_net(bl.random_dag(6, seed + k, edges=7), seed + k, numbers=True) for k in (0, 9)
    )
    (m, s), (n, t) = normal_law(true), normal_law(learned)
    inverse = np.linalg.inv(t)
    expected = (
        np.trace(inverse @ s)
        - 6
        + (n - m) @ inverse @ (n - m)
        + np.linalg.slogdet(t)[1]
        - np.linalg.slogdet(s)[1]
    ) / 2
    assert kl_divergence(true, learned) == pytest.approx(float(expected), rel=1e-9)
    assert kl_divergence(true, true) == pytest.approx(0, abs=1e-12)


def density(net: BayesNet, rows: list[list[str | float]]) -> np.ndarray:
    """Return the logarithm of the density of every row, cell by cell."""
    found = np.zeros(len(rows))
    for i, row in enumerate(rows):
        cells = dict(zip(net.names, row, strict=True))
        for name, family in zip(net.names, net.families, strict=True):
            parents = net.parents(name)
            at = tuple(net.states_of(p).index(str(cells[p])) for p in parents if net.states_of(p))
            if not isinstance(family, LinearGaussian):
                found[i] += math.log(family[at][net.states_of(name).index(str(cells[name]))])
                continue
            x = [float(cells[p]) for p in parents if not net.states_of(p)]
            mean = family.intercepts[at] + family.coefficients[at] @ np.array(x)
            z = (float(cells[name]) - mean) / family.sds[at]
            found[i] += -(z**2) / 2 - math.log(family.sds[at] * math.sqrt(2 * math.pi))
    return found


def test_the_divergence_of_mixed_networks_is_the_mean_of_drawn_log_ratios() -> None:
    one = DAG.from_edges([("a", "x"), ("b", "x"), ("x", "y"), ("a", "b"), ("b", "y")])
    other = DAG.from_edges([("a", "x"), ("y", "x"), ("b", "y")], one.names)
    numbers = ["x", "y"]
    true = bl.random_net(one, 3, states=(2, 3), numbers=numbers)
    learned = bl.random_net(other, 3, states=(2, 3), numbers=numbers)
    table = bl.sample(true, 20_000, seed=1).select(true.names)
    rows = [list(row) for row in zip(*(table[name] for name in true.names), strict=True)]
    ratio = density(true, rows) - density(learned, rows)
    error = float(ratio.std()) / math.sqrt(len(rows))
    assert kl_divergence(true, learned) == pytest.approx(float(ratio.mean()), abs=4 * error)


def test_evaluate_compares_networks_with_numbers() -> None:
    dag = bl.random_dag(8, 4, edges=10)
    true = bl.random_net(dag, 4, numbers=True)
    found = bl.evaluate(true, bl.learn(bl.sample(true, 20_000, seed=2), bl.XGES()))
    assert found.shd == 0
    assert found.adjacency.f == 1
    assert found.kld is not None
    assert 0 < found.kld < 0.01


def test_kinds_that_differ_have_graphs_to_compare_and_no_divergence() -> None:
    dag = DAG.from_edges([("a", "b")])
    true, learned = bl.random_net(dag, 1, numbers=["b"]), bl.random_net(dag, 1)
    found = bl.evaluate(true, learned)
    assert (found.kld, found.shd) == (None, 0)
    assert "numbers in one of the networks alone" in str(found)
    with pytest.raises(ModelError, match="b holds numbers in one network and states in the other"):
        kl_divergence(true, learned)


def test_what_diverges_without_end_and_what_is_too_large_is_told() -> None:
    point = BayesNet.from_tables({"x": ((), (), LinearGaussian(0.0, None, 0.0))})
    other = BayesNet.from_tables({"x": ((), (), LinearGaussian(1.0, None, 0.0))})
    assert kl_divergence(point, point) == 0
    assert kl_divergence(point, other) == math.inf
    many = DAG.from_edges([(f"c{k:02}", f"x{k:02}") for k in range(17)])
    net = bl.random_net(many, 1, numbers=[f"x{k:02}" for k in range(17)])
    with pytest.raises(CapacityError, match=r"1.31e\+05 configurations together"):
        kl_divergence(net, net)
    found = bl.evaluate(net, net)
    assert (found.kld, found.shd) == (None, 0)
    assert "configurations together" in str(found)


def test_a_random_network_with_numbers_keeps_to_the_model() -> None:
    dag = DAG.from_edges([("x", "a")])
    with pytest.raises(ModelError, match="number"):
        bl.random_net(dag, 1, numbers=["x"])
    with pytest.raises(bl.errors.UnknownVariableError, match="as a number"):
        bl.random_net(dag, 1, numbers=["z"])
    family = bl.random_net(bl.random_dag(9, 2, edges=12), 2, numbers=True).families[3]
    assert isinstance(family, LinearGaussian)
    assert (np.abs(family.coefficients) >= 0.3).all()
    assert (family.sds >= 0.5).all()
