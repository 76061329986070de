"""MIIC against its pseudo-code, pyAgrum, the truth, and the law of knowledge."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.arrays import Floats
from bayesloom.data import Table, read
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, StopSignal
from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.graphs import CPDAG
from bayesloom.scores import BIC, FNML, QNML, LogLikelihood, Score
from bayesloom.search import (
    MIIC,
    Budget,
    Conflict,
    HillClimbing,
    Knowledge,
    Limits,
    Opposition,
    Restricted,
    Stop,
    Watch,
    Weighing,
)
from bayesloom.search.constraint import contributors
from bayesloom.search.constraint.surplus import Surpluses
from bayesloom.search.facts.fact import V
from bayesloom.search.facts.finding import Finding
from bayesloom.search.start import joined_pairs
from constraint_results import arrows, check_law, joined, run
from reference_information import SlowMIIC, information, mdl_complexity, nml_complexity, rows_of
from strategies_search import Known, known, rich_table, rich_tables, tables

TESTS = Path(__file__).parents[2]
GOLDEN = json.loads((TESTS / "golden" / "miic_pyagrum.json").read_text())["cases"]
CORRECTIONS: dict[str, Score] = {"NML": FNML(), "MDL": BIC()}
COMPLEXITIES = {"NML": nml_complexity, "MDL": mdl_complexity}


def weighings(findings: Iterable[Finding[V]]) -> list[Weighing[V]]:
    """Return findings that are all weighings."""
    kept = list(findings)
    assert all(isinstance(each, Weighing) for each in kept)
    return [each for each in kept if isinstance(each, Weighing)]


@pytest.mark.parametrize("correction", CORRECTIONS)
@given(table=tables(1, 5) | rich_tables(3, 6), everywhere=st.booleans(), data=st.data())
@settings(max_examples=40)
def test_miic_is_its_pseudo_code(
    correction: str,
    table: Table,
    everywhere: bool,  # noqa: FBT001
    data: st.DataObject,
) -> None:
    table = table.take(slice(0, 250))
    law: Known = data.draw(known(table.names))
    limits = (
        law.knowledge.limits(table.names) if data.draw(st.booleans()) else Limits.none(table.names)
    )
    constant = sum(1 << v for v, seen in enumerate(table.observed) if seen == 1)
    limits = limits.setting_apart(constant)
    slow = SlowMIIC(table, limits, COMPLEXITIES[correction], everywhere)
    slow.skeleton()
    found = run(MIIC(CORRECTIONS[correction], everywhere=everywhere), table, limits)
    assert joined(found) == slow.joined
    assert {(s.x, s.y): frozenset(s.given) for s in weighings(found.separations)} == slow.separating
    expected, lost = slow.arrows()
    assert arrows(found) == expected
    told = [c for c in found.conflicts if c.opposition is not Opposition.IMPLIED]
    assert {(c.x, c.middle, c.y) for c in told} == lost


@given(tables(2, 7) | rich_tables(3, 7))
@settings(max_examples=60)
def test_a_graph_with_an_extension_is_the_class_of_it(table: Table) -> None:
    found = run(MIIC(LogLikelihood(kappa=0.5)), table)
    if found.dag is not None:
        assert CPDAG.of(found.dag) == found.graph


@given(rich_tables(3, 5), st.data())
@settings(max_examples=30)
def test_information_minus_complexity_is_how_the_score_rises(
    table: Table, data: st.DataObject
) -> None:
    """The mean of both directions for fNML; for BIC the two are equal."""
    table = table.take(slice(0, 250))
    x, y, *others = data.draw(st.permutations(range(table.n_columns)))
    x, y = min(x, y), max(x, y)
    base = sorted(others[: data.draw(st.integers(0, 2))])
    mask = sum(1 << v for v in base)
    shared = table.n_rows * information(rows_of(table), x, y, base)
    for name, score in CORRECTIONS.items():
        surpluses = Surpluses(NativeEngine(table, 1), score, Watch())
        surpluses.ask([(x, y, mask)])
        expected = shared - COMPLEXITIES[name](table, x, y, base)
        assert surpluses[x, y, mask] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("case", GOLDEN, ids=lambda c: f"{c['data']}-{c['rows']}-{c['correction']}")
def test_the_skeleton_is_that_of_pyagrum(case: dict[str, Any]) -> None:
    """It lets all variables contribute; its ranks run into 1, where ours still differ."""
    table = read(TESTS / "data" / "bnlearn" / f"{case['data']}.csv.gz")
    search = MIIC(CORRECTIONS[case["correction"]], everywhere=True)
    found = bl.learn(table.take(slice(0, case["rows"])), search)
    pairs = {(min(e), max(e)) for e in (*found.edges, *found.undirected)}
    assert pairs == {tuple(edge) for edge in case["skeleton"]}


@given(tables(1, 6) | rich_tables(3, 6), st.data())
@settings(max_examples=40)
def test_knowledge_is_law(table: Table, data: st.DataObject) -> None:
    law: Known = data.draw(known(table.names))
    limits = law.knowledge.limits(table.names)
    found = run(MIIC(LogLikelihood()), table, limits)
    check_law(found, limits)


def test_many_rows_of_a_network_give_its_class_back() -> None:
    true = bl.example("asia")
    net = bl.learn(true.sample(50_000, seed=1), MIIC())
    assert {frozenset(e) for e in (*net.edges, *net.undirected)} == {
        frozenset(e) for e in true.edges
    }
    assert not net.conflicts


def collider(n: int = 3000) -> Table:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, (2, n))
    z = (x | y) ^ (rng.random(n) < 0.1)
    return Table("XYZ", ["ny"] * 3, [x, y, z.astype(int)])


def test_a_collider_is_directed_and_every_pair_is_told_with_what_it_weighs() -> None:
    found = run(MIIC(), collider())
    assert arrows(found) == {(0, 2), (1, 2)}
    assert [(w.x, w.y) for w in found.weighed] == [(0, 2), (1, 2)]
    assert all(w.information > w.complexity for w in weighings(found.weighed))
    apart = found.separations[0]
    assert isinstance(apart, Weighing)
    assert (apart.x, apart.y, apart.given) == (0, 1, ())
    assert apart.information <= apart.complexity
    assert found.tests.made == 0
    assert found.score is None


def test_knowledge_against_a_collider_is_a_conflict() -> None:
    limits = Knowledge(required=[("Z", "X")]).limits("XYZ")
    found = run(MIIC(), collider(), limits)
    assert found.conflicts == (Conflict(0, 2, 1, Opposition.KNOWLEDGE),)
    assert (2, 0) in arrows(found)


def test_what_nothing_is_taken_off_for_keeps_every_pair_that_is_not_explained() -> None:
    table = collider(200)
    assert len(run(MIIC(LogLikelihood()), table).weighed) == 3
    assert len(run(MIIC(BIC()), table).weighed) == 2


def test_a_limit_on_parents_and_wrong_options_are_refused() -> None:
    limits = Limits.none("ABCD", max_parents=1)
    with pytest.raises(KnowledgeError, match=r"MIIC weighs informations and cannot keep max_pa.*"):
        MIIC().search(None, limits, Watch())  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="score must be a score"):
        MIIC("nml")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="everywhere must be"):
        MIIC(everywhere="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", [0, 1, 3, 40])
def test_a_step_limit_keeps_what_was_found_so_far(steps: int, asia_rows: Table) -> None:
    table = asia_rows.in_name_order()
    watch = Watch(Budget(max_steps=steps))
    found = MIIC().search(NativeEngine(table), Limits.none(table.names), watch)
    n_joined = sum(map(len, joined(found).values())) // 2
    whole = sum(map(len, joined(run(MIIC(), table)).values())) // 2
    assert n_joined >= whole
    assert (n_joined == 28) == (steps == 0)
    assert (found.stop is Stop.STEP_LIMIT) == (steps < 40)
    assert any("cut off" in note for note in found.notes) == (steps < 40)
    if steps < 40:
        assert not arrows(found)


def test_a_network_comes_back_from_a_file_with_its_weighings(
    tmp_path: Path, asia_rows: Table
) -> None:
    net = bl.learn(asia_rows, MIIC(QNML()))
    again = bl.load(net.save(tmp_path / "net.json"))
    assert (again.weighed, again.separations) == (net.weighed, net.separations)
    assert again.record == net.record
    apart = next(s for s in weighings(net.separations) if s.given)
    story = str(net.explain(apart.x, apart.y))
    assert f"took {apart.x} and {apart.y} apart given {apart.given[0]}" in story
    kept = net.weighed[0]
    assert f"kept {kept.x} and {kept.y} together: " in str(again.explain(kept.x, kept.y))
    assert "MIIC(score=QNML())" in str(net)


def test_a_score_chooses_parents_among_its_pairs(asia_rows: Table) -> None:
    net = bl.learn(asia_rows, Restricted(MIIC(), HillClimbing()), max_parents=1)
    near = bl.learn(asia_rows, MIIC())
    pairs = {frozenset(e) for e in (*near.edges, *near.undirected)}
    assert {frozenset(e) for e in net.edges} <= pairs


class CountingEngine(NativeEngine):
    """An engine that counts how often it is asked for scores."""

    asked = 0

    def until(self, signal: StopSignal) -> CountingEngine:  # noqa: ARG002
        return self

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        self.asked += 1
        return super().families(batch, kernel, ess, price)


def test_a_batch_serves_all_pairs_of_the_queue() -> None:
    """As many batches as one pair has contributors, and a few more: not one per pair."""
    table = bl.example("alarm").sample(1000, seed=1).in_name_order()
    engine = CountingEngine(table, 1)
    found = MIIC().search(engine, Limits.none(table.names), Watch())
    most = max(len(told.given) for told in weighings((*found.weighed, *found.separations)))
    assert most < engine.asked <= most + 4


@pytest.mark.parametrize("batches", [0, 1, 2])
def test_cut_off_while_pairs_are_weighed_it_joins_those_that_share_something(
    batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contributors, "PAIRS_AT_ONCE", 5)
    table = rich_table(2, 7, 7).in_name_order()
    watch = Watch()

    def interrupt(told: Watch) -> None:
        if told.tests >= 5 * batches:
            told.interrupt()

    watch.report = interrupt
    watch.tell()
    found = MIIC().search(NativeEngine(table), Limits.none(table.names), watch)
    assert found.stop is Stop.INTERRUPTED
    assert len(found.weighed) + len(found.separations) == watch.tests == 5 * batches
    assert isinstance(found.graph, bl.PDAG)
    joined = {(each.x, each.y) for each in found.weighed}
    assert joined == set(joined_pairs(found.graph.adjacency))
    assert any("pairs are apart which were not looked at" in note for note in found.notes)
