"""Ancestral sampling: every variable is drawn after its parents."""

from __future__ import annotations

import heapq
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom._native import AncestralDraw
from bayesloom.arrays import Floats
from bayesloom.data import MOST_STATES, Table
from bayesloom.errors import CapacityError, check_whole
from bayesloom.graphs.masks import bits
from bayesloom.model.any_net import AnyNet, as_bayes_net
from bayesloom.model.bayes_net import BayesNet

_CELLS_AT_ONCE = 1 << 23
"""Some tenth of a second of native work."""


def draw_rows(net: AnyNet, n_rows: int, seed: np.random.Generator | int = 0) -> Table:
    """Draw rows from the distribution of a network.

    The rows depend on the network, ``n_rows`` and the generator alone; the order of the variables
    changes the order of the columns and nothing else.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    n_rows : int
        How many rows, at least 1.
    seed : int or numpy Generator, default 0
        A seed, or the generator that goes on drawing.

    Returns
    -------
    Table
        One column per variable, in node order, with the states that the network declares.

    Raises
    ------
    OptionError
        If ``n_rows`` is below 1.
    CapacityError
        If a variable has more states than a table can hold, or the rows do not fit into memory.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> table = draw_rows(net, 1000, seed=1)
    >>> table.n_rows, table.states, int(table.column("rain").sum())
    (1000, (('no', 'yes'),), 216)
    """
    net = as_bayes_net(net)
    generator = generator_of(seed)
    _check_rows(net, n_rows)
    if net.numbers:
        return _with_numbers(net, n_rows, generator)
    return Table(net.names, net.states, tuple(_drawn_states(net, n_rows, generator)))


def _with_numbers(net: BayesNet, n_rows: int, generator: np.random.Generator) -> Table:
    """Draw the categories, which depend on no number, and the numbers after them."""
    codes: dict[int, npt.NDArray[Any]] = {}
    if len(net.numbers) < net.n:
        part = net.categories()
        columns = _drawn_states(part, n_rows, generator)
        codes = {net.index(name): column for name, column in zip(part.names, columns, strict=True)}
    for v in _order_by_name(net):
        if net.number_mask >> v & 1:
            codes[v] = generator.standard_normal(n_rows)
            drawn_number(net, v, codes, codes[v])
    return Table(net.names, net.states, [codes[v] for v in range(net.n)])


def drawn_number(
    net: BayesNet, v: int, columns: Mapping[int, npt.NDArray[Any]], errors: Floats
) -> None:
    """Turn standard normal errors into values of a number, given the columns of its parents."""
    family = net.regression(net.names[v])
    parents = bits(net.dag.parent_masks[v])
    numbers = [u for u in parents if net.number_mask >> u & 1]
    if not family.shape:
        errors *= float(family.sds)
        errors += float(family.intercepts)
        for u, slope in zip(numbers, family.coefficients.tolist(), strict=True):
            errors += slope * columns[u]
        return
    index = [columns[u] for u in parents if u not in numbers]
    place = np.ravel_multi_index([column.astype(np.intp) for column in index], family.shape)
    errors *= family.sds.ravel().take(place)
    errors += family.intercepts.ravel().take(place)
    for k, u in enumerate(numbers):
        errors += family.coefficients[..., k].ravel().take(place) * columns[u]


def _drawn_states(
    net: BayesNet, n_rows: int, generator: np.random.Generator
) -> list[npt.NDArray[np.unsignedinteger[Any]]]:
    """Draw the states of a network of categories alone."""
    if (most := int(net.cardinality.max())) > MOST_STATES:
        name = net.names[int(net.cardinality.argmax())]
        msg = f"variable {name!r} has {most:,} states, and a table holds at most {MOST_STATES:,}"
        raise CapacityError(msg)
    codes: list[npt.NDArray[np.unsignedinteger[Any]]] = [
        np.empty(n_rows, np.min_scalar_type(len(labels) - 1)) for labels in net.states
    ]
    made, bits_of = _native_draw(net), generator.bit_generator
    # Whole blocks, so that the rows are those of one call; between two calls Python hears Ctrl-C.
    step = made.block_rows * max(1, _CELLS_AT_ONCE // (made.block_rows * net.n))
    with bits_of.lock:
        for first in range(0, n_rows, step):
            made.draw(bits_of.capsule, [column[first : first + step] for column in codes])
    return codes


def generator_of(seed: np.random.Generator | int) -> np.random.Generator:
    """Return the generator that a user gives, or the one that a seed makes.

    Raises
    ------
    OptionError
        If it is neither.

    Examples
    --------
    >>> generator_of("1")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: seed must be a whole number, got '1'
    """
    if isinstance(seed, np.random.Generator):
        return seed
    check_whole("seed", seed, 0)
    return np.random.default_rng(seed)


def _check_rows(net: BayesNet, n_rows: int) -> None:
    """Refuse rows that are none, and more than the machine can hold."""
    check_whole("n_rows", n_rows, 1)
    needed = n_rows * sum(
        np.min_scalar_type(len(labels) - 1).itemsize if labels else 8 for labels in net.states
    )
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > there:
        msg = (
            f"{n_rows:,} rows of {net.n} variables take {needed / 1e9:.3g} GB, and this machine "
            f"has {there / 1e9:.3g} GB of memory; draw fewer rows"
        )
        raise CapacityError(msg)


def _native_draw(net: BayesNet) -> AncestralDraw:
    """Hand a network over, family by family in the order in which they are drawn."""
    order = _order_by_name(net)
    parents = [bits(net.dag.parent_masks[v]) for v in order]
    return AncestralDraw(
        net.cardinality,
        np.array(order, np.int32),
        np.cumsum([0, *map(len, parents)], dtype=np.int64),
        np.array([u for family in parents for u in family], np.int32),
        np.concatenate([net.tables[v].ravel() for v in order]),
    )


def _order_by_name(net: BayesNet) -> list[int]:
    """List every node after its parents, the first in name order among those that may come."""
    waiting = [mask.bit_count() for mask in net.dag.parent_masks]
    ready = [(net.names[v], v) for v, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    children = net.dag.child_masks
    order = []
    while ready:
        _, v = heapq.heappop(ready)
        order.append(v)
        for child in bits(children[v]):
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, (net.names[child], child))
    return order
