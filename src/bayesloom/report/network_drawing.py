"""Networks as drawings: which directions are certain, and how much every edge is worth."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

from bayesloom.errors import GraphError, OptionError
from bayesloom.graphs import CPDAG, DAG, PDAG, ChordalGraph, bits, find_cycle, topological_order
from bayesloom.learning.confidence import Confidence
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure, class_of, extension_of
from bayesloom.report.drawing import Drawing, DrawnEdge, Line, Tint
from bayesloom.search import Knowledge, Reason
from bayesloom.story.edge_table import origins

View = Literal["dag", "class"]
Losses = Mapping[tuple[str, str], float]
"""For edges (parent, child): how much the score falls without them."""

_KEY = {
    Line.ARROW: "the same direction in all equivalent networks",
    Line.TURNABLE: "an equivalent network has the other direction",
    Line.KNOWN: "direction given by knowledge",
}
_CLASS_KEY = {
    Line.ARROW: "the same direction in the whole class",
    Line.OPEN: "either direction: the class has both",
    Line.KNOWN: "direction given by knowledge",
}
_BARE_KEY = {
    Line.ARROW: "directed by the search",
    Line.OPEN: "joined, the direction left open",
    Line.KNOWN: "direction given by knowledge",
}
"""For a graph that no DAG extends: it stands for no class of networks."""

_TINT_KEY = {Tint.DEPENDENCY: "put in to cover a significant dependency"}
_NOTES = {
    Line.ARROW: "the same direction in all equivalent networks",
    Line.TURNABLE: "an equivalent network has the other direction",
    Line.KNOWN: "direction given by knowledge; the data alone leave it open",
    Line.OPEN: "either direction fits equally well",
}
_BARE_NOTES = {**_NOTES, Line.ARROW: _BARE_KEY[Line.ARROW], Line.OPEN: _BARE_KEY[Line.OPEN]}


def network_drawing(
    graph: Structure,
    dag: DAG | None = None,
    *,
    view: View | None = None,
    found: PDAG | None = None,
    losses: Losses | None = None,
    unit: str = "score",
    covering: Collection[frozenset[str]] = (),
    confidence: Confidence | None = None,
) -> Drawing:
    """Return the drawing of a network: of its DAG, its class, or its links.

    Parameters
    ----------
    graph : DAG, PDAG or ChordalGraph
        What was found or made.
    dag : DAG, optional
        The member of the class that gives the rows of the picture, and the arrows of view "dag".
    view : "dag" or "class", optional
        Whether edges whose direction is free are arrows or lines; by default as ``graph`` has them.
    found : PDAG, optional
        What is directed in the class, by knowledge too; by default what ``graph`` tells.
    losses : mapping, optional
        What each edge is worth; stronger edges are drawn thicker, and the pointer tells.
    unit : str
        The name of the score.
    covering : collection of pairs
        Edges that were put in to cover a dependency; they have a colour of their own.
    confidence : Confidence, optional
        How sure every edge is, if the network is an average; then this is what thickness shows.

    Raises
    ------
    OptionError
        If a view of directions is asked for where there are none.
    GraphError
        If directed edges form a cycle, as contradictory tests can make them.

    Examples
    --------
    >>> made = DAG.from_edges([("A", "B")])
    >>> network_drawing(made).lines, network_drawing(made, view="class").lines
    ({(0, 1): <Line.TURNABLE: 'edge free'>}, {(0, 1): <Line.OPEN: 'edge free open'>})
    """
    if view not in (None, "dag", "class"):
        msg = f'view must be "dag" or "class", got {view!r}'
        raise OptionError(msg)
    if isinstance(graph, ChordalGraph):
        return _links(graph, view, confidence)
    bare = dag is None and extension_of(graph) is None
    if isinstance(graph, DAG):
        dag = graph
    elif dag is None:
        dag = member_for_rows(graph.reordered(sorted(graph.names)))
    as_class = view == "class" or (view is None and not isinstance(graph, DAG))
    told = found if found is not None else CPDAG.of(dag) if isinstance(graph, DAG) else graph
    lines = _lines(dag, told.reordered(dag.names), as_class=as_class)
    named = {(dag.names.index(p), dag.names.index(v)): x for (p, v), x in (losses or {}).items()}
    said = _BARE_NOTES if bare else _NOTES
    notes = {
        edge: _note(dag, edge, line, named, unit=unit, said=said) for edge, line in lines.items()
    }
    return Drawing(
        dag.names,
        dag.parent_masks,
        lines,
        weights=_weights(named) if confidence is None else _sure(dag, confidence),
        notes=notes if confidence is None else _shares(dag, notes, confidence),
        key=_BARE_KEY if bare else _key(lines, as_class=as_class),
        measure=_measure(named, unit) if confidence is None else _sure_measure(dag, confidence),
        title="Class of equivalent networks" if as_class and not bare else "Network",
        tints=_tints(dag, covering),
        tint_key=_TINT_KEY,
    )


def recorded_drawing(
    graph: Structure, dag: DAG | None, record: Record, view: View | None = None
) -> Drawing:
    """Return the drawing of a learned network, with what its record tells."""
    if dag is None or isinstance(graph, ChordalGraph):
        return network_drawing(graph, dag, view=view, confidence=record.confidence)
    covering = {
        pair for pair, (why, _) in origins(record).items() if why == Reason.DEPENDENCY.value
    }
    limits = record.limits(dag.names)
    kept = {(edge.parent, edge.child): edge.loss for edge in record.strengths}
    losses = {edge: kept.get(edge) for edge in dag.edges}
    drawing = network_drawing(
        graph,
        dag,
        view=view,
        found=class_of(dag, limits) if isinstance(graph, DAG) else None,
        losses={edge: loss for edge, loss in losses.items() if loss is not None},
        unit="" if record.value is None else record.value.name,
        confidence=record.confidence,
        covering=covering,
    )
    return _by_kinds(drawing, record) if record.numbers else drawing


def _by_kinds(drawing: Drawing, record: Record) -> Drawing:
    """Say that the kinds of columns give directions, too: no number has an arrow to a category."""
    usual = _KEY[Line.KNOWN]
    why = "direction given by knowledge or the kinds of the columns"
    if record.knowledge == Knowledge():
        why = "direction given by the kinds of the columns: a number is no parent of a category"
    return replace(
        drawing,
        key={line: text.replace(usual, why) for line, text in drawing.key.items()},
        notes={edge: text.replace(usual, why) for edge, text in drawing.notes.items()},
    )


def _tints(dag: DAG, covering: Collection[frozenset[str]]) -> dict[DrawnEdge, Tint]:
    place = {name: v for v, name in enumerate(dag.names)}
    joined = {frozenset(edge): (place[edge[0]], place[edge[1]]) for edge in dag.edges}
    return {joined[pair]: Tint.DEPENDENCY for pair in covering if pair in joined}


def _links(graph: ChordalGraph, view: View | None, confidence: Confidence | None) -> Drawing:
    if view is not None:
        msg = f'a Markov network has no directions, so there is no view "{view}"; leave it out'
        raise OptionError(msg)
    dag = graph.reordered(sorted(graph.names)).to_dag()
    links = {(p, v): Line.LINK for v, mask in enumerate(dag.parent_masks) for p in bits(mask)}
    if confidence is None:
        return Drawing(dag.names, dag.parent_masks, links, title="Markov network")
    named = {(p, v): f"{dag.names[p]} - {dag.names[v]}" for p, v in links}
    return Drawing(
        dag.names,
        dag.parent_masks,
        links,
        weights=_sure(dag, confidence),
        notes=_shares(dag, named, confidence),
        measure=_sure_measure(dag, confidence),
        title="Markov network",
    )


def _sure(dag: DAG, confidence: Confidence) -> dict[DrawnEdge, float]:
    """Return how sure every edge is."""
    names = dag.names
    strength = {frozenset((pair.x, pair.y)): pair.strength for pair in confidence.pairs}
    return {
        (p, v): strength.get(frozenset((names[p], names[v])), 0.0)
        for v, mask in enumerate(dag.parent_masks)
        for p in bits(mask)
    }


def _shares(
    dag: DAG, notes: Mapping[DrawnEdge, str], confidence: Confidence
) -> dict[DrawnEdge, str]:
    """Say at every edge how often it was found."""
    return {
        (p, v): f"{note}; {confidence.share(dag.names[p], dag.names[v])}"
        for (p, v), note in notes.items()
    }


def _sure_measure(dag: DAG, confidence: Confidence) -> str:
    strengths = _sure(dag, confidence).values()
    if not strengths:
        return ""
    what = f"{confidence.networks:,} {confidence.of}"
    low, high = f"{min(strengths):.2f}", f"{max(strengths):.2f}"
    if low == high:
        return f"width: every edge is in {low} of {what}"
    return f"thicker: in more of {what} ({low} to {high} of them)"


def member_for_rows(graph: PDAG) -> DAG:
    """Direct the open edges of a graph downwards, whether or not it is a class."""
    if cycle := find_cycle(graph.parent_masks):
        around = " -> ".join(graph.names[v] for v in (*cycle, cycle[0]))
        msg = f"the cycle {around} cannot be drawn in rows; see edges and undirected"
        raise GraphError(msg)
    place = {v: k for k, v in enumerate(topological_order(graph.parent_masks))}
    down = [
        mask | sum(1 << u for u in bits(graph.neighbour_masks[v]) if place[u] < place[v])
        for v, mask in enumerate(graph.parent_masks)
    ]
    return DAG(graph.names, tuple(down))


def _lines(dag: DAG, found: PDAG, *, as_class: bool) -> dict[DrawnEdge, Line]:
    """Say how every edge is drawn."""
    everywhere = CPDAG.of(dag)
    free = Line.OPEN if as_class else Line.TURNABLE
    lines = {}
    for v, mask in enumerate(dag.parent_masks):
        for p in bits(mask):
            is_open = found.neighbour_masks[v] >> p & 1
            known = everywhere.neighbour_masks[v] >> p & 1
            lines[p, v] = free if is_open else Line.KNOWN if known else Line.ARROW
    return lines


def _key(lines: Mapping[DrawnEdge, Line], *, as_class: bool) -> dict[Line, str]:
    """Explain lines that differ from plain arrows, and then these too."""
    if not as_class and set(lines.values()) <= {Line.ARROW}:
        return {}
    return _CLASS_KEY if as_class else _KEY


def _weights(losses: Mapping[DrawnEdge, float]) -> dict[DrawnEdge, float]:
    logs = {edge: math.log1p(max(loss, 0.0)) for edge, loss in losses.items()}
    most = max(logs.values(), default=0.0) or 1.0
    return {edge: log / most for edge, log in logs.items()}


def _measure(losses: Mapping[DrawnEdge, float], unit: str) -> str:
    if not losses:
        return ""
    low, high = f"{min(losses.values()):,.1f}", f"{max(losses.values()):,.1f}"
    if low == high:
        return f"width: {unit} falls by {low} without an edge"
    return f"thicker: {unit} falls more without it ({low} to {high})"


def _note(
    dag: DAG,
    edge: DrawnEdge,
    line: Line,
    losses: Mapping[DrawnEdge, float],
    *,
    unit: str,
    said: Mapping[Line, str],
) -> str:
    p, v = edge
    arrow = "->" if line.has_head else "-"
    worth = f"; without it {unit} falls by {losses[edge]:,.1f}" if edge in losses else ""
    return f"{dag.names[p]} {arrow} {dag.names[v]}: {said[line]}{worth}"
