"""What stands in the SVG text of our own pictures, as outlines and words with colours.

This reads what `bayesloom.report` writes, no more of SVG than that: groups that are moved, boxes,
circles, lines, paths of straight and cubic pieces, texts, and styles by class and element.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from bayesloom.report.routes import Point

_INHERITED = ("fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "text-anchor")
_STEPS = 14
"""Straight pieces of a curve."""
_Style = dict[str, str]


@dataclass(frozen=True, slots=True)
class Outline:
    """A line or an area: points, and how it is drawn; no colour where it is not."""

    points: tuple[Point, ...]
    closed: bool
    fill: str | None
    stroke: str | None
    width: float
    dash: tuple[float, ...]
    opacity: float


@dataclass(frozen=True, slots=True)
class Words:
    """A text: where, how large, anchored at its start, middle or end, turned by an angle."""

    at: Point
    text: str
    size: float
    anchor: str
    fill: str
    angle: float
    opacity: float


@dataclass(frozen=True, slots=True)
class _Place:
    """What an element has of those around it: styles, classes, where the origin is."""

    style: _Style
    around: tuple[frozenset[str], ...] = ()
    origin: Point = (0.0, 0.0)
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule of a style sheet; a part of its selector is ".class" or an element."""

    parts: tuple[str, ...]
    style: _Style
    rank: tuple[int, int, int] = field(default=(0, 0, 0))


def shapes(text: str) -> Iterator[Outline | Words]:
    """Return the shapes of a picture, from the back to the front.

    Parameters
    ----------
    text : str
        The text of an SVG file that bayesloom wrote.

    Examples
    --------
    >>> picture = '<svg width="9" height="9"><g transform="translate(2 3)"><line x1="0" x2="4" \
y1="0" y2="0" stroke="#123456"/></g></svg>'
    >>> next(shapes(picture)).points
    ((2.0, 3.0), (6.0, 3.0))
    """
    root = ET.fromstring(text)  # noqa: S314 - our own text
    sheet = next((e.text or "" for e in root.iter() if _tag(e) == "style"), "")
    size = float(root.get("width", "0")), float(root.get("height", "0"))
    yield from _inside(root, _Place({"fill": "#000000"}), _rules(sheet), size)


def _inside(
    element: ET.Element, place: _Place, rules: Sequence[_Rule], size: Point
) -> Iterator[Outline | Words]:
    tag = _tag(element)
    if tag in ("title", "style"):
        return
    own = frozenset([tag, *(f".{name}" for name in element.get("class", "").split())])
    chain = (*place.around, own)
    style = _styled(element, place.style, chain, rules)
    x, y, angle = _moved(element.get("transform", ""))
    here = _Place(
        {key: style[key] for key in _INHERITED if key in style},
        chain,
        (place.origin[0] + x, place.origin[1] + y),
        place.opacity * float(style.get("opacity", "1")),
    )
    if tag == "text":
        yield _words(element, style, here, angle)
    elif tag not in ("svg", "g"):
        for points, closed in _outlines(tag, element, size):
            yield _outline(points, style, here, closed=closed)
    for child in element:
        yield from _inside(child, here, rules, size)


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _styled(
    element: ET.Element,
    inherited: _Style,
    chain: tuple[frozenset[str], ...],
    rules: Sequence[_Rule],
) -> _Style:
    """Return the style of an element: inherited, then its attributes, then rules."""
    style = {**inherited, **{k: v for k, v in element.attrib.items() if k not in ("x", "y")}}
    for rule in sorted((r for r in rules if _matches(r.parts, chain)), key=lambda r: r.rank):
        style |= rule.style
    return style


def _matches(parts: Sequence[str], chain: Sequence[frozenset[str]]) -> bool:
    if parts[-1] not in chain[-1]:
        return False
    left = list(parts[:-1])
    for names in chain[:-1]:
        if left and left[0] in names:
            left.pop(0)
    return not left


def _rules(sheet: str) -> list[_Rule]:
    """Read a style sheet, without what holds for dark screens only."""
    plain = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)
    rules = []
    for number, (selector, body) in enumerate(re.findall(r"([^{}]+)\{([^{}]*)\}", plain)):
        parts = tuple(selector.split())
        style: _Style = dict(re.findall(r"([\w-]+):\s*([^;]+)", body))
        if font := re.match(r"([\d.]+)px", style.get("font") or style.get("font-size") or ""):
            style["font-size"] = font[1]
        classes = sum(part.startswith(".") for part in parts)
        rules.append(_Rule(parts, style, (classes, len(parts) - classes, number)))
    return rules


