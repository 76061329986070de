"""Grow-Shrink, IAMB and max-min parents and children against the textbook's one-by-one form."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, NativeEngine, TestKernel
from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.graphs import PDAG, bits
from bayesloom.independence import BenjaminiHochberg, ChiSquare, Coverage, FixedAlpha
from bayesloom.search import (
    IAMB,
    MMHC,
    MMPC,
    GrowShrink,
    Inconclusive,
    Limits,
    Variant,
    Watch,
)
from bayesloom.search.constraint import parents_children
from reference_constraint import Oracle, grow_shrink, iamb, mmpc
from strategies_search import Known, known, rich_tables, tables

tests = st.sampled_from(
    [
        ChiSquare(coverage=Coverage.RELAXED),
        ChiSquare(),
        ChiSquare(min_expected=0, coverage=Coverage.RELAXED),
    ]
)
levels = st.sampled_from([FixedAlpha(0.05), FixedAlpha(0.3)])
meanings = st.sampled_from(Inconclusive)


def oracle_of(table: Table, search: GrowShrink | IAMB | MMPC) -> Oracle:
    counts_as = search.inconclusive is Inconclusive.INDEPENDENT
    return Oracle(table, search.test, search.control.alpha, counts_as)


def blankets_of(search: GrowShrink | IAMB, table: Table) -> dict[int, set[int]]:
    n = table.n_columns
    found = search.blankets(NativeEngine(table, 1), range(n), (0,) * n, Watch())
    return {v: set(bits(mask)) for v, mask in found.members.items()}


@given(tables(1, 6) | rich_tables(3, 6), tests, levels, meanings)
@settings(max_examples=50)
def test_grow_shrink_is_the_textbook_s(
    table: Table, test: ChiSquare, level: FixedAlpha, meaning: Inconclusive
) -> None:
    search = GrowShrink(test, level, meaning)
    oracle = oracle_of(table, search)
    expected = {t: grow_shrink(oracle, t) for t in range(table.n_columns)}
    assert blankets_of(search, table) == expected


@pytest.mark.parametrize("variant", [Variant.PLAIN, Variant.INTER])
@given(table=tables(1, 6) | rich_tables(3, 6), test=tests, level=levels, meaning=meanings)
@settings(max_examples=40)
def test_iamb_is_the_textbook_s(
    variant: Variant, table: Table, test: ChiSquare, level: FixedAlpha, meaning: Inconclusive
) -> None:
    search = IAMB(test, level, meaning, variant=variant)
    oracle = oracle_of(table, search)
    inter = variant is Variant.INTER
    expected = {t: iamb(oracle, t, inter=inter) for t in range(table.n_columns)}
    assert blankets_of(search, table) == expected


@given(rich_tables(3, 6))
@settings(max_examples=25)
def test_fast_iamb_ends_where_no_member_is_independent_given_the_others(table: Table) -> None:
    search = IAMB(variant=Variant.FAST)
    oracle = oracle_of(table, search)
    for t, members in blankets_of(search, table).items():
        verdicts = [oracle.ask(t, v, members - {v}) for v in members]
        assert not any(oracle.takes_apart(verdict) for verdict in verdicts)


@given(tables(1, 6) | rich_tables(3, 6), tests, levels, meanings, st.sampled_from([None, 1, 2, 3]))
@settings(max_examples=50)
def test_max_min_parents_and_children_are_the_textbook_s(
    table: Table, test: ChiSquare, level: FixedAlpha, meaning: Inconclusive, most: int | None
) -> None:
    search = MMPC(test, level, meaning, most)
    limits = Limits.none(table.names)
    limits = limits.setting_apart(sum(1 << v for v, r in enumerate(table.observed) if r == 1))
    found = search.candidates(NativeEngine(table, 1), limits, Watch())
    expected = mmpc(oracle_of(table, search), limits, most)
    assert {v: set(bits(mask)) for v, mask in enumerate(found.neighbours)} == expected


@given(tables(2, 6) | rich_tables(3, 6), st.data())
@settings(max_examples=40)
def test_knowledge_is_law(table: Table, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.knowledge.limits(table.names)
    search = data.draw(st.sampled_from([GrowShrink(), IAMB(), IAMB(variant=Variant.FAST)]))
    found = search.search(NativeEngine(table, 1), limits, Watch())
    assert isinstance(found.graph, PDAG)
    for v, mask in enumerate(found.graph.parent_masks):
        assert not mask & ~limits.allowed[v]
        assert not limits.required[v] & ~mask
        assert not found.graph.neighbour_masks[v] & ~limits.pairs[v]
    near = MMPC().candidates(NativeEngine(table, 1), limits, Watch()).neighbours
    for v, mask in enumerate(near):
        assert not mask & ~limits.pairs[v]
        assert not limits.required[v] & ~mask


@given(rich_tables(4, 6))
@settings(max_examples=15)
def test_one_target_has_the_blanket_it_has_among_all(table: Table) -> None:
    search = IAMB()
    every = blankets_of(search, table)
    engine, none = NativeEngine(table, 1), (0,) * table.n_columns
    for t in range(table.n_columns):
        alone = search.blankets(engine, (t,), none, Watch())
        assert set(bits(alone.members[t])) == every[t]


def test_a_round_of_all_targets_is_one_question() -> None:
    rng = np.random.default_rng(1)
    base = rng.integers(0, 2, 500)
    columns = [np.where(rng.random(500) < 0.8, base, rng.integers(0, 2, 500)) for _ in range(8)]
    table = Table("ABCDEFGH", ["ny"] * 8, columns)
    asked = []

    class Counting(NativeEngine):
        def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
            asked.append(batch)
            return super().tests(batch, kernel)

    found = IAMB().blankets(Counting(table, 1), range(8), (0,) * 8, Watch())
    assert len(asked) <= found.rounds < 8 * 7


def test_controls_of_the_false_discovery_rate_reject_less() -> None:
    rng = np.random.default_rng(4)
    columns = list(rng.integers(0, 2, (40, 400)))
    table = Table([f"v{k:02}" for k in range(40)], ["ny"] * 40, columns)
    plain = blankets_of(IAMB(), table)
    controlled = blankets_of(IAMB(control=BenjaminiHochberg(0.05)), table)
    assert sum(map(len, controlled.values())) < sum(map(len, plain.values())) / 4


def test_bad_options_and_limits_are_refused() -> None:
    with pytest.raises(OptionError, match="variant must be a Variant such as"):
        IAMB(variant="fast")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"inconclusive must be Inconclusive.DEPENDENT or"):
        GrowShrink(inconclusive="dependent")  # type: ignore[arg-type]
    for search in (GrowShrink(), IAMB()):
        with pytest.raises(KnowledgeError, match="only tests and cannot keep max_parents = 1"):
            search.search(None, Limits.none("ABCD", 1), Watch())  # type: ignore[arg-type]


@pytest.mark.parametrize("search", [GrowShrink(), IAMB(), MMHC()])
def test_the_tests_of_a_round_are_listed_block_by_block(search: GrowShrink | IAMB | MMHC) -> None:
    """A list of every variable's partners would be four million numbers here, before any test."""
    n = 2000
    codes = np.random.default_rng(0).integers(0, 2, (n, 20))
    table = Table([f"v{v:04}" for v in range(n)], ["ny"] * n, list(codes))
    engine = NativeEngine(table, 1)
    watch = Watch(report=lambda watch: watch.interrupt())
    tracemalloc.start()
    search.search(engine, Limits.none(table.names), watch)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 24 << 20


def test_sets_without_end_are_looked_at_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a time limit holds where all columns depend on each other; the answers are the same."""
    looked: list[int] = []

    class Noted(ChiSquare):
        def rules_out(self, engine: Engine, sets: Sequence[Sequence[int]]) -> list[bool]:
            looked.append(len(sets))
            return super().rules_out(engine, sets)

    rng = np.random.default_rng(0)
    one = rng.integers(0, 2, 2000)
    codes = [one ^ (rng.random(2000) < 0.1) for _ in range(10)]
    table = Table("ABCDEFGHIJ", ["ny"] * 10, codes)
    near = partial(MMPC(Noted()).candidates, NativeEngine(table, 1), Limits.none(table.names))
    at_once = near(Watch())
    assert max(looked) > 500
    looked.clear()
    monkeypatch.setattr(parents_children, "_SETS", 500)
    assert near(Watch()) == at_once
    assert max(looked) == 500
