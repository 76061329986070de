from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from bayesloom._native import AncestralDraw
from bayesloom.errors import CapacityError, OptionError
from bayesloom.model import BayesNet, draw_rows, load_net
from reference_model import all_rows, frequencies, joint
from strategies_model import bayes_nets

NETWORKS = Path(__file__).parents[1] / "data" / "model" / "networks"


@pytest.mark.parametrize("seed", range(5))
def test_frequencies_follow_the_distribution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    net = BayesNet.from_tables(
        {
            "c": ([str(k) for k in range(5)], ["a", "b"], rng.dirichlet(np.ones(5), (2, 3))),
            "a": (["0", "1"], [], [0.3, 0.7]),
            "b": (["0", "1", "2"], ["a"], rng.dirichlet(np.ones(3), 2)),
        }
    )
    n = 50_000
    seen = frequencies(draw_rows(net, n, seed), net.names)
    rows = [tuple(row.values()) for row in all_rows(net)]
    expected = np.array([joint(net, row) for row in all_rows(net)]) * n
    large = expected > 5
    observed = np.array([seen[row] for row in rows])
    statistic = ((observed - expected)[large] ** 2 / expected[large]).sum()
    assert scipy.stats.chi2.sf(statistic, int(large.sum()) - 1) > 1e-4


@given(bayes_nets())
def test_impossible_states_are_never_drawn(net: BayesNet) -> None:
    for row in frequencies(draw_rows(net, 50, 1), net.names):
        assert joint(net, dict(zip(net.names, row, strict=True))) > 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no such timer")
def test_drawing_is_broken_off_when_a_signal_raises() -> None:
    net = load_net(NETWORKS / "alarm.bif.gz")
    bits, rows = np.random.PCG64(1), 1_000_000
    all_drawn = np.random.PCG64(1).advance(rows * net.n).state

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        with pytest.raises(KeyboardInterrupt):
            draw_rows(net, rows, np.random.Generator(bits))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert bits.state != all_drawn


def test_rows_drawn_in_parts_are_those_of_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    net = load_net(NETWORKS / "asia.bif.gz")
    rows = 3 * AncestralDraw.block_rows + 5
    whole, bits = draw_rows(net, rows, 1), np.random.PCG64(1)
    monkeypatch.setattr("bayesloom.model.sampling._CELLS_AT_ONCE", 1)
    parts = draw_rows(net, rows, np.random.Generator(bits))
    assert all((a == b).all() for a, b in zip(whole.codes, parts.codes, strict=True))
    assert bits.state == np.random.PCG64(1).advance(rows * net.n).state


def test_columns_that_share_memory_are_refused() -> None:
    """What a parent drew would be another variable's code, beyond the table, when it is read."""
    made = AncestralDraw(
        np.array([2, 2, 9], np.int32),
        np.array([0, 2, 1], np.int32),
        np.array([0, 0, 0, 1], np.int64),
        np.array([0], np.int32),
        np.array([0.5, 0.5, *[1 / 9] * 9, 0.5, 0.5, 0.5, 0.5]),
    )
    room = np.zeros(100, np.uint8)
    generator: Any = np.random.PCG64(1)  # has to live as long as its capsule is used
    made.draw(generator.capsule, [room[:30], room[30:60], room[60:90]])
    for other in (room[:30], room[29:59]):
        with pytest.raises(ValueError, match="columns must not share memory"):
            made.draw(generator.capsule, [room[:30], room[60:90], other])


def highest_generator() -> np.random.Generator:
    """Return a generator whose next numbers are as close to 1 as they get: all bits are ones."""
    word = 0xFFFFFFFF  # the tempering of the Mersenne Twister, undone from its last step on
    word ^= word >> 18
    word ^= (word << 15) & 0xEFC60000
    known = word
    for _ in range(4):
        word = known ^ ((word << 7) & 0x9D2C5680)
    known = word
    for _ in range(2):
        word = known ^ (word >> 11)
    bits = np.random.MT19937()
    key = np.full(624, word, np.uint32)
    bits.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 0}}
    return np.random.Generator(bits)


def test_rounding_lets_no_impossible_state_through() -> None:
    assert highest_generator().random() == np.nextafter(1.0, 0.0)
    row = np.array([0.1] * 10 + [0.0])
    assert np.cumsum(row)[9] < 1  # the trap
    net = BayesNet.from_tables({"x": ([str(k) for k in range(11)], [], row)})
    drawn = draw_rows(net, 3, highest_generator())
    assert drawn.column("x").tolist() == [9, 9, 9]


@given(bayes_nets(), st.randoms(use_true_random=False))
def test_rows_do_not_depend_on_the_order_of_the_variables(net: BayesNet, random: Any) -> None:  # noqa: ANN401
    names = list(net.names)
    random.shuffle(names)
    table, moved = draw_rows(net, 20, 3), draw_rows(net.reordered(names), 20, 3)
    for name in names:
        assert table.column(name).tolist() == moved.column(name).tolist()


def test_a_seed_repeats_and_a_generator_goes_on() -> None:
    net = load_net(NETWORKS / "asia.bif.gz")
    first, second = draw_rows(net, 100, 7), draw_rows(net, 100, np.random.default_rng(7))
    assert all((a == b).all() for a, b in zip(first.codes, second.codes, strict=True))
    rng = np.random.default_rng(7)
    draw_rows(net, 100, rng)
    later = draw_rows(net, 100, rng)
    assert any((a != b).any() for a, b in zip(first.codes, later.codes, strict=True))


def test_the_table_declares_the_states_of_the_network() -> None:
    net = BayesNet.from_tables({"x": (["never", "always"], [], [0, 1])})
    table = draw_rows(net, 5, 1)
    assert table.states == (("never", "always"),)
    assert table.column("x").dtype == np.uint8


def test_many_states_need_two_bytes() -> None:
    r = 300
    net = BayesNet.from_tables({"x": ([str(k) for k in range(r)], [], np.full(r, 1 / r))})
    column = draw_rows(net, 100_000, 1).column("x")
    assert column.dtype == np.uint16
    assert np.bincount(column, minlength=r).min() > 200


def test_wrong_sizes_are_one_sentence() -> None:
    net = BayesNet.from_tables({"x": (["a"], [], [1])})
    with pytest.raises(OptionError, match="n_rows must be at least 1, got 0"):
        draw_rows(net, 0, 1)
    r = 65_537
    wide = BayesNet.from_tables({"x": ([str(k) for k in range(r)], [], np.full(r, 1 / r))})
    with pytest.raises(CapacityError, match="'x' has 65,537 states, and a table holds at most"):
        draw_rows(wide, 1, 1)
