"""All pairs block by block: no batch is large, and what was looked at counts when time is over."""

from __future__ import annotations

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits, heaviest_pairs
from bayesloom.search import (
    ChowLiu,
    HillClimbing,
    Knowledge,
    Limits,
    Search,
    SpanningTree,
    Start,
    Stop,
    Watch,
    memory,
    pair_scan,
)
from bayesloom.search.pair_scan import pair_blocks
from reference_search import Asked, run


def wide_table(seed: int, n: int) -> Table:
    """Draw a table of few rows, so that many pairs tie, with a constant column."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2, 12).astype(np.uint8) for _ in range(n)]
    for v in range(2, n, 2):
        columns[v] = np.where(rng.random(12) < 0.7, columns[v - 2], columns[v])
    columns[1][:] = 0
    return Table("ABCDEFGHIJKLMN"[:n], [["n", "y"]] * n, columns)


def small_blocks(monkeypatch: pytest.MonkeyPatch, tables: int = 30) -> None:
    monkeypatch.setattr(pair_scan, "_TABLES", tables)
    monkeypatch.setattr(heaviest_pairs, "_ENOUGH", 20)
    monkeypatch.setattr(heaviest_pairs, "_TRIED_FIRST", 1)


@pytest.mark.parametrize("tables", [1, 30, 1000])
def test_the_blocks_have_every_pair_once_and_in_order(
    tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_blocks(monkeypatch, tables)
    engine = NativeEngine(wide_table(1, 9))
    blocks = list(pair_blocks(engine))
    x, y = np.triu_indices(9, 1)
    assert np.concatenate([block.x for block in blocks]).tolist() == x.tolist()
    assert np.concatenate([block.y for block in blocks]).tolist() == y.tolist()
    found = np.concatenate([block.information for block in blocks])
    assert found.tolist() == engine.informations(Batch.pairs(9)).tolist()


def test_a_block_knows_which_pairs_masks_have(monkeypatch: pytest.MonkeyPatch) -> None:
    small_blocks(monkeypatch)
    rng = np.random.default_rng(1)
    masks = [int(mask) & ~(1 << v) for v, mask in enumerate(rng.integers(0, 1 << 11, 11))]
    for block in pair_blocks(NativeEngine(wide_table(1, 11))):
        wanted = [masks[x] >> y & 1 == 1 for x, y in zip(block.x, block.y, strict=True)]
        assert block.are_in(masks).tolist() == wanted


@pytest.mark.parametrize("forest", [False, True])
@pytest.mark.parametrize("algorithm", list(SpanningTree))
@pytest.mark.parametrize("apart", [(), [("A", "C"), ("C", "A"), ("D", "B"), ("B", "D")]])
def test_small_blocks_change_no_tree(
    forest: bool,  # noqa: FBT001
    algorithm: SpanningTree,
    apart: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in range(5):
        table = wide_table(seed, 12)
        limits = Knowledge(forbidden=apart).limits(table.names)
        search = ChowLiu(forest=forest, algorithm=algorithm)
        whole = run(search, table, limits)
        with monkeypatch.context() as patch:
            small_blocks(patch)
            assert run(search, table, limits) == whole


@pytest.mark.parametrize("search", [ChowLiu(), HillClimbing(start=Start.CHOW_LIU)])
def test_no_batch_asks_for_all_pairs(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    small_blocks(monkeypatch)
    table = wide_table(1, 14)
    engine = Asked(table)
    search.search(engine, Limits.none(table.names), Watch())
    assert max(engine.sizes) <= 30
    assert sum(engine.sizes) == 14 * 13 // 2


def test_the_tree_of_the_pairs_that_were_looked_at_is_returned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small_blocks(monkeypatch)
    table = wide_table(1, 14)
    engine = Asked(table, gives_at=3)
    found = ChowLiu().search(engine, Limits.none(table.names), Watch())
    assert found.stop is Stop.INTERRUPTED
    assert found.candidates == sum(engine.sizes[:2])
    assert found.dag is not None
    joined = [(p, v) for v, mask in enumerate(found.dag.parent_masks) for p in bits(mask)]
    assert len(joined) == 12
    assert max(min(pair) for pair in joined) < 4


def test_a_tree_that_time_runs_out_for_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    small_blocks(monkeypatch)
    table = wide_table(1, 14)
    found = ChowLiu().search(Asked(table, gives_at=1), Limits.none(table.names), Watch())
    assert (found.stop, found.candidates, found.steps) == (Stop.INTERRUPTED, 0, ())


def test_pairs_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "physical_memory", lambda: 100)
    table = wide_table(1, 6)
    with pytest.raises(CapacityError, match="keeping 10 pairs of 6 variables needs 480 bytes"):
        ChowLiu().search(NativeEngine(table), Limits.none(table.names), Watch())
    directed = Knowledge(roots=["A"]).limits(table.names)
    with pytest.raises(CapacityError, match="a tree of 6 variables with directions that are known"):
        ChowLiu().search(NativeEngine(table), directed, Watch())
