"""Random binary networks of 4 to 10 nodes, for figures 3, 4, 5 and the count of tests."""

from __future__ import annotations

from functools import reduce

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.graphs import DAG, bits
from bayesloom.independence import BenjaminiHochberg, FixedAlpha
from bayesloom.model import BayesNet, draw_rows, random_dag, random_net
from bayesloom.search import GES, IGES, Dependency
from bayesloom_reproduction.experiment import Generator, Row, Rows, Trial
from bayesloom_reproduction.measures import (
    PAPER,
    Learner,
    Network,
    engine_of,
    holds,
    learn,
    quality,
)

NODES = tuple(range(4, 11))
SIZES = (100, 250, 500, 1000, 2000, 4000, 6000, 8000)
SETTINGS = ("sparse", "dense")
"""Sparse: 1 to 2n edges. Dense: n to 2n edges."""

GRID: dict[str, tuple[str | int, ...]] = {"setting": SETTINGS, "nodes": NODES, "rows": SIZES}
GES_NAME, IGES_NAME = "GES", "IGES 5%"
LEARNERS = (
    Learner(GES_NAME, GES(score=PAPER)),
    Learner(IGES_NAME, IGES(score=PAPER, control=FixedAlpha(0.05))),
    Learner("IGES 1%", IGES(score=PAPER, control=FixedAlpha(0.01))),
    Learner("IGES BH 5%", IGES(score=PAPER, control=BenjaminiHochberg(0.05))),
)


def draw_graph(trial: Trial, rng: Generator) -> Rows:
    """Draw a graph, parameters and a sample; every method learns from it and is measured."""
    dag = random_dag(int(trial["nodes"]), rng, dense=trial["setting"] == "dense")
    net = random_net(dag, rng)
    engine = engine_of(draw_rows(net, int(trial["rows"]), rng))
    learned = {learner.name: learn(learner, engine) for learner in LEARNERS}
    return {
        "runs": [
            {"method": name, **quality(net, engine, found)} for name, found in learned.items()
        ],
        "missed": _missed(net, learned[GES_NAME], learned[IGES_NAME]),
    }


def _missed(net: BayesNet, by_score: Network, tested: Network) -> list[Row]:
    """List the true dependencies that tests detected and the score alone left out."""
    names = tested.result.dag.names
    true, plain = net.dag.reordered(names), by_score.result.dag
    found = [
        dependency
        for dependency in tested.result.dependencies
        if holds(true, dependency) and not holds(plain, dependency)
    ]
    joint = _joint(net) if found else np.empty(0)
    return [
        {
            "given": len(dependency.given),
            "information": _information(joint, net.dag, dependency, names),
            "sample_information": dependency.information or 0.0,
            "p": dependency.p,
        }
        for dependency in found
    ]


def _joint(net: BayesNet) -> Floats:
    """Return the joint distribution, one axis per node."""
    factors = []
    for v, mask in enumerate(net.dag.parent_masks):
        shape = [1] * net.n
        for u in (*bits(mask), v):
            shape[u] = len(net.states[u])
        order = np.argsort([*bits(mask), v], kind="stable")
        factors.append(np.transpose(net.tables[v], order).reshape(shape))
    whole: Floats = reduce(np.multiply, factors)
    return whole


def _information(joint: Floats, dag: DAG, dependency: Dependency, names: tuple[str, ...]) -> float:
    """Return I(x; y | given) in the true distribution, as four entropies."""
    x, y = (dag.names.index(names[v]) for v in (dependency.x, dependency.y))
    given = [dag.names.index(names[v]) for v in dependency.given]
    parts = ([*given, x], [*given, y], [*given, x, y], given)
    h_x, h_y, h_xy, h = (_entropy(joint, part) for part in parts)
    return max(0.0, h_x + h_y - h_xy - h)


def _entropy(joint: Floats, nodes: list[int]) -> float:
    others = tuple(v for v in range(joint.ndim) if v not in nodes)
    p = joint.sum(axis=others).ravel()
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())
