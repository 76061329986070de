"""Random graphs and random parameters for experiments with known truth."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from bayesloom.errors import (
    CapacityError,
    OptionError,
    UnknownVariableError,
    check_flag,
    check_number,
    check_whole,
    checked_names,
)
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits, mask_of
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.linear_gaussian import LinearGaussian
from bayesloom.model.sampling import generator_of

MOST_PROBABILITIES = 1 << 26
"""The largest number of probabilities a random network may have."""

_MOST_NODES = 1_000_000


def random_dag(
    n: int,
    seed: np.random.Generator | int = 0,
    *,
    edges: int | None = None,
    dense: bool = False,
) -> DAG:
    """Draw a graph by adding random edges.

    A parent and a child are drawn at random, and the edge is added if it is new and closes no
    cycle, until the graph has as many edges as wanted.

    Parameters
    ----------
    n : int
        The number of nodes, called x0, x1, ... with leading zeros, so that they sort in order.
    seed : int or numpy Generator, default 0
        A seed, or the generator that goes on drawing.
    edges : int, optional
        The number of edges. Default: drawn uniformly from 1 to 2n, but no more than fit.
    dense : bool
        Draw the number of edges from n to 2n instead.

    Raises
    ------
    OptionError
        If ``n`` is below 1 or so many edges do not fit.

    References
    ----------
    .. [1] O. Schulte, G. Frigo, R. Greiner, W. Luo, H. Khosravi, A new hybrid method for Bayesian
       network learning with dependency constraints, section IV.

    Examples
    --------
    >>> random_dag(4, 1, edges=3)
    DAG(4 nodes, 3 edges: x0 -> x1, x1 -> x2, x3 -> x1)
    """
    check_whole("n", n, 1)
    check_number("n", n, most=_MOST_NODES)
    check_flag("dense", dense)
    if edges is not None:
        check_whole("edges", edges, 0)
    generator = generator_of(seed)
    most = n * (n - 1) // 2
    if edges is None:
        low, high = min(n if dense else 1, most), min(2 * n, most)
        edges = int(generator.integers(low, high, endpoint=True))
    if not 0 <= edges <= most:
        msg = f"a graph of {n} nodes has 0 to {most} edges, got {edges}"
        raise OptionError(msg)
    width = len(str(n - 1))
    names = tuple(f"x{v:0{width}}" for v in range(n))
    return DAG(names, tuple(_draw_parents(n, edges, generator)))


def random_net(
    dag: DAG,
    seed: np.random.Generator | int = 0,
    *,
    states: int | tuple[int, int] = 2,
    numbers: bool | Collection[str] = False,
) -> BayesNet:
    """Give a graph random parameters, every distribution equally likely.

    A row of a table is drawn uniformly from all that sum to 1 (Dirichlet with all parameters 1):
    the probability of a state of a binary variable is uniform on [0, 1]. The regression of a number
    has, in every configuration of its category parents, a coefficient of random sign between 0.3
    and 1 per number parent, errors with a standard deviation between 0.5 and 1.5, and where there
    are category parents a standard normal intercept, else 0.

    Parameters
    ----------
    dag : DAG
        The graph.
    seed : int or numpy Generator, default 0
        A seed, or the generator that goes on drawing.
    states : int or pair of int
        The number of states of every variable, or the least and the most, between which each
        variable's number is drawn uniformly. States are called 0, 1, ...
    numbers : bool or collection of str
        The variables that are numbers: True for all of them, or their names.

    Raises
    ------
    OptionError
        If a number of states is below 1.
    UnknownVariableError
        If a number is not a node of the graph.
    ModelError
        If a category has a number among its parents.
    CapacityError
        If the tables would be too large.

    Examples
    --------
    >>> random_net(random_dag(4, 1, edges=3), 1, states=(2, 3))
    BayesNet of 4 variables, 3 edges, 21 free parameters
      x0: 0, 1
      x1: 0, 1, 2 | x0, x3
      x2: 0, 1, 2 | x1
      x3: 0, 1, 2
    >>> random_net(random_dag(4, 1, edges=3), 1, numbers=["x1", "x2"])
    BayesNet of 4 variables, 3 edges, 13 free parameters
      x0: 0, 1
      x1: a number | x0, x3
      x2: a number | x1
      x3: 0, 1
    """
    low, high = states if isinstance(states, tuple | list) else (states, states)
    for number in (low, high):
        check_whole("states", number, 1)
    if low > high:
        msg = f"states must be a number, or the least and the most in this order, got {states}"
        raise OptionError(msg)
    generator = generator_of(seed)
    sizes = generator.integers(low, high, size=dag.n, endpoint=True).tolist()
    numeric = _numeric(dag, numbers)
    shapes = [
        (*(sizes[u] for u in bits(mask & ~numeric)), 1 if numeric >> v & 1 else sizes[v])
        for v, mask in enumerate(dag.parent_masks)
    ]
    if (cells := sum(map(math.prod, shapes))) > MOST_PROBABILITIES:
        most = f"at most {MOST_PROBABILITIES} are possible"
        msg = f"the network would have {cells:.3g} probabilities; {most}"
        raise CapacityError(msg)
    families = tuple(
        _random_regression(shape[:-1], (mask & numeric).bit_count(), generator)
        if numeric >> v & 1
        else uniform_table(shape, generator)
        for v, (shape, mask) in enumerate(zip(shapes, dag.parent_masks, strict=True))
    )
    labels = tuple(
        () if numeric >> v & 1 else tuple(str(k) for k in range(r)) for v, r in enumerate(sizes)
    )
    return BayesNet(dag, labels, families)


def _numeric(dag: DAG, numbers: bool | Collection[str]) -> int:  # noqa: FBT001 - as `random_net`
    """Return which nodes are numbers, as a mask."""
    if isinstance(numbers, bool):
        return (1 << dag.n) - 1 if numbers else 0
    names = checked_names("numbers", numbers)
    for name in names:
        if name not in dag.names:
            raise UnknownVariableError(name, dag.names, "as a number")
    return mask_of(dag.names.index(name) for name in names)


def _random_regression(
    shape: tuple[int, ...], n_numbers: int, rng: np.random.Generator
) -> LinearGaussian:
    """Draw the family of a number."""
    wide = (*shape, n_numbers)
    slopes = rng.uniform(0.3, 1.0, wide) * rng.choice([-1.0, 1.0], wide)
    sds = rng.uniform(0.5, 1.5, shape)
    intercepts = rng.normal(size=shape) if shape else 0.0
    return LinearGaussian(intercepts, slopes, sds)


def uniform_table(shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Draw a table of probabilities whose rows are uniform on the simplex.

    Examples
    --------
    >>> uniform_table((2, 3), np.random.default_rng(1)).sum(axis=-1).round(12).tolist()
    [1.0, 1.0]
    """
    return rng.dirichlet(np.ones(shape[-1]), shape[:-1])


def _draw_parents(n: int, edges: int, rng: np.random.Generator) -> list[int]:
    """Return the parent masks of a random graph with so many edges."""
    parents, ancestors = [0] * n, [0] * n
    added = 0
    while added < edges:
        for parent, child in rng.integers(n, size=(2 * n, 2)).tolist():
            bit = 1 << parent
            if parent == child or parents[child] & bit or ancestors[parent] >> child & 1:
                continue
            parents[child] |= bit
            gained = ancestors[parent] | bit
            for v in range(n):
                if v == child or ancestors[v] >> child & 1:
                    ancestors[v] |= gained
            added += 1
            if added == edges:
                break
    return parents
