"""Sums and maxima over categories of products of factors, in logarithms and for many cases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesloom.arrays import Floats, Longs


@dataclass(frozen=True, slots=True, eq=False)
class LogFactor:
    """Logarithms over categories: one axis for the cases (1 if all are alike), then one each.

    Parameters
    ----------
    scope : tuple of int
        The categories, ascending.
    values : array
        The logarithms.
    """

    scope: tuple[int, ...]
    values: Floats

    def over(self, scope: Sequence[int]) -> Floats:
        """Return the values with an axis for every category of a wider scope."""
        place = {c: k for k, c in enumerate(self.scope)}
        shape = [self.values.shape[place[c] + 1] if c in place else 1 for c in scope]
        return self.values.reshape(self.values.shape[0], *shape)


@dataclass(frozen=True, slots=True, eq=False)
class SummedOut:
    """A category that was summed or maximised out, with the product it was taken out of."""

    node: int
    factor: LogFactor


@dataclass(frozen=True, slots=True)
class EliminationPlan:
    """In which order categories are taken out, and how large the largest product is.

    Parameters
    ----------
    order : tuple of int
        The categories.
    cells : float
        The cells of the largest product, for one case.
    """

    order: tuple[int, ...]
    cells: float


def planned(
    scopes: Iterable[Sequence[int]], sizes: Mapping[int, int], targets: Sequence[int]
) -> EliminationPlan:
    """Return an order in which every step makes the smallest product that it can.

    Examples
    --------
    >>> planned([(0,), (0, 1), (1, 2)], {0: 2, 1: 3, 2: 4}, [2])
    EliminationPlan(order=(0, 1), cells=12.0)
    """
    left = [frozenset(scope) for scope in scopes]
    waiting = sorted(frozenset().union(*left) - set(targets)) if left else []
    order: list[int] = []
    largest = _cells(frozenset(targets), sizes)
    unions: dict[int, frozenset[int]] = {}
    while waiting:
        for v in waiting:
            if v not in unions:
                unions[v] = frozenset().union(*(scope for scope in left if v in scope))
        v = min(waiting, key=lambda u: _cells(unions[u], sizes))
        union = unions[v]
        largest = max(largest, _cells(union, sizes))
        left = [scope for scope in left if v not in scope]
        left.append(union - {v})
        waiting.remove(v)
        order.append(v)
        unions = {u: scope for u, scope in unions.items() if u not in union}
    return EliminationPlan(tuple(order), largest)


def eliminated(
    factors: Sequence[LogFactor],
    plan: EliminationPlan,
    targets: Sequence[int],
    *,
    steps: list[SummedOut] | None = None,
    maximum: bool = False,
) -> Floats:
    """Return the logarithms of the product over the targets, all else summed or maximised out.

    Parameters
    ----------
    factors : sequence of LogFactor
        The factors; every target is in one of them.
    plan : EliminationPlan
        What `planned` gives.
    targets : sequence of int
        The categories that stay, in the order of the axes wanted.
    steps : list, optional
        Gets what `drawn` and `most_probable_states` need to go back.
    maximum : bool
        Whether the largest is taken in place of the sum.

    Examples
    --------
    >>> factor = LogFactor((0, 1), np.log([[[0.25, 0.25], [0.125, 0.375]]]))
    >>> np.exp(eliminated([factor], planned([(0, 1)], {0: 2, 1: 2}, [1]), [1])).tolist()
    [[0.375, 0.625]]
    """
    left = list(factors)
    for v in plan.order:
        touched = [factor for factor in left if v in factor.scope]
        scope = tuple(sorted({c for factor in touched for c in factor.scope}))
        product = LogFactor(scope, _product(touched, scope))
        if steps is not None:
            steps.append(SummedOut(v, product))
        axis = scope.index(v) + 1
        rest = tuple(c for c in scope if c != v)
        values = product.values.max(axis=axis) if maximum else log_sum(product.values, axis)
        left = [factor for factor in left if v not in factor.scope]
        left.append(LogFactor(rest, values))
    inner = tuple(sorted(targets))
    values = _product(left, inner)
    return values.transpose(0, *(inner.index(c) + 1 for c in targets))


def traced_back(
    steps: Sequence[SummedOut],
    states: dict[int, Longs],
    n: int,
    rng: np.random.Generator | None = None,
) -> dict[int, Longs]:
    """Return a state of every category that was taken out, given those of the targets.

    They are drawn if there is a generator, and otherwise the ones at which the maximum was.

    Parameters
    ----------
    steps : sequence of SummedOut
        What `eliminated` noted.
    states : dict of int to array
        The states of the targets in each of ``n`` cases; those found are added.
    n : int
        The number of cases.
    rng : Generator, optional
        Draws the states.
    """
    rows = np.arange(n)
    for step in reversed(steps):
        factor = step.factor
        index: list[Any] = [rows if factor.values.shape[0] > 1 else 0]
        axis = 0
        for c in factor.scope:
            if c == step.node:
                axis = len(index)
            index.append(slice(None) if c == step.node else states[c])
        moved = np.moveaxis(factor.values, axis, -1)
        del index[axis]
        logs = np.broadcast_to(moved[tuple(index)], (n, moved.shape[-1]))
        states[step.node] = (
            logs.argmax(axis=1).astype(np.int64) if rng is None else drawn_codes(logs, rng)
        )
    return states


def drawn_codes(logs: Floats, rng: np.random.Generator) -> Longs:
    """Draw one position of every row, with probabilities whose logarithms these are up to a sum.

    Examples
    --------
    >>> drawn_codes(np.array([[0.0, -np.inf], [-np.inf, -9.0]]), np.random.default_rng(0)).tolist()
    [0, 1]
    """
    largest = logs.max(axis=1, keepdims=True)
    weights = np.cumsum(np.exp(logs - np.where(np.isfinite(largest), largest, 0.0)), axis=1)
    points = rng.random(len(logs)) * weights[:, -1]
    last = (weights < weights[:, -1:]).sum(axis=1)  # of the positions with a weight
    found: Longs = np.minimum((weights <= points[:, None]).sum(axis=1), last).astype(np.int64)
    return found


def log_sum(values: Floats, axis: int | tuple[int, ...]) -> Floats:
    """Return the logarithm of a sum of exponentials; minus infinity if all are.

    Examples
    --------
    >>> float(log_sum(np.array([-1e4, -1e4]), 0)) == -1e4 + math.log(2)
    True
    """
    largest = values.max(axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        found: Floats = np.log(np.exp(values - shift).sum(axis=axis)) + np.squeeze(shift, axis)
    return found


def _product(factors: Sequence[LogFactor], scope: Sequence[int]) -> Floats:
    total = np.zeros((1,) * (1 + len(scope)))
    for factor in factors:
        total = total + factor.over(scope)
    return total


def _cells(scope: Iterable[int], sizes: Mapping[int, int]) -> float:
    return math.prod((float(sizes[c]) for c in scope), start=1.0)
