from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import bits
from bayesloom.model import random_dag
from bayesloom.report.layout import Layout, lay_out
from bayesloom.report.placing import HEIGHT, spread
from bayesloom.report.routes import Point
from strategies_graphs import dag_masks


def widths_of(parents: Sequence[int]) -> list[float]:
    return [40.0 + 17 * (v % 5) for v in range(len(parents))]


def along(curve: Sequence[Point], steps: int = 24) -> list[Point]:
    """Return points of a curve of cubic pieces."""
    points = [curve[0]]
    for i in range(0, len(curve) - 1, 3):
        a, b, c, d = curve[i : i + 4]
        for k in range(1, steps + 1):
            t = k / steps
            mix = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (
                sum(m * p[axis] for m, p in zip(mix, (a, b, c, d), strict=True)) for axis in (0, 1)
            )
            points.append((x, y))
    return points


def foreign_boxes(
    layout: Layout, widths: Sequence[float], heights: Sequence[float] | None = None
) -> list[tuple[tuple[int, int], int]]:
    """Return edges with the boxes they run through without being joined to them."""
    high = heights or [HEIGHT] * len(widths)
    return [
        (edge, v)
        for edge, curve in layout.curves.items()
        for v, (x, y) in enumerate(layout.centres)
        if v not in edge
        and any(
            abs(px - x) < widths[v] / 2 and abs(py - y) < high[v] / 2 - 1e-6
            for px, py in along(curve)
        )
    ]


@given(dag_masks())
def test_no_two_nodes_overlap(parents: list[int]) -> None:
    widths = widths_of(parents)
    layout = lay_out(parents, widths)
    for a, b in combinations(range(len(parents)), 2):
        (xa, ya), (xb, yb) = layout.centres[a], layout.centres[b]
        apart_x = abs(xa - xb) >= (widths[a] + widths[b]) / 2 - 1e-6
        assert apart_x or abs(ya - yb) >= HEIGHT


@given(dag_masks())
def test_everything_lies_inside_the_picture(parents: list[int]) -> None:
    widths = [50.0] * len(parents)
    layout = lay_out(parents, widths)
    for x, y in layout.centres:
        assert 25.0 - 1e-6 <= x <= layout.width - 25.0 + 1e-6
        assert HEIGHT / 2 - 1e-6 <= y <= layout.height - HEIGHT / 2 + 1e-6
    for curve in layout.curves.values():
        assert all(-1e-6 <= x <= layout.width + 1e-6 for x, _ in along(curve))


@given(dag_masks())
def test_no_edge_runs_through_a_foreign_box(parents: list[int]) -> None:
    widths = widths_of(parents)
    assert foreign_boxes(lay_out(parents, widths), widths) == []


@given(dag_masks(), st.data())
def test_boxes_of_any_height_neither_overlap_nor_are_run_through(
    parents: list[int], data: st.DataObject
) -> None:
    widths = widths_of(parents)
    heights = [data.draw(st.sampled_from([HEIGHT, 58.0, 142.0])) for _ in parents]
    layout = lay_out(parents, widths, heights)
    assert foreign_boxes(layout, widths, heights) == []
    for a, b in combinations(range(len(parents)), 2):
        (xa, ya), (xb, yb) = layout.centres[a], layout.centres[b]
        apart_x = abs(xa - xb) >= (widths[a] + widths[b]) / 2 - 1e-6
        assert apart_x or abs(ya - yb) >= (heights[a] + heights[b]) / 2 - 1e-6
    for (p, v), curve in layout.curves.items():
        assert curve[0][1] == pytest.approx(layout.centres[p][1] + heights[p] / 2)
        assert curve[-1][1] == pytest.approx(layout.centres[v][1] - heights[v] / 2)


@pytest.mark.parametrize(("n", "edges"), [(60, 80), (40, 160)])
def test_no_edge_of_a_large_network_runs_through_a_foreign_box(n: int, edges: int) -> None:
    parents = random_dag(n, 1, edges=edges).parent_masks
    widths = widths_of(parents)
    assert foreign_boxes(lay_out(parents, widths), widths) == []


@given(dag_masks())
def test_every_edge_leads_down_from_its_parent_to_its_child(parents: list[int]) -> None:
    widths = widths_of(parents)
    layout = lay_out(parents, widths)
    assert set(layout.curves) == {(p, v) for v, mask in enumerate(parents) for p in bits(mask)}
    for (p, v), curve in layout.curves.items():
        for node, end, side in ((p, curve[0], 1), (v, curve[-1], -1)):
            x, y = layout.centres[node]
            assert abs(end[0] - x) <= widths[node] / 2
            assert end[1] == pytest.approx(y + side * HEIGHT / 2)
        heights = [y for _, y in along(curve)]
        assert all(b > a for a, b in pairwise(heights))


def test_single_nodes_stand_in_lines() -> None:
    layout = lay_out([0] * 30, [60.0] * 30)
    assert len({y for _, y in layout.centres}) > 1
    assert layout.width < 800


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=8), st.floats(0, 20))
def test_spread_points_keep_their_distance_and_order(wish: list[float], gap: float) -> None:
    placed = spread(wish, [1.0] * len(wish), [gap] * (len(wish) - 1))
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(placed))


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=8, unique=True))
def test_points_that_have_room_stay_where_they_wish(wish: list[float]) -> None:
    ordered = sorted(wish)
    assert spread(ordered, [1.0] * len(wish), [0.0] * (len(wish) - 1)) == ordered
