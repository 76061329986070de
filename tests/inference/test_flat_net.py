from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom.inference.flat_net import flatten, good_order, quick_order
from bayesloom.model import BayesNet
from strategies_inference import Variables
from strategies_model import bayes_nets

I32, I64, F64 = np.int32, np.int64, np.float64
NETWORK: dict[str, Any] = {
    "states": np.array([2, 3], I32),
    "scope_start": np.array([0, 1, 3], I64),
    "scope": np.array([0, 0, 1], I32),
    "table_start": np.array([0, 2, 8], I64),
    "table": np.array([0.5, 0.5, *[0.25, 0.5, 0.25] * 2], F64),
}
QUESTION: dict[str, Any] = {
    "state": np.array([-1, 2], I32),
    "soft": np.array([0], I32),
    "likelihood": np.array([1.0, 0.5], F64),
    "set_start": np.array([0, 1], I64),
    "sets": np.array([0], I32),
    "strategy": 0,
    "most_bytes": 1e6,
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("states", np.array([2, 0], I32)),
        ("states", np.array([2], I32)),
        ("states", np.array([2, 2**31 - 1], I32)),
        ("scope_start", np.array([0, 1], I64)),
        ("scope_start", np.array([0, 4, 3], I64)),
        ("scope_start", np.array([1, 1, 3], I64)),
        ("scope_start", np.array([0, 1, 9], I64)),
        ("scope", np.array([0, 1, 0], I32)),
        ("scope", np.array([0, 0, 2], I32)),
        ("scope", np.array([0, -1, 1], I32)),
        ("scope", np.array([1, 0, 1], I32)),
        ("table_start", np.array([0, 3, 8], I64)),
        ("table_start", np.array([0, 2, 9], I64)),
        ("table_start", np.array([0, -2, 8], I64)),
        ("table", np.full(8, np.nan)),
        ("table", np.full(8, 1.5)),
        ("table", np.full(7, 0.5)),
    ],
)
def test_arrays_that_are_no_network_are_refused(name: str, value: object) -> None:
    _native.Contractions(**NETWORK)
    with pytest.raises(ValueError, match=r"must|fit|table|needs"):
        _native.Contractions(**NETWORK | {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("state", np.array([-1], I32)),
        ("state", np.array([-1, 3], I32)),
        ("state", np.array([-2, 2], I32)),
        ("state", np.array([0, 2], I32)),
        ("soft", np.array([2], I32)),
        ("soft", np.array([0, 0], I32)),
        ("soft", np.array([1], I32)),
        ("likelihood", np.array([1.0], F64)),
        ("likelihood", np.array([2.0, 1.0], F64)),
        ("likelihood", np.array([-1.0, 1.0], F64)),
        ("set_start", np.zeros(0, I64)),
        ("set_start", np.array([0, 2], I64)),
        ("set_start", np.array([0, 0, 1], I64)),
        ("set_start", np.array([0, -1, 1], I64)),
        ("sets", np.array([1], I32)),
        ("sets", np.array([7], I32)),
        ("sets", np.array([-1], I32)),
        ("strategy", 3),
        ("strategy", -1),
        ("most_bytes", 0.0),
        ("most_bytes", float("nan")),
        ("most_bytes", 1e300),
    ],
)
def test_arrays_that_are_no_question_are_refused(name: str, value: object) -> None:
    native = _native.Contractions(**NETWORK)
    native.posteriors(**QUESTION)
    with pytest.raises(ValueError, match=r"must|fit|exist|observed|from 0 to 1"):
        native.posteriors(**QUESTION | {name: value})


@pytest.mark.parametrize("name", ["state", "soft", "likelihood", "set_start", "sets"])
def test_arrays_of_another_type_are_refused_rather_than_copied(name: str) -> None:
    native = _native.Contractions(**NETWORK)
    with pytest.raises(TypeError):
        native.posteriors(**QUESTION | {name: QUESTION[name].astype(np.float32)})


def test_a_variable_may_be_asked_for_twice() -> None:
    native = _native.Contractions(**NETWORK)
    twice = {"set_start": np.array([0, 1, 2], I64), "sets": np.array([0, 0], I32)}
    values, _, _ = native.posteriors(**QUESTION | twice)
    np.testing.assert_allclose(values, [2 / 3, 1 / 3] * 2)


@given(bayes_nets(6), st.sampled_from([good_order, quick_order]), st.integers(0, 99))
def test_orders_do_not_depend_on_the_order_of_the_variables(
    net: BayesNet, find: Callable[[BayesNet], list[int]], seed: int
) -> None:
    names = Random(seed).sample(net.names, net.n)
    other = net.reordered(names)
    assert [net.names[v] for v in find(net)] == [other.names[v] for v in find(other)]
    assert sorted(find(net)) == list(range(net.n))
    assert sorted(flatten(net, find(net)).place) == list(range(net.n))


def test_the_native_order_checks_its_arrays() -> None:
    good = {name: NETWORK[name] for name in ("states", "scope_start", "scope")}
    assert sorted(_native.elimination_order(**good)) == [0, 1]
    wrong = {
        "states": np.array([2], I32),
        "scope_start": np.array([0, 4]),
        "scope": good["scope"] - 1,
    }
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=r"fit|exist"):
            _native.elimination_order(**good | {name: value})


def test_a_star_of_a_thousand_leaves_is_ordered_at_once() -> None:
    variables: Variables = {"hub": (["no", "yes"], [], [0.5, 0.5])}
    for i in range(1000):
        variables[f"x{i}"] = (["no", "yes"], ["hub"], [[0.5, 0.5]] * 2)
    net = BayesNet.from_tables(variables)
    assert net.names[good_order(net)[-1]] in {"hub", "x999"}
