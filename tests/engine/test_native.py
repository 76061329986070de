"""What only the native engine has: instruction sets, threads, collapsed rows, kernels, a border."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

import reference
from bayesloom import _native
from bayesloom.arrays import Floats, Longs
from bayesloom.data import Table
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, TestKernel
from bayesloom.engine.batch import NONE
from bayesloom.errors import OptionError
from engine_cases import CUT, cut_case
from strategies import Request, asked_tables, make_table, spelled_out, with_source

Asked = tuple[Table, list[Request]]

native: Any = _native  # the border is called with all that its stub forbids

LEVELS = range(native.best_isa() + 1)
FUZZERS = Path(__file__).parents[1] / "fuzz"


def store_of(table: Table, isa: int = -1) -> Any:  # noqa: ANN401
    return native.Store(list(table.codes), table.cardinality, isa)


def answers(store: _native.Store, batch: Batch, threads: int = 1) -> list[Floats]:
    arrays = batch.arrays
    return [
        store.families(*arrays, FamilyKernel.LOG_LIKELIHOOD, 1.0, 0.5, threads),
        store.families(*arrays, FamilyKernel.BDEU, 0.7, 0.0, threads),
        store.families(*arrays, FamilyKernel.K2, 1.0, 0.0, threads),
        store.families(*arrays, FamilyKernel.FNML, 1.0, 0.5, threads),
        store.families(*arrays, FamilyKernel.BDS, 0.7, 0.0, threads),
        store.informations(*arrays, threads),
        store.tests(*arrays, TestKernel.CHI_SQUARE, threads),
        store.tests(*arrays, TestKernel.G_SQUARE, threads),
        store.entropies(*arrays, threads),
    ]


def same_bits(left: list[Floats], right: list[Floats]) -> bool:
    return all(a.tobytes() == b.tobytes() for a, b in zip(left, right, strict=True))


def drawn_table(seed: int, n_rows: int, states: list[int]) -> Table:
    rng = np.random.default_rng(seed)
    return make_table([rng.integers(0, r, n_rows) for r in states], states)


# Instruction sets and threads


@settings(max_examples=40)
@given(asked=asked_tables(max_rows=1500, states=(1, 2, 2, 3, 5, 32, 33)))
def test_every_instruction_set_gives_the_same_counts_and_bits(asked: Asked) -> None:
    table, requests = asked
    batch = Batch.of(requests)
    start = batch.table_starts(table.cardinality)
    stores = [store_of(table, level) for level in LEVELS]
    counts = [store.counts(*batch.arrays, start, 1).tobytes() for store in stores]
    floats = [answers(store, batch) for store in stores]
    assert [store.isa for store in stores] == list(LEVELS)
    assert set(counts) == {counts[0]}
    assert all(same_bits(floats[0], other) for other in floats)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_rows", [1, 64, 511, 512, 513, 4096, 70_001])
def test_bitmaps_of_every_length_are_counted_to_the_last_row(level: int, n_rows: int) -> None:
    table = drawn_table(n_rows, n_rows, [2, 3, 2, 4])
    asked: list[Request] = [
        (0, (), (1, 2, 3, NONE)),
        (1, (0, 2), (3, NONE)),
        (3, (2, 1, 0), (NONE,)),
    ]
    batch = Batch.of(asked)
    start = batch.table_starts(table.cardinality)
    cells = store_of(table, level).counts(*batch.arrays, start, 1)
    for i, axes in enumerate(spelled_out(asked)):
        expected = np.zeros([len(table.states[v]) for v in axes], np.int64)
        np.add.at(expected, tuple(table.codes[v] for v in axes), 1)
        assert cells[start[i] : start[i + 1]].tolist() == expected.ravel().tolist()


def test_an_instruction_set_the_processor_lacks_is_refused() -> None:
    table = drawn_table(0, 3, [2])
    for level in (native.best_isa() + 1, -2):
        with pytest.raises(ValueError, match="instruction set"):
            store_of(table, level)


@pytest.mark.parametrize("states", [[2, 3, 4, 2, 3], [40, 2, 300, 3, 33], [300, 257, 300, 40, 2]])
def test_the_number_of_threads_changes_no_bit(states: list[int]) -> None:
    table = drawn_table(5, 1000, states)
    batch = Batch.of(
        [
            (x, given, [v for v in range(5) if v not in (x, *given)])
            for x in range(5)
            for size in (0, 1, 2)
            for given in itertools.combinations([v for v in range(5) if v != x], size)
        ]
    )
    store = store_of(table)
    alone = answers(store, batch, 1)
    for threads in (2, 3, 7, 100_000):
        assert same_bits(alone, answers(store, batch, threads))
    assert same_bits(alone, answers(store_of(table), batch, 3))


@pytest.mark.parametrize("states", [[2, 3, 4, 2, 3], [40, 2, 300, 3, 33], [300, 257, 300, 40, 2]])
def test_neither_threads_nor_instructions_nor_collapsed_rows_change_a_score_with_a_prior(
    states: list[int],
) -> None:
    few, rng = drawn_table(5, 150, states), np.random.default_rng(6)
    table = with_source(*(few.take(rng.integers(0, 150, n)) for n in (1000, 700)))
    asked = [(x, tuple(range(5))[x + 1 :], (*range(x), NONE)) for x in range(5)]
    arrays = Batch.of(asked).with_given(5).arrays
    scores = {
        store.families_with_prior(*arrays, 0.5, 0.1, threads).tobytes()
        for store in [store_of(table, level) for level in LEVELS]
        for threads in (1, 2, 3, 7) * 10
    }
    assert len(scores) == 1


def test_python_threads_may_share_an_engine() -> None:
    table, batch = drawn_table(6, 20_000, [2, 3, 40, 300, *[3] * 12]), Batch.pairs(16)
    shared = NativeEngine(table, threads=2)
    expected = NativeEngine(table, threads=1).informations(batch).tobytes()

    def ask(i: int) -> bytes:
        engine = shared if i % 2 else NativeEngine(table, threads=3)
        return engine.informations(batch).tobytes()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(40)))
    assert set(found) == {expected}


COUNTING = """
import os, signal, sys, threading, time
import numpy as np
from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
codes = [np.arange(20_000) * i % 7 for i in range(1, 21)]
table = Table([f"v{i}" for i in range(20)], [list("0123456")] * 20, codes)
engine = NativeEngine(table, threads=3)
ask = lambda: engine.informations(Batch.pairs(20)).tobytes()
before = ask()
def forever():
    while True:
        ask()
