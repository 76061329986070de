from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

import reference
from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, CountingEngine, NativeEngine, TestKernel
from bayesloom.engine.batch import MOST_CELLS, NONE
from bayesloom.errors import OptionError
from bayesloom.independence import ChiSquare, ContingencyTest, Coverage, GSquare, TestResults
from bayesloom.search import IL, HillClimbing, Limits, Watch
from every_engine import EngineOf
from strategies import FEW_STATES, Request, asked_tables, make_table, spelled_out

Asked = tuple[Table, list[Request]]

KINDS = (ChiSquare, GSquare)


def run(
    test: ContingencyTest, table: Table, x: int, y: int, given: tuple[int, ...] = ()
) -> TestResults:
    return test.run(NativeEngine(table), Batch.of([(x, given, (y,))]))


@settings(max_examples=70)
@given(
    asked=asked_tables(paired=True, max_rows=400, states=FEW_STATES),
    kind=st.sampled_from(KINDS),
    coverage=st.sampled_from(Coverage),
    least=st.sampled_from((0, 0.5, 5, 30)),
)
def test_results_are_those_of_the_definition(
    engine_of: EngineOf,
    asked: Asked,
    kind: type[ContingencyTest],
    coverage: Coverage,
    least: float,
) -> None:
    table, requests = asked
    found = kind(min_expected=least, coverage=coverage).run(engine_of(table), Batch.of(requests))
    assert len(found) == len(spelled_out(requests))
    for i, (*given_variables, x, y) in enumerate(spelled_out(requests)):
        true = reference.independence_test(
            table, x, y, given_variables,
            g_square=kind is GSquare, strict=coverage is Coverage.STRICT, least=least,
        )  # fmt: skip
        assert found.conclusive[i] == true.conclusive
        assert found.df[i] == true.df
        if math.isnan(found.statistic[i]):
            assert not true.conclusive
            assert (found.p[i], found.log_p[i]) == (1, 0)
            continue
        assert abs(found.statistic[i] - true.statistic) <= 1e-11 * max(1, true.statistic)
        assert abs(found.min_expected[i] - true.min_expected) <= 1e-13 * true.min_expected
        assert found.log_p[i] == pytest.approx(float(true.log_p), rel=1e-10, abs=1e-10)
        assert found.p[i] == pytest.approx(math.exp(true.log_p), rel=1e-9, abs=1e-300)
        assert 0 <= found.p[i] <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_strict_coverage_starts_exactly_at_the_least_expected_count(
    kind: type[ContingencyTest],
) -> None:
    rows = [(0, 0)] * 5 + [(0, 1)] * 5 + [(1, 0)] * 5 + [(1, 1)] * 5
    table = make_table(list(zip(*rows, strict=True)), [2, 2])
    assert run(kind(min_expected=5), table, 0, 1).conclusive[0]
    assert not run(kind(min_expected=5.0001), table, 0, 1).conclusive[0]
    assert not run(kind(min_expected=5), table.take(slice(1, None)), 0, 1).conclusive[0]


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_stratum_settles_nothing_under_strict_coverage(
    kind: type[ContingencyTest],
) -> None:
    rng = np.random.default_rng(0)
    x, y, s, t = (rng.integers(0, 2, 20_000) for _ in range(4))
    full = make_table([x, y, s, t], [2, 2, 2, 2])
    holed = full.take((s == 0) | (t == 0))
    assert run(kind(), full, 0, 1, (2, 3)).conclusive[0]
    for least in (0, 5):
        strict = run(kind(min_expected=least), holed, 0, 1, (2, 3))
        assert not strict.conclusive[0]
        assert strict.min_expected[0] == 0
        assert strict.df[0] == 4
    relaxed = run(kind(coverage=Coverage.RELAXED), holed, 0, 1, (2, 3))
    assert relaxed.conclusive[0]
    assert relaxed.df[0] == 3
    assert 0 < relaxed.p[0] < 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_level_that_is_missing_in_one_stratum_settles_nothing_under_strict_coverage(
    kind: type[ContingencyTest],
) -> None:
    cells = [(x, y, s) for s in (0, 1) for x in range(3) for y in (0, 1) if (x, s) != (2, 1)]
    table = make_table(list(zip(*cells * 50, strict=True)), [3, 2, 2])
    strict = run(kind(), table, 0, 1, (2,))
    assert (strict.conclusive[0], strict.min_expected[0], strict.df[0]) == (False, 0, 4)
    relaxed = run(kind(coverage=Coverage.RELAXED), table, 0, 1, (2,))
    assert (relaxed.conclusive[0], relaxed.df[0]) == (True, 2 * 1 + 1 * 1)


