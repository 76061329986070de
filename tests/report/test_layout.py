from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from bayesloom.report.layout import HEIGHT, lay_out, spread
from strategies_graphs import dag_masks


@given(dag_masks())
def test_no_two_nodes_overlap(parents: list[int]) -> None:
    widths = [40.0 + 7 * (v % 5) for v in range(len(parents))]
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


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=8), st.floats(0, 20))
def test_spread_points_keep_their_distance_and_order(wish: list[float], gap: float) -> None:
    placed = spread(wish, [1.0] * len(wish), [gap] * (len(wish) - 1))
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(placed))


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=8, unique=True))
def test_points_that_have_room_stay_where_they_wish(wish: list[float]) -> None:
    ordered = sorted(wish)
    assert spread(ordered, [1.0] * len(wish), [0.0] * (len(wish) - 1)) == ordered
