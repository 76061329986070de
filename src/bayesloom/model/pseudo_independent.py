"""Pseudo-independent models with exact joints: what single-link search cannot find.

If g is a product of distributions over blocks of binary variables, then
``P(x) = g(x) + q (-1)^(sum of x)`` has the same marginals as g on every proper subset of the
variables, because the added term cancels when any one of them is summed out; the variables as a
whole depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.errors import (
    ModelError,
    OptionError,
    UnknownVariableError,
    check_kind,
    check_number,
    checked_names,
    shown,
)
from bayesloom.graphs import ChordalGraph
from bayesloom.model.decomposable_net import DecomposableNet
from bayesloom.model.probabilities import find_row_fault

BITS = ("0", "1")
"""The states of every variable of these models."""

_LEAST = 3  # variables of a pseudo-independent model
_SHARE = 0.8  # of the strength that is possible, by default


def full_pi(
    chances: Sequence[float], strength: float | None = None, *, names: Sequence[str] | None = None
) -> DecomposableNet:
    """Make a full pseudo-independent model: every proper subset of the variables is independent.

    Parameters
    ----------
    chances : sequence of float
        For each of at least three binary variables the probability of state 1.
    strength : float, optional
        The term q, not 0 and smaller in size than any product of the chances. Default: 0.8 of the
        largest that is possible.
    names : sequence of str, optional
        The variables. Default: x0, x1, ...

    Raises
    ------
    OptionError
        If a value cannot be taken.

    References
    ----------
    Y. Xiang, S. Wong, N. Cercone: Critical remarks on single link search in learning belief
    networks, UAI 1996.

    Examples
    --------
    >>> net = full_pi([0.5, 0.5, 0.5])
    >>> net.joint()[0].round(3)
    array([[0.225, 0.025],
           [0.025, 0.225]])
    """
    check_kind("chances", chances, Iterable, "a list of numbers between 0 and 1")
    for chance in chances:
        check_number("a chance", chance, above=0, below=1)
    return partial_pi([(1 - chance, chance) for chance in chances], strength, names=names)


def partial_pi(
    blocks: Sequence[npt.ArrayLike],
    strength: float | None = None,
    *,
    names: Sequence[str] | None = None,
) -> DecomposableNet:
    """Make a partial pseudo-independent model: variables of different blocks look independent.

    Parameters
    ----------
    blocks : sequence of arrays
        For each of at least two blocks the joint distribution of its binary variables: one axis of
        length 2 per variable. A block may itself be pseudo-independent.
    strength, names
        As for `full_pi`.

    Raises
    ------
    OptionError
        If a value cannot be taken.
    ModelError
        If a block is no distribution of binary variables.

    Examples
    --------
    >>> net = partial_pi([[[0.30, 0.15], [0.20, 0.35]], [0.55, 0.45]], 0.05, names="ABC")
    >>> joint = net.joint()
    >>> joint.sum(axis=2).round(2).tolist(), joint.sum(axis=0).round(4).tolist()
    ([[0.3, 0.15], [0.2, 0.35]], [[0.275, 0.225], [0.275, 0.225]])
    """
    check_kind("blocks", blocks, Sequence, "a list of distributions")
    product: Floats = np.ones(())
    for block in map(_checked_block, blocks):
        product = np.multiply.outer(product, block)
    n = product.ndim
    if n < _LEAST or len(blocks) == 1:
        msg = (
            f"a pseudo-independent model has at least {_LEAST} variables in at least 2 blocks, got "
            f"{n} in {len(blocks)}"
        )
        raise OptionError(msg)
    most = float(product.min())
    q = _SHARE * most if strength is None else strength
    check_number("strength", q)
    if not 0 < abs(q) < most:
        msg = f"strength must be between 0 and {most:.6g} in size, or negative so, got {strength}"
        raise OptionError(msg)
    given = (
        [f"x{v:0{len(str(n - 1))}}" for v in range(n)]
        if names is None
        else checked_names("names", [*names] if isinstance(names, str) else names)
    )
    if len(given) != n:
        msg = f"{n} variables need as many names, got {len(given)}"
        raise OptionError(msg)
    return DecomposableNet(
        ChordalGraph.from_cliques([given]), (BITS,) * n, (product + q * _signs(n),)
    )


def embedded_pi(
    core: DecomposableNet, leaves: Mapping[str, tuple[str, Sequence[float]]]
) -> DecomposableNet:
    """Embed a model in a larger domain by hanging further binary variables on it, one by one.

    Parameters
    ----------
    core : DecomposableNet
        The model, such as `full_pi` or `partial_pi` makes it.
    leaves : mapping of str to (str, sequence of float)
        For each new variable, in this order: the variable it hangs on, which may be a new one, and
        for each state of that the probability of its own state 1.

    Raises
    ------
    OptionError
        If a variable is there already or a chance is none.
    UnknownVariableError
        If a variable hangs on one that is not there.

    Examples
    --------
    >>> core = full_pi([0.5, 0.5, 0.5], names="ABC")
    >>> net = embedded_pi(core, {"D": ("C", (0.2, 0.8)), "E": ("D", (0.1, 0.7))})
    >>> net.graph.cliques()
    (('A', 'B', 'C'), ('C', 'D'), ('D', 'E'))
    """
    check_kind("core", core, DecomposableNet, "a DecomposableNet, such as full_pi makes it")
    check_kind("leaves", leaves, Mapping, "a mapping of new variables to (variable, chances)")
    names, links = list(core.names), list(core.graph.edges)
    states = dict(zip(core.names, core.states, strict=True))
    tables = dict(zip(map(frozenset, core.forest.clique_names()), core.tables, strict=True))
    chance_of = {name: _marginal(core, name) for name in names}
    for name, (near, chances) in map(_checked_leaf, leaves.items()):
        if name in names:
            msg = f"variable {name!r} is in the model already; choose another name"
            raise OptionError(msg)
        if near not in names:
            raise UnknownVariableError(near, names)
        if len(chances) != len(states[near]) or not all(0 <= p <= 1 for p in chances):
            msg = f"{name!r} needs a chance for each state of {near!r}, got {list(chances)}"
            raise OptionError(msg)
        pair = chance_of[near][:, np.newaxis] * np.array([(1 - p, p) for p in chances])
        tables[frozenset((near, name))] = pair
        chance_of[name] = pair.sum(axis=0)
        states[name] = BITS
        names.append(name)
        links.append((near, name))
    graph = ChordalGraph.from_edges(links, names)
    cliques = map(frozenset, graph.junction_forest().clique_names())
    return DecomposableNet(
        graph, tuple(states[name] for name in names), tuple(tables[clique] for clique in cliques)
    )


def _signs(n: int) -> Floats:
    """Return 1 where an even number of n bits is set, else -1."""
    signs: Floats = np.ones(())
    for _ in range(n):
        signs = np.multiply.outer(signs, (1.0, -1.0))
    return signs


def _checked_leaf(leaf: tuple[object, object]) -> tuple[str, tuple[str, list[float]]]:
    """Return a new variable, the one it hangs on and its chances."""
    name, given = leaf
    match given:
        case (str(near), chances) if isinstance(name, str) and isinstance(chances, Iterable):
            found = list(chances)
            for chance in found:
                check_number(f"a chance of {name!r}", chance)
            return name, (near, found)
    msg = f"a leaf must be a name with (variable, chances), got {shown(repr(leaf))}"
    raise OptionError(msg)


def _checked_block(block: npt.ArrayLike) -> Floats:
    try:
        array = np.asarray(block, np.float64)
    except (TypeError, ValueError):
        array = np.zeros(())
    if array.ndim == 0 or set(array.shape) != {2}:
        msg = f"a block has one axis of length 2 per binary variable, got the shape {array.shape}"
        raise ModelError(msg)
    if (fault := find_row_fault(array.reshape(1, -1))) is not None:
        msg = f"a block must be a distribution; its probabilities {fault.problem}"
        raise ModelError(msg)
    result: Floats = array / array.sum()
    return result


def _marginal(net: DecomposableNet, name: str) -> Floats:
    """Return the distribution of one variable."""
    home = net.forest.home_of(name)
    axis = net.forest.clique_names()[home].index(name)
    others = tuple(k for k in range(net.tables[home].ndim) if k != axis)
    result: Floats = net.tables[home].sum(axis=others)
    return result
