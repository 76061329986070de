from __future__ import annotations

import math
from xml.etree import ElementTree as ET

from bayesloom_reproduction.box_plot import Boxes, box_plot
from bayesloom_reproduction.heat_map import HeatMap, heat_maps


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter()]


def test_boxes_show_the_median_and_empty_groups_are_left_out() -> None:
    svg = box_plot(
        [Boxes("a", ((1.0, 2.0, 9.0), ())), Boxes("b", ((3.0,), (math.nan, 4.0)))],
        ["first", "second"],
        title="t",
        x="x",
        y="y",
    )
    root = ET.fromstring(svg)
    assert {"a", "b", "first", "second"} <= set(texts(svg))
    assert sum(node.get("fill-opacity") == "0.25" for node in root.iter()) == 3


def test_a_heat_map_frames_the_marked_cells_and_writes_every_value() -> None:
    values = ((0.5, -0.25), (-0.0001, math.nan))
    table = HeatMap("m", ("4", "5"), ("10", "20"), values, ((True, False), (False, True)))
    svg = heat_maps([table, table], title="t", x="rows", y="nodes")
    assert svg.count('stroke-width="1.5"') == 4
    assert {".500", "-.250", ".000", "-"} <= set(texts(svg))
