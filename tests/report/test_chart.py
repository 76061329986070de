from __future__ import annotations

import math
from xml.etree import ElementTree as ET

from hypothesis import example, given
from hypothesis import strategies as st

from bayesloom.report.chart import Boxes, Curve, HeatMap, box_plot, heat_maps, line_chart
from bayesloom.report.scale import Scale, round_ticks

NUMBERS = st.floats(-1e6, 1e6)


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter()]


@example(-1e-05, 25001.0)
@given(NUMBERS, st.floats(1e-6, 1e6))
def test_round_ticks_hold_the_values_between_them_and_are_few(low: float, width: float) -> None:
    ticks = round_ticks(low, low + width)
    rounding = 1e-8 * max(1, abs(low) + width)
    assert ticks[0] <= low + rounding
    assert ticks[-1] >= low + width - rounding
    assert 2 <= len(ticks) <= 12


@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_every_value_lies_on_the_paper(values: list[float]) -> None:
    scale = Scale.of(values, start=10, end=110)
    assert all(9.9 <= scale(value) <= 110.1 for value in values)


@given(st.lists(st.tuples(st.floats(1, 100), st.floats()), min_size=1, max_size=6), st.text())
def test_a_line_chart_is_well_formed_whatever_its_name_and_values(
    points: list[tuple[float, float]], name: str
) -> None:
    name = "".join(c for c in name if c.isprintable())
    svg = line_chart([Curve(name, tuple(points))], title=f"<{name}>", x="x", y="y", log_x=True)
    assert f"<{name}>" in texts(svg)


def test_the_last_tick_has_its_label_even_if_an_earlier_one_has_no_room() -> None:
    ticks = (100, 250, 500, 1000, 2000, 4000, 6000, 8000)
    line = Curve("a", tuple((tick, 1.0) for tick in ticks))
    said = texts(line_chart([line], title="t", x="rows", y="y", log_x=True, ticks=ticks))
    assert {"100", "4,000", "8,000", "rows (logarithmic)"} <= set(said)
    assert "6,000" not in said


def test_error_bars_reach_from_one_end_to_the_other_and_lie_on_the_paper() -> None:
    line = Curve("a", ((1, 2.0), (2, 3.0), (3, 1.0)), ((1.5, 2.5), (2.0, 4.0), (math.nan, 1.0)))
    root = ET.fromstring(line_chart([line], title="t", x="x", y="y"))
    bars = [node for node in root.iter() if node.get("class") == "bar"]
    middles = [float(node.get("cy", "nan")) for node in root.iter() if node.get("cy")]
    ends = [sorted(float(bar.get(end, "nan")) for end in ("y1", "y2")) for bar in bars]
    assert len(bars) == 2
    for (top, bottom), middle in zip(ends, middles, strict=False):
        assert 0 < top < middle < bottom < 420
        assert abs(top + bottom - 2 * middle) < 0.05


def test_a_chart_is_no_wider_than_its_key_and_title_need() -> None:
    short, long = (
        float(
            ET.fromstring(line_chart([Curve(name, ((1, 2),))], title="t", x="", y="")).get(
                "width", ""
            )
        )
        for name in ("a", "a name that takes its room")
    )
    assert short < 600 < long


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
