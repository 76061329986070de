"""Scores and engines of somebody's own that break their word: every search comes to an end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom._native import Operator, OperatorKind
from bayesloom.arrays import Bools, Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, FamilyKernel, NativeEngine
from bayesloom.errors import OptionError
from bayesloom.facade import learn
from bayesloom.independence import FixedAlpha
from bayesloom.scores import BIC, BDe, BDeu, Score
from bayesloom.search import (
    BOSS,
    DMN,
    GES,
    IGES,
    IHC,
    IL,
    IXGES,
    K2,
    XGES,
    Exact,
    ExactMethod,
    HillClimbing,
    Knowledge,
    Limits,
    Mode,
    OrderSearch,
    Search,
    SearchResult,
    Start,
    Tabu,
    ThroughDMN,
    Watch,
)
from bayesloom.search.equivalence.climb import EquivalenceClimb
from bayesloom.search.exact.exact import standing_for
from bayesloom.search.local_scores import LocalScores
from every_engine import FarEngine, Grouped
from strategies_search import rich_table, rich_tables

MOST_LOOKS = 5_000
"""How often a search of so few variables may ask whether it may go on: it takes some hundred."""


class EndlessError(AssertionError):
    """A search has gone on for so long that it goes round in a circle."""


class Patience(Watch):
    """A watch that loses its patience."""

    __slots__ = ("looks",)

    def may_go_on(self, ahead: int = 0) -> bool:
        self.looks = getattr(self, "looks", 0) + 1
        if self.looks > MOST_LOOKS:
            raise EndlessError
        return Watch.may_go_on(self, ahead)


def number_of(*parts: int) -> float:
    """Return a number from 0 to 1 that belongs to some whole numbers (SplitMix64)."""
    z = 0
    for part in parts:
        z = (z ^ part) + 0x9E3779B97F4A7C15 & (1 << 64) - 1
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        z = (z ^ z >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        z ^= z >> 31
    return z * 2.0**-64


def families_of(batch: Batch) -> list[tuple[int, int]]:
    """Return the child and the mask of the parents of every table of a batch."""
    children = batch.target[batch.request_of].tolist()
    return [
        (child, sum(1 << v for v in axes) & ~(1 << child))
        for child, axes in zip(children, batch.axes, strict=True)
    ]


@dataclass(frozen=True)
class Lying(BIC):
    """Adds a number to families of enough parents, and says nothing of equivalence."""

    seed: int = 0
    size: float = 8.0
    parents: int = 0

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        return BIC.local_scores(self, engine, batch) + [
            self.size * number_of(self.seed, *family)
            if family[1].bit_count() >= self.parents
            else 0.0
            for family in families_of(batch)
        ]


@dataclass(frozen=True)
class Telling(Lying):
    """Says that equivalent graphs score differently of these data."""

    def is_equivalent(self, engine: Engine) -> bool:  # noqa: ARG002
        return False


@dataclass(frozen=True)
class Noisy(BIC):
    """Adds noise, which is different whenever it is asked."""

    seed: int = 0
    size: float = 8.0
    calls: ClassVar[list[int]] = [0]

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        self.calls[0] += 1
        rng = np.random.default_rng([self.seed, self.calls[0]])
        return BIC.local_scores(self, engine, batch) + self.size * rng.standard_normal(len(batch))


class LyingEngine(NativeEngine):
    """Answers in no agreement with any table."""

    noise: np.random.Generator | None = None

    def _odd(self, batch: Batch) -> Floats:
        if self.noise is not None:
            return self.noise.standard_normal(len(batch))
        return np.array([number_of(*family) for family in families_of(batch)])

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        return super().families(batch, kernel, ess, price) + 8 * self._odd(batch)

    def informations(self, batch: Batch) -> Floats:
        return super().informations(batch) + 0.1 * self._odd(batch)


def searches(names: Sequence[str], score: Score) -> dict[str, Search]:
    return {
        "ges": GES(score),
        "ges-turning": GES(score, turning=True),
        "xges": XGES(score),
        "xges-plain": XGES(score, extended=False),
        "boss": BOSS(score, restarts=1),
        "iges": IGES(score),
        "iges-boundary": IGES(score, mode=Mode.BOUNDARY),
        "ixges": IXGES(score, control=FixedAlpha(0.3)),
        "exact": Exact(score),
        "exact-ilp": Exact(score, max_parents=2, method=ExactMethod.ILP),
        "through": ThroughDMN(then=XGES(score)),
        "dmn": DMN(),
        "dmn-backward": DMN(backward=True),
        "hc": HillClimbing(score, restarts=2, perturb=3),
        "tabu": Tabu(score, patience=5),
        "order": OrderSearch(score, restarts=1, patience=5),
        "k2": K2(tuple(names), score, shrink=True),
        "ihc": IHC(score),
        "il-tabu": IL(Tabu(score, patience=5)),
    }


NAMES = tuple(searches("A", BIC()))
OVER_DAGS = ("hc", "tabu", "order", "k2", "ihc", "il-tabu")
"""Searches that compare no two members of a class."""


def ended(search: Search, engine: Engine) -> SearchResult | str:
    """Run a search; return what it finds, or the sentence with which it ends."""
    try:
        return search.search(engine, Limits.none(engine.names), Patience())
    except OptionError as error:
        return str(error)


def dag_of(found: SearchResult) -> Sequence[int]:
    assert found.dag is not None
    return found.dag.parent_masks


lies = st.builds(
    Lying,
    seed=st.integers(0, 99),
    size=st.sampled_from([1e-3, 1.0, 8.0, 200.0]),
    parents=st.sampled_from([0, 1, 2, 3]),
)


@pytest.mark.parametrize("name", NAMES)
class TestEverySearch:
    @given(rich_tables(3, 6), lies)
    @settings(max_examples=12)
    def test_ends_with_a_score_that_tells_equivalent_graphs_apart(
        self, name: str, table: Table, score: Lying
    ) -> None:
        found = ended(searches(table.names, score)[name], NativeEngine(table, 1))
        if isinstance(found, str):
            assert name not in OVER_DAGS
            assert "Lying over NativeEngine" in found

    @given(rich_tables(3, 6), st.integers(0, 99), st.sampled_from([1e-6, 1.0, 30.0]))
    @settings(max_examples=12)
    def test_ends_with_a_score_that_never_answers_twice_the_same(
        self, name: str, table: Table, seed: int, size: float
    ) -> None:
        found = ended(
            searches(table.names, Noisy(seed=seed, size=size))[name], NativeEngine(table, 1)
        )
        assert name not in OVER_DAGS or not isinstance(found, str)

    @given(rich_tables(3, 6), st.none() | st.integers(0, 99))
    @settings(max_examples=12)
    def test_ends_on_an_engine_of_no_table(self, name: str, table: Table, seed: int | None) -> None:
        engine = LyingEngine(table, 1)
        engine.noise = None if seed is None else np.random.default_rng(seed)
        found = ended(searches(table.names, BIC())[name], engine)
        if isinstance(found, str):
            assert name not in OVER_DAGS
            assert "the score bic over LyingEngine" in found

    @given(rich_tables(3, 6), st.integers(0, 99))
    @settings(max_examples=12)
    def test_finds_a_graph_with_a_score_that_says_of_these_data_what_it_does(
        self, name: str, table: Table, seed: int
    ) -> None:
        score = Telling(seed=seed)
        found = ended(searches(table.names, score)[name], NativeEngine(table, 1))
        assert not isinstance(found, str)


class InterventionalEngine(NativeEngine):
    """Counts a family in the rows in which its child was not set from outside."""

    def __init__(self, table: Table, was_set: Sequence[Bools]) -> None:
        super().__init__(table, 1)
        self.seen = [NativeEngine(table.take(~rows), 1) for rows in was_set]

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        children = batch.target[batch.request_of]
        found = np.empty(len(batch))
        for v in set(children.tolist()):
            asked = batch.only(children == v)
            found[children == v] = self.seen[v].families(asked, kernel, ess, price)
        return found


@pytest.fixture
def interventions() -> InterventionalEngine:
    """Rows of A -> B: A was set in one third of them, B in another."""
    rng = np.random.default_rng(1)
    n = 900
    a = rng.random(n) < 0.5
    b = np.where(rng.random(n) < 0.15, ~a, a)
    was_set = [np.arange(n) < 300, np.arange(n) >= 600]
    b = np.where(was_set[1], rng.random(n) < 0.5, b)
    table = Table("AB", [["no", "yes"]] * 2, [a.astype(int), b.astype(int)])
    return InterventionalEngine(table, was_set)


@dataclass(frozen=True)
class TellingBDeu(BDeu):
    """BDeu over interventions."""

    equivalent: ClassVar[bool] = False


@pytest.mark.parametrize(
    "search",
    [GES, XGES, BOSS, IGES, IXGES, Exact, lambda score: ThroughDMN(then=XGES(score))],
    ids=["ges", "xges", "boss", "iges", "ixges", "exact", "through"],
)
def test_an_engine_that_tells_directions_apart_is_one_sentence_in_searches_that_do_not(
    search: type[GES], interventions: InterventionalEngine
) -> None:
    with pytest.raises(OptionError) as caught:
        search(BDeu(ess=1)).search(interventions, Limits.none("AB"), Patience())
    text = str(caught.value)
    assert text.startswith("the score bdeu over InterventionalEngine is not the same for ")
    assert "A -> B scores -" in text
    assert "B -> A scores -" in text
    assert "set equivalent = False" in text
    assert "HillClimbing, Tabu or Exact" in text


def test_the_sentence_keeps_its_word(interventions: InterventionalEngine) -> None:
    for search in (HillClimbing(BDeu(ess=1)), Tabu(BDeu(ess=1))):
        assert learn(interventions, search).edges == (("A", "B"),)
    told = TellingBDeu(ess=1)
    for other in (HillClimbing(told), Tabu(told), Exact(told)):
        assert learn(interventions, other).edges == (("A", "B"),)
    proof = Exact(told).search(interventions, Limits.none("AB"), Patience()).proof
    assert proof is not None
    assert proof.optimal


@dataclass(frozen=True)
class Favouring(BIC):
    """Likes some parents better than others."""

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        favoured: Floats = BIC.local_scores(self, engine, batch) + 8 * (batch.partner % 3 == 1)
        return favoured


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("dmn")])
def test_a_score_that_favours_some_parents_leads_to_an_end(name: str, asia: Table) -> None:
    table = asia.in_name_order()
    found = ended(searches(table.names, Favouring())[name], NativeEngine(table, 1))
    assert isinstance(found, str) == (name not in OVER_DAGS)


@dataclass(frozen=True)
class LyingFurther(Lying):
    """Is honest about the first three variables."""

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        first = np.array([child < 3 or mask & 7 for child, mask in families_of(batch)], np.bool_)
        honest = BIC.local_scores(self, engine, batch)
        return np.where(first, honest, Lying.local_scores(self, engine, batch))


@pytest.mark.parametrize("search", [GES, XGES, IGES])
def test_what_is_not_seen_at_the_door_is_seen_in_the_climb(search: type[GES], asia: Table) -> None:
    engine = NativeEngine(asia.in_name_order(), 1)
    found = ended(search(LyingFurther(parents=1)), engine)
    assert isinstance(found, str)
    assert "does not add up: by the moves of the search a graph comes to -" in found


def test_exact_search_keeps_the_network_that_a_score_prefers_to_an_equivalent_one() -> None:
    engine, limits = NativeEngine(table_of(COIN * 30, COIN * 30), 1), Limits.none("AB")
    forward, backward = [0, 0b01], [0b10, 0]
    for score in (BIC(), Own(), Ruling(barred=1)):
        assert standing_for(forward, limits, LocalScores(engine, score)) == backward
    assert standing_for(forward, limits, LocalScores(engine, Ruling(barred=0))) == forward


@dataclass(frozen=True)
class Noting(BIC):
    """An honest score that notes what it is asked for."""

    asked: ClassVar[list[list[tuple[int, int]]]] = []

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        self.asked.append(families_of(batch))
        return BIC.local_scores(self, engine, batch)


def asked_first(
    table: Table, search: type[GES | XGES | BOSS] = GES, limits: Limits | None = None
) -> list[tuple[int, int]]:
    Noting.asked.clear()
    search(Noting()).search(NativeEngine(table, 1), limits or Limits.none(table.names), Watch())
    return Noting.asked[0]


def orders_of(*variables: int) -> set[tuple[int, int]]:
    """Return every family over some variables."""
    masks = [sum(1 << v for k, v in enumerate(variables) if word >> k & 1) for word in range(8)]
    return {(v, mask) for v in variables for mask in masks if not mask >> v & 1}


def table_of(*columns: Sequence[int], states: Sequence[int] = ()) -> Table:
    sizes = states or [max(column) + 1 for column in columns]
    labels = [[f"s{k}" for k in range(size)] for size in sizes]
    return Table("ABCDEFGH"[: len(columns)], labels, [np.array(column) for column in columns])


COIN, DIE, LEVEL = [0, 1, 1, 0, 1, 0], [0, 1, 2, 2, 1, 0], [0] * 6


@pytest.mark.parametrize("search", [GES, XGES, BOSS, IGES, IXGES])
def test_one_batch_at_the_door_compares_three_variables_in_every_order(search: type[GES]) -> None:
    table = table_of(DIE, COIN, LEVEL, COIN, DIE, COIN)
    first = asked_first(table, search)
    assert set(first) == orders_of(1, 3, 5)  # the coins; what never varies is left out
    assert len(first) == 12
    assert sum(batch == first for batch in Noting.asked) == 1


def test_what_is_asked_at_the_door_keeps_to_the_limits() -> None:
    table = table_of(COIN, COIN, COIN)
    assert set(asked_first(table, limits=Limits.none("ABC", 1))) == {
        family for family in orders_of(0, 1, 2) if family[1].bit_count() < 2
    }
    apart = Knowledge(forbidden=[("A", "B"), ("B", "A")]).limits("ABC")
    assert set(asked_first(table, limits=apart)) == orders_of(0, 2)
    wide = table_of(COIN, COIN, COIN, states=[60, 60, 60])
    assert max(mask.bit_count() for _, mask in asked_first(wide)) == 1
    for limits in (Limits.none("ABC", 0), Limits(tuple("ABC"), (0, 0, 0), (0, 0, 0))):
        assert asked_first(table, limits=limits) == [(0, 0), (1, 0), (2, 0)]


@dataclass(frozen=True)
class Own(BIC):
    """The same as BIC."""


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [GES, XGES, IXGES, BOSS])
def test_an_honest_score_or_engine_of_ones_own_leads_to_the_same_result(
    kind: type[GES], alarm: Table
) -> None:
    """To the bit, and with as many candidates."""
    table = alarm.select(sorted(alarm.names)).take(slice(0, 1000))
    limits = Limits.none(table.names)
    expected = kind(BIC()).search(NativeEngine(table, 1), limits, Watch())
    assert kind(Own()).search(NativeEngine(table, 1), limits, Watch()) == expected
    assert kind(BIC()).search(Grouped(table), limits, Watch()) == expected


def test_scores_and_engines_of_the_package_are_not_asked_for_more() -> None:
    engine = NativeEngine(rich_table(1), 1)
    assert LocalScores.audited(engine, BIC()).audit is None
    assert LocalScores.audited(engine, Lying()).audit is not None
    assert LocalScores.audited(LyingEngine(rich_table(1), 1), BIC()).audit is not None
    assert LocalScores.audited(engine, Telling()).audit is None


@dataclass(frozen=True)
class Single(BIC):
    """Answers in single precision."""

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        rounded: Floats = BIC.local_scores(self, engine, batch).astype(np.float32)
        return rounded


@pytest.mark.parametrize("name", ["ges", "ges-turning", "xges", "boss", "iges", "exact"])
@given(rich_tables(4, 7))
@settings(max_examples=15)
def test_single_precision_is_no_lie(name: str, table: Table) -> None:
    engine = NativeEngine(table, 1)
    single, double = (searches(table.names, score)[name] for score in (Single(), BIC()))
    if name == "xges":  # ends of several starts are exchanged where members score the same
        single, double = (XGES(score, start=Start.EMPTY) for score in (Single(), BIC()))
    found = ended(single, engine)
    assert not isinstance(found, str)
    expected = ended(double, engine)
    assert not isinstance(expected, str)
    assert BIC().total(engine, dag_of(found)) == pytest.approx(expected.score, abs=0.1)


@dataclass(frozen=True)
class Rounding(BIC):
    """Rounds in its own way, as logarithms of gamma functions do over many rows."""

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        odd = np.array([number_of(*family) for family in families_of(batch)])
        return BIC.local_scores(self, engine, batch) * (1 + 1e-14 * odd)


@given(rich_tables(4, 7))
@settings(max_examples=15)
def test_rounding_is_no_lie(table: Table) -> None:
    engine = NativeEngine(table, 1)
    for search, own in ((XGES(), XGES(Rounding())), (GES(), GES(Rounding(), turning=True))):
        found, expected = ended(own, engine), ended(search, engine)
        assert not isinstance(found, str)
        assert not isinstance(expected, str)


@dataclass(frozen=True)
class Ruling(BIC):
    """Rules out what nobody may be a parent of by minus infinity."""

    barred: int = 0

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        out = [bool(mask and child == self.barred) for child, mask in families_of(batch)]
        return np.where(out, -math.inf, BIC.local_scores(self, engine, batch))


def test_a_direction_that_a_score_rules_out_is_told() -> None:
    table = table_of(COIN * 30, COIN * 30)
    with pytest.raises(OptionError, match=r"A -> B scores -.* and B -> A scores -inf"):
        GES(Ruling()).search(NativeEngine(table, 1), Limits.none("AB"), Watch())


def holed(table: Table, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    codes = [
        np.where(rng.random(table.n_rows) < 0.3, len(states), column)
        for column, states in zip(table.codes, table.states, strict=True)
    ]
    return Table(table.names, table.states, codes, holes=True)


@pytest.mark.parametrize("name", ["ges-turning", "xges", "iges", "exact"])
def test_earlier_rows_with_holes_lead_to_an_end(name: str) -> None:
    """BDe of the package: families know different earlier rows, so equivalent graphs differ."""
    for seed in range(8):
        table = rich_table(seed, 3, 5)
        half = table.n_rows // 2
        score = BDe(prior=holed(table.take(slice(0, half)), seed))
        engine = NativeEngine(table.take(slice(half, None)), 1)
        found = ended(searches(table.names, score)[name], engine)
        assert not isinstance(found, str)
        assert found.score == pytest.approx(score.total(engine, dag_of(found)))


def test_a_guess_on_a_far_engine_does_not_go_round_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A guess knows no classes by their members: it goes by gains, which may rise in a circle."""
    left, step = [40 * MOST_LOOKS], EquivalenceClimb.step

    def counted(climb: EquivalenceClimb, *kinds: OperatorKind) -> Operator | None:
        left[0] -= 1
        if left[0] < 0:
            raise EndlessError
        return step(climb, *kinds)

    monkeypatch.setattr(EquivalenceClimb, "step", counted)
    table = rich_table(3, 4, 7)
    limits = Limits.none(table.names)
    search = XGES(Telling(seed=3))
    near = search.search(NativeEngine(table, 1), limits, Watch())
    assert search.search(FarEngine(table), limits, Watch()) == near