"""
FORKED = """
child = os.fork()
if child == 0:
    os._exit(0 if ask() == before else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) or ask() != before)
"""
FORKED_MEANWHILE = """
threading.Thread(target=forever, daemon=True).start()
for _ in range(10):
    time.sleep(0.01)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if ask() == before else 1)
    if os.waitpid(child, 0)[1]:
        os._exit(1)
os._exit(0)
"""
LEFT_COUNTING = """
for _ in range(3):
    threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
"""
SIGNALLED = """
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.kill(os.getpid(), signal.SIGUSR1)
time.sleep(0.1)
sys.exit(signal.SIGUSR1 not in signal.sigpending())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork, no signals")
@pytest.mark.parametrize(
    "script",
    [FORKED, FORKED_MEANWHILE, LEFT_COUNTING, SIGNALLED],
    ids=["fork", "fork while a thread counts", "end while threads count", "blocked signal"],
)
def test_standing_threads_are_in_nobodys_way(script: str) -> None:
    settings = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # its thread takes signals
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", COUNTING + script],
        check=True,
        timeout=60,
        env=settings,
    )


def test_a_batch_that_changes_while_it_is_counted_does_no_harm() -> None:
    table, batch = drawn_table(6, 50_000, [3] * 20), Batch.pairs(20)
    engine = NativeEngine(table, threads=2)
    expected = engine.informations(batch).tobytes()
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(lambda: [engine.informations(batch).tobytes() for _ in range(30)])
        while not found.done():
            batch.partner[-20:] += 0
    assert set(found.result()) == {expected}
    with pytest.raises(ValueError, match="read-only"):
        engine.cardinality[0] = 9


