"""Structural EM: near the graph of the complete rows, and the same however the rows come."""

from __future__ import annotations

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.engine import BlockEngine, NativeEngine
from bayesloom.errors import DataError, OptionError
from bayesloom.graphs import structural_hamming_distance
from bayesloom.search import Limits, SearchResult, Stop, Watch

FAST = bl.StructuralEM(bl.GES(score=bl.BIC()))


def holes(table: bl.Table, rate: float, seed: int = 0) -> bl.Table:
    rng = np.random.default_rng(seed)
    codes = [
        np.where(rng.random(table.n_rows) < rate, len(s), c)
        for c, s in zip(table.codes, table.states, strict=True)
    ]
    return bl.Table(table.names, table.states, codes, holes=True)


@pytest.fixture(scope="module")
def child() -> bl.Table:
    return bl.example("child").sample(1000, 5)


def test_it_comes_nearer_to_the_graph_of_complete_rows_than_the_rows_without_holes_do(
    child: bl.Table,
) -> None:
    truth = bl.example("child").dag
    whole = structural_hamming_distance(truth, bl.learn(child, FAST.then).dag)
    some = holes(child, 0.1)
    found = structural_hamming_distance(truth, bl.learn(some, FAST).dag)
    full = np.all([c < len(s) for c, s in zip(some.codes, some.states, strict=True)], axis=0)
    left = bl.learn(some.take(np.flatnonzero(full)), FAST.then).dag
    assert found <= 1.25 * whole + 1
    assert found < structural_hamming_distance(truth, left)


def test_on_complete_rows_it_is_the_search_itself(child: bl.Table) -> None:
    assert bl.learn(child, FAST).cpdag == bl.learn(child, FAST.then).cpdag


def test_neither_columns_nor_rows_nor_threads_change_the_answer(child: bl.Table) -> None:
    some = holes(child.take(slice(400)), 0.2)
    here = bl.learn(some, FAST, threads=1)
    order = np.random.default_rng(1).permutation(400)
    there = bl.learn(some.take(order).reordered(some.names[::-1]), FAST, threads=3)
    assert here.steps == there.steps
    assert here.score == there.score
    assert set(here.edges) == set(there.edges)
    assert set(here.undirected) == set(there.undirected)


def test_the_seed_is_heeded_and_told(child: bl.Table) -> None:
    some = holes(child.take(slice(300)), 0.3)
    first, again = (bl.learn(some, FAST) for _ in range(2))
    other = bl.learn(some, bl.StructuralEM(FAST.then, seed=1))
    assert first == again
    assert first.score != other.score
    assert first.notes[-1].startswith("structural EM: ")
    assert "completed 5 times" in first.notes[-1]


def test_knowledge_and_parent_limits_hold(child: bl.Table) -> None:
    some = holes(child.take(slice(500)), 0.1)
    known = bl.Knowledge(required=[("Age", "Sick")], forbidden=[("LungParench", "Grunting")])
    net = bl.learn(some, FAST, knowledge=known, max_parents=1)
    assert ("Age", "Sick") in net.dag.edges
    assert ("LungParench", "Grunting") not in net.dag.edges
    assert max(len(net.dag.parents(name)) for name in net.names) == 1


def test_a_time_limit_and_an_interruption_keep_the_best(child: bl.Table) -> None:
    some = holes(child, 0.2)
    short = bl.learn(some, FAST, time_limit=1e-9)
    assert short.stop is Stop.TIME_LIMIT
    watch = Watch()
    calls = []

    def interrupt(seen: Watch) -> None:
        calls.append(seen.score)
        if len(calls) == 40:
            seen.interrupt()

    watch.report = interrupt
    engine = NativeEngine(some.in_name_order())
    found = FAST.search(engine, Limits.none(engine.names), watch)
    assert found.stop is Stop.INTERRUPTED
    assert found.dag is not None


def test_the_number_of_rounds_is_limited(child: bl.Table) -> None:
    net = bl.learn(holes(child.take(slice(300)), 0.3), bl.StructuralEM(FAST.then, max_rounds=1))
    assert "1 round of completion" in net.notes[-1]
    assert net.stop in (Stop.STEP_LIMIT, Stop.COMPLETE)


def test_a_score_goes_to_the_search_inside() -> None:
    assert bl.StructuralEM(score=bl.BIC()).then == bl.IXGES(score=bl.BIC())
    inside = bl.StructuralEM(bl.IL(bl.HillClimbing()), bl.BIC(penalty=2)).then
    assert inside == bl.IL(bl.HillClimbing(score=bl.BIC(penalty=2)))


@pytest.mark.parametrize("score", [bl.BDeu(ess=1), bl.QNML(), bl.AIC(), bl.PNAL()])
def test_every_kind_of_score_can_be_maximised(child: bl.Table, score: bl.BIC) -> None:
    net = bl.learn(holes(child.take(slice(200)), 0.1), bl.StructuralEM(bl.GES(score=score)))
    assert net.score.name == score.name


@pytest.mark.parametrize("search", [bl.HillClimbing(), bl.Tabu(), bl.DMN(), bl.MMHC(), bl.IGES()])
def test_every_kind_of_search_with_a_score_can_be_run(child: bl.Table, search: bl.GES) -> None:
    net = bl.learn(holes(child.take(slice(200)), 0.05), bl.StructuralEM(search, max_rounds=2))
    assert net.names == child.names


class Own:
    """A search whose score cannot be changed."""

    score = bl.BIC()

    def search(self, engine: bl.Engine, limits: Limits, watch: Watch) -> SearchResult:
        return bl.GES().search(engine, limits, watch)


def test_wrong_usage_is_one_sentence(child: bl.Table) -> None:
    for wrong in (bl.PC(), bl.GES, "ges"):
        with pytest.raises(OptionError, match="then must be a search with a score"):
            bl.StructuralEM(wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="score has no meaning for Own"):
        bl.StructuralEM(Own(), bl.BIC(penalty=2))
    blocks = BlockEngine([holes(child.take(slice(50)), 0.1).in_name_order()])
    with pytest.raises(OptionError, match="BlockEngine does not hand them out"):
        bl.learn(blocks, FAST)
    empty = bl.Table("AB", ["ny"] * 2, [[0, 1], [2, 2]], holes=True)
    with pytest.raises(DataError, match="column 'B' has no cell that is known"):
        bl.learn(empty, FAST)
