from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import OptionError
from bayesloom.graphs import CPDAG, d_connections, mask_of
from bayesloom.independence import (
    LORD,
    SAFFRON,
    AlphaSpending,
    BenjaminiHochberg,
    ChiSquare,
    Control,
    Coverage,
    FixedAlpha,
)
from bayesloom.model import draw_rows, random_dag, random_net
from bayesloom.scores import BIC, BDeu, K2Score, Score
from bayesloom.search import (
    GES,
    IGES,
    IHC,
    IL,
    IXGES,
    XGES,
    Budget,
    ChowLiu,
    HillClimbing,
    Knowledge,
    Limits,
    Mode,
    Reason,
    ScoredResult,
    Step,
    Stop,
    Tabu,
    Watch,
)
from bayesloom.search.equivalence.optimum_neighbourhood import OptimumNeighbourhood
from bayesloom.search.equivalence.second_thoughts import Tried
from bayesloom.search.facts.moves import Alternative
from bayesloom.search.imap.il import LocalSearch
from example_samples import sampled
from reference_graphs import Arcs, arcs_of
from reference_il import (
    Claim,
    ClassTwin,
    DagTwin,
    Decide,
    blanket_hypotheses,
    covers,
    fixed,
    online,
    p_value,
    step_up,
)
from reference_search import Law, Mixed, Scorer, completed
from strategies_search import known, rich_tables, tables

CONTROLS: dict[Control, Decide] = {
    FixedAlpha(0.05): fixed(0.05),
    FixedAlpha(0.01): fixed(0.01),
    BenjaminiHochberg(0.05): step_up(0.05),
    LORD(0.05): online(lambda p: reference.lord(p, 0.05, 0.025)),
    SAFFRON(0.05): online(lambda p: reference.saffron(p, 0.05, 0.025)),
    AlphaSpending(0.05): online(lambda p: reference.alpha_spending(p, 0.05)),
    FixedAlpha(1.0): fixed(1.0),
}
SCORES: tuple[Score, ...] = (BDeu(ess=10, kappa=0.001), BDeu(ess=10), BIC(), BDeu(ess=1))
MODES = (Mode.REPEAT, Mode.REPEAT, Mode.BOUNDARY, Mode.ONCE)


@dataclass(frozen=True)
class Trial:
    """A table drawn from a random network, and how to learn from it; the seed says all."""

    seed: int

    @property
    def table(self) -> Table:
        rng = np.random.default_rng(self.seed)
        n = int(rng.integers(3, 6))
        net = random_net(random_dag(n, rng), rng, states=(2, 2 + int(rng.integers(2))))
        weak = float(rng.choice([0.0, 0.0, 0.3, 0.6]))
        rows = draw_rows(net, int(math.exp(rng.uniform(math.log(50), math.log(2000)))), rng)
        mixed = [
            np.where(rng.random(rows.n_rows) < weak, rng.permutation(codes), codes).astype(np.uint8)
            for codes in rows.codes
        ]
        return Table(rows.names, rows.states, mixed).in_name_order()

    @property
    def score(self) -> Score:
        return SCORES[self.seed % len(SCORES)]

    @property
    def control(self) -> Control:
        return tuple(CONTROLS)[self.seed // 4 % len(CONTROLS)]

    @property
    def mode(self) -> Mode:
        return MODES[self.seed // 28 % len(MODES)]


def run(
    search: IL | IGES | IXGES | IHC, table: Table, limits: Limits | None = None
) -> ScoredResult:
    engine = NativeEngine(table, threads=1)
    return search.search(engine, limits or Limits.none(table.names), Watch())


def claims(found: ScoredResult) -> set[Claim]:
    return {(frozenset((d.x, d.y)), frozenset(d.given)) for d in found.dependencies}


def mixed(found: ScoredResult) -> Mixed:
    return completed(arcs_of(found.dag.parent_masks), found.dag.n)


def told(found: ScoredResult) -> list[tuple[str, int, int, str]]:
    return [(step.operator, step.x, step.y, step.reason.value) for step in found.steps]


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(8))
def test_iges_makes_the_moves_and_finds_the_dependencies_of_its_literal_twin(block: int) -> None:
    for seed in range(28 * block, 28 * (block + 1)):
        trial = Trial(seed)
        table = trial.table
        twin = ClassTwin(
            table,
            Scorer(NativeEngine(table, threads=1), trial.score),
            Law.none(table.n_columns),
            CONTROLS[trial.control],
            trial.mode.value,
        )
        state = twin.run()
        found = run(IGES(trial.score, control=trial.control, mode=trial.mode), table)
        assert mixed(found) == state, trial
        assert claims(found) == set(twin.knower.found), trial
        assert told(found) == twin.moves, trial
        assert found.tests.made == len(twin.knower.tested), trial
        assert found.tests.made - found.tests.inconclusive == sum(map(len, twin.knower.batches))


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(4))
def test_ihc_makes_the_moves_and_finds_the_dependencies_of_its_literal_twin(block: int) -> None:
    for seed in range(28 * block, 28 * (block + 1)):
        trial = Trial(seed)
        table = trial.table
        twin = DagTwin(
            table,
            Scorer(NativeEngine(table, threads=1), trial.score),
            Law.none(table.n_columns),
            CONTROLS[trial.control],
            trial.mode.value,
        )
        arcs = twin.run()
        found = run(IHC(trial.score, control=trial.control, mode=trial.mode), table)
        assert told(found) == twin.moves, trial
        assert arcs_of(found.dag.parent_masks) == arcs, trial
        assert claims(found) == set(twin.knower.found), trial


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_iges_with_knowledge_agrees_with_its_literal_twin(data: st.DataObject) -> None:
    table = data.draw(tables(2, 4, (60, 200, 500)))
    law = data.draw(known(table.names))
    limits = law.knowledge.limits(table.names, law.max_parents)
    allowed = frozenset(
        (p, v) for v, p in product(range(table.n_columns), repeat=2) if limits.allowed[v] >> p & 1
    )
    twin = ClassTwin(
        table,
        Scorer(NativeEngine(table, threads=1), BDeu(ess=10)),
        Law(allowed, arcs_of(limits.required), limits.max_parents),
        fixed(0.05),
    )
    state = twin.run()
    found = run(IGES(BDeu(ess=10)), table, limits)
    assert mixed(found) == state
    assert claims(found) == set(twin.knower.found)
    assert limits.keeps(found.dag.parent_masks)
    check_coverage_is_told(found)


