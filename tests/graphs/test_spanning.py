from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.arrays import Floats
from bayesloom.graphs.spanning import maximum_spanning_forest
from reference_graphs import Links, kruskal_forest
from reference_search import all_forests, all_trees

Weights = tuple[int, list[float]]
Algorithm = Callable[[int, Floats], list[tuple[int, int]]]


@st.composite
def weights(draw: st.DrawFn, most: int = 6) -> Weights:
    """Weights with many ties, some blurred by rounding, some pairs that must stay apart."""
    n = draw(st.integers(1, most))
    half = 0.5e-12  # the next number rounds to another multiple of the tie
    weight = st.sampled_from(
        [0.0, 0.1, half, np.nextafter(half, 1), 0.3, 0.3 + 1e-16, 0.3 - 4e-16, 2.5, -np.inf]
    )
    return n, draw(st.lists(weight, min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2))


def as_links(edges: list[tuple[int, int]]) -> Links:
    return frozenset(map(frozenset, edges))


def total(links: Links, n: int, given_: list[float]) -> float:
    pairs = zip(*np.triu_indices(n, 1), strict=True)
    weight = {frozenset((int(a), int(b))): w for (a, b), w in zip(pairs, given_, strict=True)}
    return sum(weight[link] for link in links)


@pytest.mark.parametrize("algorithm", [maximum_spanning_forest, kruskal_forest])
class TestBothAlgorithms:
    @given(weights(5))
    @settings(max_examples=30)
    def test_find_a_forest_of_maximal_size_and_weight(
        self, algorithm: Algorithm, drawn: Weights
    ) -> None:
        n, given_ = drawn
        found = as_links(algorithm(n, np.array(given_)))
        rivals = [
            (len(links), weight)
            for links in all_forests(n)
            if (weight := total(links, n, given_)) > -np.inf
        ]
        size, weight = max(rivals)
        assert len(found) == size
        assert total(found, n, given_) == pytest.approx(weight, abs=1e-10)


@given(weights(9))
def test_prim_and_kruskal_find_the_same_tree(drawn: Weights) -> None:
    n, given_ = drawn
    prim, kruskal = (f(n, np.array(given_)) for f in (maximum_spanning_forest, kruskal_forest))
    assert as_links(prim) == as_links(kruskal)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_rounding_noise_changes_no_tree(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    given_ = rng.integers(0, 5, n * (n - 1) // 2) / 7
    noisy = given_ + rng.uniform(-1e-15, 1e-15, len(given_))
    for algorithm in (maximum_spanning_forest, kruskal_forest):
        assert as_links(algorithm(n, given_)) == as_links(algorithm(n, noisy))


def test_ties_go_to_the_smaller_pairs() -> None:
    equal = np.full(10, 0.25)
    for algorithm in (maximum_spanning_forest, kruskal_forest):
        assert sorted(algorithm(5, equal)) == [(0, 1), (0, 2), (0, 3), (0, 4)]


def test_prim_names_the_node_in_the_tree_first() -> None:
    assert maximum_spanning_forest(4, np.array([0.0, 0.0, 3.0, 0.0, 2.0, 1.0])) == [
        (0, 3),
        (3, 1),
        (3, 2),
    ]


def test_the_reference_lists_all_trees_and_forests() -> None:
    assert [len(set(all_trees(n))) for n in range(1, 7)] == [1, 1, 3, 16, 125, 1296]
    assert [len(set(all_forests(n))) for n in range(1, 6)] == [1, 2, 7, 38, 291]
