from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.report import Drawing, Picture
from bayesloom.report.boxes import MOST_BARS, box_heights, boxes, shown_bars
from bayesloom.report.drawing import StateBar

shares = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=40).map(
    lambda found: [share / sum(found) for share in found]
)


@given(shares)
def test_the_bars_of_a_box_are_few_and_sum_to_one(found: list[float]) -> None:
    shown = shown_bars([StateBar(str(k), share) for k, share in enumerate(found)])
    assert len(shown) == min(len(found), MOST_BARS)
    assert sum(bar.share for bar in shown) == pytest.approx(1)


@given(shares)
def test_a_box_keeps_its_likeliest_states_in_their_order(found: list[float]) -> None:
    kept = [bar.label for bar in shown_bars([StateBar(f"{k:02}", p) for k, p in enumerate(found)])]
    states = kept if len(found) <= MOST_BARS else kept[:-1]
    assert states == sorted(states)
    left_out = set(range(len(found))) - {int(label) for label in states}
    assert all(found[k] <= min(found[int(s)] for s in states) for k in left_out)


def test_boxes_with_bars_are_higher_and_wide_enough() -> None:
    plain = Drawing(("A", "B"), (0, 1))
    full = Drawing(("A", "B"), (0, 1), bars=((StateBar("yes", 0.5), StateBar("no", 0.5)),) * 2)
    assert min(box_heights(full)) > max(box_heights(plain))
    assert min(boxes(full)[1]) > max(boxes(plain)[1])


def test_the_probabilities_in_a_picture_are_those_of_the_network() -> None:
    net = bl.example("asia")
    text = str(net.plot(probabilities=True, given={"smoke": "yes"}))
    for name in net.names:
        found = net.query(name, {"smoke": "yes"})
        for state in net.net.states_of(name):
            share = found[state]
            told = f"{share:.0%}" if share in (0, 1) else f"{share:.1%}"
            assert f">{state}<" in text
            assert f">{told}<" in text


def test_an_observed_variable_stands_out() -> None:
    net = bl.example("asia")
    assert str(net.plot(probabilities=True)).count('class="node observed"') == 0
    assert str(net.plot(probabilities=True, given={"smoke": "yes"})).count("node observed") == 1


def test_a_hostile_state_is_text() -> None:
    bars = ((StateBar("<script>alert(1)</script>", 1.0),),)
    assert "<script" not in str(Picture.of(Drawing(("A",), (0,), bars=bars)))
