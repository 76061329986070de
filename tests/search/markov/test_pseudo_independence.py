"""Sets that are independent in pairs and dependent together, against a plain computation."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import chi2

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import OptionError
from bayesloom.independence import AlphaSpending, FixedAlpha
from bayesloom.model import embedded_pi, full_pi, partial_pi
from bayesloom.search import find_pseudo_independence
from every_engine import three_blocks
from reference_dmn import joint_entropy
from strategies_search import tables


@settings(max_examples=40)
@given(tables(least=1, most=6, rows=(60, 200, 500)))
def test_every_set_is_found_and_tested_as_defined(table: Table) -> None:
    found = find_pseudo_independence(
        table, 4, independent=0.2, control=FixedAlpha(0.3), min_expected=1.0
    )
    expected = []
    known: list[set[int]] = []
    n_pairs = max(1, math.comb(table.n_columns, 2))
    for size in (3, 4):
        level = []
        for nodes in combinations(range(table.n_columns), size):
            if any(small <= set(nodes) for small in known):
                continue
            counts = [np.bincount(table.codes[v]) for v in nodes]
            observed = [int((c > 0).sum()) for c in counts]
            least = table.n_rows * math.prod(c[c > 0].min() / table.n_rows for c in counts)
            pairs = [pair_p(table, a, b) for a, b in combinations(nodes, 2)]
            if min(observed) < 2 or min(pairs) <= 0.2 / n_pairs or least < 1.0:
                continue
            total = sum(joint_entropy(table, [v]) for v in nodes) - joint_entropy(table, nodes)
            df = math.prod(observed) - sum(r - 1 for r in observed) - 1
            p = float(chi2.sf(2 * table.n_rows * total, df))
            links = [link_p(table, a, b, nodes) for a, b in combinations(nodes, 2)]
            if max(links) <= 0.3:
                level.append((nodes, total, df, p, least, min(pairs), max(links)))
        known += [set(each[0]) for each in level]
        expected += level
    assert sorted(each.variables for each in found) == sorted(
        tuple(table.names[v] for v in nodes) for nodes, *_ in expected
    )
    by_nodes = {each.variables: each for each in found}
    for nodes, total, df, p, least, pair, link in expected:
        each = by_nodes[tuple(table.names[v] for v in nodes)]
        assert each.total_correlation == pytest.approx(total, abs=1e-12)
        assert each.statistic == 2 * table.n_rows * each.total_correlation
        assert each.df == df
        assert each.p == pytest.approx(p, rel=1e-6, abs=1e-12)
        assert each.min_expected == pytest.approx(least)
        assert each.pair_p == pytest.approx(pair, rel=1e-6, abs=1e-12)
        assert each.link_p == pytest.approx(link, rel=1e-6, abs=1e-12)


def pair_p(table: Table, a: int, b: int) -> float:
    information = (
        joint_entropy(table, [a]) + joint_entropy(table, [b]) - joint_entropy(table, [a, b])
    )
    df = math.prod(len(set(table.codes[v].tolist())) - 1 for v in (a, b))
    return float(chi2.sf(2 * table.n_rows * max(information, 0.0), df)) if df else 1.0


def link_p(table: Table, a: int, b: int, nodes: tuple[int, ...]) -> float:
    """Test a pair given the other nodes."""
    rest = [v for v in nodes if v not in (a, b)]
    information = (
        joint_entropy(table, [a, *rest])
        + joint_entropy(table, [b, *rest])
        - joint_entropy(table, nodes)
        - joint_entropy(table, rest)
    )
    seen = {v: len(set(table.codes[v].tolist())) for v in nodes}
    df = (seen[a] - 1) * (seen[b] - 1) * math.prod(seen[v] for v in rest)
    return float(chi2.sf(2 * table.n_rows * max(information, 0.0), df))


def noisy_parity(n: int, seed: int, rows: int = 2000) -> tuple[Table, set[str]]:
    """Return fair bits of which three are a parity, with one row in twenty wrong."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, (n, rows))
    a, b, c = rng.permutation(n)[:3]
    bits[c] = bits[a] ^ bits[b] ^ (rng.random(rows) < 0.05)
    names = [f"x{v:03}" for v in range(n)]
    return Table(names, [["0", "1"]] * n, list(bits)), {names[v] for v in (a, b, c)}


def test_no_true_set_is_lost_by_the_test_of_its_pairs() -> None:
    for seed in range(60):
        table, parity = noisy_parity(20, seed)
        assert [set(each.variables) for each in find_pseudo_independence(table)] == [parity]


