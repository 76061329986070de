"""What holds for every search: knowledge is law, bad input is refused, any table is legal."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, NativeEngine, Tables
from bayesloom.engine.described_engine import DescribedEngine
from bayesloom.errors import BayesloomError, KnowledgeError, OptionError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.scores import AIC, BIC, BDe, BDeu, Score
from bayesloom.search import (
    GES,
    K2,
    XGES,
    Budget,
    ChowLiu,
    HillClimbing,
    Knowledge,
    Limits,
    OrderSearch,
    Reason,
    ScoredResult,
    Stop,
    Tabu,
    ThroughDMN,
    Watch,
    facts_of,
)
from bayesloom.search.start import joined_pairs
from every_engine import EngineOf
from every_search import NAMES, SCORED, made
from reference_graphs import arcs_of
from reference_search import Law, Scorer, Search, run
from strategies_search import (
    SEARCHES,
    TREES,
    Known,
    known,
    rich_table,
    rich_tables,
    scores,
    searches,
    tables,
)


class ShutEngine(DescribedEngine):
    """An engine that knows its variables and refuses to count."""

    def __init__(self, names: str, n_rows: int = 10) -> None:
        n = len(names)
        self._describe(names, [("no", "yes")] * n, n_rows, [2] * n, [0] * n)

    def _refuse(self, *_: object, **__: object) -> Floats:
        msg = "the search has counted"
        raise AssertionError(msg)

    families = families_with_prior = informations = tests = entropies = _refuse

    def counts(self, batch: Batch) -> Tables:
        raise AssertionError(batch)


@pytest.mark.parametrize("name", SEARCHES)
class TestEverySearch:
    @given(tables(1, 6) | rich_tables(3, 6), scores(), st.data())
    @settings(max_examples=15)
    def test_keeps_to_the_knowledge(
        self, name: str, table: Table, score: Score, data: st.DataObject
    ) -> None:
        given_: Known = data.draw(known(table.names))
        assume(name not in TREES or given_.fits_a_tree)
        law = Law.of(given_.knowledge, table.names, given_.max_parents)
        found = run(searches(given_.order, score)[name], table, given_.limits(table.names))
        assert law.holds(arcs_of(found.dag.parent_masks))

    @given(tables(1, 6), scores())
    @settings(max_examples=12)
    def test_gives_constant_columns_no_edges(self, name: str, table: Table, score: Score) -> None:
        """A variable with one state; one with further states that never occur has a score."""
        found = run(searches(table.names, score)[name], table)
        children = found.dag.child_masks
        for v, states in enumerate(table.states):
            if len(states) == 1 or (isinstance(score, BIC) and table.observed[v] == 1):
                assert found.dag.parent_masks[v] == children[v] == 0, name

    @pytest.mark.parametrize("score", [BIC(), BDeu(ess=10.0)], ids=["bic", "bdeu"])
    @pytest.mark.parametrize(
        "table",
        [
            Table("A", ["x"], [[0]]),
            Table("A", ["xyz"], [[0, 1, 2, 0]]),
            Table("AB", ["x", "y"], [[0], [0]]),
            Table("AB", ["xy", "xy"], [[0], [1]]),
            Table("ABC", ["xy", "xy", "xy"], [[0] * 9, [1] * 9, [0] * 9]),
            Table("ABCD", ["xyz"] * 4, [[0, 1, 2]] * 4),
            Table("ABCDE", [[f"s{k}" for k in range(200)]] * 5, [np.arange(150) % 7] * 5),
        ],
        ids=["cell", "one", "row", "two", "same rows", "copies", "200 states"],
    )
    def test_copes_with_degenerate_tables(self, name: str, table: Table, score: Score) -> None:
        found = run(searches(table.names, score)[name], table)
        total = Scorer.of(table, found_score(name, table, score)).total(
            arcs_of(found.dag.parent_masks)
        )
        assert found.dag.names == table.names
        assert math.isfinite(found.score)
        assert found.score == pytest.approx(total, rel=1e-12)

    @pytest.mark.parametrize("rows", [1, 7, 300])
    def test_copes_with_more_cells_than_rows(self, name: str, rows: int) -> None:
        rng = np.random.default_rng(rows)
        columns = [rng.integers(0, r, rows) for r in (200, 200, 150, 30, 2)]
        table = Table("ABCDE", [[f"s{k}" for k in range(200)]] * 5, columns)
        for score in (BIC(), BDeu()):
            found = run(searches(table.names, score)[name], table)
            assert math.isfinite(found.score)

    def test_finds_copies_of_a_column(self, name: str) -> None:
        codes = np.random.default_rng(1).integers(0, 3, 200)
        table = Table("ABC", ["xyz"] * 3, [codes, codes, 2 - codes])
        found = run(searches(table.names)[name], table)
        assert found.dag.n_edges == 2

    def test_refuses_a_prior_that_expects_too_many_parents_before_it_counts(
        self, name: str
    ) -> None:
        score = BIC(per_parent=4.0)
        search = searches(tuple("ABCD"), score)[name]
        if search.score != score or name in ("hc-tree", *TREES):  # type: ignore[attr-defined]
            pytest.skip("another score, or a tree of informations comes first")
        with pytest.raises(OptionError, match="per_parent must be below the 3 possible parents"):
            search.search(ShutEngine("ABCD"), Limits.none("ABCD"), Watch())

    def test_refuses_what_is_not_a_score(self, name: str) -> None:
        if name in ("hc-k2", "k2"):
            pytest.skip("has a score of its own")
        with pytest.raises(OptionError, match=r"score must be a score such as .* got 'bic'"):
            searches(tuple("ABCD"), "bic")  # type: ignore[arg-type]


def found_score(name: str, table: Table, score: Score) -> Score:
    chosen: Score = searches(table.names, score)[name].score  # type: ignore[attr-defined]
    return chosen


START = DAG.from_edges([("A", "B"), ("B", "C")])


@pytest.mark.parametrize(
    ("search", "knowledge", "error", "message"),
    [
        (HillClimbing(start=DAG.from_edges([("A", "Z")])), {}, UnknownVariableError, "'Z'"),
        (Tabu(start=DAG.from_edges([("A", "Z")])), {}, UnknownVariableError, "'Z'"),
        (HillClimbing(start=DAG.empty(["A", "B"])), {}, BayesloomError, "lacks the variable 'C'"),
        (
            HillClimbing(start=START),
            {"forbidden": [("A", "B")]},
            KnowledgeError,
            "the start graph has the edge A -> B, which is not allowed",
        ),
        (
            Tabu(start=START),
            {"required": [("C", "A")]},
            KnowledgeError,
            "the start graph lacks the required edge C -> A",
        ),
        (
            HillClimbing(start=START),
            {"max_parents": 0},
            KnowledgeError,
            "the start graph gives B 1 parents, more than max_parents = 0",
        ),
        (K2(("A", "B")), {}, OptionError, "misses the variable 'C'"),
        (K2(("A", "B", "C", "D")), {}, UnknownVariableError, "'D'"),
        (OrderSearch(order=("A", "B")), {}, OptionError, "misses the variable 'C'"),
        (OrderSearch(order=("A", "B", "C", "D")), {}, UnknownVariableError, "'D'"),
        (K2(("A", "B", "C")), {"required": [("C", "A")]}, KnowledgeError, "against the order"),
        (
            OrderSearch(order=("A", "B", "C")),
            {"required": [("C", "A")]},
            KnowledgeError,
            "against the order",
        ),
        (ChowLiu(root="Z"), {}, UnknownVariableError, "'Z'"),
        (ChowLiu(), {"required": [("A", "C"), ("B", "C")]}, KnowledgeError, "required for C"),
        (ChowLiu(root="B"), {"required": [("A", "B")]}, KnowledgeError, "the root B has no"),
    ],
)
def test_bad_input_is_refused_before_anything_is_counted(
    search: Search, knowledge: dict[str, object], error: type[Exception], message: str
) -> None:
    most = knowledge.pop("max_parents", None) if "max_parents" in knowledge else None
    limits = Knowledge(**knowledge).limits("ABC", most)  # type: ignore[arg-type]
    with pytest.raises(error, match=message):
        search.search(ShutEngine("ABC"), limits, Watch())


@pytest.mark.few(120)
@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_engine_leads_to_every_step_and_float(
    name: str, seed: int, engine_of: EngineOf
) -> None:
    table = rich_table(seed, 6, 6)
    limits = Limits.none(table.names)
    for score in (BIC(), BDe(prior=table.take(slice(0, 40)), ess=2)):
        search = searches(table.names, score)[name]
        expected = search.search(NativeEngine(table, 1), limits, Watch())
        assert search.search(engine_of(table), limits, Watch()) == expected


@pytest.mark.few(60)
@pytest.mark.parametrize("name", [*NAMES, "through"])
def test_every_engine_leads_every_search_of_the_command_line_to_the_same_result(
    name: str, engine_of: EngineOf, asia: Table
) -> None:
    table = asia.take(slice(0, 1000))
    limits = Limits.none(table.names)
    search = ThroughDMN() if name == "through" else made(name, table.names)
    expected = search.search(NativeEngine(table, 1), limits, Watch())
    assert search.search(engine_of(table), limits, Watch()) == expected


def test_rows_and_threads_change_nothing() -> None:
    table = rich_table(8, 7, 7)
    shuffled = table.take(np.random.default_rng(1).permutation(table.n_rows))
    limits = Limits.none(table.names)
    for name, search in searches(table.names).items():
        one = search.search(NativeEngine(table, 1), limits, Watch())
        assert one == search.search(NativeEngine(table, 2), limits, Watch()), name
        assert one == search.search(NativeEngine(shuffled, 2), limits, Watch()), name


@dataclass(frozen=True)
class NothingButSearch:
    """A user's own search, which says nothing of itself."""

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        return HillClimbing().search(engine, limits, watch)


