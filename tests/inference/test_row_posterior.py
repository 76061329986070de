from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given as draw
from hypothesis import settings
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.graphs import ancestors, bits, d_connected
from bayesloom.inference import row_posterior
from bayesloom.inference.row_posterior import RowPosteriors
from bayesloom.model import BayesNet, example_net
from bayesloom.model.mixed import row_groups
from bayesloom.model.mixed.row_groups import RowGroups
from bayesloom.model.observation import Observations
from strategies_model import bayes_nets

LIMITS = {"_MOST_CONFIGURATIONS": 8, "_BLOCK": 4, "_LARGEST_KEY": 6, "_MOST_BITS": 1}


def with_holes(net: BayesNet, n_rows: int, seed: int, share: float) -> Observations:
    rng = np.random.default_rng(seed)
    table = bl.sample(net, n_rows, seed)
    columns = [v for v in range(net.n) if rng.random() < 0.9]
    codes: dict[int, npt.NDArray[np.int32]] = {
        v: np.where(rng.random(n_rows) < share, -1, table.codes[v].astype(np.int32))
        for v in columns
    }
    return Observations(n_rows, codes)


def without(rows: Observations, v: int) -> Observations:
    return Observations(rows.n_rows, {u: c for u, c in rows.codes.items() if u != v})


@pytest.mark.parametrize("name", ["asia", "child", "insurance"])
@pytest.mark.parametrize("limit", LIMITS)
def test_no_limit_changes_an_answer(name: str, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net = example_net(name)
    rows = with_holes(net, 60, 5, 0.3)
    targets = range(0, net.n, 4)
    usual = [RowPosteriors(net, v, 1e9).of(without(rows, v)) for v in targets]
    home = row_groups if limit == "_MOST_BITS" else row_posterior
    monkeypatch.setattr(home, limit, LIMITS[limit])
    for v, expected in zip(targets, usual, strict=True):
        found = RowPosteriors(net, v, 1e9).of(without(rows, v))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@draw(net=bayes_nets(6), observed=st.integers(0, 63), target=st.integers(0, 5))
@settings(max_examples=200)
def test_what_is_left_out_is_separated_from_the_target_or_below_all_that_is_known(
    net: BayesNet, observed: int, target: int
) -> None:
    target %= net.n
    observed &= (1 << net.n) - 1 & ~(1 << target)
    hidden = (1 << net.n) - 1 & ~observed
    near, families = RowGroups(net, target).relevant(hidden)
    parents = net.dag.parent_masks
    connected = d_connected(parents, target, observed) | 1 << target
    matter = connected & ancestors(parents, observed | 1 << target)
    assert near & ~hidden == 0
    assert matter & ~near == 0
    for v in bits(near):
        assert families >> v & 1
    for v in bits(families & ~near):
        assert observed >> v & 1
        assert parents[v] & near


def test_impossible_rows_are_not_numbers_and_others_are_untouched() -> None:
    net = BayesNet.from_tables(
        {
            "a": (["n", "y"], [], [1.0, 0.0]),
            "b": (["n", "y"], ["a"], [[1.0, 0.0], [0.5, 0.5]]),
        }
    )
    found = RowPosteriors(net, 0, 1e9).of(Observations(3, {1: np.array([0, 1, -1], np.int32)}))
    assert np.isnan(found[1]).all()
    assert found[[0, 2]].tolist() == [[1.0, 0.0], [1.0, 0.0]]


def test_rows_are_parted_into_groups_that_cover_them_once() -> None:
    net = example_net("insurance")
    rows = without(with_holes(net, 200, 3, 0.4), 0)
    groups = list(RowGroups(net, 0).parts(rows.known(), rows.n_rows))
    seen = Counter(int(row) for some, _ in groups for row in some)
    assert seen == Counter(range(200))
    for some, hidden in groups:
        for v in bits(hidden):
            assert v == 0 or v not in rows.codes or (rows.codes[v][some] < 0).all()
