from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom._native import OperatorCache, ScoreMemory
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine, StopSignal
from bayesloom.errors import Stopped
from bayesloom.graphs import bits
from bayesloom.scores import BIC, Score
from bayesloom.search.local_scores import LocalScores
from reference_search import Scorer
from strategies_search import rich_table, rich_tables, scores


class Counted(BIC):
    """A score that counts the batches it is asked for."""

    def local_scores(self, engine: object, batch: Batch) -> Floats:
        BATCHES.append(len(batch))
        return BIC().local_scores(engine, batch)  # type: ignore[arg-type]


BATCHES: list[int] = []


@given(rich_tables(3, 5), scores(), st.data())
@settings(max_examples=40)
def test_what_was_asked_for_is_known_exactly(
    table: Table, score: Score, data: st.DataObject
) -> None:
    n = table.n_columns
    known, scorer = LocalScores(NativeEngine(table, 1), score), Scorer.of(table, score)
    masks = st.integers(0, (1 << n) - 1)
    for _ in range(3):
        child = data.draw(st.integers(0, n - 1))
        base = data.draw(masks) & ~(1 << child)
        partners = data.draw(masks) & ~base & ~(1 << child)
        family = data.draw(masks) & ~(1 << child)
        known.ask([(child, base, partners)], [(child, family)])
        assert known[child, base] == scorer.family(child, bits(base))
        assert known[child, family] == scorer.family(child, bits(family))
        for x in bits(partners):
            assert known.row(child, base)[x] == scorer.with_partner(child, bits(base), x)


def test_one_batch_asks_for_all_that_is_new_and_nothing_twice() -> None:
    known = LocalScores(NativeEngine(rich_table(1, 4, 4), 1), Counted())
    BATCHES.clear()
    known.ask([(0, 0, 0b1110), (1, 0, 0b1101)], [(2, 0b0011)])
    assert BATCHES == [3 + 3 + 1 + 2]
    known.ask([(0, 0, 0b0110), (1, 0, 0b1101)], [(2, 0b0011)])
    assert BATCHES == [9]
    assert len(known) == 9
    known.ask([(0, 0b0010, 0b1100)])
    assert BATCHES == [9, 3]


class Halted(OperatorCache):
    """A cache whose signal is given when it has listed some operators, before the others."""

    def want(self, memory: ScoreMemory, stop: StopSignal | None) -> bool:
        memory.want([(0, 0, 0b1110)], [])
        assert stop is not None
        stop.set()
        raise Stopped


def test_what_a_search_that_is_stopped_was_going_to_ask_is_not_asked_for_its_result() -> None:
    known = LocalScores(NativeEngine(rich_table(1, 4, 4), 1), Counted(), StopSignal())
    BATCHES.clear()
    with pytest.raises(Stopped):
        known.find_operators(Halted.__new__(Halted))
    known.total([0, 0, 0, 0])
    assert BATCHES == [4]