def test_a_search_that_says_nothing_of_itself_has_no_score_no_test_and_one_part() -> None:
    search = NothingButSearch()
    facts = facts_of(search)
    assert list(facts.parts()) == [search]
    assert facts.goal(100) is None
    assert facts.link_goal(100) is None
    assert facts.testing() is None


@given(tables())
@pytest.mark.parametrize("name", SCORED)
def test_the_steps_of_a_search_lead_from_what_it_joined_at_the_start_to_its_graph(
    name: str, table: Table
) -> None:
    table = table.in_name_order()
    found = made(name, table.names).search(NativeEngine(table), Limits.none(table.names), Watch())
    joined = set(found.start)
    for step in found.steps:
        links = [(step.x, step.y)] if step.change is None else step.change.links
        pairs = {(min(link), max(link)) for link in links}
        if step.operator in ("insert", "link"):
            assert not joined & pairs
            joined |= pairs
        elif step.operator in ("delete", "unlink"):
            assert pairs <= joined
            joined -= pairs
    assert found.dag is not None
    assert joined == set(joined_pairs(found.dag.parent_masks))


@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers_of_numpy_are_options_like_others(name: str) -> None:
    table = rich_table(1, 5, 5).in_name_order()
    search = made(name, table.names)
    engine, limits = NativeEngine(table, 1), Limits.none(table.names)
    whole = [f.name for f in fields(search) if type(getattr(search, f.name)) is int]  # type: ignore[arg-type]
    for option in whole:
        value = getattr(search, option)
        other: Any = replace(search, **{option: np.int64(value)})  # type: ignore[type-var]
        assert repr(other) == repr(search)
        assert other.search(engine, limits, Watch()) == search.search(engine, limits, Watch())


