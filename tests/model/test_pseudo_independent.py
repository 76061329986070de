"""Pseudo-independent models, against the exact joints of the files and against the definitions."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import ModelError, OptionError, UnknownVariableError
from bayesloom.model import DecomposableNet, embedded_pi, full_pi, partial_pi

FOLDER = Path(__file__).parents[1] / "data" / "pi"
TRUTH: dict[str, Any] = json.loads((FOLDER / "truth.json").read_text())
Floats = npt.NDArray[np.float64]

F = [[0.30, 0.15], [0.20, 0.35]]
H = [[0.35, 0.15], [0.20, 0.30]]


def read_joint(name: str) -> Floats:
    with (FOLDER / f"{name}.joint.csv").open(newline="") as file:
        names, *rows = csv.reader(file)
    assert names[:-1] == TRUTH[name]["variables"]
    values = np.array([float(row[-1]) for row in rows])
    return values.reshape((2,) * (len(names) - 1))


def turned(first: float, rows: tuple[float, float]) -> tuple[float, tuple[float, float]]:
    """Turn P(X=1), P(Y=1|X) around into P(Y=1), P(X=1|Y)."""
    joint = np.array([[1 - first], [first]]) * np.array([[1 - p, p] for p in rows])
    back = joint[1] / joint.sum(axis=0)
    return float(joint[:, 1].sum()), (float(back[0]), float(back[1]))


def embedded9() -> DecomposableNet:
    chance2, one_given_two = turned(0.6, (0.25, 0.8))
    chance3, two_given_three = turned(chance2, (0.3, 0.75))
    core = full_pi([chance3, 0.45, 0.55], 0.085, names=["X3", "X4", "X5"])
    return embedded_pi(
        core,
        {
            "X2": ("X3", two_given_three),
            "X1": ("X2", one_given_two),
            "X6": ("X5", (0.2, 0.75)),
            "X7": ("X6", (0.3, 0.85)),
            "X8": ("X7", (0.15, 0.7)),
            "X9": ("X8", (0.25, 0.8)),
        },
    )


def recursive8() -> DecomposableNet:
    inner = full_pi([0.5, 0.45, 0.55], 0.06).joint()
    core = partial_pi([inner, [0.5, 0.5]], 0.018, names="ABCD")
    return embedded_pi(
        core,
        {
            "E": ("D", (0.2, 0.8)),
            "F": ("E", (0.3, 0.85)),
            "G": ("F", (0.25, 0.7)),
            "H": ("G", (0.2, 0.75)),
        },
    )


MODELS = {
    "full3": lambda: full_pi([0.5, 0.5, 0.5], 0.1, names="ABC"),
    "full4": lambda: full_pi([0.4, 0.5, 0.6, 0.45], 0.034, names="ABCD"),
    "partial3": lambda: partial_pi([F, [0.55, 0.45]], 0.05, names="ABC"),
    "partial4": lambda: partial_pi([F, H], 0.02, names="ABCD"),
    "embedded9": embedded9,
    "recursive8": recursive8,
}


@pytest.mark.parametrize("name", MODELS)
def test_the_joint_is_that_of_the_file(name: str) -> None:
    net = MODELS[name]()
    order = [net.names.index(variable) for variable in TRUTH[name]["variables"]]
    np.testing.assert_allclose(net.joint().transpose(order), read_joint(name), atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_the_graph_is_that_of_the_file(name: str) -> None:
    graph = MODELS[name]().graph
    assert {frozenset(edge) for edge in graph.edges} == set(map(frozenset, TRUTH[name]["edges"]))


def marginal(joint: Floats, kept: tuple[int, ...]) -> Floats:
    result: Floats = joint.sum(axis=tuple(v for v in range(joint.ndim) if v not in kept))
    return result


@given(st.lists(st.floats(0.05, 0.95), min_size=3, max_size=6), st.booleans())
def test_every_proper_subset_of_a_full_model_is_independent_and_the_whole_is_not(
    chances: list[float],
    negative: bool,  # noqa: FBT001
) -> None:
    most = float(np.prod([min(p, 1 - p) for p in chances]))
    joint = full_pi(chances, (-0.9 if negative else 0.9) * most).joint()
    n = len(chances)
    single = [marginal(joint, (v,)) for v in range(n)]
    for size in range(2, n + 1):
        for kept in combinations(range(n), size):
            product = np.ones(())
            for v in kept:
                product = np.multiply.outer(product, single[v])
            far = float(np.abs(marginal(joint, kept) - product).max())
            assert far == pytest.approx(0.9 * most if size == n else 0.0, abs=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_variables_of_different_blocks_of_a_partial_model_are_independent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = (rng.dirichlet(np.full(4, 3.0)).reshape(2, 2) for _ in range(2))
    joint = partial_pi([first, second]).joint()
    np.testing.assert_allclose(joint.sum(axis=(2, 3)), first, atol=1e-12)
    np.testing.assert_allclose(joint.sum(axis=(0, 1)), second, atol=1e-12)
    for a, b in ((0, 2), (0, 3), (1, 2), (1, 3)):
        pair = marginal(joint, (a, b))
        np.testing.assert_allclose(pair, np.outer(pair.sum(axis=1), pair.sum(axis=0)), atol=1e-12)


def test_leaves_change_nothing_inside_the_core() -> None:
    core = full_pi([0.3, 0.5, 0.6], names="ABC")
    net = embedded_pi(core, {"D": ("A", (0.1, 0.9)), "E": ("D", (0.5, 0.5))})
    np.testing.assert_allclose(net.joint().sum(axis=(3, 4)), core.joint(), atol=1e-12)
    assert net.n_parameters == core.n_parameters + 4


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: full_pi([0.5, 0.5]), OptionError, "at least 3 variables in at least 2 blocks"),
        (lambda: full_pi([0.5, 1.0, 0.5]), OptionError, r"between 0 and 1, got 1\.0"),
        (lambda: full_pi([0.5] * 3, 0.125), OptionError, r"between 0 and 0\.125 in size"),
        (lambda: full_pi([0.5] * 3, 0.0), OptionError, "strength must be"),
        (lambda: full_pi([0.5] * 3, names="AB"), OptionError, "3 variables need as many names"),
        (lambda: partial_pi([np.full((2, 2, 2), 0.125)]), OptionError, "got 3 in 1"),
        (lambda: partial_pi([F, [0.2, 0.3, 0.5]]), ModelError, r"the shape \(3,\)"),
        (lambda: partial_pi([F, [0.2, 0.3]]), ModelError, r"sum to 0\.5"),
        (
            lambda: embedded_pi(full_pi([0.5] * 3), {"D": ("Z", (0.5, 0.5))}),
            UnknownVariableError,
            "'Z'",
        ),
        (
            lambda: embedded_pi(full_pi([0.5] * 3), {"x0": ("x1", (0.5, 0.5))}),
            OptionError,
            "in the model already",
        ),
        (
            lambda: embedded_pi(full_pi([0.5] * 3), {"D": ("x1", (0.5, 1.5))}),
            OptionError,
            "needs a chance for each state",
        ),
    ],
)
def test_what_makes_no_model_is_refused(make: Any, error: type[Exception], message: str) -> None:  # noqa: ANN401
    with pytest.raises(error, match=message):
        make()
