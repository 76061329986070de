from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import bits, consistent_extension
from bayesloom.scores import BIC, Score
from bayesloom.search import Limits
from bayesloom.search.equivalence.agenda import Agenda
from bayesloom.search.equivalence.state import Operator, class_of
from bayesloom.search.local_scores import LocalScores
from reference_graphs import all_classes, arcs_of, links_of, masks_of
from reference_search import KINDS, Scorer, class_neighbours, completed
from strategies_search import dags_over, rich_table, rich_tables, scores

N = 4


def everything_on(kind: str, table: Table, score: Score, parents: list[int]) -> list[Operator]:
    """Take every operator of a kind off an agenda, whatever it gains."""
    state = class_of(parents)
    engine = NativeEngine(table, threads=1)
    tie = 1e-8
    agenda = Agenda.of(
        kind, LocalScores(engine, score), Limits.none(table.names), floor=-math.inf, tie=tie
    )
    agenda.renew(state, (1 << len(parents)) - 1)
    found = []
    while (op := agenda.pop(state)) is not None:
        found.append(op)
    return found


@pytest.mark.parametrize("kind", KINDS)
class TestAnAgenda:
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
            state = class_of(parents)
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
        engine, state = NativeEngine(table, threads=1), class_of(parents)
        before = score.total(engine, parents)
        for op in everything_on(kind, table, score, parents):
            after = state.after(op)
            member = consistent_extension(after.parents, after.neighbours)
            assert score.total(engine, member) == pytest.approx(before + op.gain, abs=1e-7)
