"""Chains over orders and partitions agree with the enumeration of all DAGs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import bayesloom as bl
from bayesloom._native import (
    OrderMove,
    OrderWalk,
    ParentSetSums,
    PartitionMove,
    PartitionWalk,
)
from bayesloom.averaging.chain import (
    OrderChain,
    OrderMix,
    PartitionChain,
    PartitionMix,
    partition_of,
)
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


@cache
def sums_of(n: int, rows: int = 60) -> ParentSetSums:
    """Return all sets of parents of the rows' variables."""
    engine = engine_of(n, rows)
    limits = Limits.none(engine.names)
    return ParentSetChoice(n, n - 1).sums(engine, bl.BDeu(ess=1), limits, Watch()).sums


def sampled(n: int, moves: int, mix: OrderMix | PartitionMix, rows: int = 60) -> np.ndarray:
    """Return the mean over four chains with 6,000 samples each."""
    total, chains, samples, sums = np.zeros((n, n)), 4, 6000, sums_of(n, rows)
    for seed in range(chains):
        chain: OrderChain | PartitionChain
        if isinstance(mix, OrderMix):
            chain = OrderChain(sums, tuple(range(n)), seed, mix)
        else:
            chain = PartitionChain(sums, partition_of([0] * n), [(1 << n) - 1] * n, seed, mix)
        for _ in range(samples):
            chain.run(moves // samples)
            total += chain.shares()
    found: np.ndarray = total / (samples * chains)
    return found


# With few rows no edge is so sure that a move which must take it away first hardly ever turns it.
FEW = 15

ORDER_MIXES = [
    OrderMix({OrderMove.SWAP: 1.0}),
    OrderMix({OrderMove.RELOCATE: 1.0}),
    OrderMix({OrderMove.WINDOW: 1.0}, width=2),
    OrderMix({OrderMove.WINDOW: 1.0}, width=3),
]
PARTITION_MIXES = [  # with the number of moves that is enough for each
    (PartitionMix({PartitionMove.DIVIDE: 1.0}), 1_800_000),
    (PartitionMix({PartitionMove.RELOCATE: 1.0}), 60_000),
    (PartitionMix({PartitionMove.SWAP: 0.5, PartitionMove.RELOCATE: 0.5}), 60_000),
    (PartitionMix({PartitionMove.FAMILIES: 1.0}, block=1, blocks=1), 300_000),
    (PartitionMix({PartitionMove.FAMILIES: 1.0}, block=2, blocks=1), 60_000),
    (PartitionMix({PartitionMove.FAMILIES: 1.0}, block=3, blocks=1), 60_000),
    (PartitionMix({PartitionMove.FAMILIES: 1.0}, block=4, blocks=1), 60_000),
]


def test_there_are_as_many_dags_as_the_literature_says() -> None:
    assert [sum(1 for _ in all_dags(n)) for n in (1, 2, 3, 4)] == [1, 3, 25, 543]


@pytest.mark.parametrize("n", [3, 4])
def test_partitions_agree_with_the_enumeration_of_all_dags(n: int) -> None:
    exact = dag_posterior(n, local_score(engine_of(n), n))
    assert np.abs(sampled(n, 30_000, PartitionMix()) - exact).max() < 0.02


@pytest.mark.parametrize("n", [3, 4])
def test_orders_agree_with_the_enumeration_of_all_pairs_of_order_and_dag(n: int) -> None:
    exact = order_posterior(n, local_score(engine_of(n), n))
    assert np.abs(sampled(n, 12_000, OrderMix()) - exact).max() < 0.02


@pytest.mark.few(2)
@pytest.mark.parametrize(("mix", "moves"), PARTITION_MIXES, ids=str)
@pytest.mark.parametrize("n", [3, 4])
def test_every_kind_of_partition_move_agrees_by_itself(
    n: int, mix: PartitionMix, moves: int
) -> None:
    exact = dag_posterior(n, local_score(engine_of(n, FEW), n))
    assert np.abs(sampled(n, moves, mix, FEW) - exact).max() < 0.015


@pytest.mark.few(2)
@pytest.mark.parametrize("mix", ORDER_MIXES, ids=str)
@pytest.mark.parametrize("n", [3, 4])
def test_every_kind_of_order_move_agrees_by_itself(n: int, mix: OrderMix) -> None:
    exact = order_posterior(n, local_score(engine_of(n, FEW), n))
    assert np.abs(sampled(n, 30_000, mix, FEW) - exact).max() < 0.01


@pytest.mark.slow
def test_orders_agree_with_all_orders_and_dags_over_five_variables() -> None:
    exact = order_posterior(5, local_score(engine_of(5), 5))
    assert np.abs(sampled(5, 30_000, OrderMix()) - exact).max() < 0.02


@pytest.mark.slow
def test_partitions_agree_with_all_29281_dags_over_five_variables() -> None:
    exact = dag_posterior(5, local_score(engine_of(5), 5))
    assert np.abs(sampled(5, 60_000, PartitionMix()) - exact).max() < 0.02


Layout = tuple[int, ...]


def flows(
    walks: dict[Layout, Sequence[OrderWalk | PartitionWalk]], kind: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of all layouts, and how often one move leads from each to each."""
    layouts = list(walks)
    scores = np.array([math.fsum(walks[layout][0].local) for layout in layouts])
    weights = np.exp(scores - scores.max())
    chances = np.zeros((len(layouts), len(layouts)))
    for k, layout in enumerate(layouts):
        ends: Counter[Layout] = Counter()
        for walk in walks[layout]:
            walk.moves(np.array([kind], np.uint8))
            ends[tuple(walk.order if isinstance(walk, OrderWalk) else walk.elements)] += 1
        for end, times in ends.items():
            chances[k, layouts.index(end)] = times / len(walks[layout])
    return weights / weights.sum(), chances


def assert_balance(weights: np.ndarray, chances: np.ndarray, draws: int) -> None:
    """Check that as much goes from one layout to the other as back, within five deviations."""
    flow = weights[:, None] * chances
    spread = weights[:, None] * np.sqrt(np.maximum(chances, 1 / draws) / draws)
    allowed = 5 * np.sqrt(spread**2 + spread.T**2)
    assert (np.abs(flow - flow.T) <= allowed).all()
    assert flow.sum() - np.trace(flow) > 0.05


@pytest.mark.parametrize("kind", list(OrderMove), ids=str)
@pytest.mark.parametrize("width", [2, 3])
def test_every_move_of_orders_is_in_detailed_balance(kind: OrderMove, width: int) -> None:
    walks: dict[Layout, Sequence[OrderWalk | PartitionWalk]] = {
        order: [OrderWalk(sums_of(3), list(order), width, key * 77 + 5) for key in range(8000)]
        for order in permutations(range(3))
    }
    assert_balance(*flows(walks, int(kind)), 8000)


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", list(PartitionMove), ids=str)
@pytest.mark.parametrize("block", [1, 2, 3])
def test_every_move_of_partitions_is_in_detailed_balance(kind: PartitionMove, block: int) -> None:
    """Drawing a graph, one block of it anew and forgetting it is reversible, too."""
    layouts = sorted({partition_of(dag) for dag in all_dags(3)})
    walks: dict[Layout, Sequence[OrderWalk | PartitionWalk]] = {
        layout: [
            PartitionWalk(sums_of(3), list(layout), [7] * 3, block, 1, key * 77 + 5)
            for key in range(8000)
        ]
        for layout in layouts
    }
    assert_balance(*flows(walks, int(kind)), 8000)


@pytest.mark.parametrize("rows", [FEW, 60])
def test_the_two_priors_differ_so_that_the_comparison_can_fail(rows: int) -> None:
    score = local_score(engine_of(4, rows), 4)
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
    dags = list(all_dags(n))
    seen = {partition_of(dag) for dag in dags}
    total = 0.0
    for layout in seen:
        walk = PartitionWalk(sums, list(layout), [0] * n, 1, 1, 1)
        total += math.exp(math.fsum(walk.local))
    assert len(seen) == [1, 3, 13, 75][n - 1]  # ordered Bell numbers
    assert round(total, 6) == [1, 3, 25, 543][n - 1]


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
        ([0, 1, 1], [1], [math.inf]),
        ([0, 1, 1], [1, 1], [0.0]),
    ],
)
def test_sets_that_make_no_sense_are_refused(
    start: list[int], parents: list[int], score: list[float]
) -> None:
    with pytest.raises(ValueError, match=r"sets? of parents"):
        ParentSetSums(np.array(start, np.int64), np.array(parents, np.int32), 1, np.array(score))


def test_sets_of_more_parents_than_memory_can_hold_are_refused() -> None:
    start, none = np.array([0, 2], np.int64), np.zeros(0, np.int32)
    with pytest.raises(ValueError, match="sets of parents"):  # 2 * 2^63 is 0 in 64 bits
        ParentSetSums(start, none, 1 << 63, np.zeros(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda sums: OrderWalk(sums, [1, 0], 2, 1),
        lambda sums: PartitionWalk(sums, [3], [0] * 2, 1, 1, 1),
        lambda sums: PartitionWalk(sums, [2, 1], [0] * 2, 1, 1, 1),
    ],
)
def test_a_walk_does_not_start_where_a_variable_has_no_set_of_parents(make) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    only_0_to_1 = ParentSetSums(
        np.array([0, 1, 2], np.int64), np.array([-1, 0], np.int32), 1, np.zeros(2)
    )
    with pytest.raises(ValueError, match="a variable has no set of parents"):
        make(only_0_to_1)


@pytest.mark.parametrize(
    "make",
    [
        lambda sums: OrderWalk(sums, [0, 1, 1], 2, 1),
        lambda sums: OrderWalk(sums, [0, 1], 2, 1),
        lambda sums: OrderWalk(sums, [0, 1, 2], 1, 1),
        lambda sums: OrderWalk(sums, [0, 1, 2], 2, 1).moves(np.array([9], np.uint8)),
        lambda sums: PartitionWalk(sums, [1, 3], [0] * 3, 1, 1, 1),
        lambda sums: PartitionWalk(sums, [7, 0], [0] * 3, 1, 1, 1),
        lambda sums: PartitionWalk(sums, [7], [0] * 3, 5, 1, 1),
        lambda sums: PartitionWalk(sums, [7], [0] * 2, 1, 1, 1),
        lambda sums: PartitionWalk(sums, [15], [0] * 3, 1, 1, 1),
    ],
)
def test_walks_that_make_no_sense_are_refused(make) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    with pytest.raises(ValueError, match=r"order|window|move|partition|block|set"):
        make(sums_of(3))