def test_equal_columns_are_no_set_and_each_of_them_is_in_one() -> None:
    table, parity = noisy_parity(8, 5)
    one = min(parity)
    names = (*table.names, "copy")
    codes = [*table.codes, table.codes[table.names.index(one)]]
    doubled = Table(names, [["0", "1"]] * 9, codes)
    found = {frozenset(each.variables) for each in find_pseudo_independence(doubled, 4)}
    assert found == {frozenset(parity), frozenset(parity - {one} | {"copy"})}


def test_fewer_rows_than_columns_find_nothing_and_break_nothing() -> None:
    rng = np.random.default_rng(3)
    names = [f"x{v:02}" for v in range(40)]
    table = Table(names, [["0", "1"]] * 40, list(rng.integers(0, 2, (40, 30))))
    assert find_pseudo_independence(table) == ()
    assert find_pseudo_independence(table, min_expected=1.0) == ()


def test_an_engine_without_a_quick_way_finds_the_same() -> None:
    table, _ = noisy_parity(12, 1)
    quick = find_pseudo_independence(NativeEngine(table), 4)
    assert quick
    assert find_pseudo_independence(three_blocks(table), 4) == quick


def test_a_control_that_wants_its_p_values_in_turn_gets_them() -> None:
    table, parity = noisy_parity(12, 1)
    (found,) = find_pseudo_independence(table, control=AlphaSpending(0.05))
    assert set(found.variables) == parity


def test_a_full_model_of_four_is_found_as_four() -> None:
    table = full_pi([0.5] * 4, names="ABCD").sample(3000, 1)
    assert find_pseudo_independence(table, 3) == ()
    (found,) = find_pseudo_independence(table, 4)
    assert found.variables == ("A", "B", "C", "D")
    assert found.p < 1e-100


def test_the_core_of_an_embedded_model_comes_first() -> None:
    core = full_pi([0.5] * 3, names="ABC")
    net = embedded_pi(core, {"D": ("C", (0.2, 0.8)), "E": ("D", (0.2, 0.8))})
    found = find_pseudo_independence(net.sample(5000, 2))
    assert found[0].variables == ("A", "B", "C")
    assert found[1].variables == ("A", "B", "D")
    assert found[0].total_correlation > found[1].total_correlation


def test_a_set_with_a_dependent_pair_is_not_reported() -> None:
    pair, single = [[0.30, 0.15], [0.20, 0.35]], [0.55, 0.45]
    table = partial_pi([pair, single], 0.05).sample(5000, 1)
    assert find_pseudo_independence(table) == ()


def test_the_control_keeps_false_sets_out_of_independent_data() -> None:
    rng = np.random.default_rng(11)
    names = [f"x{v:02}" for v in range(25)]
    table = Table(names, [["0", "1"]] * 25, list(rng.integers(0, 2, (25, 800))))
    assert find_pseudo_independence(table) == ()
    assert len(find_pseudo_independence(table, control=FixedAlpha(0.05))) > 20


def test_order_of_columns_and_the_kind_of_data_change_nothing() -> None:
    table = full_pi([0.5] * 3, names="ABC").sample(500, 3)
    found = find_pseudo_independence(table)
    assert find_pseudo_independence(table.select(["C", "A", "B"])) == found
    assert find_pseudo_independence(NativeEngine(table)) == found


def test_constant_columns_and_few_columns_have_no_sets() -> None:
    assert find_pseudo_independence(Table(["A"], [["0", "1"]], [[0, 1]])) == ()
    flat = Table(list("ABC"), [["0", "1"]] * 3, [[0, 1] * 50, [0] * 100, [1] * 100])
    assert find_pseudo_independence(flat) == ()


def test_too_few_rows_settle_nothing() -> None:
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 8
    table = Table(list("ABC"), [["0", "1"]] * 3, list(zip(*rows, strict=True)))
    assert find_pseudo_independence(table) == ()
    assert len(find_pseudo_independence(table, min_expected=4.0)) == 1


def test_options_that_make_no_sense_are_refused() -> None:
    table = Table(["A"], [["0", "1"]], [[0, 1]])
    with pytest.raises(OptionError, match="size must be at least 3, got 2"):
        find_pseudo_independence(table, 2)
    with pytest.raises(OptionError, match="independent must be"):
        find_pseudo_independence(table, independent=1.0)
