"""Pictures as pixels: PNG files, drawn with Pillow from what stands in the SVG text."""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bayesloom.errors import MissingExtraError, OptionError
from bayesloom.report.routes import Point
from bayesloom.report.svg_shapes import Outline, Words, shapes

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

USUAL_SCALE = 2.0
_FINE = 3
"""How many points across a pixel is the mean of."""
_BAND = 512
"""Rows of pixels that are drawn at a time."""
_MOST_PIXELS = 30_000
_FONTS = ("DejaVuSans.ttf", "Verdana.ttf", "LiberationSans-Regular.ttf", "Arial.ttf")
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def check_png() -> None:
    """Raise if PNG files cannot be written here.

    Raises
    ------
    MissingExtraError
        If Pillow is not installed.
    """
    if find_spec("PIL") is None:
        msg = "a .png picture needs Pillow; write .svg, or: pip install 'bayesloom[png]'"
        raise MissingExtraError(msg)


def png_bytes(svg: str, width: int, height: int, scale: float | None = None) -> bytes:
    """Return a picture as a PNG file, light.

    Parameters
    ----------
    svg : str
        The text of the picture.
    width, height : int
        Its size.
    scale : float, optional
        How many pixels a unit of the picture has; 2 by default.

    Raises
    ------
    OptionError
        If the scale is no positive number, or the file would be too large.
    """
    from PIL import Image

    across = USUAL_SCALE if scale is None else scale
    if not (isinstance(across, int | float) and 0 < across < math.inf):
        msg = f"scale must be a number above 0, got {scale!r}"
        raise OptionError(msg)
    size = max(1, round(width * across)), max(1, round(height * across))
    if max(size) > _MOST_PIXELS:
        msg = (
            f"the picture would have {size[0]:,} x {size[1]:,} pixels, more than {_MOST_PIXELS:,}; "
            f"take a scale of at most {_MOST_PIXELS / max(width, height):.2g}, or write .svg"
        )
        raise OptionError(msg)
    found = list(shapes(svg))
    whole = Image.new("RGB", size, "#ffffff")
    for top in range(0, size[1], _BAND):
        rows = min(_BAND, size[1] - top)
        band = Image.new("RGB", (size[0] * _FINE, rows * _FINE), "#ffffff")
        _Pencil(band, across * _FINE, top * _FINE).draw(found)
        whole.paste(band.reduce(_FINE), (0, top))
    file = io.BytesIO()
    whole.save(file, "PNG", optimize=True)
    return file.getvalue()


class _Pencil:
    """Draws shapes into a band of a picture."""

    def __init__(self, band: Image.Image, scale: float, top: int) -> None:
        from PIL import ImageDraw

        self._band = band
        self._on: ImageDraw.ImageDraw = ImageDraw.Draw(band)
        self._scale, self._top = scale, top

    def draw(self, found: Sequence[Outline | Words]) -> None:
        for shape in found:
            if isinstance(shape, Words):
                self._write(shape)
            else:
                self._trace(shape)

    def _at(self, point: Point) -> Point:
        return point[0] * self._scale, point[1] * self._scale - self._top

    def _trace(self, shape: Outline) -> None:
        points = [self._at(point) for point in shape.points]
        room = max(1, round(shape.width * self._scale))
        low, high = min(y for _, y in points), max(y for _, y in points)
        if high < -room or low > self._band.height + room:
            return
        if shape.fill is not None:
            self._on.polygon(points, fill=_mixed(shape.fill, shape.opacity))
        if shape.stroke is None:
            return
        if shape.closed:
            points.append(points[0])
        ink = _mixed(shape.stroke, shape.opacity)
        for piece in _dashed(points, [d * self._scale for d in shape.dash]):
            self._on.line(piece, fill=ink, width=room, joint="curve")

    def _write(self, words: Words) -> None:
        x, y = self._at(words.at)
        room = words.size * self._scale * (1 + len(words.text) * (words.angle != 0))
        if not -room <= y <= self._band.height + room:
            return
        font = _font(max(1, round(words.size * self._scale)))
        ink = _mixed(words.fill, words.opacity)
        if not words.angle:
            self._on.text((x, y), words.text, fill=ink, font=font, anchor=_ANCHORS[words.anchor])
            return
        self._write_turned(words, font, ink)

    def _write_turned(self, words: Words, font: ImageFont.FreeTypeFont, ink: str) -> None:
        """Write a text that is turned about its middle."""
        from PIL import Image, ImageDraw

        left, top, right, bottom = (int(n) for n in font.getbbox(words.text))
        mask = Image.new("L", (right - left + 4, bottom - top + 4))
        ImageDraw.Draw(mask).text((2 - left, 2 - top), words.text, fill=255, font=font)
        mask = mask.rotate(-words.angle, expand=True)
        x, y = self._at(words.at)
        corner = round(x - mask.width / 2), round(y - mask.height / 2)
        self._band.paste(Image.new("RGB", mask.size, ink), corner, mask)


def _mixed(colour: str, opacity: float) -> str:
    """Return a colour on white paper."""
    from PIL import ImageColor

    light = (round(255 - (255 - part) * opacity) for part in ImageColor.getrgb(colour)[:3])
    return "#{:02x}{:02x}{:02x}".format(*light)


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the first font that is there; Pillow carries one for Latin letters itself."""
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)  # type: ignore[return-value]


def _dashed(points: Sequence[Point], dash: Sequence[float]) -> list[list[Point]]:
    """Cut a line into dashes.

    Examples
    --------
    >>> _dashed([(0.0, 0.0), (5.0, 0.0)], [2.0, 1.0])
    [[(0.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (5.0, 0.0)]]
    """
    if not dash:
        return [list(points)]
    pieces: list[list[Point]] = [[points[0]]]
    number, left = 0, dash[0]
    for a, b in itertools.pairwise(points):
        done, length = 0.0, math.dist(a, b)
        while length - done > left:
            done += left
            here = a[0] + (b[0] - a[0]) * done / length, a[1] + (b[1] - a[1]) * done / length
            if number % 2 == 0:
                pieces[-1].append(here)
            else:
                pieces.append([here])
            number += 1
            left = dash[number % len(dash)]
        left -= length - done
        if number % 2 == 0:
            pieces[-1].append(b)
    return [piece for piece in pieces if len(piece) > 1]
