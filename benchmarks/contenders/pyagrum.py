"""pyAgrum, with one thread unless a task says otherwise."""

from __future__ import annotations

import itertools
import math
import sys
from typing import Any

import numpy as np
import pyagrum as gum

import dataset
from contenders import Prepared, total

LN2 = math.log(2)  # pyAgrum counts in bits


def _learner(csv: str, score: str = "bic", threads: int | None = 1) -> gum.BNLearner:
    if threads:
        gum.setNumberOfThreads(threads)
    learner = gum.BNLearner(csv)
    if threads:
        learner.setNumberOfThreads(threads)
    if score == "bdeu":
        learner.useScoreBDeu()
        learner.useBDeuPrior(10)
    else:
        learner.useScoreBIC()
        learner.useNoPrior()
    return learner


def pairwise_mi(csv: str) -> Prepared:
    learner = _learner(csv)
    pairs = list(itertools.combinations(learner.names(), 2))
    return lambda: [learner.mutualInformation(a, b) for a, b in pairs], lambda v: total(v, LN2)


def family_scores(csv: str, families: list[list[str]]) -> Prepared:
    learner = _learner(csv, "bdeu")
    return lambda: [learner.score(f[0], f[1:]) for f in families], lambda v: total(v, LN2)


def _graph(learner: gum.BNLearner) -> dict[str, Any]:
    dag = learner.learnDAG()
    return {"directed": [[learner.nameFromId(a), learner.nameFromId(b)] for a, b in dag.arcs()]}


def _structure(learner: gum.BNLearner) -> Prepared:
    return lambda: _graph(learner), lambda found: found


def hill_climbing(csv: str, score: str, threads: int | None = 1) -> Prepared:
    learner = _learner(csv, score, threads)
    learner.useGreedyHillClimbing()
    return _structure(learner)


def tabu(csv: str, score: str, size: int = 100, decrease: int = 2) -> Prepared:
    learner = _learner(csv, score)
    learner.useLocalSearchWithTabuList(size, decrease)
    return _structure(learner)


def miic(csv: str) -> Prepared:
    """Test for independence, with the correction that it starts with (NML)."""
    learner = _learner(csv)
    learner.useMIIC()
    return _structure(learner)


def k2(csv: str, score: str, order: list[str]) -> Prepared:
    learner = _learner(csv, score)
    learner.useK2([learner.idFromName(name) for name in order])  # names are ignored without a word
    return _structure(learner)


def chow_liu(csv: str) -> Prepared:
    """Join its mutual informations to a tree; its own Chow-Liu classifier is far slower."""
    learner = _learner(csv)

    def work() -> dict[str, Any]:
        names = learner.names()
        weights = np.zeros((len(names), len(names)))
        for (i, a), (j, b) in itertools.combinations(enumerate(names), 2):
            weights[i, j] = weights[j, i] = learner.mutualInformation(a, b)
        return {"directed": [[names[i], names[j]] for i, j in _heaviest_tree(weights)]}

    return work, lambda found: found


def _heaviest_tree(weights: np.ndarray) -> list[tuple[int, int]]:
    """Return the edges that Prim's algorithm finds from node 0, each away from it."""
    nearest = np.zeros(len(weights), dtype=int)
    best, edges = weights[0].copy(), []
    best[0] = -np.inf
    for _ in range(len(weights) - 1):
        new = int(best.argmax())
        edges.append((int(nearest[new]), new))
        closer = (weights[new] > best) & (best > -np.inf)
        best[closer], nearest[closer] = weights[new][closer], new
        best[new] = -np.inf
    return edges


def read_network(bif: str) -> Prepared:
    return lambda: gum.loadBN(bif), lambda net: {"nodes": net.size()}


def compile_network(bif: str) -> Prepared:
    gum.setNumberOfThreads(1)
    net = gum.loadBN(bif)

    def work() -> gum.LazyPropagation:
        engine = gum.LazyPropagation(net)
        engine.junctionTree()
        return engine

    return work, lambda _: {}


def posteriors(bif: str, evidence: dict, earlier: dict | None = None) -> Prepared:
    """Ask a new engine, or one that has answered a query about the same nodes."""
    gum.setNumberOfThreads(1)
    net = gum.loadBN(bif)
    engine = gum.LazyPropagation(net)
    engine.junctionTree()
    if earlier:
        engine.setEvidence(earlier)
        engine.makeInference()
    nodes = list(net.nodes())

    def work() -> dict[str, Any]:
        engine.updateEvidence(evidence) if earlier else engine.setEvidence(evidence)
        engine.makeInference()
        return {net.variable(v).name(): engine.posterior(v) for v in nodes}

    return work, lambda found: {"marginals": {v: p.tolist() for v, p in found.items()}}


def sample(bif: str, rows: int) -> Prepared:
    gum.setNumberOfThreads(1)
    net = gum.loadBN(bif)

    def work() -> gum.BNDatabaseGenerator:
        generator = gum.BNDatabaseGenerator(net)
        generator.drawSamples(rows)
        return generator

    return work, lambda made: {"rows": made.samplesNbRows()}


def log_likelihood(bif: str, csv: str) -> Prepared:
    from pyagrum.lib import bn2scores

    gum.setNumberOfThreads(1)
    net = gum.loadBN(bif)
    work = lambda: bn2scores.computeScores(net, csv)  # noqa: E731
    return work, lambda found: {"sum": found[1]["likelihood"] * LN2}


def learn_file(csv: str, bif: str) -> None:
    """Learn by hill climbing and BIC, fit the tables and write the network."""
    learner = _learner(csv)
    learner.useGreedyHillClimbing()
    dag = learner.learnDAG()
    learner.useSmoothingPrior()  # without a prior it refuses parent states that do not occur
    gum.saveBN(learner.learnParameters(dag), bif)


if __name__ == "__main__":
    learn_file(*sys.argv[1:])


def _classifier(csv: str, target: str) -> Any:  # noqa: ANN401
    """Return its TAN classifier, unfitted, and the cells of the attributes and the class."""
    from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
    from pyagrum.skbn import BNClassifier

    gum.setNumberOfThreads(1)
    x, y = dataset.codes_and_class(csv, target)
    types = DiscreteTypeProcessor()  # codes of few states are not cut
    made = BNClassifier(
        type_processor=types, learningMethod="TAN", prior="Smoothing", priorWeight=1.0
    )
    return made, x, y


def tan_fit(csv: str, target: str) -> Prepared:
    made, x, y = _classifier(csv, target)
    return lambda: made.fit(x, y), lambda _: {"edges": len(made.bn_.arcs())}


def tan_probabilities(csv: str, target: str, training: int) -> Prepared:
    made, x, y = _classifier(csv, target)
    made.fit(x[:training], y[:training])
    return lambda: made.predict_proba(x), lambda found: {"rows": len(found)}
