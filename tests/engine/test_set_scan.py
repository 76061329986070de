"""Sets that depend on each other together, against entropies of all sets."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine, StopSignal
from bayesloom.engine.set_scan import SetRule, dependent_sets
from bayesloom.errors import Stopped
from every_engine import three_blocks

SIZES = (1, 2, 2, 3, 2, 4, 2)


def engine_of(seed: int, rows: int = 150, threads: int = 1) -> NativeEngine:
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, r, rows) for r in SIZES]
    codes[2] = np.where(rng.random(rows) < 0.7, codes[1], codes[2])
    codes[4] = codes[1] ^ codes[6] ^ (rng.random(rows) < 0.1)
    names = [f"v{k}" for k in range(len(SIZES))]
    # More states are declared than occur.
    states = [[str(k) for k in range(r + 1)] for r in SIZES]
    return NativeEngine(Table(names, states, [c.astype(np.uint8) for c in codes]), threads)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 5),
    st.integers(2, 5),
    st.sampled_from([0.0, 0.7, 3.0]),
    st.sampled_from([-math.inf, 0.0, 2.0, 20.0]),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=5),
)
def test_just_the_sets_are_returned_that_the_rule_asks_for(
    seed: int, size: int, price: float, least: float, together: list[tuple[int, int]]
) -> None:
    floor = 0.02 * (seed % 2)
    engine = engine_of(seed)
    n, n_rows = engine.n_variables, engine.n_rows
    barred = {frozenset(pair) for pair in together}
    apart = [
        sum(1 << u for u in range(n) if u != v and frozenset((u, v)) not in barred)
        for v in range(n)
    ]
    share = np.linspace(0.2, 0.8, n)
    found = dependent_sets(engine, SetRule(size, apart, price, least, share, floor))
    assert found is not None
    single = engine.entropies(Batch.sets([v] for v in range(n)))
    wanted, looked = {}, 0
    for nodes in combinations(range(n), size):
        if any(frozenset(pair) in barred for pair in combinations(nodes, 2)):
            continue
        if share[list(nodes)].prod() < floor:
            continue
        looked += 1
        total = n_rows * float(single[list(nodes)].sum() - engine.entropies(Batch.sets([nodes]))[0])
        levels = [SIZES[v] + 1 for v in nodes]
        parameters = math.prod(levels) - 1 - sum(r - 1 for r in levels)
        assert (
            abs(total - price * parameters - least) > 1e-7 or not math.isfinite(least) or not total
        )
        if total - price * parameters > least + 1e-9:
            wanted[nodes] = total
    assert found.looked == looked
    told = dict(zip(map(tuple, found.sets.tolist()), found.total.tolist(), strict=True))
    assert {nodes for nodes, total in told.items() if total > 1e-9} == {
        nodes for nodes, total in wanted.items() if total > 1e-9
    }
    for nodes, total in told.items():
        assert total == pytest.approx(wanted.get(nodes, 0.0), abs=1e-9)
    assert list(told) == sorted(told)


def test_threads_change_nothing() -> None:
    rule = SetRule(4, [127 & ~(1 << v) for v in range(7)], least=1.0)
    one, many = (dependent_sets(engine_of(1, threads=k), rule) for k in (1, 4))
    assert one is not None
    assert many is not None
    assert one.sets.tolist() == many.sets.tolist()
    assert one.total.tolist() == many.total.tolist()


def test_a_signal_ends_the_scan() -> None:
    signal = StopSignal()
    engine = engine_of(1).until(signal)
    signal.set()
    with pytest.raises(Stopped):
        dependent_sets(engine, SetRule(3, [127 & ~(1 << v) for v in range(7)]))


def test_where_there_is_no_quick_way_nothing_is_returned() -> None:
    rng = np.random.default_rng(0)
    rule = SetRule(3, [0b110, 0b101, 0b011])
    bits = list(rng.integers(0, 2, (3, 50)))
    table = Table(list("ABC"), [["0", "1"]] * 3, bits)
    assert dependent_sets(three_blocks(table), rule) is None
    many = [[str(k) for k in range(40)], ["0", "1"], ["0", "1"]]
    wide = Table(list("ABC"), many, [np.arange(50) % 40, *bits[1:]])
    assert dependent_sets(NativeEngine(wide), rule) is None
    holes = Table.from_frame(
        {"A": ["a", None, "b"], "B": list("xyx"), "C": list("xxy")}, missing="keep"
    )
    assert dependent_sets(NativeEngine(holes), rule) is None
