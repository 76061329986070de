"""Pictures of graphs as SVG text, drawn without any other program."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from bayesloom.graphs import DAG, PDAG, ChordalGraph, JunctionForest, bits
from bayesloom.report.layout import HEIGHT, Layout, lay_out

_MARGIN = 16.0
_FONT = 12.5
_STYLE = """
  .node rect { fill: #f4f7fb; stroke: #3d5a80; stroke-width: 1.2; }
  .node text { font: 12.5px 'DejaVu Sans', Verdana, Arial, sans-serif; fill: #1b2a3d;
    text-anchor: middle; }
  .edge path.line { fill: none; stroke: #44546a; stroke-linecap: round; }
  .edge path.head { fill: #44546a; stroke: none; }
  .edge.free path.line { stroke: #c0782b; stroke-dasharray: 6 4; }
  .key text { font: 11px 'DejaVu Sans', Verdana, Arial, sans-serif; fill: #5b6778; }
"""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn.

    Parameters
    ----------
    labels : tuple of str
        The text of every node.
    parents : tuple of int
        Parent masks of a DAG that gives the rows of the picture.
    free : frozenset of pairs
        Edges (parent, child) whose direction is free: drawn dashed and without arrowhead.
    plain : bool
        Whether no edge has a direction at all: drawn solid, without arrowheads.
    weights : dict
        A number from 0 to 1 for edges (parent, child): how strong they are drawn.
    notes : dict
        A text for edges, shown when the pointer rests on them.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    free: frozenset[tuple[int, int]] = frozenset()
    plain: bool = False
    weights: Mapping[tuple[int, int], float] = field(default_factory=dict)
    notes: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: DAG | PDAG | ChordalGraph | JunctionForest) -> Drawing:
        """Return the drawing of a graph value."""
        if isinstance(graph, DAG):
            return cls(graph.names, graph.parents)
        if isinstance(graph, PDAG):
            dag = graph.extension()
            free = frozenset(
                (p, v)
                for v, mask in enumerate(dag.parents)
                for p in bits(mask & graph.neighbours[v])
            )
            return cls(graph.names, dag.parents, free)
        if isinstance(graph, ChordalGraph):
            return cls(graph.names, graph.to_dag().parents, plain=True)
        labels = tuple(", ".join(names) for names in graph.clique_names())
        parents = tuple(0 if above < 0 else 1 << above for above in graph.above)
        shared = zip(graph.above, graph.separator_names(), strict=True)
        notes = {
            (above, k): f"shares {', '.join(names)}" for k, (above, names) in enumerate(shared)
        }
        return cls(labels, parents, plain=True, notes=notes)


def svg(drawing: Drawing) -> str:
    """Return a picture as the text of an SVG file.

    Parameters
    ----------
    drawing : Drawing
        What to draw.

    Returns
    -------
    str
        Labels and notes are escaped; nothing is loaded from elsewhere.

    Examples
    --------
    >>> text = svg(Drawing.of(DAG.from_edges([("A", "B")])))
    >>> text.startswith("<svg"), "A &lt; 1" in svg(Drawing(("A < 1",), (0,)))
    (True, True)
    """
    widths = [max(34.0, text_width(label) + 18.0) for label in drawing.labels]
    layout = lay_out(drawing.parents, widths)
    parts = [_edge(drawing, edge, layout, widths) for edge in sorted(layout.paths)]
    parts += [_node(label, layout.centres[v], widths[v]) for v, label in enumerate(drawing.labels)]
    key, key_height = _key(drawing, layout)
    width = layout.width + 2 * _MARGIN
    height = layout.height + 2 * _MARGIN + key_height
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" role="img">\n<style>{_STYLE}</style>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f'<g transform="translate({_MARGIN} {_MARGIN})">\n{body}\n{key}</g>\n</svg>\n'
    )


def text_width(text: str) -> float:
    """Estimate how wide a text is drawn, in pixels."""
    narrow, broad = set("iIjl.,:;'|!()[] tfr1"), set("mwMW@%")
    units = sum(0.42 if c in narrow else 0.95 if c in broad else 0.66 for c in text)
    return units * _FONT


def _node(label: str, centre: tuple[float, float], width: float) -> str:
    x, y = centre
    return (
        f'<g class="node"><rect x="{x - width / 2:.1f}" y="{y - HEIGHT / 2:.1f}" '
        f'width="{width:.1f}" height="{HEIGHT:.1f}" rx="6"/>'
        f'<text x="{x:.1f}" y="{y + 4.4:.1f}">{escape(label)}</text></g>'
    )


def _edge(drawing: Drawing, edge: tuple[int, int], layout: Layout, widths: Sequence[float]) -> str:
    points = list(layout.paths[edge])
    strength = drawing.weights.get(edge, 0.35)
    stroke = 1.0 + 2.4 * min(max(strength, 0.0), 1.0)
    free = edge in drawing.free
    headless = free or drawing.plain
    points[0] = _leave(points[0], points[1], widths[edge[0]], 0.0)
    head = 0.0 if headless else 6.0 + stroke
    points[-1] = _leave(points[-1], points[-2], widths[edge[1]], head)
    title = f"<title>{escape(drawing.notes[edge])}</title>" if edge in drawing.notes else ""
    arrow = "" if headless else _head(points[-2], points[-1], head)
    kind = "edge free" if free else "edge"
    return (
        f'<g class="{kind}">{title}<path class="line" d="{_curve(points)}" '
        f'stroke-width="{stroke:.2f}"/>{arrow}</g>'
    )


def _leave(
    centre: tuple[float, float], towards: tuple[float, float], width: float, more: float
) -> tuple[float, float]:
    """Return where a line from a node's centre leaves the node, and ``more`` beyond."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    length = math.hypot(dx, dy) or 1.0
    scale = min(
        (width / 2) / abs(dx) if dx else math.inf, (HEIGHT / 2) / abs(dy) if dy else math.inf
    )
    scale = min(scale + more / length, 0.9)
    return centre[0] + dx * scale, centre[1] + dy * scale


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """Draw a smooth line through points: a Catmull-Rom spline."""
    first = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    if len(points) == 2:  # noqa: PLR2004 - a straight line
        return f"{first}L{points[1][0]:.1f} {points[1][1]:.1f}"
    padded = [points[0], *points, points[-1]]
    text = first
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        bend = 6.0
        x1, y1 = b[0] + (c[0] - a[0]) / bend, b[1] + (c[1] - a[1]) / bend
        x2, y2 = c[0] - (d[0] - b[0]) / bend, c[1] - (d[1] - b[1]) / bend
        text += f"C{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f} {c[0]:.1f} {c[1]:.1f}"
    return text


def _head(before: tuple[float, float], end: tuple[float, float], size: float) -> str:
    """Draw an arrowhead that begins at the end of a line."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = math.hypot(dx, dy) or 1.0
    dx, dy = dx / length, dy / length
    tip = end[0] + dx * size, end[1] + dy * size
    left = end[0] - dy * size * 0.42, end[1] + dx * size * 0.42
    right = end[0] + dy * size * 0.42, end[1] - dx * size * 0.42
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, left, right))
    return f'<path class="head" d="M{corners.replace(" ", "L")}Z"/>'


def _key(drawing: Drawing, layout: Layout) -> tuple[str, float]:
    """Explain dashed edges below the picture, if there are any."""
    if not drawing.free:
        return "", 0.0
    y = layout.height + 26.0
    return (
        f'<g class="key"><g class="edge"><path class="line" stroke-width="1.8" '
        f'd="M0 {y}L26 {y}"/><path class="head" d="M26 {y - 4}L34 {y}L26 {y + 4}Z"/></g>'
        f'<text x="42" y="{y + 4}">direction follows from the data</text>'
        f'<g class="edge free"><path class="line" stroke-width="1.8" d="M232 {y}L266 {y}"/></g>'
        f'<text x="274" y="{y + 4}">either direction fits equally well</text></g>\n'
    ), 36.0