@pytest.mark.parametrize(
    "search", [XGES(AIC()), HillClimbing(AIC(), restarts=3), GES(AIC(), turning=True)], ids=repr
)
@given(seed=st.integers(0, 5))
@settings(max_examples=6)
def test_what_is_told_as_a_step_for_the_score_raises_it(
    search: XGES | HillClimbing | GES, seed: int
) -> None:
    found = run(search, rich_table(seed, 6, 7))
    assert all(step.gain > 0 for step in found.steps if step.reason is Reason.SCORE)


def test_trials_and_restarts_are_told_as_such() -> None:
    reasons = set()
    for seed in range(30):
        for search in (XGES(AIC()), HillClimbing(AIC(), restarts=10, perturb=3)):
            reasons |= {step.reason for step in run(search, rich_table(seed, 6, 7)).steps}
    assert reasons == {Reason.SCORE, Reason.TRIAL, Reason.RESTART}


def test_a_step_limit_on_orders_says_what_it_counts() -> None:
    table = rich_table(1, 5, 5).in_name_order()
    watch = Watch(Budget(max_steps=1))
    found = OrderSearch().search(NativeEngine(table), Limits.none(table.names), watch)
    assert found.stop is Stop.STEP_LIMIT
    assert found.notes[0].startswith("the step limit counts swaps of neighbours in the order")
