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
from bayesloom.independence import FixedAlpha
from bayesloom.model import embedded_pi, full_pi, partial_pi
from bayesloom.search import find_pseudo_independence
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
    for size in (3, 4):
        level = []
        for nodes in combinations(range(table.n_columns), size):
            if any(small <= set(nodes) for small in known):
                continue
            counts = [np.bincount(table.codes[v]) for v in nodes]
            observed = [int((c > 0).sum()) for c in counts]
            least = table.n_rows * math.prod(c[c > 0].min() / table.n_rows for c in counts)
            pairs = [pair_p(table, a, b) for a, b in combinations(nodes, 2)]
            if min(observed) < 2 or min(pairs) <= 0.2 or least < 1.0:
                continue
            total = sum(joint_entropy(table, [v]) for v in nodes) - joint_entropy(table, nodes)
            df = math.prod(observed) - sum(r - 1 for r in observed) - 1
            p = float(chi2.sf(2 * table.n_rows * total, df))
            if p <= 0.3:
                level.append((nodes, total, df, p, least, min(pairs)))
        known += [set(each[0]) for each in level]
        expected += level
    assert sorted(each.variables for each in found) == sorted(
        tuple(table.names[v] for v in nodes) for nodes, *_ in expected
    )
    by_nodes = {each.variables: each for each in found}
    for nodes, total, df, p, least, pair in expected:
        each = by_nodes[tuple(table.names[v] for v in nodes)]
        assert each.total_correlation == pytest.approx(total, abs=1e-12)
        assert each.statistic == 2 * table.n_rows * each.total_correlation
        assert each.df == df
        assert each.p == pytest.approx(p, rel=1e-6, abs=1e-12)
        assert each.min_expected == pytest.approx(least)
        assert each.pair_p == pytest.approx(pair, rel=1e-6, abs=1e-12)


def pair_p(table: Table, a: int, b: int) -> float:
    information = (
        joint_entropy(table, [a]) + joint_entropy(table, [b]) - joint_entropy(table, [a, b])
    )
    df = math.prod(len(set(table.codes[v].tolist())) - 1 for v in (a, b))
    return float(chi2.sf(2 * table.n_rows * max(information, 0.0), df)) if df else 1.0


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
    assert len(find_pseudo_independence(table, control=FixedAlpha(0.05))) > 50


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