@pytest.mark.parametrize("coverage", Coverage)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_rows", [1, 9, 10_000])
def test_a_constant_column_gives_no_conclusion_and_never_a_p_of_zero_or_nan(
    kind: type[ContingencyTest], coverage: Coverage, n_rows: int
) -> None:
    rng = np.random.default_rng(1)
    y, s = rng.integers(0, 2, n_rows), rng.integers(0, 2, n_rows)
    constant = np.full(n_rows, 1)
    for states in (1, 3):
        table = make_table([constant % states, y, s], [states, 2, 2])
        for x, other in ((0, 1), (1, 0)):
            for given_variables in ((), (2,)):
                found = run(kind(coverage=coverage), table, x, other, given_variables)
                assert not found.conclusive[0]
                assert (found.df[0], found.p[0], found.log_p[0]) == (0, 1, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_states_that_never_occur_do_not_enter_a_test(kind: type[ContingencyTest]) -> None:
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 2, 3000) for _ in range(3)]
    tight = make_table(columns, [2, 2, 2])
    loose = make_table([columns[0] * 3, columns[1], columns[2] + 1], [5, 300, 4])
    for coverage in Coverage:
        for given_variables in ((), (2,)):
            a, b = (
                run(kind(coverage=coverage), table, 0, 1, given_variables)
                for table in (tight, loose)
            )
            for left, right in zip(values(a), values(b), strict=True):
                assert left.tobytes() == right.tobytes()


def values(found: TestResults) -> tuple[npt.NDArray[Any], ...]:
    return (
        found.statistic, found.df, found.p, found.log_p, found.min_expected, found.conclusive,
    )  # fmt: skip


@settings(max_examples=40)
@given(
    asked=asked_tables(paired=True, max_rows=200, states=FEW_STATES), kind=st.sampled_from(KINDS)
)
def test_the_shortcut_leaves_out_only_tests_that_cannot_be_conclusive(
    asked: Asked, kind: type[ContingencyTest]
) -> None:
    table, requests = asked
    engine, batch = NativeEngine(table), Batch.of(requests)
    found = kind().run(engine, batch)
    raw = engine.tests(batch, kind.kernel)
    counted = ~np.isnan(found.statistic)
    short = 5 * batch.n_cells(engine.observed) > table.n_rows
    assert not counted[short].any()
    assert not found.conclusive[~counted].any()
    assert (raw[~counted, 3] < 5).all()
    assert found.df.tolist() == raw[:, 1].tolist()
    assert found.statistic[counted].tobytes() == raw[counted, 0].tobytes()


def test_a_batch_of_many_wide_tests_does_not_run_out_of_memory() -> None:
    rng = np.random.default_rng(4)
    wide = np.arange(1000) % 600
    table = make_table([wide, wide[::-1], *rng.integers(0, 2, (3, 1000))], [600, 600, 2, 2, 2])
    batch = Batch.of([(0, (1,), (2, 3, 4))] * 1000)
    assert batch.base_product(table.cardinality, table.cardinality)[::3].sum() > MOST_CELLS
    found = ChiSquare(min_expected=0.001).run(NativeEngine(table), batch)
    assert len(found) == 3000
    assert not found.conclusive.any()


@pytest.mark.parametrize("n_rows", [3, 11, 20, 40, 1000])
def test_all_pairs_can_be_tested_at_once_however_few_the_rows(n_rows: int, asia: Table) -> None:
    few = asia.take(slice(0, n_rows))
    found = ChiSquare().run(NativeEngine(few), Batch.pairs(8))
    assert len(found) == 28
    one_by_one = [run(ChiSquare(), few, x, y) for x, y in itertools.combinations(range(8), 2)]
    assert found.p.tolist() == [one.p[0] for one in one_by_one]
    assert found.conclusive.tolist() == [one.conclusive[0] for one in one_by_one]


def test_requests_without_partners_are_no_trouble(asia: Table) -> None:
    engine = NativeEngine(asia.take(slice(0, 30)))
    batch = Batch.of([(0, (), ()), (0, (1, 2, 3), (4,)), (1, (), ()), (1, (), (2,)), (3, (), ())])
    found = ChiSquare().run(engine, batch)
    assert len(found) == 2
    assert np.isnan(found.statistic[0])
    assert len(ChiSquare().run(engine, Batch.of([]))) == 0


