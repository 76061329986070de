"""PC in its stable form, against the textbook, causal-learn and the law of knowledge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table, read
from bayesloom.engine import NativeEngine
from bayesloom.errors import KnowledgeError
from bayesloom.facade import learn
from bayesloom.independence import ChiSquare, Coverage, FixedAlpha, GSquare
from bayesloom.search import (
    PC,
    Budget,
    Conflict,
    Inconclusive,
    Knowledge,
    Limits,
    Opposition,
    Separation,
    Stop,
    Watch,
)
from bayesloom.search.constraint.orientation import colliders_of
from constraint_results import arrows, check_law, joined, run
from reference_constraint import Oracle, directed, pc_skeleton
from strategies_search import Known, known, rich_tables, tables

TESTS = Path(__file__).parents[2]
GOLDEN = json.loads((TESTS / "golden" / "pc_causal_learn.json").read_text())["cases"]
KINDS = {"chisq": ChiSquare, "gsq": GSquare}


searches = st.builds(
    PC,
    st.sampled_from(
        [
            ChiSquare(coverage=Coverage.RELAXED),
            ChiSquare(),
            GSquare(min_expected=1, coverage=Coverage.RELAXED),
            ChiSquare(min_expected=0, coverage=Coverage.RELAXED),
        ]
    ),
    st.sampled_from([FixedAlpha(0.05), FixedAlpha(0.3)]),
    st.sampled_from(Inconclusive),
    st.sampled_from([None, None, 0, 1, 2]),
)


@given(tables(1, 6) | rich_tables(3, 6), searches, st.data())
@settings(max_examples=80)
def test_pc_is_the_textbook_s(table: Table, search: PC, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = (
        law.knowledge.limits(table.names) if data.draw(st.booleans()) else Limits.none(table.names)
    )
    constant = sum(1 << v for v, seen in enumerate(table.observed) if seen == 1)
    limits = limits.setting_apart(constant)
    counts_as = search.inconclusive is Inconclusive.INDEPENDENT
    oracle = Oracle(table, search.test, search.control.alpha, counts_as)
    near, separating = pc_skeleton(oracle, limits, search.max_given)
    expected, refused = directed(near, separating, limits)
    found = run(search, table, limits)
    assert joined(found) == near
    tests = [s for s in found.separations if isinstance(s, Separation)]
    assert len(tests) == len(found.separations)
    assert {(s.x, s.y): s.given for s in tests} == {
        pair: given_ for pair, (given_, *_) in separating.items()
    }
    assert arrows(found) == expected
    told = [c for c in found.conflicts if c.opposition is not Opposition.IMPLIED]
    assert [(c.x, c.middle, c.y) for c in told] == refused


@pytest.mark.parametrize("case", GOLDEN, ids=lambda c: f"{c['data']}-{c['rows']}-{c['test']}")
def test_the_skeleton_is_that_of_causal_learn(case: dict[str, Any]) -> None:
    """Both drop what does not occur in a stratum; a table without freedom separates there."""
    table = read(TESTS / "data" / "bnlearn" / f"{case['data']}.csv.gz")
    test = KINDS[case["test"]](min_expected=0, coverage=Coverage.RELAXED)
    search = PC(test, FixedAlpha(case["alpha"]), Inconclusive.INDEPENDENT)
    found = learn(table.take(slice(0, case["rows"])), search)
    pairs = {(min(e), max(e)) for e in (*found.edges, *found.undirected)}
    assert pairs == {tuple(edge) for edge in case["skeleton"]}
    if not found.conflicts and case["alpha"] == 0.01:
        assert set(found.edges) == {tuple(edge) for edge in case["directed"]}


@given(tables(1, 6) | rich_tables(3, 6), st.data())
@settings(max_examples=40)
def test_knowledge_is_law(table: Table, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.knowledge.limits(table.names)
    found = run(PC(control=FixedAlpha(0.3)), table, limits)
    check_law(found, limits)


def test_a_limit_on_parents_is_refused_before_anything_is_counted() -> None:
    limits = Limits.none("ABCD", max_parents=1)
    with pytest.raises(KnowledgeError, match=r"PC only tests and cannot keep max_parents = 1; .*"):
        PC().search(None, limits, Watch())  # type: ignore[arg-type]


def contradiction() -> Table:
    """A - B - C - D whose tests ask for A -> B <- C and for B -> C <- D: four bits and noise."""
    rng = np.random.default_rng(3)
    a, d, noise = rng.integers(0, 2, (3, 4000))
    flip = rng.random((3, 4000)) < 0.25
    b = (a & noise) ^ flip[0]
    c = (d & noise) ^ flip[1]
    return Table("ABCD", ["ny"] * 4, [a, b.astype(int), c.astype(int), d])


def test_colliders_that_contradict_each_other_are_told_and_one_is_kept() -> None:
    found = run(PC(control=FixedAlpha(0.01)), contradiction())
    assert [(c.x, c.middle, c.y) for c in found.conflicts] in ([(0, 1, 2)], [(1, 2, 3)])
    assert found.conflicts[0].opposition is Opposition.COLLIDER
    kept = {(0, 1), (2, 1)} if found.conflicts[0].middle == 2 else {(1, 2), (3, 2)}
    assert kept <= arrows(found)


def test_knowledge_against_a_collider_is_a_conflict() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, (2, 3000))
    z = (x | y) ^ (rng.random(3000) < 0.1)
    table = Table("XYZ", ["ny"] * 3, [x, y, z.astype(int)])
    limits = Knowledge(required=[("Z", "X")]).limits(table.names)
    found = run(PC(), table, limits)
    assert found.conflicts == (Conflict(0, 2, 1, Opposition.KNOWLEDGE),)
    assert (2, 0) in arrows(found)


def test_an_inconclusive_test_takes_apart_only_where_it_counts_as_independence() -> None:
    codes = np.arange(12) % 3
    table = Table("AB", ["xyz"] * 2, [codes, codes])  # 12 rows for 9 cells
    kept = run(PC(), table)
    apart = run(PC(inconclusive=Inconclusive.INDEPENDENT), table)
    assert joined(kept) == {0: {1}, 1: {0}}
    assert joined(apart) == {0: set(), 1: set()}
    assert [isinstance(s, Separation) and s.conclusive for s in apart.separations] == [False]
    assert kept.tests.inconclusive == 1


def test_a_graph_without_extension_is_reported_and_none_is_made_up() -> None:
    """A cycle of four without a chord, and no separating set that speaks of a collider."""
    rng = np.random.default_rng(5)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        table = Table("ABCDEF", ["ny"] * 6, list(rng.integers(0, 2, (6, 60))))
        found = run(PC(control=FixedAlpha(0.5)), table)
        if found.dag is None:
            break
    assert found.dag is None
    assert any(note.startswith("no DAG extends the graph") for note in found.notes)


def test_levels_count_as_steps_and_a_cut_is_told() -> None:
    table = contradiction()
    watch = Watch(Budget(max_steps=1))
    found = PC().search(NativeEngine(table), Limits.none(table.names), watch)
    assert found.stop is Stop.STEP_LIMIT
    assert all(isinstance(s, Separation) and not s.given for s in found.separations)
    assert any("cut off" in note for note in found.notes)


def test_strict_tests_that_cannot_decide_are_not_asked_for_level_after_level() -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(0, 3, 300)
    columns = [np.where(rng.random(300) < 0.8, base, rng.integers(0, 3, 300)) for _ in range(12)]
    table = Table("ABCDEFGHIJKL", ["xyz"] * 12, columns)
    found = run(PC(ChiSquare()), table)
    assert found.tests.made < 12 * 66


def test_pc_that_is_cut_off_in_its_first_level_joins_only_what_was_found_dependent() -> None:
    """Else it would return the complete graph, which takes all memory to tell of many columns."""
    rng = np.random.default_rng(0)
    n = 600  # pairs enough for more than one block
    columns = list(rng.integers(0, 2, (n, 100)))
    columns[1] = columns[0]
    names = [f"v{v:03}" for v in range(n)]
    table = Table(names, ["ny"] * n, columns)
    watch = Watch(report=lambda watch: watch.interrupt())
    limits = Knowledge(required=[("v007", "v008")]).limits(table.names)
    found = PC().search(NativeEngine(table), limits, watch)
    assert found.stop is Stop.INTERRUPTED
    assert 0 < found.tests.made < n * (n - 1) // 2
    near = joined(found)
    assert {(d.x, d.y) for d in found.dependencies} | {(7, 8)} == {
        (x, y) for x in near for y in near[x] if x < y
    }
    assert 1 in near[0]
    assert any("not looked at" in note for note in found.notes)


def test_pc_that_may_make_no_step_joins_only_what_is_required() -> None:
    table = contradiction()
    found = PC().search(NativeEngine(table), Limits.none(table.names), Watch(Budget(max_steps=0)))
    assert not any(joined(found).values())


def test_without_a_separation_no_triple_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 20,000 variables whose tests were cut off there are so many that it took minutes."""

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("bayesloom.search.constraint.orientation.unshielded", refuse)
    assert colliders_of([0b100, 0b100, 0b011], {}) == []
