"""Every public value with options checks them when it is made; a new one is covered by itself."""

from __future__ import annotations

import math
from dataclasses import fields
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

import bayesloom as bl
from bayesloom.errors import OptionError
from bayesloom.registry import REGISTRIES

NEEDED: dict[str, dict[str, Any]] = {
    "BDe": {"prior": bl.Table(["A"], [["n", "y"]], [[0, 1]])},
    "IL": {"local": bl.GES()},
    "K2": {"order": ["A", "B"]},
    "NaiveBayes": {"target": "A"},
    "TAN": {"target": "A"},
}
"""The options without a default."""

WRONG = (object(), "text", "0.5", True, 1.5, 3, None, math.nan, [object()], int)


def public_values() -> list[type]:
    named = [registry[name] for registry in REGISTRIES for name in registry]
    return [*named, bl.IL, bl.MMPC, bl.Restricted, bl.ThroughDMN, bl.Knowledge, bl.Budget]


def hints_of(kind: type) -> dict[str, Any]:
    """Return the annotations of a class; some searches name this type for checkers only."""
    return get_type_hints(kind, localns={"ChordalGraph": bl.ChordalGraph})


def fits(value: object, hint: Any) -> bool:  # noqa: ANN401 - type annotations have no type
    """Say whether a value has the type of an option; none of the wrong lists and searches does."""
    if get_origin(hint) in (Union, UnionType):
        return any(fits(value, part) for part in get_args(hint))
    if hint in (int, float):
        kinds = (int, float) if hint is float else (int,)
        return isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)
    if hint in (bool, str, type(None)):
        return isinstance(value, hint)
    return False


CASES = [
    pytest.param(kind, field.name, value, id=f"{kind.__name__}-{field.name}-{value!r:.12}")
    for kind in public_values()
    for field in fields(kind)
    if field.init
    for value in WRONG
    if not fits(value, hints_of(kind)[field.name])
]


@pytest.mark.parametrize(("kind", "option", "value"), CASES)
def test_an_option_of_a_wrong_type_is_refused_when_the_value_is_made(
    kind: type, option: str, value: object
) -> None:
    with pytest.raises(OptionError) as caught:
        kind(**{**NEEDED.get(kind.__name__, {}), option: value})
    assert "\n" not in str(caught.value)


def test_every_kind_of_option_is_among_the_cases() -> None:
    hints = {hint for kind in public_values() for hint in hints_of(kind).values()}
    assert {bool, int, float, float | None} <= hints
    assert any(isinstance(hint, type) and issubclass(hint, Enum) for hint in hints)
    assert {"GES", "BDeu", "FixedAlpha", "ChiSquare", "Laplace", "Knowledge"} <= {
        kind.__name__ for kind in public_values()
    }


@pytest.mark.parametrize("kind", public_values(), ids=lambda kind: kind.__name__)
def test_the_defaults_are_accepted(kind: type) -> None:
    kind(**NEEDED.get(kind.__name__, {}))


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    assert bl.BDeu(ess=np.float32(2)).ess == 2  # type: ignore[arg-type]
    assert bl.HillClimbing(restarts=np.int64(2)).restarts == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"progress": "yes"},
        {"threads": "2"},
        {"threads": 1.5},
        {"max_parents": "2"},
        {"max_steps": True},
        {"time_limit": [3]},
        {"columns": 5},
        {"drop": 5},
        {"drop": [2.5]},
        {"states": ["A"]},
        {"missing_markers": 3},
        {"bins": "5", "discretize": "width"},
        {"bins": True, "discretize": "width"},
        {"knowledge": {"required": [("A", "B")]}},
        {"estimator": bl.Laplace},
        {"search": bl.GES},
    ],
    ids=str,
)
def test_options_of_learning_of_a_wrong_type_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        bl.learn({"A": ["n", "y"], "B": ["n", "y"]}, **options)


def test_options_of_drawing_of_a_wrong_type_are_refused() -> None:
    dag: Any = bl.random_dag(2, 1)
    net: Any = bl.random_net(dag, 1)
    wrong: Any = "1"
    for call in (
        lambda: bl.random_dag(wrong, 1),
        lambda: bl.random_dag(3, wrong),
        lambda: bl.random_dag(3, 1, edges=wrong),
        lambda: bl.random_dag(3, 1, dense=wrong),
        lambda: bl.random_net(dag, wrong),
        lambda: bl.random_net(dag, 1, states=wrong),
        lambda: bl.random_net(dag, 1, states=(1, wrong)),
        lambda: bl.sample(net, wrong, 1),
        lambda: bl.sample(net, 1, wrong),
        lambda: bl.compile_net(net, memory=wrong),
        lambda: bl.compile_net(net, strategy=wrong),
        lambda: bl.kl_divergence(net, net, floor=wrong),
    ):
        with pytest.raises(OptionError):
            call()


@pytest.mark.parametrize("frame", [{"A": ["n", "y"]}, "A.csv", None], ids=str)
def test_a_frame_in_place_of_a_table_is_refused_with_the_way_to_make_one(frame: Any) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match=r"table must be a Table, .*from_frame"):
        bl.NativeEngine(frame)
