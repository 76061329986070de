"""Chains over orders and partitions agree with the enumeration of all DAGs."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import bayesloom as bl
from bayesloom._native import ParentSetSums
from bayesloom.averaging.chain import OrderChain, PartitionChain, partition_of, places_of
from bayesloom.averaging.parent_sets import ParentSetChoice
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import bits
from bayesloom.search import Limits, Watch
from reference_averaging import all_dags, dag_posterior, order_posterior


@cache
def engine_of(n: int, rows: int = 60) -> NativeEngine:
    """Return rows in which the first two variables tell the third, and noise."""
    rng = np.random.default_rng(n)
    a, b = rng.integers(0, 2, (2, rows))
    noisy = (a | b) ^ (rng.random(rows) < 0.15)
    further = [noisy ^ (rng.random(rows) < 0.3), rng.integers(0, 2, rows)][: n - 3]
    columns = [a, b, noisy, *further]
    return NativeEngine(Table("ABCDE"[:n], ["ny"] * n, [c.astype(np.uint8) for c in columns]))


def local_score(engine: NativeEngine, limit: int):  # type: ignore[no-untyped-def] # noqa: ANN201
    score = bl.BDeu(ess=1)

    @cache
    def of(v: int, parents: int) -> float:
        if parents.bit_count() > limit:
            return -math.inf
        from bayesloom.scores.score import family_batch

        return float(score.local_scores(engine, family_batch([(v, bits(parents))]))[0])

    return of


def sampled(kind: str, n: int, moves: int, chains: int = 4) -> np.ndarray:
    """Return the mean over several chains, sampled every fifth move."""
    engine = engine_of(n)
    limits = Limits.none(engine.names)
    sums = ParentSetChoice(n, n - 1).sums(engine, bl.BDeu(ess=1), limits, Watch()).sums
    total = np.zeros((n, n))
    for seed in range(chains):
        rng = np.random.default_rng(seed)
        chain: OrderChain | PartitionChain
        if kind == "order":
            chain = OrderChain(sums, tuple(range(n)), rng)
        else:
            chain = PartitionChain(sums, partition_of([0] * n), rng)
        for k in range(moves):
            chain.step()
            if k % 5 == 4:
                total += chain.shares()
    found: np.ndarray = total / (moves // 5 * chains)
    return found


def test_there_are_as_many_dags_as_the_literature_says() -> None:
    assert [sum(1 for _ in all_dags(n)) for n in (1, 2, 3, 4)] == [1, 3, 25, 543]


@pytest.mark.parametrize("n", [3, 4])
def test_partitions_agree_with_the_enumeration_of_all_dags(n: int) -> None:
    exact = dag_posterior(n, local_score(engine_of(n), n))
    assert np.abs(sampled("partition", n, 30_000) - exact).max() < 0.02


@pytest.mark.parametrize("n", [3, 4])
def test_orders_agree_with_the_enumeration_of_all_pairs_of_order_and_dag(n: int) -> None:
    exact = order_posterior(n, local_score(engine_of(n), n))
    assert np.abs(sampled("order", n, 10_000) - exact).max() < 0.02


@pytest.mark.slow
def test_partitions_agree_with_all_29281_dags_over_five_variables() -> None:
    exact = dag_posterior(5, local_score(engine_of(5), 5))
    assert np.abs(sampled("partition", 5, 60_000) - exact).max() < 0.02


def test_the_two_priors_differ_so_that_the_comparison_can_fail() -> None:
    score = local_score(engine_of(4), 4)
    assert np.abs(dag_posterior(4, score) - order_posterior(4, score)).max() > 0.025


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_every_dag_belongs_to_exactly_one_partition(n: int) -> None:
    """With all scores 0 the sum over a partition counts its DAGs; all partitions count them all."""
    sets = [[m for m in range(1 << n) if not m >> v & 1] for v in range(n)]
    width = max(1, n - 1)
    rows = [[*bits(m), *[-1] * (width - m.bit_count())] for each in sets for m in each]
    start = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    flat = np.array(rows, np.int32).ravel()
    sums = ParentSetSums(start, flat, width, np.zeros(len(rows)))
    chain = PartitionChain(sums, partition_of([0] * n), np.random.default_rng(1))
    seen = {chain.layout}
    todo = [chain.layout]
    while todo:
        layout = todo.pop()
        for v in range(n):
            for other in places_of(layout, v)[0]:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
    total = 0.0
    for layout in seen:
        rooms = chain.rooms(layout)
        total += math.exp(math.fsum(sums.log_sums([(v, *r) for v, r in enumerate(rooms)])))
    assert len(seen) == [1, 3, 13, 75][n - 1]  # ordered Bell numbers
    assert round(total, 6) == [1, 3, 25, 543][n - 1]
    dags = list(all_dags(n))
    assert {partition_of(dag) for dag in dags} == seen


def test_sums_over_sets_are_those_of_plain_arithmetic() -> None:
    rng = np.random.default_rng(3)
    n, k = 70, 40
    rows = [sorted(rng.choice(n - 1, 3, replace=False).tolist()) for _ in range(k)]
    score = rng.normal(0, 30, k)
    start = np.array([0] * n + [k], np.int64)  # all sets are those of the last variable
    sums = ParentSetSums(start, np.array(rows, np.int32).ravel(), 3, score)
    for _ in range(20):
        allowed = set(rng.choice(n - 1, 50, replace=False).tolist())
        needed = set(rng.choice(n - 1, int(rng.integers(0, 20)), replace=False).tolist())
        fits = [
            i for i, row in enumerate(rows)
            if set(row) <= allowed and (not needed or set(row) & needed)
        ]  # fmt: skip
        asked = [(n - 1, sum(1 << u for u in allowed), sum(1 << u for u in needed))]
        (found,) = sums.log_sums(asked)
        if not fits:
            assert found == -math.inf
            continue
        assert found == pytest.approx(np.logaddexp.reduce(score[fits]), abs=1e-12)
        share = np.zeros(n)
        for i in fits:
            share[rows[i]] += np.exp(score[i] - found)
        assert sums.shares(asked) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize(
    ("start", "parents", "score"),
    [
        ([0, 1], [0], [0.0]),
        ([0, 1, 1], [2], [0.0]),
        ([0, 2, 1], [1, 1], [0.0, 0.0]),
        ([1, 1], [], []),
        ([0, 1, 1], [1], [math.nan]),
        ([0, 1, 1], [1, 1], [0.0]),
    ],
)
def test_sets_that_make_no_sense_are_refused(
    start: list[int], parents: list[int], score: list[float]
) -> None:
    with pytest.raises(ValueError, match=r"sets? of parents"):
        ParentSetSums(np.array(start, np.int64), np.array(parents, np.int32), 1, np.array(score))