def check_coverage_is_told(found: ScoredResult) -> None:
    arcs = arcs_of(found.dag.parent_masks)
    for d in found.dependencies:
        claim = frozenset((d.x, d.y)), frozenset(d.given)
        assert d.covered == covers(arcs, claim)


def neighbours(search: str, found: ScoredResult, scorer: Scorer) -> Iterator[tuple[float, Arcs]]:
    law = Law.none(found.dag.n)
    if search == "ihc":
        from reference_search import changes

        for change in changes(scorer, arcs_of(found.dag.parent_masks), law):
            yield change.gain, change.arcs
        return
    from reference_search import KINDS, extension

    for kind in KINDS if search == "ixges" else ("insert", "delete"):
        for op in KINDS[kind](scorer, mixed(found)):
            yield op.gain, extension(op.after)


@pytest.mark.parametrize("name", ["iges", "ixges", "ihc", "tabu"])
@settings(max_examples=12, deadline=None)
@given(table=rich_tables(3, 5), score=st.sampled_from(SCORES), mode=st.sampled_from(MODES[1:3]))
def test_the_result_is_a_local_optimum_that_satisfies_its_markov_blankets(
    name: str, table: Table, score: Score, mode: Mode
) -> None:
    kinds: dict[str, LocalSearch] = {
        "iges": GES(score=score),
        "ixges": XGES(score=score),
        "ihc": HillClimbing(score=score),
        "tabu": Tabu(score=score),
    }
    found = run(IL(kinds[name], mode=mode), table)
    arcs = arcs_of(found.dag.parent_masks)
    for x, y, given_ in blanket_hypotheses(arcs, range(table.n_columns), table.n_columns):
        p = p_value(table, x, y, given_)
        assert p is None or p > 0.05
    assert all(d.covered for d in found.dependencies)
    check_coverage_is_told(found)
    if name == "tabu":
        return
    scorer = Scorer(NativeEngine(table, threads=1), score)
    for gain, after in neighbours(name, found, scorer):
        if gain > 1e-6 and mode is Mode.REPEAT:
            assert not all(covers(after, claim) for claim in claims(found))


