from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom._native import CPDAGState, Operator, OperatorHeap, OperatorKind, ScoreMemory
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import bits, consistent_extension, remove_sinks
from bayesloom.scores import BIC, Score
from bayesloom.search import Limits
from bayesloom.search.equivalence.climb import cpdag_state_of
from bayesloom.search.equivalence.operator_queue import MOST_LISTED, OperatorQueue
from bayesloom.search.local_scores import LocalScores
from reference_graphs import all_classes, arcs_of, links_of, masks_of
from reference_search import KINDS, Scorer, class_neighbours, completed
from strategies_search import dags_over, rich_table, rich_tables, scores

N = 4


def everything_on(
    kind: str, table: Table, score: Score, parents: list[int], most: int = MOST_LISTED
) -> list[Operator]:
    """Take every operator of a kind off a queue, whatever it gains."""
    state = cpdag_state_of(parents)
    engine = NativeEngine(table, threads=1)
    tie = 1e-8
    queue = OperatorQueue.of(
        OperatorKind[kind.upper()],
        LocalScores(engine, score),
        Limits.none(table.names),
        floor=-math.inf,
        tie=tie,
        most=most,
    )
    queue.renew(state, (1 << len(parents)) - 1)
    found = []
    while (taken := queue.pop(state)) is not None:
        found.append(taken.op)
    return found


def tiny_table(n: int) -> Table:
    """Return a table of n variables; what it holds does not matter."""
    return Table([f"v{k}" for k in range(n)], [["0", "1"]] * n, [np.array([0, 1], np.uint8)] * n)


def test_a_queue_for_more_nodes_than_any_class_has_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit the memory"):
        OperatorHeap(OperatorKind.INSERT, 2**31 - 1)


@pytest.mark.parametrize("kind", KINDS)
class TestAQueue:
    @given(rich_tables(4, 6), scores(), st.data())
    @settings(max_examples=25)
    def test_holds_the_operators_of_the_definition_in_order(
        self, kind: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        parents = data.draw(dags_over(table.n_columns))
        scorer = Scorer.of(table, score)
        wanted = list(KINDS[kind](scorer, completed(arcs_of(parents), table.n_columns)))
        wanted.sort(key=lambda op: (-round(op.gain / 1e-8), *op[1:4]))
        found = everything_on(kind, table, score, parents)
        assert [(op.x, op.y, tuple(bits(op.others)), op.gain) for op in found] == [
            op[1:5] for op in wanted
        ]

    def test_reaches_exactly_the_neighbouring_classes(self, kind: str) -> None:
        table = rich_table(1, N, N)
        for group in all_classes(N):
            parents = list(masks_of(group[0], N))
            state = cpdag_state_of(parents)
            reached = set()
            for op in everything_on(kind, table, BIC(), parents):
                after = state.after(op)
                reached.add((arcs_of(after.parents), links_of(after.neighbours)))
            wanted = {completed(other[0], N) for other in class_neighbours(group[0], N, kind)}
            assert reached == {(graph.arcs, graph.links) for graph in wanted}

    @given(rich_tables(4, 6), scores(), st.data())
    @settings(max_examples=25)
    def test_knows_what_every_operator_does_to_the_score(
        self, kind: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        parents = data.draw(dags_over(table.n_columns))
        engine, state = NativeEngine(table, threads=1), cpdag_state_of(parents)
        before = score.total(engine, parents)
        for op in everything_on(kind, table, score, parents):
            after = state.after(op)
            member = consistent_extension(after.parents, after.neighbours)
            assert score.total(engine, member) == pytest.approx(before + op.gain, abs=1e-7)

    @given(st.data())
    @settings(max_examples=60, deadline=None)
    def test_leads_to_the_class_of_an_extension_of_the_changed_graph(
        self, kind: str, data: st.DataObject
    ) -> None:
        """Whatever was done before; and the nodes it touches are those that differ."""
        n = data.draw(st.integers(3, 8))
        state = cpdag_state_of(data.draw(dags_over(n)))
        table = tiny_table(n)
        for _ in range(4):
            member = consistent_extension(state.parents, state.neighbours)
            operators = everything_on(kind, table, BIC(), member)
            for op in operators:
                extended, order, left = remove_sinks(*state.changed_by(op))
                assert not left
                wanted = CPDAGState.of_ordered_dag(extended, order[::-1])
                moved = state.copy()
                assert moved.move(op) == wanted.touched(state)
                assert moved == state.after(op) == wanted
                assert moved.adjacent == wanted.adjacent
                assert cpdag_state_of(state.member_after(op)) == wanted
                assert cpdag_state_of(moved.member()) == wanted
            if operators:
                state.move(data.draw(st.sampled_from(operators)))

    @given(rich_tables(4, 6), scores(), st.data(), st.integers(1, 3))
    @settings(max_examples=25)
    def test_gives_the_same_operators_however_few_are_listed_at_a_time(
        self, kind: str, table: Table, score: Score, data: st.DataObject, most: int
    ) -> None:
        parents = data.draw(dags_over(table.n_columns))
        few = everything_on(kind, table, score, parents, most)
        assert [as_tuple(op) for op in few] == [
            as_tuple(op) for op in everything_on(kind, table, score, parents)
        ]

    def test_refuses_a_memory_of_another_size(self, kind: str) -> None:
        n = 8
        state = cpdag_state_of([0] * n)
        queue = OperatorQueue.of(
            OperatorKind[kind.upper()],
            LocalScores(NativeEngine(rich_table(1, n, n), threads=1), BIC()),
            Limits.none([str(v) for v in range(n)]),
            floor=0.0,
            tie=1e-8,
        )
        queue.cache.ask(state, (1 << n) - 1)
        queue.cache.want(queue.scores.memory, None)
        with pytest.raises(ValueError, match="another number of nodes"):
            queue.cache.take(ScoreMemory(2))


def test_operators_that_were_never_scored_are_refused() -> None:
    n = 3
    names = [str(v) for v in range(n)]
    scores_of = LocalScores(NativeEngine(rich_table(1, n, n), threads=1), BIC())
    queue = OperatorQueue.of(
        OperatorKind.INSERT, scores_of, Limits.none(names), floor=0.0, tie=1e-8
    )
    queue.cache.ask(cpdag_state_of([0] * n), (1 << n) - 1)
    queue.cache.want(scores_of.memory, None)
    other = ScoreMemory(n)
    other.want([], [(v, 0) for v in range(n)])
    other.fill(np.zeros(n))
    with pytest.raises(IndexError, match="never asked for"):
        queue.cache.take(other)
    with pytest.raises(IndexError, match="never asked for"):
        queue.cache.want(other, None)
    scores_of.memory.forget()
    with pytest.raises(IndexError, match="never asked for"):
        queue.cache.take(scores_of.memory)


def as_tuple(op: Operator) -> tuple[OperatorKind, int, int, int, float]:
    return op.kind, op.x, op.y, op.others, op.gain
