from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import GraphError, ModelError, UnknownStateError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet
from reference_model import all_rows, joint, same_network
from strategies_model import bayes_nets

YES_NO = ["no", "yes"]


def sprinkler() -> BayesNet:
    return BayesNet.from_tables(
        {
            "wet": (
                YES_NO,
                ["sprinkler", "rain"],
                [[[1.0, 0.0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]],
            ),
            "rain": (YES_NO, [], [0.8, 0.2]),
            "sprinkler": (YES_NO, ["rain"], [[0.6, 0.4], [0.99, 0.01]]),
        }
    )


def test_from_tables_takes_the_parents_in_the_users_order_and_keeps_them_in_node_order() -> None:
    net = sprinkler()
    assert net.names == ("wet", "rain", "sprinkler")
    assert net.parents("wet") == ("rain", "sprinkler")
    assert net.table("wet")[1, 0].tolist() == [0.2, 0.8]
    assert net.table("wet")[0, 1].tolist() == [0.1, 0.9]


def test_a_network_tells_its_parts_by_name() -> None:
    net = sprinkler()
    assert net.edges == (("rain", "wet"), ("rain", "sprinkler"), ("sprinkler", "wet"))
    assert net.states_of("rain") == ("no", "yes")
    assert net.n == 3
    assert net.cardinality.tolist() == [2, 2, 2]
    assert net.n_parameters == 4 + 1 + 2
    assert net.index("sprinkler") == 2
    assert net.state_index("rain", "yes") == 1


def test_repr_is_a_readable_screen() -> None:
    assert repr(sprinkler()).splitlines() == [
        "BayesNet of 3 variables, 3 edges, 7 free parameters",
        "  wet: no, yes | rain, sprinkler",
        "  rain: no, yes",
        "  sprinkler: no, yes | rain",
    ]


def test_repr_of_a_large_network_is_cut() -> None:
    net = BayesNet.from_tables({f"x{v}": (YES_NO, [], [0.5, 0.5]) for v in range(40)})
    assert repr(net).splitlines()[-1] == "  and 28 more variables"


def test_unknown_names_and_states_are_errors_that_list_the_known_ones() -> None:
    net = sprinkler()
    with pytest.raises(UnknownVariableError, match="'snow'; known are wet, rain, sprinkler"):
        net.table("snow")
    with pytest.raises(UnknownStateError, match="'maybe' of variable 'rain'; its states are no"):
        net.state_index("rain", "maybe")
    with pytest.raises(UnknownVariableError):
        net.index(["rain"])  # type: ignore[arg-type]


def test_a_network_and_its_tables_cannot_be_changed() -> None:
    net = sprinkler()
    with pytest.raises(FrozenInstanceError):
        net.dag = DAG.empty(["a"])  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        net.table("rain")[0] = 1


def test_the_callers_array_is_neither_kept_nor_locked() -> None:
    given_table = np.array([0.8, 0.2])
    net = BayesNet(DAG.empty(["rain"]), (("no", "yes"),), (given_table,))
    given_table[0] = 0.5
    assert net.table("rain").tolist() == [0.8, 0.2]


def test_networks_survive_pickling() -> None:
    assert same_network(pickle.loads(pickle.dumps(sprinkler())), sprinkler())


def test_rows_close_to_one_are_scaled_and_scaling_again_changes_no_bit() -> None:
    rows = [[0.33, 0.33, 0.3399], [0.1, 0.2, 0.7]]
    net = BayesNet.from_tables({"a": (YES_NO, [], [0.5, 0.5]), "b": (["x", "y", "z"], ["a"], rows)})
    assert abs(net.table("b").sum(axis=-1) - 1).max() < 1e-15
    assert net.table("b")[1].tolist() == [0.1, 0.2, 0.7]
    assert same_network(BayesNet(net.dag, net.states, net.tables), net)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([0.8, 0.1], r"the probabilities of 'rain' sum to 0.9, not to 1 \(within 0.001\)"),
        ([0.8, 0.198], "sum to 0.998, not to 1"),
        ([1.2, -0.2], "the probabilities of 'rain' hold -0.2, which is negative"),
        ([np.nan, 1.0], "hold nan, which is not a finite number"),
        ([np.inf, 0.0], "hold inf, which is not a finite number"),
        ([np.inf, -np.inf], "hold inf, which is not a finite number"),
        ([0.5, 0.3, 0.2], r"'rain' must have the shape \(2,\).*got \(3,\)"),
        ([[0.5, 0.5]], r"must have the shape \(2,\).*got \(1, 2\)"),
        (["x", "y"], "the table of variable 'rain' must hold numbers"),
        ([[0.5], [0.5, 0.5]], "the table of variable 'rain' must hold numbers in rows of equal"),
    ],
)
def test_a_wrong_table_is_one_sentence(table: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ModelError, match=message):
        BayesNet.from_tables({"rain": (YES_NO, [], table)})


