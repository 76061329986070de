"""Pictures of graphs as SVG, drawn without any other program."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bayesloom.data import atomic_file
from bayesloom.data.path import check_place
from bayesloom.errors import FileFormatError, OptionError
from bayesloom.report.boxes import box, box_heights, boxes
from bayesloom.report.drawing import Drawing, DrawnEdge, Line
from bayesloom.report.layout import Layout, lay_out
from bayesloom.report.lettering import text_width, written
from bayesloom.report.routes import Point

_ENDINGS = (".svg", ".png")
_MARGIN = 14.0
_KEY_FONT = 11.0
_KEY_LINE = 19.0
_SAMPLE = 34.0
_USUAL = 0.35
_STYLE = """
.ID .paper { fill: #ffffff; }
.ID .node rect { fill: #f4f7fb; stroke: #3d5a80; stroke-width: 1.2; }
.ID text { font: 12.5px 'DejaVu Sans', Verdana, Arial, sans-serif; fill: #1b2a3d; }
.ID .node text { text-anchor: middle; }
.ID .line { fill: none; stroke: #44546a; }
.ID .head { fill: #44546a; stroke: #44546a; stroke-linejoin: round; }
.ID .free .line { stroke: #b86a14; stroke-dasharray: 6 4; }
.ID .free .head { fill: #b86a14; stroke: #b86a14; }
.ID .known .line { stroke: #1f7a8c; }
.ID .known .head { fill: #ffffff; stroke: #1f7a8c; stroke-width: 1.2; }
.ID .dependency .line { stroke: #8a4fb5; }
.ID .dependency .head { fill: #8a4fb5; stroke: #8a4fb5; }
.ID .extra .line { stroke: #2e8b57; }
.ID .extra .head { fill: #2e8b57; stroke: #2e8b57; }
.ID .missing .line { stroke: #c0392b; stroke-dasharray: 2 4; }
.ID .missing .head { fill: #c0392b; stroke: #c0392b; }
.ID .turned .line { stroke: #2c6fbb; }
.ID .turned .head { fill: #2c6fbb; stroke: #2c6fbb; }
.ID .focus rect { fill: #ffe9c7; stroke: #b86a14; stroke-width: 2; }
.ID .near rect { fill: #e3eefc; stroke: #2c6fbb; stroke-width: 1.6; }
.ID .observed rect { fill: #e9e6f2; stroke: #6b5ca5; stroke-width: 1.8; }
.ID .faded { opacity: 0.3; }
.ID .bar text { font-size: 10px; text-anchor: start; }
.ID .bar .number { text-anchor: end; }
.ID .bar .whole { fill: #dfe5ee; stroke: none; }
.ID .bar .share { fill: #3d7ab8; stroke: none; }
.ID .observed .share { fill: #6b5ca5; }
.ID .key text { font-size: 11px; fill: #5b6778; }
@media (prefers-color-scheme: dark) {
.ID .paper { fill: #14181f; }
.ID .node rect { fill: #212a37; stroke: #86a5cf; }
.ID text { fill: #e8edf4; }
.ID .line { stroke: #a9b7c9; }
.ID .head { fill: #a9b7c9; stroke: #a9b7c9; }
.ID .free .line { stroke: #e39a48; }
.ID .free .head { fill: #e39a48; stroke: #e39a48; }
.ID .known .line { stroke: #57b8cc; }
.ID .known .head { fill: #14181f; stroke: #57b8cc; }
.ID .dependency .line { stroke: #c59be6; }
.ID .dependency .head { fill: #c59be6; stroke: #c59be6; }
.ID .extra .line { stroke: #63c98f; }
.ID .extra .head { fill: #63c98f; stroke: #63c98f; }
.ID .missing .line { stroke: #f08476; }
.ID .missing .head { fill: #f08476; stroke: #f08476; }
.ID .turned .line { stroke: #7db3f2; }
.ID .turned .head { fill: #7db3f2; stroke: #7db3f2; }
.ID .focus rect { fill: #4a3717; stroke: #e39a48; }
.ID .near rect { fill: #1d3350; stroke: #7db3f2; }
.ID .observed rect { fill: #322c4a; stroke: #a99be0; }
.ID .bar .whole { fill: #34404f; }
.ID .bar .share { fill: #6aa5e0; }
.ID .observed .share { fill: #a99be0; }
.ID .key text { fill: #a9b4c2; }
}
"""


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A picture, which shows itself in a notebook; ``str`` gives the text of an SVG file.

    Parameters
    ----------
    text : str
        The text of an SVG file; nothing in it is loaded from elsewhere.
    width, height : int
        Its size in pixels.
    title : str
        What it shows.

    Examples
    --------
    >>> picture = Picture.of(Drawing(("A", "B"), (0, 1)))
    >>> picture
    Picture(62 x 114: Graph with 2 nodes and 1 edge)
    >>> str(picture)[:4]
    '<svg'
    """

    text: str
    width: int
    height: int
    title: str

    @classmethod
    def of(cls, drawing: Drawing) -> Picture:
        """Draw what a drawing says; the order of its boxes does not matter."""
        drawing = drawing.in_label_order()
        labels, widths = boxes(drawing)
        heights = box_heights(drawing)
        layout = lay_out(drawing.parents, widths, heights)
        body = [_edge(drawing, edge, layout) for edge in sorted(layout.curves)]
        for v, label in enumerate(labels):
            body.append(box(drawing, v, label, layout.centres[v], (widths[v], heights[v])))
        key, wide, high = _key(drawing, layout)
        width = math.ceil(max(layout.width, wide) + 2 * _MARGIN)
        height = math.ceil(layout.height + high + 2 * _MARGIN)
        n, m = len(labels), len(layout.curves)
        title = (
            f"{drawing.title} with {n} {'node' if n == 1 else 'nodes'} "
            f"and {m} {'edge' if m == 1 else 'edges'}"
        )
        left = _MARGIN + max(0.0, wide - layout.width) / 2
        inside = "\n".join(
            [f'<g transform="translate({left:.1f} {_MARGIN})">', *body, "</g>", *key]
        )
        # Styles hold for this picture alone, also when several stand in one page.
        own = f"bl-{hashlib.sha256(inside.encode()).hexdigest()[:10]}"
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{own}" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{title}">\n<title>{title}</title>\n'
            f"<style>{_STYLE.replace('ID', own)}</style>\n"
            f'<rect class="paper" width="100%" height="100%"/>\n{inside}\n</svg>\n'
        )
        return cls(text, width, height, title)

    def save(self, path: str | os.PathLike[str], scale: float | None = None) -> None:
        """Write the picture to an ``.svg`` or ``.png`` file, whole or not at all.

        Parameters
        ----------
        path : str or path
            The file.
        scale : float, optional
            How many pixels of a ``.png`` file a pixel of the picture has; 2 by default.

        Raises
        ------
        FileFormatError
            If the ending is another or the file cannot be written.
        MissingExtraError
            If a ``.png`` file is asked for and Pillow is not installed.
        OptionError
            If a scale is given for ``.svg``, is not positive, or makes the file too large.
        """
        check_picture_path(path)
        if is_png(path):
            content = self.to_png(scale)
        elif scale is None:
            content = self.text.encode()
        else:
            msg = "a scale is for .png; .svg pictures have any size"
            raise OptionError(msg)
        with atomic_file(path) as file:
            file.write(content)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Picture({self.width} x {self.height}: {self.title})"

    def _repr_svg_(self) -> str:
        return self.text

    def to_png(self, scale: float | None = None) -> bytes:
        """Return the picture as the content of a PNG file, light; see `save`.

        Examples
        --------
        >>> Picture.of(Drawing(("A", "B"), (0, 1))).to_png()[1:4]
        b'PNG'
        """
        from bayesloom.report.png import check_png, png_bytes

        check_png()
        return png_bytes(self.text, self.width, self.height, scale)


def check_picture_path(path: str | os.PathLike[str]) -> None:
    """Raise if a picture cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is neither ``.svg`` nor ``.png``, or a file cannot be written there.
    MissingExtraError
        If it ends in ``.png`` and Pillow is not installed.

    Examples
    --------
    >>> check_picture_path("net.pdf")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: net.pdf: pictures are written as .svg or .png, not '.pdf'
    """
    name = os.fspath(path)
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        problem = f"pictures are written as {' or '.join(_ENDINGS)}, not {ending!r}"
        raise FileFormatError(problem, name)
    check_place(path)
    if is_png(path):
        from bayesloom.report.png import check_png

        check_png()


def is_png(path: str | os.PathLike[str]) -> bool:
    """Say whether a picture of this name is of pixels."""
    return Path(os.fspath(path)).suffix.lower() == ".png"


def stroke_width(drawing: Drawing, edge: DrawnEdge) -> float:
    """Return how thick an edge of a drawing is drawn, in pixels."""
    return _stroke(drawing.weights.get(edge, _USUAL))


def drawn_curve(drawing: Drawing, edge: DrawnEdge, layout: Layout) -> Sequence[Point]:
    """Return the curve of an edge in the direction in which it points."""
    curve = layout.curves[edge]
    return curve[::-1] if edge in drawing.upward else curve


def _edge(drawing: Drawing, edge: DrawnEdge, layout: Layout) -> str:
    curve, stroke = drawn_curve(drawing, edge, layout), stroke_width(drawing, edge)
    note = drawing.notes.get(edge)
    tip = "" if note is None else f"<title>{written(note)}</title>"
    shape = _path(curve, stroke, drawing.line(edge))
    return f'<g class="{drawing.style(edge)}">{tip}{shape}</g>'


def _stroke(strength: float) -> float:
    return 1.0 + 2.4 * min(max(strength, 0.0), 1.0)


def _path(curve: Sequence[Point], stroke: float, line: Line) -> str:
    """Draw a curve, and a head at its end if it is an arrow."""
    shaft, corners = outline(curve, stroke, line)
    head = f'<path class="head" d="{corners}"/>' if corners else ""
    return f'<path class="line" d="{shaft}" stroke-width="{stroke:.2f}"/>{head}'


def outline(curve: Sequence[Point], stroke: float, line: Line) -> tuple[str, str]:
    """Return the paths of a curve and of the head at its end, which is empty without one.

    Examples
    --------
    >>> outline([(0.0, 0.0), (0.0, 0.0), (9.0, 0.0), (9.0, 0.0)], 1.0, Line.LINK)
    ('M0.0 0.0C0.0 0.0 9.0 0.0 9.0 0.0', '')
    """
    points, corners = list(curve), ""
    if line.has_head:
        size = 6.0 + 0.9 * stroke
        (x, y), tip = points[-2], points[-1]
        length = math.dist((x, y), tip) or 1.0
        dx, dy = (tip[0] - x) / length, (tip[1] - y) / length
        base = tip[0] - dx * size, tip[1] - dy * size
        points[-1] = base
        half = 0.44 * size
        corners = (
            f"M{tip[0]:.1f} {tip[1]:.1f}L{base[0] - dy * half:.1f} {base[1] + dx * half:.1f}"
            f"L{base[0] + dy * half:.1f} {base[1] - dx * half:.1f}Z"
        )
    pieces = "".join(
        f"C{a[0]:.1f} {a[1]:.1f} {b[0]:.1f} {b[1]:.1f} {c[0]:.1f} {c[1]:.1f}"
        for a, b, c in zip(points[1::3], points[2::3], points[3::3], strict=True)
    )
    return f"M{points[0][0]:.1f} {points[0][1]:.1f}{pieces}", corners


def _key(drawing: Drawing, layout: Layout) -> tuple[list[str], float, float]:
    """Explain the lines that occur, in as many lines as needed; return width and height too."""
    occurring = {drawing.line(edge) for edge in layout.curves}
    entries = [(line, text) for line, text in drawing.key.items() if line in occurring]
    tints = {drawing.tints[edge] for edge in layout.curves if edge in drawing.tints}
    styles = [(line.value, line, text) for line, text in entries]
    styles += [
        (f"{Line.LINK.value} {tint.value}", Line.LINK, text)
        for tint, text in drawing.tint_key.items()
        if tint in tints
    ]
    samples = [
        (f'<g class="{style}">{_path(_level(0.0, _SAMPLE), 1.8, line)}</g>', text)
        for style, line, text in styles
    ]
    if drawing.measure:
        plain = Line.LINK
        thin, thick = _level(0.0, 12.0), _level(16.0, _SAMPLE)
        pair = _path(thin, _stroke(0.0), plain) + _path(thick, _stroke(1.0), plain)
        samples.append((f'<g class="{plain.value}">{pair}</g>', drawing.measure))
    if not samples:
        return [], 0.0, 0.0
    sizes = [_SAMPLE + 8.0 + text_width(text, _KEY_FONT) for _, text in samples]
    room = max(layout.width, *sizes)
    parts, x, y, wide = [], 0.0, layout.height + 26.0, 0.0
    for (sample, text), size in zip(samples, sizes, strict=True):
        if x and x + size > room:
            x, y = 0.0, y + _KEY_LINE
        parts.append(
            f'<g class="key" transform="translate({_MARGIN + x:.1f} {_MARGIN + y:.1f})">{sample}'
            f'<text x="{_SAMPLE + 8}" y="4">{written(text)}</text></g>'
        )
        wide, x = max(wide, x + size), x + size + 24.0
    return parts, wide, y + 8.0 - layout.height


def _level(left: float, right: float) -> list[Point]:
    return [(left, 0.0), (left, 0.0), (left, 0.0), (right, 0.0)]
