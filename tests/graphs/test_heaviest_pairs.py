"""Forests of pairs that come in blocks, against those of all pairs at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.arrays import Floats
from bayesloom.graphs import heaviest_pairs
from bayesloom.graphs.heaviest_pairs import BELOW_WEAKEST, HeaviestPairs, outward
from bayesloom.graphs.spanning import maximum_spanning_forest
from reference_graphs import kruskal_forest


def in_blocks(n: int, weights: Floats, size: int, margin: float = BELOW_WEAKEST) -> HeaviestPairs:
    """Take up the weights of all pairs, so many at a time."""
    first, second = (ends.astype(np.int32) for ends in np.triu_indices(n, 1))
    pairs = HeaviestPairs(n, margin=margin)
    for k in range(0, len(weights), size):
        some = slice(k, k + size)
        pairs.add(first[some], second[some], weights[some])
    return pairs


def drawn(n: int, seed: int) -> Floats:
    """Draw weights with ties, chains of them, and pairs that must stay apart."""
    rng = np.random.default_rng(seed)
    size = n * (n - 1) // 2
    weights = rng.integers(0, int(rng.integers(1, 40)), size) / 7
    weights += rng.integers(0, 6, size) * rng.choice([0.0, 4e-13, 9e-13, 3e-10])
    weights[rng.random(size) < rng.choice([0.0, 0.02, 0.9])] = -np.inf
    return weights


@pytest.mark.parametrize("enough", [0, 10, 1 << 20])
@given(n=st.integers(1, 40), seed=st.integers(0, 2**32 - 1), size=st.integers(1, 300))
@settings(max_examples=80)
def test_the_forest_is_that_of_all_pairs_in_the_order_of_kruskal_and_of_prim(
    enough: int, n: int, seed: int, size: int
) -> None:
    weights = drawn(n, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heaviest_pairs, "_ENOUGH", enough)
        patch.setattr(heaviest_pairs, "_TRIED_FIRST", 1)
        pairs = in_blocks(n, weights, size)
        edges = pairs.forest()
        if not pairs.is_certain:
            pairs = in_blocks(n, weights, size, margin=math.inf)
            edges = pairs.forest()
            assert pairs.is_certain
    assert edges == kruskal_forest(n, weights)
    assert outward(n, edges) == maximum_spanning_forest(n, weights)


def test_of_many_pairs_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heaviest_pairs, "_ENOUGH", 1000)
    n = 400
    weights = np.random.default_rng(1).random(n * (n - 1) // 2)
    assert len(in_blocks(n, weights, 1000)) < len(weights) / 10


def test_a_chain_of_ties_that_reaches_below_what_was_kept_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heaviest_pairs, "_ENOUGH", 0)
    n = 200
    weights = 1.0 - np.linspace(0, 1.7e-8, n * (n - 1) // 2, dtype=np.float64)
    pairs = in_blocks(n, weights, 100)
    pairs.forest()
    assert not pairs.is_certain
    again = in_blocks(n, weights, 100, margin=math.inf)
    edges = again.forest()
    assert again.is_certain
    assert edges == kruskal_forest(n, weights) == [(0, v) for v in range(1, n)]


def test_nodes_in_no_pair_do_not_keep_others_from_being_thinned_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heaviest_pairs, "_ENOUGH", 100)
    first, second = (ends.astype(np.int32) for ends in np.triu_indices(50, 1))
    weights = np.random.default_rng(1).random(len(first))
    weights[first == 0] = -np.inf
    kept = []
    for n_apart in (0, 1):
        pairs = HeaviestPairs(50, n_apart)
        pairs.add(first, second, weights)
        kept.append(len(pairs))
    assert kept[0] == 49 * 48 // 2 > 2 * kept[1]
