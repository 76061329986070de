"""Learn from a sample of a known network and measure how close the result comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import (
    DAG,
    adjacency_agreement,
    d_connected,
    mask_of,
    structural_hamming_distance,
)
from bayesloom.model import BayesNet, BDeuMean, fit_net
from bayesloom.scores import BDeu
from bayesloom.search import GES, XGES, Dependency, Limits, ScoredResult, Watch
from bayesloom.search.imap.shorthand import Shorthand
from bayesloom_reproduction.experiment import Row

PAPER = BDeu(ess=10, kappa=0.001)
"""The score of the paper: the default of Tetrad."""

FLOOR = 1e-3
"""The probability that cut parameters are raised to."""

SMOOTH = BDeuMean(ess=1.0)
"""The smoothed estimate of the parameters."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A search under the name that results call it by."""

    name: str
    search: GES | XGES | Shorthand


@dataclass(frozen=True, slots=True)
class Network:
    """What a search found in a sample, and the time it took on one processor."""

    result: ScoredResult
    seconds: float


def engine_of(table: Table) -> NativeEngine:
    """Return an engine with one thread; trials run side by side, not threads."""
    return NativeEngine(table.in_name_order(), threads=1)


def learn(learner: Learner, engine: NativeEngine) -> Network:
    """Run a search without limits."""
    began = time.process_time()
    result = learner.search.search(engine, Limits.none(engine.names), Watch())
    return Network(result, time.process_time() - began)


def quality(true: BayesNet, engine: NativeEngine, learned: Network) -> Row:
    """Measure the distance of a result from the true network, steps, tests and time.

    Divergences are those of the maximum-likelihood parameters (infinite if one of them is 0 and
    should not be), of the same raised to at least ``FLOOR``, and of the smoothed ones.
    """
    dag = learned.result.dag
    likeliest, smooth = fit_net(dag, engine), fit_net(dag, engine, SMOOTH)
    found = adjacency_agreement(true.dag, dag)
    return {
        "kl": kl_divergence(true, likeliest),
        "kl_cut": kl_divergence(true, likeliest, floor=FLOOR),
        "kl_smooth": kl_divergence(true, smooth),
        "f": found.f,
        "precision": found.precision,
        "recall": found.recall,
        "shd": structural_hamming_distance(true.dag, dag),
        "edges": len(dag.edges),
        **effort(true.dag, learned),
    }


def effort(true: DAG, learned: Network) -> Row:
    """Count steps and tests, and the rejected hypotheses that are true independences."""
    result = learned.result
    graph = true.reordered(result.dag.names)
    tests = result.tests
    return {
        "steps": len(result.steps),
        "for_dependency": sum(step.reason.value == "dependency" for step in result.steps),
        "candidates": result.candidates,
        "tests": tests.made,
        "conclusive": tests.made - tests.inconclusive,
        "rejected": tests.rejected,
        "false": sum(not holds(graph, dependency) for dependency in result.dependencies),
        "uncovered": sum(not dependency.covered for dependency in result.dependencies),
        "seconds": learned.seconds,
    }


Measure = Callable[[BayesNet, NativeEngine, Network], Row]


def measured(
    learners: Sequence[Learner], true: BayesNet, engine: NativeEngine, measure: Measure = quality
) -> list[Row]:
    """Learn with every method from one sample and measure what each finds."""
    return [
        {"method": learner.name, **measure(true, engine, learn(learner, engine))}
        for learner in learners
    ]


def holds(graph: DAG, dependency: Dependency) -> bool:
    """Say whether a graph has a dependency: whether the two are d-connected given the rest."""
    reach = d_connected(graph.parents, dependency.x, mask_of(dependency.given))
    return bool(reach >> dependency.y & 1)
