"""With tests that know the truth every constraint-based learner finds it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from bayesloom.engine import NativeEngine
from bayesloom.graphs import CPDAG, DAG, bits, blanket_mask, skeleton
from bayesloom.search import IAMB, MMPC, PC, GrowShrink, Limits, Separation, Variant, Watch
from bayesloom.search.constraint.blankets import BlanketSearch
from reference_constraint import Truth, any_table
from strategies_graphs import dag_masks

BLANKETS: dict[str, Any] = {
    "gs": GrowShrink,
    "iamb": IAMB,
    "inter": lambda test: IAMB(test, variant=Variant.INTER),
    "fast": lambda test: IAMB(test, variant=Variant.FAST),
}


def known(parents: list[int]) -> tuple[DAG, NativeEngine, Limits]:
    names = tuple("ABCDEFGHI"[: len(parents)])
    return DAG(names, tuple(parents)), NativeEngine(any_table(names)), Limits.none(names)


@given(dag_masks(7).filter(bool))
@settings(max_examples=60)
def test_pc_finds_the_class_of_the_truth(parents: list[int]) -> None:
    dag, engine, limits = known(parents)
    found = PC(Truth(dag=dag)).search(engine, limits, Watch())
    assert found.graph == CPDAG.of(dag)
    assert found.conflicts == ()
    assert found.dag is not None
    assert CPDAG.of(found.dag) == found.graph


@pytest.mark.parametrize("name", BLANKETS)
@given(parents=dag_masks(7).filter(bool))
@settings(max_examples=25)
def test_blankets_are_those_of_the_truth_and_so_is_the_class(name: str, parents: list[int]) -> None:
    dag, engine, limits = known(parents)
    search: BlanketSearch = BLANKETS[name](Truth(dag=dag))
    n = len(parents)
    blankets = search.blankets(engine, range(n), (0,) * n, Watch())
    assert [blankets.members[v] for v in range(n)] == [blanket_mask(parents, v) for v in range(n)]
    assert search.search(engine, limits, Watch()).graph == CPDAG.of(dag)


@given(dag_masks(7).filter(bool))
@settings(max_examples=40)
def test_separating_sets_separate_and_edges_have_a_rejection(parents: list[int]) -> None:
    dag, engine, limits = known(parents)
    for search in (PC(Truth(dag=dag)), GrowShrink(Truth(dag=dag))):
        found = search.search(engine, limits, Watch())
        joined = skeleton(parents)
        pairs = {(s.x, s.y) for s in found.separations}
        n = len(parents)
        assert pairs == {
            (x, y) for x in range(n) for y in range(x + 1, n) if not joined[x] >> y & 1
        }
        for s in found.separations:
            assert isinstance(s, Separation)
            given_names = [dag.names[v] for v in s.given]
            assert dag.d_separated(dag.names[s.x], dag.names[s.y], given_names)
        edges = {(d.x, d.y) for d in found.dependencies}
        assert edges == {(x, y) for y in range(n) for x in bits(joined[y]) if x < y}


@given(dag_masks(7).filter(bool))
@settings(max_examples=40)
def test_max_min_candidates_hold_all_neighbours_of_the_truth(parents: list[int]) -> None:
    dag, engine, limits = known(parents)
    found = MMPC(Truth(dag=dag), max_given=None).candidates(engine, limits, Watch())
    for near, mask in zip(skeleton(parents), found.neighbours, strict=True):
        assert not near & ~mask