def test_threads_below_one_are_refused() -> None:
    with pytest.raises(OptionError, match="threads must be at least 1, got 0"):
        NativeEngine(drawn_table(0, 3, [2]), threads=0)


# Kernels


@pytest.mark.parametrize("states", [[40, 50, 60], [300, 2, 33], [300, 300, 300], [65_536, 2, 40]])
def test_collapsing_repeated_rows_changes_no_bit(states: list[int]) -> None:
    distinct = drawn_table(7, 300, states)
    table = distinct.take(np.random.default_rng(8).integers(0, 300, 2500))
    batch = Batch.of([(0, (), (1, 2, NONE)), (0, (1,), (2, NONE)), (2, (1, 0), (NONE,))])
    store = store_of(table)
    before = answers(store, batch)
    assert store.n_distinct == table.n_rows
    for _ in range(10):
        answers(store, batch)
    assert store.n_distinct <= 300
    assert same_bits(before, answers(store, batch))
    assert same_bits(before, answers(store, batch, 3))
    fitting = Batch.of([(0, (), (1, 2, NONE)), (1, (2,), (NONE,))])
    start = fitting.table_starts(table.cardinality)
    collapsed, whole = (s.counts(*fitting.arrays, start, 1) for s in (store, store_of(table)))
    assert collapsed.tobytes() == whole.tobytes()


def test_rows_that_hardly_repeat_are_not_collapsed() -> None:
    table = drawn_table(9, 1000, [300, 300, 40])
    store, batch = store_of(table), Batch.of([(0, (1,), (2,))] * 150)
    answers(store, batch)
    answers(store, batch)
    assert store.n_distinct == table.n_rows


WIDE = 65_536


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("target", "given", "partner"),
    [
        (0, (), 1),
        (1, (), 0),
        (1, (0,), 2),
        (1, (2, 0), 3),
        (3, (1, 2, 0), NONE),
        (0, (1, 2, 3), NONE),
    ],
)
@pytest.mark.parametrize("n_rows", [1, 2, 500])
def test_the_widest_variable_may_stand_anywhere(
    target: int, given: tuple[int, ...], partner: int, n_rows: int
) -> None:
    rng = np.random.default_rng(n_rows)
    column = rng.choice([0, 1, 255, 256, 32_767, 32_768, 65_535], n_rows)
    others = [rng.integers(0, r, n_rows) for r in (2, 300, 3)]
    check_against_twins(make_table([column, *others], [WIDE, 2, 300, 3]), target, given, partner)


@pytest.mark.parametrize("n_rows", [1, 3, 200])
@pytest.mark.parametrize("n_given", [62, 63, 64, 100, 900])
def test_more_configurations_than_fit_64_bits_are_scored_by_those_that_occur(
    n_rows: int, n_given: int
) -> None:
    rng = np.random.default_rng(n_given)
    patterns = rng.integers(0, 2, (5, n_given))
    columns = patterns[rng.integers(0, 5, n_rows)].T
    table = make_table([rng.integers(0, 3, n_rows), *columns], [3] + [2] * n_given)
    check_against_twins(table, 0, tuple(range(1, n_given)), n_given)


def test_six_of_the_widest_variables_together_are_scored() -> None:
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, WIDE, 40) for _ in range(6)]
    columns[0] = columns[1] % 7
    check_against_twins(make_table(columns, [WIDE] * 6), 0, (1, 2, 3, 4), 5)


def check_against_twins(
    table: Table, target: int, given: tuple[int, ...], partner: int, tolerance: float = 1e-12
) -> None:
    engine, batch = NativeEngine(table), Batch.of([(target, given, (partner,))])
    parents = (*given, partner) if partner != NONE else given
    for kernel, true in (
        (FamilyKernel.LOG_LIKELIHOOD, reference.log_likelihood(table, target, parents)),
        (FamilyKernel.BDEU, reference.bdeu(table, target, parents, 0.5)),
        (FamilyKernel.K2, reference.k2(table, target, parents)),
        (FamilyKernel.FNML, reference.fnml(table, target, parents)),
        (FamilyKernel.BDS, reference.bds(table, target, parents, 0.5)),
        (FamilyKernel.SIZE_MIXTURE, reference.bdm(table, target, parents, 0.5)),
    ):
        assert reference.relative_error(engine.families(batch, kernel, 0.5)[0], true) <= tolerance
    entropy = reference.entropy(table, [*parents, target])
    assert abs(engine.entropies(batch)[0] - entropy) <= 1e-14 * max(1.0, float(entropy))
    if partner != NONE:
        shared = reference.information(table, target, partner, given)
        assert abs(engine.informations(batch)[0] - shared) <= 1e-14 * max(1.0, float(shared))


