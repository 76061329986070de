"""Candidate sets: all that are better than every subset, and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, NativeEngine
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits
from bayesloom.scores import BIC, FNML, QNML, BDeu, BDm, BDs, K2Score, LogLikelihood, Score
from bayesloom.scores.score import family_batch
from bayesloom.search import CandidateSets, Limits, Watch, find_candidates
from bayesloom.search.exact import levels
from bayesloom.search.exact.levels import CandidateSearch
from every_engine import EngineOf
from reference_exact import local_scores
from strategies_search import known, rich_table, rich_tables, scores, tables


def found(engine: Engine, score: Score, limits: Limits) -> CandidateSets:
    return CandidateSearch(engine, score, limits, Watch()).run()


def expected(table: Table, score: Score, limits: Limits) -> list[dict[int, float]]:
    """Return the sets of every variable that score more than each allowed proper subset."""
    local = local_scores(table, score, limits)
    kept: list[dict[int, float]] = [{} for _ in table.names]
    for (v, mask), value in local.items():
        below = [
            s for (w, other), s in local.items() if w == v and other != mask and not other & ~mask
        ]
        if all(value > s for s in below):
            kept[v][mask] = value
    return kept


@given(tables(1, 5) | rich_tables(4, 5), scores() | st.just(K2Score()), st.data())
@settings(max_examples=60)
def test_candidates_are_the_sets_that_no_subset_matches(
    table: Table, score: Score, data: st.DataObject
) -> None:
    limits = data.draw(known(table.names)).limits(table.names)
    candidates = found(NativeEngine(table), score, limits)
    assert candidates.is_complete
    kept = expected(table, score, limits)
    assert [{s.parents: s.score for s in sets} for sets in candidates.sets] == kept
    for sets, ceiling in zip(candidates.sets, candidates.ceilings, strict=True):
        assert [s.score for s in sets] == sorted((s.score for s in sets), reverse=True)
        assert ceiling == sets[0].score


def test_every_engine_finds_the_same_candidates(engine_of: EngineOf) -> None:
    table = rich_table(5, 6, 6)
    limits = Limits.none(table.names)
    for score in (BIC(), BDeu(ess=2)):
        native = found(NativeEngine(table, 1), score, limits)
        assert found(engine_of(table), score, limits) == native


@given(
    rich_tables(3, 6),
    scores()
    | st.sampled_from((K2Score(), LogLikelihood(), FNML(), BDs(ess=2), BDm(), QNML(guard=0.5))),
    st.data(),
)
def test_no_family_with_more_parents_exceeds_a_ceiling(
    table: Table, score: Score, data: st.DataObject
) -> None:
    engine, n = NativeEngine(table), len(table.names)
    child = data.draw(st.integers(0, n - 1))
    others = [v for v in range(n) if v != child]
    larger = data.draw(st.lists(st.sampled_from(others), unique=True))
    smaller = data.draw(st.lists(st.sampled_from(larger), unique=True)) if larger else []
    ceiling = score.ceilings(engine, family_batch([(child, smaller)]))[0]
    assert math.isfinite(ceiling)
    value = score.local_scores(engine, family_batch([(child, larger)]))[0]
    assert value <= ceiling + 1e-9 * abs(ceiling)


@pytest.mark.parametrize("score", [BIC(), BDeu(ess=1), BDs(ess=1), FNML(), QNML(), QNML(guard=4)])
def test_ceilings_leave_sets_unscored(score: Score) -> None:
    table = rich_table(7, 7, 7).take(slice(0, 60))
    candidates = found(NativeEngine(table), score, Limits.none(table.names))
    assert candidates.scored < len(table.names) * 2 ** (len(table.names) - 1)


@dataclass(frozen=True, slots=True)
class Own(LogLikelihood):
    """A score of the user's own making: it replaces what the bounds of its base are about."""

    name: ClassVar[str] = "own"

    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:  # noqa: ARG002
        found: Floats = 5.0 + 0.5 * LogLikelihood.fit(self, engine, batch, 2.0)
        return found


@dataclass(frozen=True, slots=True)
class OwnWithCeilings(Own):
    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        return Own.fit(self, engine, batch, price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:  # noqa: ARG002
        return 5.0 + 0.5 * LogLikelihood.fit_ceilings(self, engine, batch, 2.0)


def test_a_score_without_ceilings_is_solved_without_them() -> None:
    table = rich_table(2, 5, 5).take(slice(0, 20))
    limits = Limits.none(table.names)
    assert not Own().has_ceilings
    assert OwnWithCeilings().has_ceilings
    assert BIC(penalty=2).has_ceilings
    every = found(NativeEngine(table), Own(), limits)
    assert every.scored == 5 * 2**4
    fewer = found(NativeEngine(table), OwnWithCeilings(), limits)
    assert fewer.scored < every.scored
    assert fewer.sets == every.sets


def test_every_level_tells_what_is_proven_so_far(asia: Table) -> None:
    table = asia.in_name_order()
    told: list[tuple[float, float]] = []
    watch = Watch(report=lambda w: told.append((w.score, w.bound or math.inf)))
    best = bl.learn(table, bl.Exact(BDeu(ess=1))).score.value
    limits = Limits.none(table.names)
    CandidateSearch(NativeEngine(table), BDeu(ess=1), limits, watch, best).run()
    bounds = [bound for _, bound in told]
    assert len(bounds) > 2
    assert bounds == sorted(bounds, reverse=True)
    assert min(bounds) >= best
    assert {score for score, _ in told} == {best}


def test_too_many_sets_are_refused_with_the_limit_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "MOST_FAMILIES", 100)
    table = rich_table(7, 7, 7)
    with pytest.raises(
        CapacityError,
        match=r"105 families with 2 parents .* takes about .* GB; set max_parents to 1",
    ):
        find_candidates(table)
    with pytest.raises(CapacityError, match=r"Own has no ceilings by which sets could be left out"):
        find_candidates(table, Own())
    assert len(find_candidates(table, Own(), max_parents=1)) > 0


def test_many_variables_are_told_apart() -> None:
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 2, 40) for _ in range(70)]
    codes[69] = codes[3] ^ codes[68]
    table = Table([f"V{v:02}" for v in range(70)], [["0", "1"]] * 70, codes)
    candidates = find_candidates(table, max_parents=2)
    assert bits(candidates.sets[69][0].parents) == [3, 68]
    assert ("V03", "V68") in candidates.parents_of(69)


def test_constant_columns_are_set_apart_as_in_learning() -> None:
    frame = {"A": ["x", "y"] * 10, "B": ["x", "y"] * 10, "C": ["x"] * 20}
    states = {"C": ["x", "y"]}
    candidates = find_candidates(bl.Reading(states=states).apply(frame))
    assert candidates.parents_of(2) == ((),)
    assert not any("C" in parents for parents in candidates.parents_of(0))
