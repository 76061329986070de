"""Pictures of learned networks: edges as strong as their evidence, free directions dashed."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path

from bayesloom.data import atomic_file
from bayesloom.data.path import check_place
from bayesloom.engine import Engine
from bayesloom.errors import FileFormatError
from bayesloom.graphs import CPDAG, DAG, PDAG, ChordalGraph, bits
from bayesloom.learning.structure import Structure
from bayesloom.report import Drawing, svg
from bayesloom.scores import Score
from bayesloom.scores.score import family_batch

Losses = Mapping[tuple[int, int], float]
"""For edges (parent, child) of a DAG: how much the score falls without them."""


def edge_losses(engine: Engine, score: Score, dag: DAG) -> dict[tuple[int, int], float]:
    """Return how much the score would fall without each edge, from one batch.

    Edges are given as indices into the nodes of ``dag``, whose order may differ from the engine's.
    """
    graph = dag.reordered(engine.names)
    edges = [(p, v) for v, mask in enumerate(graph.parents) for p in bits(mask)]
    families = [(v, bits(graph.parents[v])) for _, v in edges]
    families += [(v, bits(graph.parents[v] & ~(1 << p))) for p, v in edges]
    if not edges:
        return {}
    scores = score.local_scores(engine, family_batch(families)).tolist()
    place = {name: k for k, name in enumerate(dag.names)}
    own = [place[name] for name in engine.names]
    with_edge, without = scores[: len(edges)], scores[len(edges) :]
    return {
        (own[p], own[v]): have - lack
        for (p, v), have, lack in zip(edges, with_edge, without, strict=True)
    }


def picture(dag: DAG, graph: Structure, losses: Losses | None = None, unit: str = "score") -> str:
    """Draw a network as the text of an SVG file.

    Parameters
    ----------
    dag : DAG
        The network's graph; it gives the rows of the picture.
    graph : DAG, PDAG or ChordalGraph
        What was found: says which directions are free.
    losses : mapping, optional
        What each edge is worth; stronger edges are drawn thicker, and the pointer tells.
    unit : str
        The name of the score.
    """
    if isinstance(graph, ChordalGraph):
        return svg(Drawing.of(graph))
    open_ = (graph if isinstance(graph, PDAG) else CPDAG.of(dag)).neighbours
    free = frozenset((p, v) for v, mask in enumerate(dag.parents) for p in bits(mask & open_[v]))
    losses = losses or {}
    most = max((math.log1p(max(loss, 0.0)) for loss in losses.values()), default=0.0) or 1.0
    weights = {edge: math.log1p(max(loss, 0.0)) / most for edge, loss in losses.items()}
    notes = {}
    for v, mask in enumerate(dag.parents):
        for p in bits(mask):
            way = "either direction fits equally well" if (p, v) in free else "direction compelled"
            arrow = "-" if (p, v) in free else "->"
            worth = f"; without it {unit} falls by {losses[p, v]:.1f}" if (p, v) in losses else ""
            notes[p, v] = f"{dag.names[p]} {arrow} {dag.names[v]}: {way}{worth}"
    return svg(Drawing(dag.names, dag.parents, free, weights=weights, notes=notes))


def save_picture(text: str, path: str | os.PathLike[str]) -> None:
    """Write a picture to a file, whole or not at all."""
    check_picture_path(path)
    with atomic_file(path) as file:
        file.write(text.encode())


def check_picture_path(path: str | os.PathLike[str]) -> None:
    """Raise if a picture cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not ``.svg`` or a file cannot be written there.

    Examples
    --------
    >>> check_picture_path("net.png")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: net.png: pictures are written as .svg, not '.png'; browsers \
and editors show them
    """
    name = os.fspath(path)
    ending = Path(name).suffix.lower()
    if ending != ".svg":
        problem = f"pictures are written as .svg, not {ending!r}; browsers and editors show them"
        raise FileFormatError(problem, name)
    check_place(path)