def test_an_engine_keeps_what_it_made_of_its_latest_prior_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = drawn_table(1, 50, [2, 3, 2, 4])
    engine, batch = NativeEngine(table), Batch.pairs(4)
    store = Mock(side_effect=native.Store)
    monkeypatch.setattr(_native, "Store", store)
    for prior in (table, table, table.take([3]), table):
        engine.families_with_prior(batch, prior)
        engine.families_with_prior(batch, prior)
    assert store.call_count == 3


# The border


def good_batch() -> list[npt.NDArray[Any]]:
    return list(Batch.of([(0, (1, 2), (3, NONE)), (1, (), (0,))]).arrays)


def longs(*values: int) -> Longs:
    return np.array(values, np.int64)


def ints(*values: int) -> npt.NDArray[np.int32]:
    return np.array(values, np.int32)


MALFORMED: dict[str, tuple[int, npt.NDArray[Any]]] = {
    "a variable beyond the last": (0, ints(0, 9)),
    "a negative target": (0, ints(-1, 1)),
    "no target for a request": (0, ints(0)),
    "a target too many": (0, ints(0, 1, 2)),
    "a start after the end": (1, longs(0, 3, 2)),
    "a negative start": (1, longs(-1, 2, 2)),
    "a first start that is not 0": (1, longs(1, 2, 2)),
    "starts that overflow": (1, longs(0, 2**62, 2)),
    "starts that stop early": (1, longs(0, 1, 1)),
    "no starts": (1, longs()),
    "too many starts": (1, longs(0, 1, 2, 2)),
    "a given variable twice": (2, ints(1, 1)),
    "the target among the given": (2, ints(1, 0)),
    "no variable as given": (2, ints(1, -1)),
    "a given variable beyond the last": (2, ints(1, 2**31 - 1)),
    "decreasing partner starts": (3, longs(0, 3, 1)),
    "the partner among the given": (4, ints(2, NONE, 0)),
    "the target as its partner": (4, ints(0, NONE, 0)),
    "a partner beyond the last": (4, ints(4, NONE, 0)),
    "a partner below none": (4, ints(-2, NONE, 0)),
    "a partner missing": (4, ints(3, NONE)),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_batch_that_does_not_hold_together_is_refused(case: str) -> None:
    store, batch = store_of(drawn_table(1, 50, [2, 3, 2, 4])), good_batch()
    place, array = MALFORMED[case]
    batch[place] = array
    for method, options in (
        (store.informations, (1,)),
        (store.entropies, (2,)),
        (store.tests, (True, 1)),
        (store.families, (1, 1.0, 0.0, 1)),
        (store.families_with_prior, (1.0, 0.0, 1)),
        (store.counts, (np.zeros(len(batch[4]) + 1, np.int64), 1)),
    ):
        with pytest.raises(ValueError, match=r"request|starts|batch"):
            method(*batch, *options)


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("spoil", ["type", "stride", "axes", "list", "none"])
def test_arrays_of_the_wrong_kind_are_refused_instead_of_copied(place: int, spoil: str) -> None:
    store, batch = store_of(drawn_table(1, 50, [2, 3, 2, 4])), good_batch()
    wrong: dict[str, Any] = {
        "type": batch[place].astype(np.int32 if place in {1, 3} else np.int64),
        "stride": np.repeat(batch[place], 2)[::2],
        "axes": batch[place][None, :],
        "list": batch[place].tolist(),
        "none": None,
    }
    arguments: list[Any] = [*batch[:place], wrong[spoil], *batch[place + 1 :], 1]
    with pytest.raises(TypeError):
        store.informations(*arguments)


@pytest.mark.parametrize(
    "start",
    [
        longs(0, 48, 60, 65),
        longs(0, 48, 60),
        longs(1, 49, 61, 67),
        longs(0, -48, 60, 66),
        longs(0, 48, 60, 2**40),
        longs(0, 48, 60, -(2**63)),
        longs(2**62, -(2**62), 60, 66),
        longs(),
    ],
)
def test_places_that_do_not_fit_the_tables_are_refused(start: Longs) -> None:
    store = store_of(drawn_table(1, 50, [2, 3, 2, 4]))
    with pytest.raises(ValueError, match="do not fit"):
        store.counts(*good_batch(), start, 1)
    assert len(store.counts(*good_batch(), longs(0, 48, 60, 66), 1)) == 66
    counts, states = np.ones(66, np.int64), ints(2, 3, 2, 4)
    with pytest.raises(ValueError, match="do not fit"):
        native.CountedTables(states, states, *good_batch(), counts[:65], start)


def test_a_dense_table_beyond_memory_is_refused_at_the_border_too() -> None:
    table = make_table([[0], [0], [0]], [WIDE, WIDE, WIDE])
    batch = Batch.of([(0, (1,), (2,))])
    with pytest.raises(ValueError, match="do not fit"):
        store_of(table).counts(*batch.arrays, longs(0, 2**48), 1)


@pytest.mark.parametrize("given", [(), (1,), (2, 1), (3,)])
def test_a_prior_needs_a_last_given_variable_that_tells_the_rows_apart(
    given: tuple[int, ...],
) -> None:
    store = store_of(drawn_table(1, 50, [2, 3, 2, 1]))
    asked = Batch.of([(0, (2,), (NONE,)), (0, given, (NONE,))])
    with pytest.raises(ValueError, match="given variable of two states"):
        store.families_with_prior(*asked.arrays, 1.0, 0.0, 1)
    states, start = ints(2, 3, 2, 1), asked.table_starts(ints(2, 3, 2, 1))
    counted = native.CountedTables(
        states, states, *asked.arrays, np.ones(start[-1], np.int64), start
    )
    with pytest.raises(ValueError, match="given variable of two states"):
        counted.families_with_prior(1.0, 0.0)


@pytest.mark.parametrize("ess", [0.0, -1.0, float("nan"), float("inf")])
def test_an_impossible_prior_is_refused_and_leaves_no_trace(ess: float) -> None:
    table = drawn_table(1, 50, [2, 3, 2, 4])
    store = store_of(table)
    with pytest.raises(ValueError, match="ess must be above 0"):
        store.families(*good_batch(), FamilyKernel.BDEU, ess, 0.0, 1)
    with pytest.raises(ValueError, match="ess must be above 0"):
        store.families_with_prior(*good_batch(), ess, 0.0, 1)
    assert same_bits(answers(store, Batch.pairs(4)), answers(store_of(table), Batch.pairs(4)))


@pytest.mark.parametrize("kind", [-1, len(FamilyKernel), 2**31 - 1])
def test_an_unknown_family_score_is_refused(kind: int) -> None:
    with pytest.raises(ValueError, match="unknown family score"):
        store_of(drawn_table(1, 50, [2, 3, 2, 4])).families(*good_batch(), kind, 1.0, 0.0, 1)


@pytest.mark.parametrize("kernel", [-1, 2, 2**31 - 1])
def test_an_unknown_test_statistic_is_refused(kernel: int) -> None:
    with pytest.raises(ValueError, match="unknown test statistic"):
        store_of(drawn_table(1, 50, [2, 3, 2, 4])).tests(*good_batch(), kernel, 1)


def misaligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the same numbers at an address that is no multiple of their size."""
    place = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype)
    place[:] = array
    return place


@pytest.mark.parametrize("place", range(5))
def test_misaligned_arrays_are_refused(place: int) -> None:
    table, batch = drawn_table(1, 50, [2, 3, 2, 4]), good_batch()
    store = store_of(table)
    sound = Batch(*batch)
    batch[place] = misaligned(batch[place])
    with pytest.raises(ValueError, match="not aligned"):
        store.informations(*batch, 1)
    with pytest.raises(ValueError, match="not aligned"):
        native.n_cells(*batch, table.cardinality)
    with pytest.raises(OptionError, match=r"must be one unbroken row of int.*not aligned"):
        NativeEngine(table).informations(Batch(*batch))
    wide = [misaligned(np.zeros(5, np.uint16)), np.zeros(5, np.uint16)]
    with pytest.raises(ValueError, match="not aligned"):
        native.Store(wide, ints(300, 300))
    with pytest.raises(ValueError, match="not aligned"):
        native.log_p_values(misaligned(np.ones(3)), np.ones(3))
    start = sound.table_starts(table.cardinality)
    with pytest.raises(ValueError, match="not aligned"):
        store.counts(*sound.arrays, misaligned(start), 1)


def test_a_price_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="price"):
        store_of(drawn_table(1, 50, [2, 3, 2, 4])).families(*good_batch(), 0, 1.0, float("nan"), 1)


@pytest.mark.parametrize(
    ("columns", "cardinality"),
    [
        ([], ints()),
        ([np.zeros(0, np.uint8)], ints(2)),
        ([np.zeros(3, np.uint8)], ints(2, 2)),
        ([np.zeros(3, np.uint8), np.zeros(4, np.uint8)], ints(2, 2)),
        ([np.array([0, 3], np.uint8)], ints(2)),
        ([np.array([0, 301], np.uint16)], ints(300)),
        ([np.array([0, 300], np.uint16)], ints(2)),
        ([np.zeros(3, np.uint8)], ints(0)),
        ([np.zeros(3, np.uint8)], ints(-5)),
        ([np.zeros(3, np.uint16)], ints(65_537)),
        ([np.zeros(3, np.int64)], ints(2)),
        ([np.zeros(3, np.float64)], ints(2)),
    ],
)
def test_a_store_of_impossible_columns_is_refused(
    columns: list[npt.NDArray[Any]], cardinality: npt.NDArray[np.int32]
) -> None:
    with pytest.raises(ValueError, match=r"columns|codes|code"):
        native.Store(columns, cardinality)


def test_columns_that_are_no_vectors_are_refused() -> None:
    for column in (np.zeros((2, 2), np.uint8), [0, 1], None, "01"):
        with pytest.raises(TypeError):
            native.Store([column], ints(2))


def test_a_family_with_more_configurations_than_any_float_can_hold_is_refused() -> None:
    n = 17_000
    store = store_of(make_table([[0, 1]] * n, [2] * n))
    batch = Batch.families([(0, range(1, n))])
    with pytest.raises(ValueError, match="too many parent configurations"):
        store.families(*batch.arrays, FamilyKernel.BDEU, 1.0, 0.0, 1)
    with pytest.raises(ValueError, match="too many parent configurations"):
        store.families_with_prior(*batch.arrays, 1.0, 0.0, 1)
    assert store.families(*batch.arrays, FamilyKernel.LOG_LIKELIHOOD, 1.0, 0.0, 1).tolist() == [0.0]


@pytest.mark.parametrize("states", [0, -1, -(2**31)])
def test_regrets_of_a_variable_without_states_are_refused(states: int) -> None:
    batch = Batch.families([(0, [1])])
    with pytest.raises(ValueError, match="a variable needs at least one state"):
        native.Regrets(10).quotients(*batch.arrays, np.array([2, states], np.int32))


@pytest.mark.parametrize("fuzzer", ["fuzz_native.py", "fuzz_native_models.py"])
def test_a_handful_of_random_calls_does_not_crash_the_interpreter(fuzzer: str) -> None:
    run = subprocess.run(
        [sys.executable, FUZZERS / fuzzer, "--count", "1500", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "1500 calls" in run.stdout


ASK = {
    "counts": lambda engine, batch: engine.counts(batch),
    "families": lambda engine, batch: engine.families(batch, FamilyKernel.BDEU),
    "informations": lambda engine, batch: engine.informations(batch),
    "tests": lambda engine, batch: engine.tests(batch, TestKernel.G_SQUARE),
    "entropies": lambda engine, batch: engine.entropies(batch),
}


@pytest.mark.parametrize("ask", ASK)
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([(0, (1,), (2,)), (3, (), (1,))], "request 1 of the batch asks for variable 3, but"),
        ([(0, (-2,), (2,))], "request 0 of the batch asks for variable -2, but the variables"),
        ([(0, (), (-2,))], "request 0 of the batch asks for variable -2, but the variables"),
        ([(0, (), (1,)), (0, (1, 1), (2,))], "request 1 of the batch names variable 1 twice"),
        ([(0, (1,), (2, 1))], "request 0 of the batch names variable 1 twice"),
        ([(0, (0,), (1,))], "request 0 of the batch names variable 0 twice"),
    ],
)
def test_a_batch_that_cannot_be_answered_is_refused_with_request_and_variable(
    ask: str, asked: list[tuple[int, tuple[int, ...], tuple[int, ...]]], said: str
) -> None:
    engine = NativeEngine(Table("ABC", ["01"] * 3, [[0, 1], [1, 0], [1, 1]]))
    with pytest.raises(OptionError, match=said):
        ASK[ask](engine, Batch.of(asked))


@pytest.mark.parametrize("ask", ASK)
def test_arrays_of_another_kind_are_refused_by_their_name(ask: str) -> None:
    engine = NativeEngine(Table("ABC", ["01"] * 3, [[0, 1], [1, 0], [1, 1]]))
    sound = Batch.of([(0, (1,), (2,))])
    for name in ("target", "given", "partner"):
        wide = replace(sound, **{name: getattr(sound, name).astype(np.float64)})
        with pytest.raises(
            OptionError, match=f"{name} of a batch must be one unbroken row of int3"
        ):
            ASK[ask](engine, wide)
    with pytest.raises(OptionError, match="given_start of a batch must rise from 0 to 1 in 1 step"):
        ASK[ask](engine, replace(sound, given_start=np.array([0, 7])))
    with pytest.raises(OptionError, match="batch must be a Batch, such as"):
        ASK[ask](engine, None)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kernel": FamilyKernel.BDEU, "ess": 0}, "ess must be above 0, got 0"),
        ({"kernel": FamilyKernel.BDEU, "ess": "1"}, "ess must be a number, got '1'"),
        ({"kernel": 8}, "kernel must be a FamilyKernel, got 8"),
        ({"kernel": "bdeu"}, "kernel must be a FamilyKernel, got 'bdeu'"),
        ({"kernel": None}, "kernel must be a FamilyKernel, got None"),
        ({"kernel": FamilyKernel.K2, "price": float("nan")}, "price must be a number, got nan"),
    ],
)
def test_options_of_families_are_refused_by_their_name(options: dict[str, Any], said: str) -> None:
    engine = NativeEngine(Table("AB", ["01"] * 2, [[0, 1], [1, 0]]))
    with pytest.raises(OptionError, match=said):
        engine.families(Batch.families([(0, (1,))]), **options)


def test_the_kernel_of_tests_is_refused_by_its_name() -> None:
    engine: Any = NativeEngine(Table("AB", ["01"] * 2, [[0, 1], [1, 0]]))
    for kernel in (7, "g", None):
        with pytest.raises(OptionError, match=f"kernel must be a TestKernel, got {kernel!r}"):
            engine.tests(Batch.pairs(2), kernel)


@pytest.mark.few(2)
@pytest.mark.parametrize("case", CUT)
def test_however_threads_cut_a_batch_no_bit_changes(case: str) -> None:
    table, batch, n_times = cut_case(case, drawn_table)
    store = store_of(table)
    for _ in range(n_times):
        alone = answers(store, batch, 1)
    assert store.n_distinct <= CUT[case][0]
    for threads in (2, 7):
        assert same_bits(alone, answers(store, batch, threads))
    few = Batch.of([(0, (1,), (2, 3, NONE))])
    start = few.table_starts(table.cardinality)
    one, two = (store.counts(*few.arrays, start, t).tobytes() for t in (1, 2))
    assert one == two
