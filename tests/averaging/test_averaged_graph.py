"""Averages are acyclic or chordal, keep to the limits, and tell what they left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bayesloom.averaging import Joined, PairTally, average_arrows, average_links
from bayesloom.graphs import DAG, ChordalGraph, find_cycle, is_chordal
from bayesloom.learning.confidence import PairStrength
from bayesloom.search import Knowledge, Limits

NAMES = tuple("ABCDEF")


@st.composite
def pairs(draw: st.DrawFn) -> list[PairStrength]:
    ends = [(x, y) for k, x in enumerate(NAMES) for y in NAMES[k + 1 :]]
    chosen = draw(st.lists(st.sampled_from(ends), unique=True))
    turned = [draw(st.booleans()) for _ in chosen]
    found = [
        PairStrength(*(p[::-1] if t else p), 0.9, 0.8) for p, t in zip(chosen, turned, strict=True)
    ]
    return found  # noqa: RET504 - it is drawn


@given(pairs(), st.integers(0, 5))
def test_an_average_of_arrows_has_no_cycle_and_accounts_for_every_pair(
    given_pairs: list[PairStrength], most: int
) -> None:
    limits = Knowledge(forbidden=[("A", "B"), ("B", "A")], tiers=[["C"], ["D"]]).limits(NAMES, most)
    made = average_arrows(given_pairs, limits)
    assert isinstance(made.graph, DAG)
    assert not find_cycle(made.graph.parent_masks)
    limits.check(made.graph.parent_masks, "the average")
    joined = {frozenset(edge) for edge in made.graph.edges}
    asked = {frozenset((p.x, p.y)) for p in given_pairs}
    assert joined | {frozenset(pair) for pair in made.dropped} == asked
    assert len(made.notes()) == len(made.turned) + len(made.dropped)
    as_asked = {(p.x, p.y) for p in given_pairs}
    assert set(made.graph.edges) - as_asked == set(made.turned)


@given(pairs())
def test_nothing_is_dropped_where_everything_is_allowed(given_pairs: list[PairStrength]) -> None:
    assert average_arrows(given_pairs, Limits.none(NAMES)).dropped == ()


@given(pairs(), st.integers(1, 5))
def test_pairs_without_a_settled_direction_make_no_cycle_and_keep_to_the_limits(
    given_pairs: list[PairStrength], most: int
) -> None:
    limits = Knowledge(forbidden=[("A", "B"), ("B", "A")], tiers=[["C"], ["D"]]).limits(NAMES, most)
    unsettled = {(p.x, p.y) for p in given_pairs[::2]}
    made = average_arrows(given_pairs, limits, unsettled)
    limits.check(made.graph.parent_masks, "the average")  # type: ignore[union-attr]
    joined = {frozenset(edge) for edge in made.graph.edges}
    assert joined | {frozenset(pair) for pair in made.dropped} == {
        frozenset((p.x, p.y)) for p in given_pairs
    }
    assert {frozenset(e) for e in made.unsettled} <= {frozenset(e) for e in unsettled}


def test_pairs_without_a_settled_direction_make_no_collider() -> None:
    tree = [PairStrength(edge[0], edge[1], 1.0, 0.51) for edge in ("AC", "BC", "DC", "EA", "FB")]
    made = average_arrows(tree, Limits.none(NAMES), {(p.x, p.y) for p in tree})
    assert isinstance(made.graph, DAG)
    assert made.graph.v_structures() == ()
    assert {frozenset(edge) for edge in made.unsettled} == {frozenset((p.x, p.y)) for p in tree}
    (note,) = made.notes()
    assert "no direction of A - C" in note
    settled = average_arrows(tree, Limits.none(NAMES))
    assert settled.graph.v_structures() != ()  # type: ignore[union-attr]


def test_a_settled_collider_stays_when_other_directions_are_open() -> None:
    found = [PairStrength(edge[0], edge[1], 1.0, 0.9) for edge in ("AC", "BC")]
    found += [PairStrength(edge[0], edge[1], 1.0, 0.5) for edge in ("CD", "AE", "EF")]
    made = average_arrows(found, Limits.none(NAMES), {("C", "D"), ("A", "E"), ("E", "F")})
    assert made.graph.v_structures() == (("A", "C", "B"),)  # type: ignore[union-attr]
    assert ("C", "D") in made.graph.edges


def test_required_edges_are_there_whatever_is_found() -> None:
    limits = Knowledge(required=[("A", "B")]).limits(NAMES)
    assert average_arrows([], limits).graph.edges == (("A", "B"),)


@given(pairs())
def test_an_average_of_links_is_chordal_and_accounts_for_every_pair(
    given_pairs: list[PairStrength],
) -> None:
    made = average_links(given_pairs, Limits.none(NAMES))
    assert isinstance(made.graph, ChordalGraph)
    assert is_chordal(made.graph.adjacency)
    joined = {frozenset(edge) for edge in made.graph.edges}
    dropped = {frozenset(pair) for pair in made.dropped}
    assert joined | dropped == {frozenset((p.x, p.y)) for p in given_pairs}
    assert not joined & dropped


def test_strength_and_direction_count_lines_half_each_way() -> None:
    graphs = [Joined(((1, 0),), ()), Joined((), ((0, 1),)), Joined((), ()), Joined(((1, 0),), ())]
    (pair,) = PairTally.of(graphs, 3).pairs(("A", "B", "C"))
    assert pair == PairStrength("B", "A", 0.75, 2.5 / 3)
    assert PairTally.of(graphs, 3).all_strengths().tolist() == [0.75, 0.0, 0.0]