def test_a_wrong_row_names_the_parent_configuration() -> None:
    variables = {
        "a": (YES_NO, [], [0.5, 0.5]),
        "b": (["lo", "mid", "hi"], [], [0.2, 0.3, 0.5]),
        "c": (YES_NO, ["b", "a"], np.full((3, 2, 2), 0.5)),
    }
    variables["c"][2][2, 1] = [0.5, 0.4]  # type: ignore[index]
    with pytest.raises(ModelError, match=r"probabilities of 'c' given a=yes, b=hi sum to 0.9"):
        BayesNet.from_tables(variables)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([], "variable 'rain' needs a list of at least one state"),
        ("no", "variable 'rain' needs a list of at least one state, got 'no'"),
        (["no", "no"], "variable 'rain' has the state 'no' twice"),
        (["no", ""], "a state of variable 'rain' must be a text that is not empty, got ''"),
        (["no", 1], "a state of variable 'rain' must be a text that is not empty, got 1"),
        (["no", "\ud800"], "a state of variable 'rain' must be valid Unicode"),
    ],
)
def test_wrong_states_are_one_sentence(states: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ModelError, match=message):
        BayesNet(DAG.empty(["rain"]), (states,), ([0.5, 0.5],))  # type: ignore[arg-type]


def test_wrong_parts_are_one_sentence() -> None:
    with pytest.raises(ModelError, match="a network needs at least one variable"):
        BayesNet(DAG.empty([]), (), ())
    with pytest.raises(ModelError, match=r"1 variables needs as many .* got 2 state lists and 0"):
        BayesNet(DAG.empty(["a"]), (("x",), ("y",)), ())
    with pytest.raises(ModelError, match="a variable name must be a text that is not empty"):
        BayesNet.from_tables({"": (YES_NO, [], [0.5, 0.5])})
    for parts in ((YES_NO, [0.5, 0.5]), (YES_NO, "a", [0.5, 0.5]), [0.5, 0.5]):
        with pytest.raises(ModelError, match="'b' needs a tuple of states, a list of parents and"):
            BayesNet.from_tables({"b": parts})  # type: ignore[dict-item]
    with pytest.raises(ModelError, match="variable 'b' has a parent twice"):
        BayesNet.from_tables({"a": (YES_NO, [], [1, 0]), "b": (YES_NO, ["a", "a"], [1, 0])})
    with pytest.raises(UnknownVariableError, match="unknown variable 'z'"):
        BayesNet.from_tables({"a": (YES_NO, ["z"], [1, 0])})
    with pytest.raises(GraphError, match="the edges form a cycle: a -> b -> a"):
        BayesNet.from_tables({"a": (YES_NO, ["b"], [1, 0]), "b": (YES_NO, ["a"], [1, 0])})


def test_more_parents_than_numpy_has_axes_are_refused() -> None:
    parents = [f"p{v}" for v in range(64)]
    variables: dict[str, Any] = {name: (["only"], [], [1.0]) for name in parents}
    variables["child"] = (["only"], parents, [1.0])
    with pytest.raises(ModelError, match="'child' has 64 parents; at most 63"):
        BayesNet.from_tables(variables)


@given(bayes_nets(), st.randoms(use_true_random=False))
def test_reordering_changes_no_probability(net: BayesNet, random: Any) -> None:  # noqa: ANN401
    names = list(net.names)
    random.shuffle(names)
    moved = net.reordered(names)
    assert moved.names == tuple(names)
    assert set(moved.edges) == set(net.edges)
    for row in all_rows(net):
        assert joint(moved, row) == pytest.approx(joint(net, row), rel=1e-12)
    assert same_network(moved.reordered(net.names), net)


@given(bayes_nets())
def test_the_joint_distribution_sums_to_one(net: BayesNet) -> None:
    assert sum(joint(net, row) for row in all_rows(net)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("label", "k"), [("1,80", 1), ("-0,5", 0), ("1.650,89", 2), ("1,7", 0), ("2,0", 1), ("2.0", 1)]
)
def test_a_number_with_a_decimal_comma_falls_into_its_interval(label: str, k: int) -> None:
    states = ["(-inf,1.7]", "(1.7,2]", "(2,inf)"]
    net = BayesNet.from_tables({"height": (states, [], [0.2, 0.3, 0.5])})
    assert net.state_index("height", label) == k


@pytest.mark.parametrize("label", ["1,234", "1,2,3", ",5", "01,5", "a,b"])
def test_what_may_be_no_decimal_comma_is_no_number(label: str) -> None:
    net = BayesNet.from_tables({"height": (["(-inf,1.7]", "(1.7,inf)"], [], [0.5, 0.5])})
    with pytest.raises(UnknownStateError, match=f"unknown state '{label}'"):
        net.state_index("height", label)


def test_a_number_is_its_state_however_it_is_spelled() -> None:
    net = BayesNet.from_tables({"dose": (["2.5", "10"], [], [0.5, 0.5])})
    assert [net.state_index("dose", x) for x in ("2.50", "2.5", "10.0", "1e1")] == [0, 0, 1, 1]
