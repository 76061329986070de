"""The sets of links that can be added together, against all sets there are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_dmn as slow
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import bits, components
from bayesloom.search import Watch
from bayesloom.search.markov.chordal_state import ChordalState
from bayesloom.search.markov.informations import Informations
from bayesloom.search.markov.link_sets import LinkSets
from strategies_graphs import chordal_masks


def table_of(n: int, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (n, 60))
    return Table([f"x{v}" for v in range(n)], [["0", "1"]] * n, list(codes))


def sets_of(adjacent: list[int], forbidden: list[int] | None = None) -> LinkSets:
    # With a gain for everything, sets across components are handed out too.
    n = len(adjacent)
    known = Informations.of(NativeEngine(table_of(n)), 0.0)
    return LinkSets(ChordalState(adjacent), known, forbidden or [0] * n, epsilon=-1.0)


@settings(max_examples=60)
@given(chordal_masks(6, least=1), st.integers(2, 6))
def test_every_admissible_set_is_found_once(adjacent: list[int], size: int) -> None:
    n = len(adjacent)
    graph = slow.empty_graph(n)
    graph.add_edges_from((v, w) for v, w in combinations(range(n), 2) if adjacent[v] >> w & 1)
    expected = sorted(slow.admissible(graph, size))
    found = sets_of(adjacent).of(size, (1 << n) - 1, Watch())
    assert sorted(tuple(sorted((a, b) for a, b, _ in part.links)) for part in found) == expected
    for part in found:
        ends = {v for link in part.links for v in (link.x, link.y)}
        assert bits(part.nodes) == sorted(ends)


@settings(max_examples=60)
@given(chordal_masks(7, least=2), st.integers(2, 3), st.data())
def test_only_sets_with_an_end_of_a_new_link_are_new(
    adjacent: list[int], size: int, data: st.DataObject
) -> None:
    n = len(adjacent)
    before = sets_of(list(adjacent)).of(size, (1 << n) - 1, Watch())
    state = ChordalState(list(adjacent))
    pairs = [
        pair
        for pair in combinations(range(n), 2)
        if not adjacent[pair[0]] >> pair[1] & 1 and state.separator(*pair) is not None
    ]
    if not pairs:
        return
    x, y = data.draw(st.sampled_from(pairs))
    state.link(x, y)
    whole = sets_of(list(state.adjacent)).of(size, (1 << n) - 1, Watch())
    touched = 1 << x | 1 << y
    new = {part.nodes for part in sets_of(list(state.adjacent)).of(size, touched, Watch())}
    old = {part.nodes: frozenset(part.links) for part in before}
    for part in whole:
        assert part.nodes in new or part.nodes in old


@settings(max_examples=40)
@given(chordal_masks(6, least=2), st.integers(2, 4), st.data())
def test_sets_with_a_forbidden_link_are_left_out(
    adjacent: list[int], size: int, data: st.DataObject
) -> None:
    n = len(adjacent)
    x, y = sorted(data.draw(st.permutations(range(n)))[:2])
    forbidden = [0] * n
    forbidden[x], forbidden[y] = 1 << y, 1 << x
    everything = (1 << n) - 1
    free = sets_of(list(adjacent)).of(size, everything, Watch())
    kept = sets_of(list(adjacent), forbidden).of(size, everything, Watch())
    expected = {part.nodes for part in free if (x, y) not in {link[:2] for link in part.links}}
    assert {part.nodes for part in kept} == expected


def test_across_components_only_sets_with_a_gain_are_handed_out() -> None:
    n = 7
    table = table_of(n, seed=4)
    known = Informations.of(NativeEngine(table), 0.01)
    for size in (2, 3):
        adjacent = [0b10, 0b01, 0b1000, 0b0100, 0, 0, 0]
        sets = LinkSets(ChordalState(adjacent), known, [0] * n, epsilon=1e-9)
        every = LinkSets(ChordalState(adjacent), known, [0] * n, epsilon=-9.0)
        found = {part.nodes for part in sets.of(size, (1 << n) - 1, Watch())}
        parts = components(adjacent)
        for part in every.of(size, (1 << n) - 1, Watch()):
            known.ask(part.links)
            gain = known.gain(part.links).gain
            spans = sum(bool(part.nodes & mask) for mask in parts) > 1
            assert spans
            assert (part.nodes in found) == (gain > 1e-9)


def test_the_information_of_a_last_node_equals_that_of_its_links() -> None:
    table = table_of(4, seed=2)
    known = Informations.of(NativeEngine(table), 0.0)
    sets = LinkSets(ChordalState([0] * 4), known, [0] * 4, epsilon=-1.0)
    for part in sets.of(6, 0b1111, Watch()):
        known.ask(part.links)
        single = sum(slow.joint_entropy(table, [v]) for v in range(4))
        total = single - slow.joint_entropy(table, range(4))
        assert known.gain(part.links).entropy == pytest.approx(total, abs=1e-12)
