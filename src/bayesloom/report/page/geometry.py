"""The graph of a report: where boxes and curves are, as plain data that the page draws."""

from __future__ import annotations

from bayesloom.report.boxes import boxes
from bayesloom.report.drawing import Drawing, Line
from bayesloom.report.layout import lay_out
from bayesloom.report.network_drawing import network_drawing, recorded_drawing
from bayesloom.report.page.subject import Subject
from bayesloom.report.picture import drawn_curve, outline, stroke_width


def drawn(subject: Subject) -> dict[str, object]:
    """Return the picture of the network: boxes, curves, size, and what the lines mean."""
    if subject.record is None:
        losses = {
            edge: row.loss
            for row in subject.edges
            for edge in ((row.source, row.target), (row.target, row.source))
            if row.loss is not None and subject.dag is not None and edge in subject.dag.edges
        }
        name = subject.edges.score
        drawing = network_drawing(subject.graph, subject.dag, losses=losses, unit=name)
    else:
        drawing = recorded_drawing(subject.graph, subject.dag, subject.record)
    return _picture(drawing.in_label_order(), subject.numbers())


def _picture(drawing: Drawing, numbers: dict[str, int]) -> dict[str, object]:
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
                "ends": [place[edge[0]], place[edge[1]]],
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
