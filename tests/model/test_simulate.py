from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bayesloom.errors import CapacityError, OptionError
from bayesloom.graphs import DAG
from bayesloom.model import random_dag, random_net
from reference_model import same_network


@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.booleans())
def test_the_number_of_edges_lies_where_the_paper_says(n: int, seed: int, dense: bool) -> None:  # noqa: FBT001
    dag = random_dag(n, seed, dense=dense)
    most = n * (n - 1) // 2
    assert min(n if dense else 1, most) <= dag.n_edges <= min(2 * n, most)
    assert dag.n == n


def test_every_number_of_edges_in_the_range_occurs() -> None:
    rng = np.random.default_rng(1)
    assert {random_dag(6, rng).n_edges for _ in range(400)} == set(range(1, 13))
    assert {random_dag(6, rng, dense=True).n_edges for _ in range(300)} == set(range(6, 13))


def test_all_graphs_with_three_nodes_occur_about_as_often_as_the_paper_draws_them() -> None:
    rng = np.random.default_rng(2)
    seen = {random_dag(3, rng, edges=2).parent_masks for _ in range(500)}
    assert len(seen) == 12  # of 3 skeletons with 4 orientations each
    assert len({random_dag(3, rng, edges=3).parent_masks for _ in range(300)}) == 6


def test_a_complete_graph_can_be_asked_for() -> None:
    assert random_dag(20, 1, edges=190).n_edges == 190


def test_names_sort_in_node_order() -> None:
    names = random_dag(12, 1).names
    assert names[0] == "x00"
    assert list(names) == sorted(names)


def test_a_seed_repeats() -> None:
    assert random_dag(10, 5) == random_dag(10, 5)
    dag = random_dag(10, 5)
    assert same_network(random_net(dag, 5), random_net(dag, np.random.default_rng(5)))


def test_states_are_as_many_as_asked_for() -> None:
    dag = random_dag(30, 1)
    assert set(random_net(dag, 1, states=3).cardinality.tolist()) == {3}
    assert set(random_net(dag, 1, states=(2, 4)).cardinality.tolist()) == {2, 3, 4}


def test_binary_parameters_are_uniform_on_the_unit_interval() -> None:
    net = random_net(DAG.empty([f"x{v}" for v in range(20_000)]), 1)
    drawn = [float(table[0]) for table in net.tables]
    assert stats.kstest(drawn, "uniform").pvalue > 0.01


def test_parameters_of_more_states_are_uniform_on_the_simplex() -> None:
    net = random_net(DAG.empty([f"x{v}" for v in range(20_000)]), 1, states=3)
    for state in range(3):  # every part of a flat Dirichlet of three is Beta(1, 2)
        drawn = [float(table[state]) for table in net.tables]
        assert stats.kstest(drawn, stats.beta(1, 2).cdf).pvalue > 0.01


def test_wrong_options_are_one_sentence() -> None:
    with pytest.raises(OptionError, match="n must be at least 1, got 0"):
        random_dag(0, 1)
    with pytest.raises(OptionError, match="a graph of 3 nodes has 0 to 3 edges, got 4"):
        random_dag(3, 1, edges=4)
    with pytest.raises(OptionError, match="states must be at least 1, got 0"):
        random_net(random_dag(3, 1), 1, states=0)
    with pytest.raises(OptionError, match=r"the least and the most in this order, got \(3, 2\)"):
        random_net(random_dag(3, 1), 1, states=(3, 2))
    with pytest.raises(CapacityError, match=r"the network would have .* probabilities; at most"):
        random_net(random_dag(40, 1, edges=780), 1)
