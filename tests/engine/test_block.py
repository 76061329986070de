"""What only the engine for blocks has: blocks that differ, are read anew, or are none."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from bayesloom.data import Table
from bayesloom.engine import Batch, BlockEngine, FamilyKernel, NativeEngine
from bayesloom.errors import DataError, OptionError


class Read:
    """Blocks that are made when they are asked for, as from a file."""

    def __init__(self, table: Table, size: int) -> None:
        self.table, self.size, self.passes = table, size, 0

    def __iter__(self) -> Iterator[Table]:
        self.passes += 1
        for i in range(0, self.table.n_rows, self.size):
            yield self.table.take(slice(i, i + self.size))


@pytest.mark.parametrize("size", [1, 7, 300])
def test_a_batch_is_one_pass_over_the_blocks_whatever_their_size(asia: Table, size: int) -> None:
    table = asia.take(slice(0, 300))
    blocks = Read(table, size)
    engine, batch = BlockEngine(blocks), Batch.of([(0, (1, 2), (3, 4, -1)), (5, (), (6, 7))])
    before = blocks.passes
    found = engine.families(batch, FamilyKernel.BDEU)
    assert blocks.passes == before + 1
    assert found.tobytes() == NativeEngine(table, 1).families(batch, FamilyKernel.BDEU).tobytes()
    assert engine.counts(batch).cells.tolist() == NativeEngine(table).counts(batch).cells.tolist()


def test_a_copy_of_an_engine_answers_the_same(asia: Table) -> None:
    engine = BlockEngine([asia])
    again = pickle.loads(pickle.dumps(engine))
    assert again.entropies(Batch.pairs(8)).tolist() == engine.entropies(Batch.pairs(8)).tolist()


def test_blocks_that_are_none_or_differ_are_refused(asia: Table) -> None:
    with pytest.raises(DataError, match="there is no block"):
        BlockEngine([])
    other = asia.select(asia.names[:3])
    with pytest.raises(DataError, match="block 1 has other variables or states than the first"):
        BlockEngine([asia, other])
    with pytest.raises(OptionError, match="an iterator can be read once"):
        BlockEngine(iter([asia]))
    wrong: Any = [asia, None]
    with pytest.raises(OptionError, match="block 1 must be a Table"):
        BlockEngine(wrong)


def test_a_batch_that_cannot_be_answered_is_refused_with_request_and_variable(asia: Table) -> None:
    engine: Any = BlockEngine([asia])
    for ask in (engine.counts, engine.informations, engine.entropies):
        with pytest.raises(OptionError, match="request 0 of the batch asks for variable -2"):
            ask(Batch.of([(0, (-2,), (2,))]))
        with pytest.raises(OptionError, match="batch must be a Batch, such as"):
            ask(None)
