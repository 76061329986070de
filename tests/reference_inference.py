"""Slow, obvious versions of exact inference: enumeration, and elimination with numpy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bayesloom.model import BayesNet
from reference_model import all_rows, joint

Floats = npt.NDArray[np.float64]
Soft = Mapping[str, Sequence[float]]
Factor = tuple[tuple[str, ...], npt.NDArray[np.longdouble]]


def case_weight(
    net: BayesNet, row: Mapping[str, str], given: Mapping[str, str], soft: Soft
) -> float:
    """The probability of a full row times the likelihoods; 0 if it contradicts the evidence."""
    if any(row[name] != state for name, state in given.items()):
        return 0.0
    likelihood = math.prod(soft[name][net.states_of(name).index(row[name])] for name in soft)
    return joint(net, row) * likelihood


def enumerated(
    net: BayesNet, targets: Sequence[str], given: Mapping[str, str], soft: Soft
) -> tuple[Floats, float]:
    """P(targets, evidence) as a table, and P(evidence), by visiting every row."""
    shape = [len(net.states_of(name)) for name in targets]
    cells: dict[tuple[int, ...], list[float]] = {}
    for row in all_rows(net):
        cell = tuple(net.states_of(name).index(row[name]) for name in targets)
        cells.setdefault(cell, []).append(case_weight(net, row, given, soft))
    table = np.zeros(shape)
    for cell, weights in cells.items():
        table[cell] = math.fsum(weights)
    return table, math.fsum(table.ravel().tolist())


def best_row(net: BayesNet, given: Mapping[str, str], soft: Soft) -> float:
    """The probability of the most probable row that agrees with the evidence."""
    return max(case_weight(net, row, given, soft) for row in all_rows(net))


def eliminated(
    net: BayesNet, targets: Sequence[str], given: Mapping[str, str]
) -> tuple[Floats, float]:
    """P(targets | evidence) and log P(evidence), by eliminating the smallest table next.

    Numbers have 64 bits of mantissa; the only thing left out is variables below all others.
    """
    alive = _ancestors(net, {*targets, *given})
    factors = [_cut(net, name, given) for name in net.names if name in alive]
    for name in _order(factors, set(targets)):
        mine = [factor for factor in factors if name in factor[0]]
        factors = [factor for factor in factors if name not in factor[0]]
        names, table = _product(mine)
        axis = names.index(name)
        factors.append((names[:axis] + names[axis + 1 :], table.sum(axis=axis)))
    names, table = _product(factors)
    table = table.transpose([names.index(name) for name in targets])
    total = table.sum()
    return (table / total).astype(np.float64), float(np.log(total))


def _ancestors(net: BayesNet, names: set[str]) -> set[str]:
    found, rest = set(names), list(names)
    while rest:
        new = set(net.parents(rest.pop())) - found
        found |= new
        rest += new
    return found


def _cut(net: BayesNet, name: str, given: Mapping[str, str]) -> Factor:
    family = (*net.parents(name), name)
    cells = tuple(net.states_of(u).index(given[u]) if u in given else slice(None) for u in family)
    table = net.table(name).astype(np.longdouble)[cells]
    return tuple(u for u in family if u not in given), np.asarray(table)


def _order(factors: list[Factor], stay: set[str]) -> list[str]:
    scopes = [set(names) for names, _ in factors]
    states = {
        name: size
        for names, table in factors
        for name, size in zip(names, table.shape, strict=True)
    }
    order = []
    while rest := sorted(set().union(*scopes) - stay):
        unions = {v: set().union(*(scope for scope in scopes if v in scope)) for v in rest}
        v = min(rest, key=lambda v: math.prod(states[u] for u in unions[v]))
        scopes = [scope for scope in scopes if v not in scope] + [unions[v] - {v}]
        order.append(v)
    return order


def _product(factors: list[Factor]) -> Factor:
    names = tuple(sorted(set().union(*(set(part) for part, _ in factors))))
    table = np.ones((1,) * len(names), np.longdouble)
    for part, values in factors:
        arranged = values.transpose(sorted(range(len(part)), key=part.__getitem__))
        sizes = iter(arranged.shape)
        table = table * arranged.reshape([next(sizes) if name in part else 1 for name in names])
    return names, table


def adjusted_effect(
    distribution: Floats, parents: Sequence[int], treatment: int, outcome: int
) -> Floats:
    """P(outcome | do(treatment)) for every state, from a joint, by adjusting for the parents.

    The joint has one axis per variable and no zeros; ``parents`` are those of the treatment.
    """
    if outcome in parents:  # what comes before the treatment is not changed by it
        others = tuple(v for v in range(distribution.ndim) if v != outcome)
        alone = distribution.sum(axis=others)
        return np.tile(alone, (distribution.shape[treatment], 1))
    kept = [*parents, treatment, outcome]
    rest = tuple(v for v in range(distribution.ndim) if v not in kept)
    order = sorted(kept)
    table = distribution.sum(axis=rest).transpose([order.index(v) for v in kept])
    table = table.reshape(-1, *table.shape[-2:])
    result = np.zeros(table.shape[1:])
    for part in table:
        result += part.sum() * part / part.sum(axis=1, keepdims=True)
    return result