@settings(max_examples=20, deadline=None)
@given(table=tables(2, 5), mode=st.sampled_from(Mode))
def test_every_search_ends_even_if_every_test_rejects(table: Table, mode: Mode) -> None:
    for local in (GES(), XGES(), HillClimbing(), Tabu(patience=3)):
        test = ChiSquare(min_expected=0, coverage=Coverage.RELAXED)
        found = run(IL(local, test, FixedAlpha(1.0), mode), table)
        assert found.stop is Stop.LOCAL_OPTIMUM
        if mode is not Mode.ONCE:
            assert all(d.covered for d in found.dependencies)


@settings(max_examples=15, deadline=None)
@given(rich_tables(3, 6))
def test_a_step_taken_for_a_dependency_covers_one_and_never_raises_the_score(table: Table) -> None:
    found = run(IGES(BDeu(ess=10, kappa=0.001)), table)
    seen: set[int] = set()
    for step in found.steps:
        assert not seen & set(step.covered)
        seen |= set(step.covered)
        if step.reason is Reason.DEPENDENCY:
            assert step.covered
            assert step.gain <= 1e-6
        else:
            assert step.gain > 0
        if step.passed_over is not None:
            assert step.passed_over.gain >= step.gain - 1e-6
        if step.runner_up is not None:
            assert step.runner_up.gain <= step.gain + 1e-6
    assert seen == set(range(len(found.dependencies)))