def _moved(transform: str) -> tuple[float, float, float]:
    """Return how far a group is moved, and by how much a text is turned about its place."""
    if found := re.match(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", transform):
        return float(found[1]), float(found[2]), 0.0
    if found := re.match(r"rotate\(([-\d.]+)", transform):
        return 0.0, 0.0, float(found[1])
    return 0.0, 0.0, 0.0


def _words(element: ET.Element, style: _Style, here: _Place, angle: float) -> Words:
    at = float(element.get("x", "0")), float(element.get("y", "0"))
    return Words(
        (here.origin[0] + at[0], here.origin[1] + at[1]),
        "".join(element.itertext()),
        float(style.get("font-size", "12")),
        style.get("text-anchor", "start"),
        style.get("fill", "#000000"),
        angle,
        here.opacity,
    )


def _outline(points: Sequence[Point], style: _Style, here: _Place, *, closed: bool) -> Outline:
    dash = style.get("stroke-dasharray", "none")
    return Outline(
        tuple((x + here.origin[0], y + here.origin[1]) for x, y in points),
        closed,
        _colour(style.get("fill")) if closed or style.get("fill", "none") != "none" else None,
        _colour(style.get("stroke")),
        float(style.get("stroke-width", "1")),
        () if dash == "none" else tuple(map(float, re.split(r"[ ,]+", dash.strip()))),
        here.opacity * float(style.get("fill-opacity", "1")),
    )


def _colour(told: str | None) -> str | None:
    return None if told in (None, "none") else told


def _outlines(tag: str, element: ET.Element, size: Point) -> list[tuple[list[Point], bool]]:
    def number(key: str, whole: float = 0.0) -> float:
        told = element.get(key, "0")
        return float(told[:-1]) / 100 * whole if told.endswith("%") else float(told)

    match tag:
        case "rect":
            wide, high = number("width", size[0]), number("height", size[1])
            box = _box(number("x"), number("y"), wide, high, number("rx"))
            return [(box, True)] if wide and high else []
        case "circle":
            return [(_arc((number("cx"), number("cy")), number("r"), 0.0, math.tau), True)]
        case "line":
            return [([(number("x1"), number("y1")), (number("x2"), number("y2"))], False)]
        case "polyline":
            flat = [float(n) for n in re.findall(r"-?[\d.]+", element.get("points", ""))]
            return [(list(zip(flat[::2], flat[1::2], strict=True)), False)]
        case "path":
            return _path(element.get("d", ""))
        case _:
            msg = f"a picture has the element {tag!r}, which cannot be drawn as pixels"
            raise ValueError(msg)


def _box(x: float, y: float, wide: float, high: float, r: float) -> list[Point]:
    if not r:
        return [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
    corners = [(x + wide - r, y + r), (x + wide - r, y + high - r), (x + r, y + high - r)]
    turns = [
        _arc(corner, r, (k - 1) * math.pi / 2, k * math.pi / 2)
        for k, corner in enumerate([*corners, (x + r, y + r)])
    ]
    return [point for turn in turns for point in turn]


def _arc(centre: Point, r: float, start: float, end: float) -> list[Point]:
    angles = (start + (end - start) * k / _STEPS for k in range(_STEPS + 1))
    return [(centre[0] + r * math.cos(a), centre[1] + r * math.sin(a)) for a in angles]


def _path(told: str) -> list[tuple[list[Point], bool]]:
    """Read a path of absolute pieces: M, L, C and Z."""
    found: list[tuple[list[Point], bool]] = []
    for command, rest in re.findall(r"([MLCZ])([^MLCZ]*)", told):
        flat = [float(n) for n in re.findall(r"-?[\d.]+", rest)]
        points = list(zip(flat[::2], flat[1::2], strict=True))
        if command == "M":
            found.append((points, False))
        elif command == "L":
            found[-1][0].extend(points)
        elif command == "Z":
            found[-1] = (found[-1][0], True)
        else:
            for k in range(0, len(points), 3):
                found[-1][0].extend(_cubic(found[-1][0][-1], *points[k : k + 3]))
    return found


def _cubic(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    steps = [k / _STEPS for k in range(1, _STEPS + 1)]
    mixes = [((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3) for t in steps]
    return [
        (
            sum(m * p[0] for m, p in zip(mix, (a, b, c, d), strict=True)),
            sum(m * p[1] for m, p in zip(mix, (a, b, c, d), strict=True)),
        )
        for mix in mixes
    ]
