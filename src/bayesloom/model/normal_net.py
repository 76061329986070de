"""Networks of numbers alone as multivariate normal distributions, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.errors import ModelError, listed
from bayesloom.graphs import DAG, bits
from bayesloom.graphs.ancestry import topological_order
from bayesloom.graphs.dag import check_dag
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.linear_gaussian import LinearGaussian

_SYMMETRIC = 1e-9


def normal_of(net: BayesNet) -> tuple[Floats, Floats]:
    """Return the mean and the covariance matrix of a network of numbers alone, in node order.

    Raises
    ------
    ModelError
        If the network has categories.

    Examples
    --------
    >>> slope = LinearGaussian(1.0, [2.0], 1.0)
    >>> net = BayesNet.from_tables({"x": ((), [], LinearGaussian(0.0)), "y": ((), ["x"], slope)})
    >>> mean, covariance = normal_of(net)
    >>> mean.tolist(), covariance.tolist()
    ([0.0, 1.0], [[1.0, 2.0], [2.0, 5.0]])
    """
    categories = [name for name in net.names if name not in net.numbers]
    if categories:
        msg = (
            f"the network has the categories {listed(categories, 4)}, and a normal distribution "
            "has none; ask net.query([...]).covariance for the numbers, or set the categories "
            "with net.do"
        )
        raise ModelError(msg)
    mean, covariance = np.zeros(net.n), np.zeros((net.n, net.n))
    for v in topological_order(net.dag.parent_masks):
        family, parents = net.regression(net.names[v]), bits(net.dag.parent_masks[v])
        slopes = family.coefficients
        mean[v] = float(family.intercepts) + slopes @ mean[parents]
        with_others = slopes @ covariance[parents]
        covariance[v], covariance[:, v] = with_others, with_others
        covariance[v, v] = float(family.sds) ** 2 + slopes @ with_others[parents]
    return mean, covariance


def net_of_normal(mean: npt.ArrayLike | Any, covariance: npt.ArrayLike | Any, dag: DAG) -> BayesNet:  # noqa: ANN401 - series and frames, too
    """Return the network of a graph whose regressions are those of a normal distribution.

    If the distribution has the independences of the graph, the network is that distribution;
    otherwise it is the nearest to it that the graph can have (in divergence from it).

    Parameters
    ----------
    mean : array-like or mapping
        The means in the order of the nodes of ``dag``; of a pandas series they are taken by name.
    covariance : array-like
        The covariance matrix in that order; of a pandas frame rows and columns are taken by name.
    dag : DAG
        The graph.

    Raises
    ------
    ModelError
        If the shapes differ, a value is not finite, or the matrix is no covariance.

    Examples
    --------
    >>> dag = DAG.from_edges([("x", "y")])
    >>> net_of_normal([0.0, 1.0], [[1.0, 2.0], [2.0, 5.0]], dag).family("y")
    LinearGaussian(1 + 2 x1, sd 1)
    """
    check_dag(dag)
    means, matrix = _by_name(mean, dag.names), _by_name(covariance, dag.names, both=True)
    n = len(dag.names)
    if means.shape != (n,) or matrix.shape != (n, n):
        msg = (
            f"a network of {n} numbers needs {n} means and a covariance matrix of {n} x {n}, got "
            f"the shapes {means.shape} and {matrix.shape}"
        )
        raise ModelError(msg)
    if not (np.isfinite(means).all() and np.isfinite(matrix).all()):
        msg = "means and covariances must be finite numbers"
        raise ModelError(msg)
    scale = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
    unit = matrix / np.multiply.outer(np.where(scale > 0, scale, 1), np.where(scale > 0, scale, 1))
    least = float(np.linalg.eigvalsh((unit + unit.T) / 2).min())
    if np.abs(unit - unit.T).max() > _SYMMETRIC or least < -_SYMMETRIC:
        msg = "the covariance matrix must be symmetric and have no negative eigenvalue"
        raise ModelError(msg)
    families = []
    for v, mask in enumerate(dag.parent_masks):
        parents = bits(mask)
        inner = unit[np.ix_(parents, parents)]
        slopes = np.linalg.lstsq(inner, unit[parents, v], rcond=1e-12)[0]
        rest = max(float(unit[v, v] - slopes @ unit[parents, v]), 0.0)
        own = slopes * scale[v] / np.where(scale[parents] > 0, scale[parents], 1.0)
        families.append(
            LinearGaussian(means[v] - own @ means[parents], own, np.sqrt(rest) * scale[v])
        )
    return BayesNet(dag, ((),) * n, tuple(families))


def _by_name(values: Any, names: tuple[str, ...], *, both: bool = False) -> Floats:  # noqa: ANN401
    """Return values as an array, a labelled one in the order of names."""
    if hasattr(values, "loc"):
        missing = [name for name in names if name not in values.index]
        if missing:
            msg = f"there is no entry for {listed(missing, 4)}; the graph's nodes need one each"
            raise ModelError(msg)
        values = values.loc[list(names), list(names)] if both else values.loc[list(names)]
    elif isinstance(values, dict):
        values = [values[name] for name in names]
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        msg = "means and covariances must be numbers"
        raise ModelError(msg) from None
