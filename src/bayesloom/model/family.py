"""What a variable of a network is given its parents: a table, or regressions; and their checks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.errors import ModelError
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.model.linear_gaussian import LinearGaussian
from bayesloom.model.probabilities import ROW_TOLERANCE, describe_row, find_row_fault, scaled

MOST_PARENTS = 63
"""A table is an array with one axis per parent and one for the child; numpy has 64 axes."""

NodeFamily: TypeAlias = "Floats | LinearGaussian"
"""How a variable depends on its parents: the table of a category, the regressions of a number."""


def in_node_order(table: Floats, parents: Sequence[int]) -> Floats:
    """Return a table whose parent axes, given for ``parents``, stand in ascending node order.

    Examples
    --------
    >>> in_node_order(np.zeros((2, 3, 4)), parents=[7, 5]).shape
    (3, 2, 4)
    """
    axes = sorted(range(len(parents)), key=lambda axis: parents[axis])
    return np.ascontiguousarray(table.transpose(*axes, len(parents)))


def same_family(ours: NodeFamily, theirs: NodeFamily) -> bool:
    """Say whether two families are the same."""
    if isinstance(ours, LinearGaussian) or isinstance(theirs, LinearGaussian):
        return isinstance(ours, LinearGaussian) and ours == theirs
    return np.array_equal(ours, theirs)


def states_of_family(name: str, labels: Sequence[str], family: object) -> tuple[str, ...]:
    """Return the states of a variable: those of a category; of a number none."""
    if not isinstance(family, LinearGaussian):
        return checked_states(name, labels)
    if labels is not None and len(labels):
        msg = f"variable {name!r} has regressions, so it is a number and has no states"
        raise ModelError(msg)
    return ()


def check_parents(
    name: str, parents: Sequence[int], names: Sequence[str], states: Sequence[Sequence[str]]
) -> None:
    """Refuse a number among the parents of a category."""
    for u in parents:
        if not states[u]:
            msg = (
                f"the category {name!r} has the number {names[u]!r} among its parents; a number "
                "may depend on a category, not the other way round"
            )
            raise ModelError(msg)


def checked_regression(
    dag: DAG, states: Sequence[tuple[str, ...]], v: int, family: LinearGaussian
) -> LinearGaussian:
    """Return the regressions of a number if they fit its parents."""
    parents = bits(dag.parent_masks[v])
    shape = tuple(len(states[u]) for u in parents if states[u])
    n_numbers = sum(not states[u] for u in parents)
    if family.shape != shape or family.n_numbers != n_numbers:
        msg = (
            f"the regressions of {dag.names[v]!r} must have the shape {shape} (the numbers of "
            f"states of its category parents) and {n_numbers} coefficients, got {family.shape} and "
            f"{family.n_numbers}"
        )
        raise ModelError(msg)
    return family


def regression_in_node_order(
    name: str, family: LinearGaussian, parents: Sequence[int], states: Sequence[Sequence[str]]
) -> LinearGaussian:
    """Return regressions whose parents, given in the order of ``parents``, stand in node order."""
    categories = [u for u in parents if states[u]]
    numbers = [u for u in parents if not states[u]]
    if len(family.shape) != len(categories) or family.n_numbers != len(numbers):
        msg = (
            f"the regressions of {name!r} have {len(family.shape)} category parents and "
            f"{family.n_numbers} number parents, but the network {len(categories)} and "
            f"{len(numbers)}"
        )
        raise ModelError(msg)
    return family.reordered(
        sorted(range(len(categories)), key=categories.__getitem__),
        sorted(range(len(numbers)), key=numbers.__getitem__),
    )


def checked_states(name: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of one variable as a tuple if they are different non-empty texts.

    Examples
    --------
    >>> checked_states("rain", ["no", "yes"])
    ('no', 'yes')
    """
    if isinstance(labels, str) or len(labels) == 0:
        msg = f"variable {name!r} needs a list of at least one state, got {labels!r}"
        raise ModelError(msg)
    seen = set()
    for label in labels:
        check_text(label, f"state of variable {name!r}")
        if label in seen:
            msg = f"variable {name!r} has the state {label!r} twice; states must differ"
            raise ModelError(msg)
        seen.add(label)
    return tuple(labels)


def check_text(text: object, what: str) -> None:
    """Raise unless something is a text that any file can hold."""
    if not isinstance(text, str) or not text:
        msg = f"a {what} must be a text that is not empty, got {text!r}"
        raise ModelError(msg)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            msg = f"a {what} must be valid Unicode, got {text!r}"
            raise ModelError(msg) from None


def shaped_table(name: str, table: npt.ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a table as an array of floats if it has the shape wanted."""
    if len(shape) > MOST_PARENTS + 1:
        msg = f"variable {name!r} has {len(shape) - 1} parents; at most {MOST_PARENTS} are possible"
        raise ModelError(msg)
    try:
        array = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"the table of variable {name!r} must hold numbers in rows of equal length"
        raise ModelError(msg) from None
    if array.shape != shape:
        msg = (
            f"the table of variable {name!r} must have the shape {shape} (its parents' numbers of "
            f"states, then its own), got {array.shape}"
        )
        raise ModelError(msg)
    return array


def checked_table(
    dag: DAG, states: tuple[tuple[str, ...], ...], v: int, table: npt.ArrayLike
) -> Floats:
    """Return the table of one variable, scaled and read-only, if its rows are distributions."""
    parents = bits(dag.parent_masks[v])
    check_parents(dag.names[v], parents, dag.names, states)
    shape = tuple(len(states[u]) for u in (*parents, v))
    rows = shaped_table(dag.names[v], table, shape).reshape(math.prod(shape[:-1]), shape[-1])
    if (fault := find_row_fault(rows)) is not None:
        names = [dag.names[u] for u in parents]
        where = describe_row(dag.names[v], names, [states[u] for u in parents], fault.row)
        msg = f"the {where} {fault.problem} (within {ROW_TOLERANCE})"
        raise ModelError(msg)
    result = scaled(rows).reshape(shape)
    result.flags.writeable = False
    return result
