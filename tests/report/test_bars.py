"""Bar charts: signs, sizes, infinite values, any text."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

from bayesloom.report.bars import Bar, bar_picture

SVG = "{http://www.w3.org/2000/svg}"


def widths(bars: list[Bar]) -> dict[str, tuple[float, float]]:
    """The start and the width of every bar, by what its tip says."""
    root = ET.fromstring(str(bar_picture(bars, title="t", ends=("no", "yes"))))
    found = {}
    for group in root.iter(f"{SVG}g"):
        tip = "".join(next(group.iter(f"{SVG}title")).itertext())
        box = next(group.iter(f"{SVG}rect"))
        found[tip] = float(box.get("x", "")), float(box.get("width", ""))
    return found


def test_bars_are_as_long_as_their_values_and_on_their_side_of_zero() -> None:
    found = widths([Bar("a", 2.0), Bar("b", -1.0), Bar("c", 0.5)])
    (a, wide), (b, half), (c, quarter) = (
        found[key] for key in ("a: +2.00", "b: -1.00", "c: +0.50")
    )
    assert a == c == pytest.approx(b + half, abs=0.2)
    assert wide == pytest.approx(2 * half, abs=0.2) == pytest.approx(4 * quarter, abs=0.4)


def test_infinite_bars_reach_the_edge() -> None:
    found = widths([Bar("a", 2.0), Bar("b", math.inf), Bar("c", -math.inf)])
    assert found["b: +inf"][1] >= found["a: +2.00"][1]
    assert found["c: -inf"][1] == pytest.approx(found["b: +inf"][1])


def test_any_text_is_written_well_formed() -> None:
    hostile = "<script>&\x07" + "long " * 40
    picture = bar_picture([Bar(hostile, 0.0)], title=hostile, ends=(hostile, hostile))
    ET.fromstring(str(picture))


def test_no_bars_are_a_picture_too() -> None:
    assert bar_picture([], title="empty", ends=("a", "b")).height > 0
