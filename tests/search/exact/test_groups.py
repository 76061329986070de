"""The bound by groups of variables holds for every network and is no worse than the trivial one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.scores import BIC, LogLikelihood, Score
from bayesloom.search import Limits, Watch
from bayesloom.search.exact import groups, levels, solving
from bayesloom.search.exact.groups import family_of, grouped_bound, words_of
from bayesloom.search.exact.levels import CandidateSearch
from reference_exact import all_dags, best_by_subsets
from strategies_search import rich_table, rich_tables, scores


@given(rich_tables(3, 6), scores())
@settings(max_examples=40)
def test_no_network_exceeds_the_bound_of_any_level(table: Table, score: Score) -> None:
    limits = Limits.none(table.names)
    optimum = best_by_subsets(table, score, limits)
    slack = 1e-9 * max(1.0, abs(optimum))
    bounds: list[float] = []
    watch = Watch(report=lambda watch: bounds.append(watch.bound or math.inf))
    CandidateSearch(NativeEngine(table), score, limits, watch, optimum).run()
    assert all(bound >= optimum - slack for bound in bounds)


@given(st.integers(2, 7), st.integers(1, 7), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_the_bound_lies_between_the_best_network_and_the_best_families(
    n: int, size: int, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    masks = [[mask for mask in range(1 << n) if not mask >> v & 1] for v in range(n)]
    values = [draw.normal(size=len(sets)) for sets in masks]
    families = [family_of(x, words_of(sets, n)) for x, sets in zip(values, masks, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "MOST_IN_GROUP", size)
        bound = grouped_bound(families)
    best = max(
        math.fsum(values[v][masks[v].index(mask)] for v, mask in enumerate(parents))
        for parents in all_dags(n)
    ) if n <= 3 else -math.inf  # fmt: skip
    assert best - 1e-12 <= bound <= math.fsum(x.max() for x in values) + 1e-12


def test_variables_that_exclude_each_other_share_a_group() -> None:
    # Each of two pairs is a cycle of its best families, which costs 4 and 3 to break.
    wishes = [(1, 4.0), (0, 5.0), (3, 9.0), (2, 3.0)]
    families = [
        family_of(np.array([0.0, -loss]), words_of([1 << other, 0], 4)) for other, loss in wishes
    ]
    assert grouped_bound(families) == -7.0


def test_a_set_above_memory_ends_with_the_best_network_of_the_sets_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = rich_table(3, 7, 7).take(slice(0, 60))
    whole = bl.learn(table, bl.Exact(score=LogLikelihood(kappa=0.5)))
    monkeypatch.setattr(levels, "MOST_FAMILIES", 50)
    some = bl.learn(table, bl.Exact(score=LogLikelihood(kappa=0.5)))
    most = bl.learn(table, bl.Exact(score=LogLikelihood(kappa=0.5), max_parents=1))
    assert whole.proof is not None
    assert some.proof is not None
    assert some.proof.bound >= whole.score.value
    assert some.score.value >= most.score.value
    assert not some.proof.optimal
    assert "larger sets of parents are not looked at" in str(some)


def test_many_candidates_of_many_variables_need_no_integer_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = rich_table(9, 6, 6)
    expected = bl.learn(table, bl.Exact(score=BIC()))
    monkeypatch.setattr(solving, "_FEW", 1)
    monkeypatch.setattr(solving, "_MANY", 0)
    monkeypatch.setattr(solving, "BranchAndCut", None)
    assert bl.learn(table, bl.Exact(score=BIC())).edges == expected.edges


def test_a_time_limit_leaves_the_bound_of_the_last_complete_level() -> None:
    table = rich_table(4, 7, 7)
    calls = []

    def after_two(watch: Watch) -> None:
        calls.append(watch.bound)
        if len(calls) == 2:
            watch.interrupt()

    net = bl.learn(table, bl.Exact(score=BIC()), progress=after_two)
    assert net.proof is not None
    assert net.proof.bound >= bl.learn(table, bl.Exact(score=BIC())).score.value - 1e-9
