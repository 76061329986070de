from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom.data import Table
from bayesloom.engine import NativeEngine, StopSignal
from bayesloom.errors import Stopped
from bayesloom.graphs import consistent_extension, moral_graph, topological_order
from bayesloom.independence import ChiSquare, FixedAlpha
from bayesloom.search.equivalence.climb import cpdag_state_of
from bayesloom.search.imap.dependencies import Detected, Key, keys_of
from reference_graphs import arcs_of
from reference_il import Claim, covers, p_value
from strategies_search import rich_tables


def made(table: Table, alpha: float = 0.05) -> Detected:
    return Detected(NativeEngine(table, threads=1), ChiSquare(), FixedAlpha(alpha).decider())


@st.composite
def masks(draw: st.DrawFn, n: int) -> list[int]:
    """The parent masks of a DAG of n nodes."""
    order = draw(st.permutations(range(n)))
    parents = [0] * n
    for k, v in enumerate(order):
        for u in order[:k]:
            parents[v] |= draw(st.booleans()) << u
    return parents


def as_claim(key: Key, n: int) -> Claim:
    x, y, mask = key
    return frozenset((x, y)), frozenset(v for v in range(n) if mask >> v & 1)


@settings(max_examples=30, deadline=None)
@given(rich_tables(3, 5))
def test_all_pairs_are_tested_and_exactly_the_significant_ones_are_found(table: Table) -> None:
    detected = made(table)
    found = set(detected.look_at_all_pairs())
    n = table.n_columns
    true = {
        (x, y, 0)
        for x in range(n)
        for y in range(x + 1, n)
        if (p := p_value(table, x, y, ())) is not None and p <= 0.05
    }
    assert found == true == set(detected.found)
    assert detected.tally.made == n * (n - 1) // 2
    assert detected.tally.rejected == len(true)


@settings(max_examples=30, deadline=None)
@given(rich_tables(3, 5), st.data())
def test_a_hypothesis_is_tested_once_whichever_end_asks(table: Table, data: st.DataObject) -> None:
    detected = made(table)
    n = table.n_columns
    graphs = data.draw(st.lists(masks(n), min_size=1, max_size=4))
    hypotheses = set()
    for graph in graphs:
        blankets = moral_graph(graph)
        detected.look_around(blankets, range(n))
        for x in range(n):
            for y in range(n):
                if y != x and not blankets[x] >> y & 1:
                    hypotheses.add((min(x, y), max(x, y), blankets[x]))
    assert detected.tally.made == len(hypotheses)
    assert not detected.look_around(moral_graph(graphs[0]), range(n))
    assert detected.tally.made == len(hypotheses)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_a_graph_covers_is_what_it_connects(data: st.DataObject) -> None:
    n = data.draw(st.integers(3, 5))
    first, second = data.draw(masks(n)), data.draw(masks(n))
    pairs = [(x, y) for x in range(n) for y in range(x + 1, n)]
    everything = [
        (x, y, mask)
        for x, y in pairs
        for mask in range(1 << n)
        if not mask >> x & 1 and not mask >> y & 1
    ]
    keys = data.draw(st.lists(st.sampled_from(everything), unique=True, max_size=30))
    table = Table(
        tuple("ABCDE"[:n]), (("0", "1"),) * n, tuple(np.array([0, 1], np.uint8) for _ in range(n))
    )
    detected = made(table)
    detected.add_uncovered(keys)
    detected.go_to(first)
    gained = detected.settle()
    here, there = arcs_of(first), arcs_of(second)
    covered = {key for key in keys if covers(here, as_claim(key, n))}
    assert {
        (x, y, s) for (x, s), mask in gained.items() for y in range(n) if mask >> y & 1
    } == covered
    uncovered = {(x, given): ys for x, given, ys in detected.cover.uncovered()}
    assert set(keys_of(uncovered)) == set(keys) - covered
    assert detected.n_uncovered == len(keys) - len(covered)
    assert detected.keeps(second) == all(covers(there, as_claim(key, n)) for key in covered)
    assert detected.gains(second) == any(
        covers(there, as_claim(key, n)) for key in keys_of(uncovered)
    )


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_knowing_the_changed_edge_changes_no_answer(data: st.DataObject) -> None:
    """A walk through DAGs, in between to others of the same class, against one that forgets."""
    n = data.draw(st.integers(3, 6))
    table = Table(
        tuple("ABCDEF"[:n]), (("0", "1"),) * n, tuple(np.array([0, 1], np.uint8) for _ in range(n))
    )
    clever, plain = made(table), made(table)
    graph = data.draw(masks(n))
    pairs = [(x, y) for x in range(n) for y in range(x + 1, n)]
    claims = [(x, y, m) for x, y in pairs for m in range(1 << n) if not (m >> x | m >> y) & 1]
    clever.go_to(graph)
    for _ in range(6):
        keys = data.draw(st.lists(st.sampled_from(claims), max_size=6))
        state = cpdag_state_of(graph)
        member = consistent_extension(state.parents, state.neighbours)
        x, y = data.draw(st.permutations(range(n)))[:2]
        after = member[:]
        after[y] ^= 1 << x
        if member[x] >> y & 1:
            after[x] ^= 1 << y
        if len(topological_order(after)) < n:
            continue
        for each in (clever, plain):
            each.add_uncovered(keys)
        plain.go_to(member)
        assert clever.settle() == plain.settle()
        keeps = plain.keeps(after)
        assert clever.keeps(after, (x, y)) == keeps
        gains = plain.gains(after)
        assert clever.gains(after, (x, y)) == gains
        assert clever.may_gain((x, y)) or not gains
        assert clever.keeps(after, (x, y)) == keeps
        if keeps:
            shrinks = not after[y] >> x & 1 and not member[x] >> y & 1
            clever.go_to(after, (x, y), grows=not shrinks)
            plain.go_to(after)
            assert clever.settle() == plain.settle()
            graph = after
    assert clever.cover.uncovered() == plain.cover.uncovered()


def test_the_native_border_refuses_what_does_not_fit() -> None:
    cover = _native.DependencyCover(3)
    for wrong in ((0, 1, 1), (0, 2, 2), (3, 0, 1), (0, 8, 2), (0, 0, 8)):
        with pytest.raises(ValueError, match=r"different nodes|does not exist"):
            cover.add([wrong])
    for pair in ((0, 3), (3, 0)):
        with pytest.raises(ValueError, match="no such node"):
            cover.keeps([0, 0, 0], pair, None)
        with pytest.raises(ValueError, match="no such node"):
            cover.joins(*pair)
    with pytest.raises(ValueError, match="one set per node"):
        cover.go_to([0, 0], None, True)


def test_looking_at_trails_ends_when_the_signal_is_given() -> None:
    cover, stop = _native.DependencyCover(3), StopSignal()
    cover.add([(0, 0, 2)])
    stop.set()
    with pytest.raises(Stopped):
        cover.settle(stop)
    with pytest.raises(Stopped):
        cover.gains([0, 0, 0], None, stop)
