"""Inference with numbers, slow and obvious: every configuration of the categories, one by one.

In each configuration the numbers are jointly normal; the matrix of that normal distribution is made
of the regressions, and conditioned on what was observed with one solution of linear equations.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.model import BayesNet, LinearGaussian


@dataclass(frozen=True)
class Component:
    """One configuration of the categories, and the numbers that were not observed in it."""

    states: dict[str, str]
    log_weight: float
    names: list[str]
    mean: Floats
    covariance: Floats


def joint_normal(net: BayesNet, states: Mapping[str, str]) -> tuple[list[str], Floats, Floats]:
    """Return the names, the mean and the covariance of all numbers in a configuration."""
    names = [name for name in net.dag.topological_order() if name in net.numbers]
    place = {name: k for k, name in enumerate(names)}
    slopes, start, noise = np.zeros((len(names), len(names))), np.zeros(len(names)), []
    for k, name in enumerate(names):
        family, parents = net.regression(name), net.parents(name)
        j = tuple(net.states_of(p).index(states[p]) for p in parents if p not in place)
        start[k] = family.intercepts[j]
        noise.append(float(family.sds[j]) ** 2)
        for slope, parent in zip(
            family.coefficients[j], [p for p in parents if p in place], strict=True
        ):
            slopes[k, place[parent]] = slope
    total = np.linalg.inv(np.eye(len(names)) - slopes)
    return names, total @ start, total @ np.diag(noise) @ total.T


def components(
    net: BayesNet,
    states: Mapping[str, str],
    values: Mapping[str, float],
    soft: Mapping[str, Mapping[str, float]] | None = None,
) -> list[Component]:
    """Return every configuration that agrees with the evidence, with its weight."""
    categories = [name for name in net.names if name not in net.numbers]
    found = []
    for cell in itertools.product(*map(net.states_of, categories)):
        config = dict(zip(categories, cell, strict=True))
        if any(config[name] != state for name, state in states.items()):
            continue
        weight = 1.0
        for name in categories:
            family = (*net.parents(name), name)
            j = tuple(net.states_of(u).index(config[u]) for u in family)
            weight *= float(net.table(name)[j])
        for name, likelihood in (soft or {}).items():
            weight *= likelihood[config[name]]
        if weight > 0:
            found.append(_conditioned(net, config, math.log(weight), values))
    return found


def _conditioned(
    net: BayesNet, config: dict[str, str], log_weight: float, values: Mapping[str, float]
) -> Component:
    names, mean, covariance = joint_normal(net, config)
    seen = [k for k, name in enumerate(names) if name in values]
    rest = [k for k, name in enumerate(names) if name not in values]
    if seen:
        inner = covariance[np.ix_(seen, seen)]
        difference = np.array([values[names[k]] for k in seen]) - mean[seen]
        solved = np.linalg.solve(inner, difference)
        log_weight += -0.5 * float(
            len(seen) * math.log(2 * math.pi) + np.linalg.slogdet(inner)[1] + difference @ solved
        )
        between = covariance[np.ix_(rest, seen)]
        mean = mean[rest] + between @ solved
        covariance = covariance[np.ix_(rest, rest)] - between @ np.linalg.solve(inner, between.T)
    return Component(config, log_weight, [names[k] for k in rest], mean, covariance)


def log_evidence(parts: list[Component]) -> float:
    """Return the log density of the evidence."""
    most = max(part.log_weight for part in parts)
    return most + math.log(math.fsum(math.exp(part.log_weight - most) for part in parts))


def posterior_of_category(parts: list[Component], name: str, states: tuple[str, ...]) -> Floats:
    """Return the probabilities of the states of a category."""
    total = log_evidence(parts)
    found = np.zeros(len(states))
    for part in parts:
        found[states.index(part.states[name])] += math.exp(part.log_weight - total)
    return found


def moments(parts: list[Component]) -> tuple[list[str], Floats, Floats]:
    """Return the names, the mean and the covariance of the numbers that were not observed."""
    total = log_evidence(parts)
    weights = [math.exp(part.log_weight - total) for part in parts]
    mean: Floats = np.zeros_like(parts[0].mean)
    for weight, part in zip(weights, parts, strict=True):
        mean = mean + weight * part.mean
    covariance: Floats = np.zeros_like(parts[0].covariance)
    for weight, part in zip(weights, parts, strict=True):
        away = part.mean - mean
        covariance = covariance + weight * (part.covariance + np.outer(away, away))
    return parts[0].names, mean, covariance


def random_mixed_net(rng: np.random.Generator, n_categories: int, n_numbers: int) -> BayesNet:
    """Return a network whose edges, tables and regressions are drawn; some states never occur."""
    order = [f"c{k}" for k in range(n_categories)] + [f"x{k}" for k in range(n_numbers)]
    states = {name: [f"s{j}" for j in range(rng.integers(1, 4))] for name in order[:n_categories]}
    numbers = order[n_categories:]
    shuffled = [order[k] for k in rng.permutation(len(order))]
    variables: dict[str, Any] = {}
    for position, name in enumerate(shuffled):
        earlier = [u for u in shuffled[:position] if name in numbers or u in states]
        later = [u for u in states if u not in shuffled[:position]] if name in numbers else []
        possible = earlier + later
        chosen = [u for u in possible if rng.random() < 0.4][:4]
        shape = tuple(len(states[u]) for u in chosen if u in states)
        if name in states:
            table = rng.dirichlet(np.ones(len(states[name])), size=shape)
            if table.shape[-1] > 1 and rng.random() < 0.2:
                table[..., 0] = 0.0
                table /= table.sum(axis=-1, keepdims=True)
            variables[name] = (states[name], chosen, table)
            continue
        k = len(chosen) - len(shape)
        family = LinearGaussian(
            rng.normal(0, 2, shape), rng.normal(0, 1, (*shape, k)), rng.uniform(0.3, 2, shape)
        )
        variables[name] = ((), chosen, family)
    return BayesNet.from_tables({name: variables[name] for name in order})
