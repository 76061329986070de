"""Entropy and parameters of decomposable Markov networks, and what added links do to both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice

from bayesloom.engine import Batch, Engine
from bayesloom.errors import UnknownVariableError
from bayesloom.graphs import ChordalGraph, Crux, bits
from bayesloom.graphs.naming import node_of


def model_entropy(graph: ChordalGraph, engine: Engine) -> float:
    """Return the entropy of the model with the data's marginals: one batch.

    Cliques count plus, separators minus. The log-likelihood of the data is minus N times it.

    Parameters
    ----------
    graph : ChordalGraph
        The graph; its nodes are variables of the engine.
    engine : Engine
        The data.

    Returns
    -------
    float
        In nats.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> engine = NativeEngine(Table(["A", "B"], [["n", "y"]] * 2, [[0, 1], [0, 1]]))
    >>> round(model_entropy(ChordalGraph.from_edges([("A", "B")]), engine), 4)
    0.6931
    """
    cliques, separators = _sets(graph, engine)
    # An empty separator has one state and no entropy.
    asked = [*cliques, *(separator for separator in separators if separator)]
    entropies = engine.entropies(Batch.sets(asked)).tolist() if asked else []
    return math.fsum(entropies[: len(cliques)]) - math.fsum(entropies[len(cliques) :])


def model_parameters(graph: ChordalGraph, engine: Engine) -> int:
    """Return the number of free parameters: those of cliques minus those of separators.

    The root of every tree of the junction forest hangs on the empty separator, which has none.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> engine = NativeEngine(Table(["A", "B"], [["n", "y"]] * 2, [[0, 1], [0, 1]]))
    >>> model_parameters(ChordalGraph.from_edges([("A", "B")]), engine)
    3
    """
    cliques, separators = _sets(graph, engine)
    asked = [*cliques, *separators]
    free = set_parameters(engine, asked)
    return int(math.fsum(free[: len(cliques)]) - math.fsum(free[len(cliques) :]))


def set_parameters(engine: Engine, sets: Sequence[Sequence[int]]) -> list[float]:
    """Return how many free parameters the joint distribution of each set of variables has.

    It is the sum along its variables, each given the earlier ones: one batch for all sets.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> engine = NativeEngine(Table(["A", "B"], [["n", "y"]] * 2, [[0, 1], [0, 1]]))
    >>> set_parameters(engine, [(0, 1), (1,), ()])
    [3.0, 1.0, 0.0]
    """
    families = [(v, members[:k]) for members in sets for k, v in enumerate(members)]
    free = iter(engine.free_parameters(Batch.families(families)).tolist()) if families else iter(())
    return [math.fsum(islice(free, len(members))) for members in sets]


def delta_entropy(found: Crux, engine: Engine) -> float:
    """Return by how much the entropy of the model falls, computed on the crux alone.

    Parameters
    ----------
    found : Crux
        The crux of the links; see `crux`.
    engine : Engine
        The data.

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001, theorem 9.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> from bayesloom.graphs import crux
    >>> engine = NativeEngine(Table(["A", "B"], [["n", "y"]] * 2, [[0, 1], [0, 1]]))
    >>> round(delta_entropy(crux(ChordalGraph.empty(["A", "B"]), [("A", "B")]), engine), 4)
    0.6931
    """
    return model_entropy(found.before, engine) - model_entropy(found.after, engine)


def delta_parameters(found: Crux, engine: Engine) -> int:
    """Return how many more free parameters the model has, computed on the crux alone.

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001, theorem 14.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> from bayesloom.graphs import crux
    >>> engine = NativeEngine(Table(["A", "B"], [["n", "y"]] * 2, [[0, 1], [0, 1]]))
    >>> delta_parameters(crux(ChordalGraph.empty(["A", "B"]), [("A", "B")]), engine)
    1
    """
    return model_parameters(found.after, engine) - model_parameters(found.before, engine)


def _sets(graph: ChordalGraph, engine: Engine) -> tuple[list[list[int]], list[list[int]]]:
    """Return cliques and separators as variables of the engine; a root's separator is empty."""
    nodes = _places(graph.names, engine.names)
    forest = graph.junction_forest()
    return (
        [[nodes[v] for v in bits(mask)] for mask in forest.cliques],
        [[nodes[v] for v in bits(mask)] for mask in forest.separators],
    )


def _places(names: tuple[str, ...], among: tuple[str, ...]) -> list[int]:
    """Return where names stand among others, without a dictionary of all if they are few."""
    if len(names) * 10 < len(among):
        return [node_of(among, name) for name in names]
    place = {name: v for v, name in enumerate(among)}
    for name in names:
        if name not in place:
            raise UnknownVariableError(name, among)
    return [place[name] for name in names]
