"""Figures 3, 4, 5 and the count of tests: random binary networks of 4 to 10 nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from bayesloom.graphs import DAG, bits
from bayesloom.independence import BenjaminiHochberg, FixedAlpha
from bayesloom.model import BayesNet, random_dag, random_net, sample
from bayesloom.model.probabilities import Floats
from bayesloom.reproduction.experiment import Key, Row, Rows, generator
from bayesloom.reproduction.measures import (
    Learned,
    Learner,
    effort,
    engine_of,
    holds,
    learn,
    quality,
)
from bayesloom.scores import BDeu
from bayesloom.search import GES, IGES, Dependency

NODES = tuple(range(4, 11))
SIZES = (100, 250, 500, 1000, 2000, 4000, 6000, 8000)
SETTINGS = ("sparse", "dense")
"""Sparse: 1 to 2n edges. Dense: n to 2n edges."""

PAPER = BDeu(ess=10, kappa=0.001)
GES_NAME, IGES_NAME = "GES", "IGES 5%"
LEARNERS = (
    Learner(GES_NAME, GES(score=PAPER)),
    Learner(IGES_NAME, IGES(score=PAPER, control=FixedAlpha(0.05))),
    Learner("IGES 1%", IGES(score=PAPER, control=FixedAlpha(0.01))),
    Learner("IGES BH 5%", IGES(score=PAPER, control=BenjaminiHochberg(0.05))),
)


@dataclass(frozen=True, slots=True)
class RandomGraphs:
    """A random graph, random parameters and a sample per trial; every method learns from it."""

    name: str = "random-graphs"
    reps: int = 30

    def keys(self, reps: int) -> list[Key]:
        """List the trials, the long ones first."""
        return [
            (setting, n, size, rep)
            for n in reversed(NODES)
            for size in reversed(SIZES)
            for setting in SETTINGS
            for rep in range(reps)
        ]

    def run(self, key: Key, seed: int) -> Rows:
        """Draw a network and a sample, learn with every method and measure the results."""
        setting, n, size = str(key[0]), int(key[1]), int(key[2])
        rng = generator(seed, key)
        net = random_net(random_dag(n, rng, dense=setting == "dense"), rng)
        engine = engine_of(sample(net, size, rng))
        trial: Row = {"setting": setting, "nodes": n, "rows": size, "rep": key[3]}
        runs: list[Row] = []
        learned = {learner.name: learn(learner, engine) for learner in LEARNERS}
        for name, found in learned.items():
            measured = {**quality(net, engine, found), **effort(net.dag, found)}
            runs.append({**trial, "method": name, **measured})
        missed = _missed(net, learned[GES_NAME], learned[IGES_NAME])
        return {"runs": runs, "missed": [{**trial, **row} for row in missed]}


def _missed(net: BayesNet, by_score: Learned, tested: Learned) -> list[Row]:
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
            "sample_information": dependency.information,
            "p": dependency.p,
        }
        for dependency in found
    ]


def _joint(net: BayesNet) -> Floats:
    """Return the joint distribution, one axis per node."""
    factors = []
    for v, mask in enumerate(net.dag.parents):
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
