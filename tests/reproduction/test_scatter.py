"""Scatter plots: equal scales, the diagonal, names of the points that stand out."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from bayesloom_reproduction.scatter import Dot, scatter_plot

SVG = "{http://www.w3.org/2000/svg}"


def test_a_point_on_the_diagonal_is_drawn_on_it() -> None:
    dots = [Dot("a", 10.0, 10.0), Dot("b", 0.0, 20.0)]
    root = ET.fromstring(scatter_plot(dots, title="t", x="x", y="y"))
    circles = list(root.iter(f"{SVG}circle"))
    dashed = next(line for line in root.iter(f"{SVG}line") if line.get("stroke-dasharray"))
    x1, y1, x2, y2 = (float(dashed.get(key, "")) for key in ("x1", "y1", "x2", "y2"))
    cx, cy = (float(circles[0].get(key, "")) for key in ("cx", "cy"))
    assert (cy - y1) / (cx - x1) == pytest.approx((y2 - y1) / (x2 - x1))
    assert float(circles[1].get("cx", "")) == x1


def test_points_that_stand_out_are_named_and_all_have_a_tip() -> None:
    dots = [Dot(f"set <{k}>", float(k), float(k) + (k == 3) * 9) for k in range(12)]
    root = ET.fromstring(scatter_plot(dots, title="t", x="x", y="y"))
    said = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert "set <3>" in said
    tips = [next(circle.iter(f"{SVG}title")).text or "" for circle in root.iter(f"{SVG}circle")]
    assert all(tip.startswith(dot.name) for tip, dot in zip(tips, dots, strict=True))
