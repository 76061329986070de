from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.errors import OptionError
from bayesloom.scores import BIC, K2Score, Score
from bayesloom.search import GES, HillClimbing, Start, Stop, Tabu, Watch
from reference_graphs import Arcs, arcs_of
from reference_search import Law, Scorer, replayed, run, tabu, tie_of
from strategies_search import Known, known, rich_table, rich_tables, scores, tables


@given(
    tables(2, 5) | rich_tables(3, 5),
    scores() | st.just(K2Score()),
    st.integers(1, 12),
    st.integers(1, 12),
    st.data(),
)
@settings(max_examples=60)
def test_it_takes_the_moves_of_the_definition(
    table: Table, score: Score, length: int, patience: int, data: st.DataObject
) -> None:
    given_: Known = data.draw(known(table.names))
    law = Law.of(given_.knowledge, table.names, given_.max_parents)
    search = Tabu(score, start=Start.EMPTY, length=length, patience=patience)
    found = run(search, table, given_.limits(table.names))
    wanted = tabu(Scorer.of(table, score), law.required, law, length, patience)
    assert [(s.operator, s.x, s.y) for s in found.steps] == [move[:3] for move in wanted]
    assert found.stop is Stop.PATIENCE


@given(tables(1, 6) | rich_tables(4, 6), scores())
@settings(max_examples=40)
def test_the_result_is_at_least_as_good_as_any_start_of_it(table: Table, score: Score) -> None:
    found = run(Tabu(score), table)
    for other in (HillClimbing(score), GES(score)):
        assert found.score >= run(other, table).score - 2 * tie_of(found.score)
    total = Scorer.of(table, score).total(arcs_of(found.dag.parent_masks))
    assert found.score == pytest.approx(total, abs=1e-6)


@given(tables(1, 6), scores(), st.sampled_from(Start))
@settings(max_examples=40)
def test_the_steps_lead_from_the_start_to_the_result(
    table: Table, score: Score, start: Start
) -> None:
    watch = Watch()
    found = run(Tabu(score, start=start), table, watch=watch)
    assert found.steps == tuple(watch.steps[: len(found.steps)])
    if start is Start.EMPTY:
        assert replayed(found.steps, frozenset()) == arcs_of(found.dag.parent_masks)
        before = Scorer.of(table, score).total(frozenset())
        gained = sum(step.gain for step in found.steps)
        assert gained == pytest.approx(found.score - before, abs=1e-6)


def test_it_never_goes_back_to_one_of_the_last_graphs() -> None:
    for seed in range(10):
        watch = Watch()
        run(Tabu(start=Start.EMPTY, length=10, patience=30), rich_table(seed, 4, 5), watch=watch)
        graphs: list[Arcs] = [frozenset()]
        for step in watch.steps:
            graphs.append(replayed([step], graphs[-1]))
            assert graphs[-1] not in graphs[-11:-1]


def test_it_leaves_local_optima() -> None:
    better = [
        run(Tabu(start=Start.EMPTY), table).score > run(HillClimbing(), table).score + 1e-6
        for table in (rich_table(seed, 6, 7) for seed in range(20))
    ]
    assert any(better)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"length": 0}, "length must be at least 1, got 0"),
        ({"patience": 0}, "patience must be at least 1, got 0"),
        ({"start": "empty"}, "start must be a DAG or a Start"),
        ({"score": BIC}, "got the class BIC"),
    ],
)
def test_bad_options_are_refused_when_the_search_is_made(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        Tabu(**options)  # type: ignore[arg-type]


def test_what_the_greedy_climb_looked_at_is_counted_too() -> None:
    table = rich_table(1)
    climbed = run(GES(), table)
    plain = run(Tabu(start=Start.EMPTY), table)
    both = climbed.candidates + plain.candidates
    assert max(climbed.candidates, plain.candidates) < run(Tabu(), table).candidates < both
