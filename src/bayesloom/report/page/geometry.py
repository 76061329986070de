"""The graph of a report: where boxes and curves are, as plain data that the page draws."""

from __future__ import annotations

from bayesloom.graphs import PDAG, find_cycle
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.report.boxes import boxes
from bayesloom.report.drawing import Drawing, Line
from bayesloom.report.layout import lay_out
from bayesloom.report.network_drawing import network_drawing, recorded_drawing
from bayesloom.report.page.subject import Subject
from bayesloom.report.picture import drawn_curve, outline, stroke_width


def drawn(subject: Subject) -> dict[str, object]:
    """Return the picture of the network: boxes, curves, size, and what the lines mean.

    Directed cycles, which tests that contradict each other may leave, are drawn as lines.
    """
    graph, _ = _without_cycles(subject.graph)
    if subject.record is None:
        losses = {
            edge: row.loss
            for row in subject.edges
            for edge in ((row.source, row.target), (row.target, row.source))
            if row.loss is not None and subject.dag is not None and edge in subject.dag.edges
        }
        name = subject.edges.score
        drawing = network_drawing(graph, subject.dag, losses=losses, unit=name)
    else:
        drawing = recorded_drawing(graph, subject.dag, subject.record)
    return pictured(drawing.in_label_order(), subject.numbers())


def cycle_notes(subject: Subject) -> list[str]:
    """Say which edges the picture shows without their directions, because they make a cycle."""
    _, loose = _without_cycles(subject.graph)
    return [f"drawn as lines, because they make a cycle: {', '.join(loose)}"] if loose else []


def _without_cycles(graph: Structure) -> tuple[Structure, list[str]]:
    """Take the directions of edges on directed cycles away; say which these are."""
    loose: list[str] = []
    while isinstance(graph, PDAG) and (cycle := find_cycle(graph.parent_masks)):
        names = [graph.names[v] for v in cycle]
        around = set(zip(names, [*names[1:], names[0]], strict=True))
        loose += sorted(f"{parent} -> {child}" for parent, child in around)
        kept = [edge for edge in directed(graph) if edge not in around]
        graph = PDAG.from_edges(kept, [*undirected(graph), *sorted(around)], graph.names)
    return graph, loose


def pictured(drawing: Drawing, numbers: dict[str, int]) -> dict[str, object]:
    """Return boxes, curves and size of a drawing, by the numbers of its labels."""
    labels, widths = boxes(drawing)
    layout = lay_out(drawing.parents, widths)
    place = [numbers[label] for label in drawing.labels]
    nodes: list[list[object]] = [[]] * len(place)
    for v, label in enumerate(labels):
        (x, y), width = layout.centres[v], widths[v]
        nodes[place[v]] = [round(x, 1), round(y, 1), round(width, 1), label]
    edges = []
    for edge in sorted(layout.curves):
        stroke = stroke_width(drawing, edge)
        shaft, head = outline(drawn_curve(drawing, edge, layout), stroke, drawing.line(edge))
        edges.append(
            {
                "ends": [place[v] for v in (edge[::-1] if edge in drawing.upward else edge)],
                "line": drawing.style(edge),
                "shaft": shaft,
                "head": head,
                "width": round(stroke, 2),
                "note": drawing.notes.get(edge, ""),
            }
        )
    occurring = {drawing.line(edge) for edge in layout.curves}
    key = [[line.value, told] for line, told in drawing.key.items() if line in occurring]
    tints = {drawing.tints[edge] for edge in layout.curves if edge in drawing.tints}
    key += [
        [f"{Line.LINK.value} {tint.value}", told]
        for tint, told in drawing.tint_key.items()
        if tint in tints
    ]
    return {
        "nodes": nodes,
        "edges": edges,
        "width": round(layout.width, 1),
        "height": round(layout.height, 1),
        "key": key,
        "measure": drawing.measure,
        "title": drawing.title,
    }
