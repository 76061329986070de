"""Exact learning finds the optimum, proves it, and says what it has proven when it is cut off."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom._native import best_sets
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, StopSignal
from bayesloom.errors import (
    CapacityError,
    DataError,
    KnowledgeError,
    MissingExtraError,
    OptionError,
)
from bayesloom.graphs import ChordalGraph, cpdag_of_dag
from bayesloom.scores import (
    AIC,
    BIC,
    FNML,
    QNML,
    BDe,
    BDeu,
    BDm,
    BDs,
    K2Score,
    LogLikelihood,
    Score,
)
from bayesloom.search import (
    XGES,
    Budget,
    CandidateSets,
    Exact,
    ExactMethod,
    Knowledge,
    Limits,
    ScoredResult,
    Stop,
    Watch,
)
from bayesloom.search.exact.candidates import ParentSet
from bayesloom.search.exact.component import strong_components
from bayesloom.search.exact.tie_break import MARGIN, tie_broken
from example_samples import sampled
from reference_exact import all_dags, best_by_subsets, best_of_all_dags, is_acyclic
from strategies_search import known, rich_table, tables

SCORES: dict[str, Score] = {
    "bic": BIC(),
    "bic-2": BIC(penalty=2.0),
    "bic-kappa": BIC(kappa=0.9),
    "bic-parents": BIC(per_parent=1.5),
    "aic": AIC(),
    "loglik": LogLikelihood(),
    "bdeu": BDeu(ess=1.0),
    "bdeu-10": BDeu(ess=10.0),
    "bdeu-kappa": BDeu(ess=10.0, kappa=0.5),
    "bdeu-parents": BDeu(per_parent=0.3),
    "bdeu-many-parents": BDeu(per_parent=2.9),
    "k2": K2Score(),
    "bdm": BDm(ess=4.0),
    "bds": BDs(ess=1.0),
    "bds-parents": BDs(ess=10.0, per_parent=1.5),
    "fnml": FNML(),
    "fnml-sparsity": FNML(sparsity=0.5),
    "qnml": QNML(),
    "qnml-guard": QNML(guard=4.0, sparsity=0.5),
}
METHODS = [ExactMethod.DYNAMIC, ExactMethod.ILP]


def solved(
    table: Table, search: Exact, limits: Limits | None = None, watch: Watch | None = None
) -> ScoredResult:
    limits = limits or Limits.none(table.names)
    found = search.search(NativeEngine(table, 1), limits, watch or Watch())
    assert found.proof is not None
    assert found.proof.best == found.score
    assert found.score == pytest.approx(
        search.score.total(NativeEngine(table), found.dag.parent_masks)
    )
    assert is_acyclic(found.dag.parent_masks)
    return found


def is_proven(found: ScoredResult) -> bool:
    return found.proof is not None and found.proof.optimal and found.stop is Stop.OPTIMUM


def test_there_are_543_graphs_on_four_nodes() -> None:
    assert sum(1 for _ in all_dags(4)) == 543


@pytest.mark.few(6)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=4)
def test_no_graph_on_four_nodes_scores_more(score: Score, method: ExactMethod, seed: int) -> None:
    table = rich_table(seed, 4, 4).in_name_order()
    found = solved(table, Exact(score, method=method))
    best = best_of_all_dags(table, score, Limits.none(table.names))
    assert found.score == pytest.approx(best, rel=1e-12)
    assert is_proven(found)


@pytest.mark.parametrize("method", METHODS)
@given(tables(4, 4), st.sampled_from(list(SCORES.values())), st.data())
@settings(max_examples=40)
def test_knowledge_and_limits_on_parents_are_part_of_the_problem(
    method: ExactMethod, table: Table, score: Score, data: st.DataObject
) -> None:
    limits = data.draw(known(table.names)).limits(table.names)
    found = solved(table, Exact(score, method=method), limits)
    assert limits.keeps(found.dag.parent_masks)
    assert found.score == pytest.approx(best_of_all_dags(table, score, limits), rel=1e-11)
    assert is_proven(found)


@pytest.mark.few(3)
@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_ten_variables_agree_with_the_recursion_over_subsets(score: Score) -> None:
    most = 3 if isinstance(score, LogLikelihood) and score.name == "loglik" else None
    for seed in (1, 2):
        table = drawn_table(seed, 10)
        limits = Limits.none(table.names, most)
        best = best_by_subsets(table, score, limits)
        for method in METHODS:
            found = solved(table, Exact(score, method=method), limits)
            assert found.score == pytest.approx(best, rel=1e-12)
            assert is_proven(found)


def drawn_table(seed: int, n: int, n_rows: int = 300) -> Table:
    """Draw columns that depend on up to three earlier ones."""
    rng = np.random.default_rng(seed)
    columns: list[np.ndarray] = []
    for v in range(n):
        r = int(rng.integers(2, 4))
        code = np.zeros(n_rows, np.intp)
        for p in rng.permutation(v)[: int(rng.integers(0, 4))]:
            code = code * 3 + columns[p]
        rows = rng.dirichlet(np.full(r, 0.5), size=int(code.max()) + 1)
        noise = rng.random((n_rows, 1))
        columns.append((noise > np.cumsum(rows[code], axis=1)[:, :-1]).sum(axis=1))
    names = [f"V{v:02}" for v in range(n)]
    states = [[f"s{k}" for k in range(int(c.max()) + 1)] for c in columns]
    return Table(names, states, columns)


def test_bde_is_solved_with_its_prior_rows() -> None:
    table = drawn_table(3, 5)
    score = BDe(prior=table.take(slice(0, 30)), ess=2)
    found = solved(table, Exact(score))
    limits = Limits.none(table.names)
    assert found.score == pytest.approx(best_by_subsets(table, score, limits), rel=1e-12)


class TestGoldenOptima:
    """Optima that GOBNILP and other exact programs report."""

    @pytest.mark.parametrize(
        ("score", "max_parents", "optimum"),
        [
            (BDeu(ess=1), None, -24028.09477835),
            (BDeu(ess=1), 1, -24933.77702265),
            (BDeu(ess=10), None, -23967.64962540),
            (BIC(), None, -24006.73423250),
        ],
    )
    @pytest.mark.parametrize("method", METHODS)
    def test_of_learning_test(
        self,
        learning_test: Table,
        score: Score,
        max_parents: int | None,
        optimum: float,
        method: ExactMethod,
    ) -> None:
        learned = bl.learn(learning_test, Exact(score, max_parents, method))
        assert learned.score.value == pytest.approx(optimum, abs=1e-6)
        assert learned.proof is not None
        assert learned.proof.optimal

    def test_the_graph_of_learning_test_is_the_one_reported(self, learning_test: Table) -> None:
        learned = bl.learn(learning_test, Exact(BDeu(ess=1)))
        reported = bl.DAG.from_edges(
            [("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")], tuple("ABCDEF")
        )
        assert learned.cpdag == bl.CPDAG.of(reported)


def test_both_methods_agree_where_neither_is_small() -> None:
    table = sampled("child", 500).in_name_order()
    limits = Limits.none(table.names, 2)
    first, second = (solved(table, Exact(BDeu(ess=1), method=method), limits) for method in METHODS)
    assert first.score == pytest.approx(second.score, rel=1e-12)
    assert first.dag == second.dag
    assert is_proven(first)
    assert is_proven(second)


TIED: dict[str, Score] = {
    "k2": K2Score(),
    "fnml": FNML(),
    "bdm": BDm(ess=4.0),
    "bds": BDs(ess=1.0),
    "bic": BIC(),
    "aic": AIC(),
    "bdeu": BDeu(ess=1.0),
    "qnml": QNML(),
}


def tied_table(data: st.DataObject) -> Table:
    """Draw a table in which columns are copied and relabelled, so that networks score the same."""
    drawn = rich_table(data.draw(st.integers(0, 10**6)), 2, 4)
    copies = data.draw(st.lists(st.integers(0, len(drawn.names) - 1), min_size=1, max_size=3))
    frame = {name: [f"{c}" for c in drawn.codes[v]] for v, name in enumerate(drawn.names)}
    for k, v in enumerate(copies):
        sign = data.draw(st.sampled_from(["", "x"]))
        frame[f"copy{k}"] = [sign + label for label in frame[drawn.names[v]]]
    return Table.from_frame(frame)


@pytest.mark.few(3)
@pytest.mark.parametrize("score", TIED.values(), ids=TIED)
@given(data=st.data())
@settings(max_examples=12)
def test_of_networks_that_score_the_same_always_the_same_one_is_found(
    score: Score, data: st.DataObject
) -> None:
    table = tied_table(data)
    names = data.draw(st.permutations(table.names))
    dags = {
        bl.learn(each, Exact(score, method=method), threads=threads).dag
        for each in (table, table.select(names))
        for method in METHODS
        for threads in (1, 2)
    }
    assert len(dags) == 1
    inside = table.in_name_order()
    limits = Limits.none(inside.names)
    order = data.draw(st.permutations(range(len(names))))
    known_ = [sum(1 << u for u in order[:k] if data.draw(st.booleans())) for k in range(len(order))]
    parents = [known_[order.index(v)] for v in range(len(order))]
    for method in METHODS:
        search = Exact(score, method=method)
        found, proof = search.proven(NativeEngine(inside), limits, Watch(), known=parents)
        assert proof.optimal
        assert found.dag in dags


def test_of_copies_the_methods_return_one_optimum_where_the_first_network_is_none() -> None:
    copied = ["a", "b", "b", "c", "a", "a", "c", "b", "a", "a"] * 3
    table = Table.from_frame(dict.fromkeys("PQRS", copied))
    for score in TIED.values():
        first, second = (bl.learn(table, Exact(score, method=method)) for method in METHODS)
        assert first.dag == second.dag
        assert first.proof is not None
        assert first.proof.gap == 0


@given(seed=st.integers(0, 10**6), equivalent=st.booleans())
@settings(max_examples=20)
def test_breaking_ties_moves_equivalent_networks_alike_and_others_apart(
    seed: int, *, equivalent: bool
) -> None:
    rng = np.random.default_rng(seed)
    ties = [[ParentSet(-7.0, m) for m in range(16) if not m >> v & 1] for v in range(4)]
    every = CandidateSets(tuple("ABCD"), tuple(map(tuple, ties)), (-7.0,) * 4)
    moved = tie_broken(every, equivalent=equivalent)
    score = {(v, s.parents): s.score + 7 for v, family in enumerate(moved.sets) for s in family}
    dags = list(all_dags(4))
    chosen = [dags[k] for k in rng.choice(len(dags), 40, replace=False)]
    totals = [math.fsum(score[v, mask] for v, mask in enumerate(dag)) for dag in chosen]
    classes = [cpdag_of_dag(dag) for dag in chosen]
    assert all(abs(total) < MARGIN for total in totals)
    for i, j in itertools.combinations(range(len(chosen)), 2):
        alike = abs(totals[i] - totals[j]) < 1e-13
        assert alike == (equivalent and classes[i] == classes[j])


@given(st.sets(st.integers(0, 255), min_size=1), st.integers(0, 255))
def test_candidates_inside_a_component_lose_those_that_hold_a_better_one(
    masks: set[int], inside: int
) -> None:
    sets = [ParentSet(-float(k), mask << 1) for k, mask in enumerate(sorted(masks, key=hash))]
    members = (0, *(v + 1 for v in range(8) if inside >> v & 1))
    others = tuple((ParentSet(0.0, 1),) if v in members else (ParentSet(0.0, 0),) for v in range(9))
    family = CandidateSets(tuple("abcdefghi"), (tuple(sets), *others[1:]), (0.0,) * 9)
    parts = {part.members: part for part in strong_components(family, math.inf)}
    part = next(part for members, part in parts.items() if 0 in members)
    place = {v: k for k, v in enumerate(part.members)}
    kept: list[int] = []
    for s in sets:
        mask = sum(1 << place[v] for v in part.members if s.parents >> v & 1)
        if not any(mask & other == other for other in kept):
            kept.append(mask)
    assert [s.parents for s in part.sets[0]] == kept


def test_no_search_scores_more_than_what_is_proven() -> None:
    table = sampled("insurance", 500).in_name_order()
    found = solved(table, Exact(), Limits.none(table.names, 3))
    assert is_proven(found)
    for search in (XGES(), bl.Tabu(), bl.HillClimbing(restarts=3), bl.OrderSearch()):
        other = search.search(NativeEngine(table), Limits.none(table.names, 3), Watch())
        assert other.score <= found.score + 1e-6


def test_a_search_inside_a_chordal_graph_is_optimal_there(asia: Table) -> None:
    table = asia.take(slice(0, 300)).in_name_order()
    chain = ChordalGraph.from_edges(
        list(zip(table.names, table.names[1:], strict=False)), table.names
    )
    found = solved(table, Exact(within=chain))
    allowed = [sum(1 << u for u in (v - 1, v + 1) if 0 <= u < 8) for v in range(8)]
    limits = Limits(table.names, tuple(allowed), (0,) * 8)
    assert found.score == pytest.approx(best_by_subsets(table, BIC(), limits), rel=1e-12)


@pytest.mark.parametrize(
    ("search", "knowledge", "told"),
    [
        (Exact(), Knowledge(), False),
        (Exact(), Knowledge(forbidden=[("A", "S")]), True),
        (Exact(), Knowledge(required=[("A", "T")]), True),
        (bl.Restricted(bl.MMPC(), Exact()), Knowledge(), True),
        (bl.Restricted(bl.ChowLiu(), Exact()), Knowledge(), True),
    ],
    ids=["free", "forbidden", "required", "tests", "tree"],
)
def test_a_proof_among_fewer_networks_says_so(
    asia: Table, search: bl.Search, knowledge: Knowledge, *, told: bool
) -> None:
    found = bl.learn(asia, search, knowledge=knowledge)
    assert found.proof is not None
    assert found.proof.optimal
    assert told == any("networks that keep to the limits" in note for note in found.notes)


def test_a_constant_column_needs_no_word_about_limits() -> None:
    found = bl.learn({"a": ["x", "y"] * 9, "b": ["x", "y"] * 9, "c": ["x"] * 18}, Exact())
    assert not any("limits" in note for note in found.notes)


def test_the_smaller_limit_on_parents_counts(asia: Table) -> None:
    found = solved(asia.in_name_order(), Exact(max_parents=1), Limits.none(sorted(asia.names), 2))
    assert max(map(int.bit_count, found.dag.parent_masks)) == 1
    assert found.proof is not None
    assert found.proof.max_parents == 1
    assert "at most 1 parent per variable" in str(found.proof)


def test_without_parents_the_empty_network_is_optimal(asia: Table) -> None:
    found = solved(asia.in_name_order(), Exact(max_parents=0))
    assert found.dag.n_edges == 0
    assert is_proven(found)


def test_one_variable_and_one_row_have_an_optimum() -> None:
    for table in (Table("A", ["x"], [[0]]), Table("AB", ["xy", "xy"], [[0], [1]])):
        for method in (None, *METHODS):
            assert is_proven(solved(table, Exact(method=method)))


class TestCutOff:
    def test_a_time_limit_gives_a_network_and_a_bound_that_holds(self) -> None:
        table = sampled("alarm", 5000).in_name_order()
        watch = Watch(Budget(time_limit=1.5))
        found = solved(table, Exact(BDeu(ess=10)), Limits.none(table.names, 3), watch)
        warm = XGES(BDeu(ess=10)).search(NativeEngine(table), Limits.none(table.names, 3), Watch())
        assert found.stop is Stop.TIME_LIMIT
        assert found.proof is not None
        assert not found.proof.optimal
        assert found.proof.bound >= warm.score

    def test_nothing_is_proven_when_time_is_over_at_once(self, asia: Table) -> None:
        watch = Watch(Budget(time_limit=1e-9))
        found = solved(asia.in_name_order(), Exact(), watch=watch)
        assert found.stop is Stop.TIME_LIMIT
        assert found.proof is not None
        assert found.proof.bound == math.inf
        assert not found.proof.optimal
        assert str(found.proof).startswith("nothing is proven yet")
        assert found.proof.to_dict()["gap"] is None

    @pytest.mark.parametrize("batches", range(1, 14))
    def test_the_bound_holds_wherever_counting_is_cut_off(self, asia: Table, batches: int) -> None:
        table = asia.in_name_order()
        best = solved(table, Exact()).score
        found = Exact().search(_Cut(table, batches), Limits.none(table.names), Watch())
        assert found.proof is not None
        assert found.proof.bound >= best - 1e-9
        assert found.score <= best + 1e-9

    def test_a_step_limit_ends_the_warm_start(self, asia: Table) -> None:
        found = solved(asia.in_name_order(), Exact(), watch=Watch(Budget(max_steps=1)))
        assert found.stop is Stop.STEP_LIMIT


class _Cut(NativeEngine):
    """An engine that gives the signal when it is asked for the last of some batches."""

    def __init__(self, table: Table, batches: int) -> None:
        super().__init__(table, 1)
        self.left = [batches]
        self.signal: StopSignal | None = None

    def until(self, signal: StopSignal) -> Self:
        view = super().until(signal)
        view.signal = signal
        return view

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        if self.signal is not None:
            self.left[0] -= 1
            if not self.left[0]:
                self.signal.set()
        return super().families(batch, kernel, ess, price)


class TestBadInput:
    def test_more_required_parents_than_allowed_are_named(self, asia: Table) -> None:
        knowledge = Knowledge(required=[("A", "D"), ("T", "D")])
        with pytest.raises(KnowledgeError, match="A -> D, T -> D are required, more"):
            bl.learn(asia, Exact(max_parents=1), knowledge=knowledge)

    def test_a_required_edge_outside_the_chordal_graph_is_named(self, asia: Table) -> None:
        apart = ChordalGraph.empty(asia.names)
        with pytest.raises(KnowledgeError, match="A -> T is required, but it is no link"):
            bl.learn(asia, Exact(within=apart), knowledge=Knowledge(required=[("A", "T")]))

    def test_too_many_variables_for_dynamic_programming_say_what_to_use(self) -> None:
        table = sampled("alarm", 500).in_name_order()
        with pytest.raises(CapacityError, match=r"use Exact\(method=ExactMethod.ILP\)"):
            solved(table, Exact(max_parents=2, method=ExactMethod.DYNAMIC))

    def test_sets_of_parents_that_reach_beyond_their_array_are_refused(self) -> None:
        start = np.array([0, 1 << 40, 1], np.int64)
        with pytest.raises(ValueError, match="divided among the variables"):
            best_sets(start, np.zeros(1, np.uint64), np.zeros(1), None)

    def test_a_missing_solver_is_one_sentence_with_the_extra(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "highspy", None)
        table = sampled("alarm", 500).in_name_order()
        with pytest.raises(MissingExtraError, match=r"pip install 'bayesloom\[ilp\]'"):
            solved(table, Exact(max_parents=2))

    def test_small_problems_need_no_solver(
        self, monkeypatch: pytest.MonkeyPatch, asia: Table
    ) -> None:
        monkeypatch.setitem(sys.modules, "highspy", None)
        assert is_proven(solved(asia.in_name_order(), Exact()))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"score": "bic"}, "score must be a score"),
            ({"max_parents": -1}, "max_parents must be 0 or more"),
            ({"max_parents": 1.5}, "max_parents must be a whole number"),
            ({"method": "ilp"}, r"method must be ExactMethod.DYNAMIC or ExactMethod.ILP"),
            ({"candidates": "a.scores"}, "candidates must be CandidateSets"),
            ({"within": 3}, "within must be a ChordalGraph"),
        ],
    )
    def test_options_are_checked_when_the_value_is_made(
        self, options: dict[str, object], message: str
    ) -> None:
        with pytest.raises(OptionError, match=message):
            Exact(**options)  # type: ignore[arg-type]


class TestGivenCandidates:
    def test_lead_to_the_same_network(self, asia: Table) -> None:
        given_ = bl.find_candidates(asia)
        learned = bl.learn(asia, Exact(candidates=given_))
        assert learned.dag == bl.learn(asia, Exact()).dag
        assert learned.notes[0].startswith("what is proven is proven for networks of the")

    def test_of_other_data_are_refused(self, asia: Table) -> None:
        given_ = bl.find_candidates(asia.take(slice(0, 100)))
        with pytest.raises(DataError, match="candidates are of other data or another score: 'A'"):
            bl.learn(asia, Exact(candidates=given_))

    def test_of_another_score_are_refused(self, asia: Table) -> None:
        with pytest.raises(DataError, match="of other data or another score"):
            bl.learn(asia, Exact(BDeu(), candidates=bl.find_candidates(asia)))

    def test_of_other_variables_are_refused(self, asia: Table, learning_test: Table) -> None:
        with pytest.raises(DataError, match="of other data: they lack L, S, T, X and have C, F"):
            bl.learn(asia, Exact(candidates=bl.find_candidates(learning_test)))

    def test_know_nothing_of_required_edges(self, asia: Table) -> None:
        with pytest.raises(KnowledgeError, match="A -> T is required, and given candidates"):
            bl.learn(
                asia,
                Exact(candidates=bl.find_candidates(asia)),
                knowledge=Knowledge(required=[("A", "T")]),
            )

    def test_keep_to_forbidden_edges_and_fewer_parents(self, asia: Table) -> None:
        known_ = Knowledge(forbidden=[("L", "E"), ("E", "L")])
        learned = bl.learn(
            asia, Exact(candidates=bl.find_candidates(asia)), knowledge=known_, max_parents=1
        )
        expected = bl.learn(asia, Exact(), knowledge=known_, max_parents=1)
        assert learned.score == expected.score


class TestTelling:
    def test_the_summary_the_story_and_the_json_tell_the_proof(self, asia: Table) -> None:
        learned = bl.learn(asia, Exact(), max_parents=3)
        proven = "optimal among networks with at most 3 parents per variable, proven"
        assert f"proof    {proven}" in repr(learned)
        told = learned.to_dict()["proof"]
        assert isinstance(told, dict)
        assert told["optimal"] is True
        assert told["gap"] == pytest.approx(0, abs=1e-6)
        story = learned.explain("T", "E")
        assert "which the best network found has" in str(story)
        assert "The network as a whole: optimal among networks" in str(story)
        assert story.to_dict()["proof"] == told

    def test_files_keep_the_proof(self, asia: Table, tmp_path: Path) -> None:
        learned = bl.learn(asia, Exact())
        learned.save(tmp_path / "net.json")
        assert json.loads((tmp_path / "net.json").read_text())["learned"]["proof"]["optimal"]
        loaded = bl.load(tmp_path / "net.json")
        assert loaded == learned
        assert loaded.proof == learned.proof

    def test_a_search_without_a_proof_tells_none(self, asia: Table) -> None:
        learned = bl.learn(asia, bl.GES())
        assert learned.proof is None
        assert "proof" not in learned.to_dict()
        assert "proof" not in learned.history.to_dict()

    def test_steps_are_told_as_edges_of_the_optimum(self, asia: Table) -> None:
        learned = bl.learn(asia, Exact(), knowledge=Knowledge(required=[("A", "X")]))
        assert {step.reason.value for step in learned.steps} == {"optimum"}
        assert ("A", "X") in learned.history.start


def test_importing_bayesloom_does_not_import_the_solver() -> None:
    code = "import sys, bayesloom as bl; bl.Exact(); print('highspy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