def test_a_test_without_partner_is_inconclusive(asia: Table) -> None:
    found = ChiSquare().run(NativeEngine(asia), Batch.of([(0, (1,), (NONE,))]))
    assert (found.conclusive[0], found.df[0], found.p[0]) == (False, 0, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_more_cells_than_a_float_can_count_are_inconclusive(kind: type[ContingencyTest]) -> None:
    n = 1100
    rng = np.random.default_rng(0)
    columns = [*rng.integers(0, 2, (n, 50)), np.zeros(50, int)]
    table = make_table(columns, [2] * n + [1])
    for coverage, least in itertools.product(Coverage, (0, 5)):
        test = kind(min_expected=least, coverage=coverage)
        for x, y in ((0, 1), (0, n), (n, 0)):
            found = run(test, table, x, y, tuple(range(2, n)))
            assert not found.conclusive[0]
            assert not np.isnan(found.df[0])
            assert (found.p[0], found.log_p[0]) == (1, 0)


def test_g_square_is_twice_the_rows_times_the_information(asia: Table) -> None:
    engine, batch = NativeEngine(asia), Batch.pairs(8)
    np.testing.assert_allclose(
        GSquare().run(engine, batch).statistic, 2 * 5000 * engine.informations(batch), rtol=1e-14
    )


# p-values


def log_p(statistic: float, df: float) -> float:
    return float(_native.log_p_values(np.array([float(statistic)]), np.array([float(df)]))[0])


@pytest.mark.parametrize("df", [1, 2, 3, 10, 31, 32, 33, 100, 1000, 12_345, 10**5, 10**6])
@pytest.mark.parametrize(
    "share", [0.01, 0.5, 0.9, 0.99, 1.0, 1.000001, 1.01, 1.1, 1.5, 2, 5, 20, 1000]
)
def test_log_p_is_right_far_into_both_tails(df: int, share: float) -> None:
    statistic = df * share
    true = reference.log_upper_tail(mpf(statistic), df)
    if true > -(mpf(10) ** -30):
        assert -1e-30 <= log_p(statistic, df) <= 0
    else:
        assert reference.relative_error(log_p(statistic, df), true) <= 1e-10


@pytest.mark.parametrize("df", [1, 2, 7, 60, 999])
@pytest.mark.parametrize("statistic", [1.5e3, 1.4e4, 1e5, 1e6, 1e9])
def test_p_values_that_underflow_keep_a_logarithm(df: int, statistic: float) -> None:
    true = reference.log_upper_tail(mpf(statistic), df)
    assert true < -50
    assert reference.relative_error(log_p(statistic, df), true) <= 1e-10


def test_a_p_value_of_1e_minus_3000_is_finite_and_ordered() -> None:
    n = 5000
    x = np.arange(3 * n) % 3
    y = x.copy()
    y[:40] = 0
    table = make_table([x, y, x], [3, 3, 3])
    found = GSquare().run(NativeEngine(table), Batch.of([(0, (), (1, 2))]))
    assert found.p.tolist() == [0, 0]
    assert np.isfinite(found.log_p).all()
    assert found.log_p[1] < found.log_p[0] < -3000 * math.log(10)
    assert found.conclusive.all()


@settings(max_examples=40)
@given(df=st.integers(1, 2000), statistics=st.lists(st.floats(0, 5000), min_size=2, max_size=20))
def test_a_larger_statistic_never_has_a_larger_p(df: int, statistics: list[float]) -> None:
    ordered = np.sort(np.array(statistics))
    found = _native.log_p_values(ordered, np.full(len(ordered), float(df)))
    assert (np.diff(found) <= 1e-12 * np.maximum(1, np.abs(found[1:]))).all()
    assert (found <= 0).all()


def test_the_ends_of_the_range_have_p_values() -> None:
    assert log_p(0, 3) == 0
    assert log_p(5, 0) == 0
    assert log_p(math.inf, 3) == -math.inf
    assert log_p(5, math.inf) == 0
    with pytest.raises(ValueError, match="as many degrees of freedom"):
        _native.log_p_values(np.zeros(2), np.zeros(3))


# Options


@pytest.mark.parametrize("kind", KINDS)
def test_options_that_mean_nothing_are_refused(kind: type[ContingencyTest]) -> None:
    for least in (-1, math.nan, math.inf):
        with pytest.raises(OptionError, match=rf"min_expected must be 0 or more.*, got {least}"):
            kind(min_expected=least)
    with pytest.raises(OptionError, match=r"Coverage\.STRICT or Coverage\.RELAXED, got 'strict'"):
        kind(coverage="strict")  # type: ignore[arg-type]


def test_tests_are_values_with_strict_coverage_of_five_by_default() -> None:
    assert ChiSquare() == ChiSquare(min_expected=5, coverage=Coverage.STRICT)
    assert len({ChiSquare(), ChiSquare(), GSquare()}) == 2


@dataclass(frozen=True, slots=True)
class FreemanTukey(ContingencyTest):
    """A test of a user's own, from counts: 4 sum (sqrt N - sqrt E)^2 over all cells."""

    name: ClassVar[str] = "Freeman-Tukey"

    def statistics(self, engine: CountingEngine, batch: Batch) -> Floats:
        found = engine.tests(batch, TestKernel.CHI_SQUARE)
        for i, (axes, table) in enumerate(zip(batch.axes, engine.counts(batch), strict=True)):
            cells = table.reshape(-1, *engine.cardinality[axes[-2:]])
            in_stratum = np.maximum(cells.sum((1, 2), keepdims=True), 1)
            expected = cells.sum(1, keepdims=True) * cells.sum(2, keepdims=True) / in_stratum
            found[i, 0] = 4 * ((np.sqrt(cells) - np.sqrt(expected)) ** 2).sum()
        return found


@dataclass(frozen=True, slots=True)
class LikelihoodRatio(ContingencyTest):
    """A test of a user's own, from a kernel."""

    name: ClassVar[str] = "likelihood ratio"
    kernel: ClassVar[TestKernel] = TestKernel.G_SQUARE


def test_a_test_of_ones_own_works_from_counts_or_from_a_kernel(
    engine_of: EngineOf, asia: Table
) -> None:
    engine, batch = engine_of(asia), Batch.of([(0, (), (1, 2, 7)), (5, (1,), (6, 7))])
    own, chi = FreemanTukey().run(engine, batch), ChiSquare().run(engine, batch)
    assert own.df.tolist() == chi.df.tolist()
    assert own.conclusive.tolist() == chi.conclusive.tolist()
    near = own.conclusive & (chi.statistic > 0)
    assert own.statistic[near] == pytest.approx(chi.statistic[near], rel=0.2)
    renamed, g = (t.run(engine, batch).p for t in (LikelihoodRatio(), GSquare()))
    assert renamed.tolist() == g.tolist()


@pytest.mark.parametrize("test", [FreemanTukey(), LikelihoodRatio()])
def test_i_map_learning_runs_with_a_test_of_ones_own(test: ContingencyTest, asia: Table) -> None:
    limits, engine = Limits.none(asia.names), NativeEngine(asia, 1)
    found = IL(HillClimbing(), test=test).search(engine, limits, Watch())
    assert found.dag.n_edges > 3


@given(st.lists(st.integers(1, 40), min_size=9, max_size=60), st.floats(1e-12, 1), st.data())
def test_only_p_values_above_a_level_are_told_as_1(
    df: list[int], level: float, data: st.DataObject
) -> None:
    statistic = np.array([data.draw(st.floats(0, 4)) * k for k in df])
    degrees = np.array([df[k % 3] for k in range(len(df))], np.float64)  # some occur often
    exact = _native.log_p_values(statistic, degrees)
    found = _native.log_p_values(statistic, degrees, level)
    told = found != exact
    assert (found[told] == 0).all()
    assert (np.exp(exact[told]) > level).all()


def test_a_level_spares_p_values_and_huge_degrees_of_freedom_do_not_hang() -> None:
    one, rare = np.ones(20), np.full(20, 1e9)
    assert (_native.log_p_values(one, one, 0.01)[8:] == 0).all()
    assert (_native.log_p_values(one, rare, 0.01) == 0).all()
    assert (_native.log_p_values(one, np.full(20, np.inf), 0.01) == 0).all()
    for level in (0.0, 1.5, math.nan):
        with pytest.raises(ValueError, match="level"):
            _native.log_p_values(one, one, level)


def test_an_engine_that_answers_too_few_tests_is_noticed() -> None:
    class Short(NativeEngine):
        def tests(self, batch: Batch, kernel: TestKernel) -> Any:  # noqa: ANN401
            return super().tests(batch, kernel)[:-1]

    table = Table.from_frame(
        {"a": ["n", "y"] * 30, "b": ["n", "y"] * 30, "c": ["n", "y", "y"] * 20}
    )
    with pytest.raises(OptionError, match=r"answered 3 tests with an array of the shape \(2, 5\)"):
        ChiSquare().run(Short(table), Batch.pairs(3))