@settings(max_examples=15, deadline=None)
@given(rich_tables(3, 6))
def test_the_strength_of_every_dependency_is_its_conditional_mutual_information(
    table: Table,
) -> None:
    for d in run(IGES(), table).dependencies:
        true = reference.information(table, d.x, d.y, d.given)
        assert d.information == pytest.approx(float(true), abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(rich_tables(3, 6), st.integers(0, 8))
def test_the_detected_dependencies_of_a_shorter_search_begin_those_of_the_full_one(
    table: Table, most: int
) -> None:
    engine, limits = NativeEngine(table, threads=1), Limits.none(table.names)
    search = IGES(BDeu(ess=10, kappa=0.001))
    whole = search.search(engine, limits, Watch())
    part = search.search(engine, limits, Watch(Budget(max_steps=most)))
    assert part.steps == whole.steps[:most]
    assert claims(part) <= claims(whole)
    if len(whole.steps) > most:
        assert part.stop is Stop.STEP_LIMIT
    check_coverage_is_told(part)
    assert part.score == pytest.approx(
        BDeu(ess=10, kappa=0.001).total(engine, part.dag.parent_masks)
    )


def test_a_dependency_that_the_limits_do_not_let_in_is_reported_as_uncovered() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(2, size=500)
    b = np.where(rng.random(500) < 0.1, 1 - a, a)
    table = Table(("A", "B"), (("0", "1"),) * 2, (a, b))
    law = Knowledge(forbidden=[("A", "B"), ("B", "A")]).limits(table.names, None)
    for search in (IGES(), IXGES(), IHC(), IL(Tabu())):
        found = run(search, table, law)
        assert found.dag.edges == ()
        assert [d.covered for d in found.dependencies] == [False]
    capped = run(IGES(), table, Limits.none(table.names, max_parents=0))
    assert [d.covered for d in capped.dependencies] == [False]


@settings(max_examples=12, deadline=None)
@given(table=rich_tables(3, 6), score=st.sampled_from((BIC(), BDeu(ess=10, kappa=0.001))))
def test_over_xges_it_goes_on_from_its_optimum_and_only_where_tests_ask_for_more(
    table: Table, score: Score
) -> None:
    engine, limits = NativeEngine(table, threads=1), Limits.none(table.names)
    plain = XGES(score=score).search(engine, limits, Watch())
    for control in (AlphaSpending(0.05), FixedAlpha(0.05)):
        found = IXGES(score, control=control).search(engine, limits, Watch())
        begun = len(plain.steps)
        assert found.steps[:begun] == plain.steps
        more = found.steps[begun:]
        assert (found.graph == plain.graph) == (not more)
        assert not more or more[0].reason is Reason.DEPENDENCY
        assert all(d.covered for d in found.dependencies)
        gained = math.fsum(step.gain for step in found.steps)
        empty = score.total(engine, (0,) * table.n_columns)
        assert found.score == pytest.approx(empty + gained, abs=1e-6)


class Refusing:
    """What a constrained walk is told of a trial: never to make it."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, _: object) -> bool:
        self.asked += 1
        return False


def test_second_thoughts_that_are_refused_leave_the_walk_where_it_is() -> None:
    table = sampled("alarm", 500, 3).in_name_order()
    engine, limits = NativeEngine(table, threads=1), Limits.none(table.names)
    plain = XGES(score=BIC(), extended=False).walk(engine, limits, Watch())
    walk = OptimumNeighbourhood.of(plain, Tried(regions=True))
    assert not walk.think_again(Watch(), lambda _: True)  # nothing was touched
    before, refusing = (walk.state, walk.score, walk.dag[:]), Refusing()
    walk.reach = walk.everything
    assert not walk.think_again(Watch(), refusing)
    assert refusing.asked > 0
    assert (walk.state, walk.score, walk.dag) == before
    walk.reach, walk.tried = walk.everything, Tried(regions=True)
    assert walk.think_again(Watch(), lambda _: True)
    assert walk.score > before[1]
    assert walk.score == pytest.approx(BIC().total(engine, walk.dag), abs=1e-6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_second_thoughts_follow_covering_moves_and_uncover_nothing(seed: int) -> None:
    table = sampled("asia", 600, seed).in_name_order()
    search = IXGES(BIC(), test=ChiSquare(min_expected=1), control=FixedAlpha(0.2))
    found = run(search, table)
    reasons = [step.reason for step in found.steps]
    assert Reason.TRIAL in reasons[reasons.index(Reason.DEPENDENCY) :]
    assert found.dependencies
    assert all(d.covered for d in found.dependencies)
    check_coverage_is_told(found)
    arcs = arcs_of(found.dag.parent_masks)
    for x, y, given_ in blanket_hypotheses(arcs, range(table.n_columns), table.n_columns):
        p = p_value(table, x, y, given_)
        assert p is None or p > 0.2


def test_without_rejections_iges_is_ges_without_turning() -> None:
    table = Trial(5).table
    engine, limits = NativeEngine(table), Limits.none(table.names)
    plain = GES(score=BIC()).search(engine, limits, Watch())
    strict = ChiSquare(min_expected=1e9)
    found = IGES(BIC(), test=strict).search(engine, limits, Watch())
    assert isinstance(found.graph, CPDAG)
    assert found.tests.inconclusive == found.tests.made > 0
    if len(found.steps) == len(plain.steps):
        assert found.graph == plain.graph


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: IGES(K2Score()), "^IGES searches over .* K2Score is not"),
        (lambda: FixedAlpha(0.0), "alpha"),
        (lambda: FixedAlpha(1.5), "alpha"),
        (lambda: BenjaminiHochberg(-0.1), "alpha"),
        (lambda: LORD(0.05, wealth=0.06), "wealth"),
        (lambda: SAFFRON(0.05, threshold=1.0), "threshold"),
        (lambda: FixedAlpha(math.nan), "alpha"),
        (lambda: IXGES(K2Score()), "^IXGES searches over .* K2Score is not"),
        (lambda: IL(ChowLiu()), "IL wraps"),  # type: ignore[arg-type]
        (lambda: IL(GES), "IL wraps"),  # type: ignore[arg-type]
        (lambda: IL(HillClimbing(restarts=3)), "restarts"),
        (lambda: IL(GES(turning=True)), "turning"),
        (lambda: IGES(mode="boundary"), "Mode"),  # type: ignore[arg-type]
    ],
)
def test_impossible_options_are_errors_when_the_value_is_made(make: object, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        make()  # type: ignore[operator]


@settings(max_examples=15, deadline=None)
@given(rich_tables(4, 6))
def test_the_runner_up_of_a_step_for_a_dependency_covers_one_too(table: Table) -> None:
    found = run(IHC(BDeu(ess=10, kappa=0.001)), table)
    parents = [0] * table.n_columns
    questions = [(d.x, mask_of(d.given)) for d in found.dependencies]
    for step in found.steps:
        if step.reason is Reason.DEPENDENCY and step.runner_up is not None:
            before = d_connections(parents, questions)
            after = d_connections(changed(parents, step.runner_up), questions)
            assert any(
                (now & ~then) >> d.y & 1
                for d, then, now in zip(found.dependencies, before, after, strict=True)
            )
        if step.passed_over is not None:
            assert step.passed_over.gain > step.gain
        parents = changed(parents, step)


def changed(parents: list[int], move: Step | Alternative) -> list[int]:
    """Return the graph after a move on one edge."""
    after = parents[:]
    after[move.y] ^= 1 << move.x
    if move.operator == "reverse":
        after[move.x] ^= 1 << move.y
    return after
