from __future__ import annotations

import math
from typing import Any

import pytest

from bayesloom.errors import EvidenceError, UnknownStateError, UnknownVariableError
from bayesloom.inference.case import Case, read_case
from bayesloom.model import BayesNet


def net() -> BayesNet:
    return BayesNet.from_tables(
        {"a": (["x", "y", "z"], [], [0.5, 0.25, 0.25]), "b": (["no", "yes"], [], [0.5, 0.5])}
    )


def test_mappings_and_pairs_mean_the_same() -> None:
    mapped = read_case(net(), {"a": "y", "b": "no"})
    assert mapped.state == {0: 1, 1: 0}
    assert read_case(net(), [("a", "y"), ("b", "no"), ("a", "y")]).state == mapped.state
    assert read_case(net()) == Case({}, {}, 0.0)
    assert mapped.state


def test_contradictory_evidence_names_both_states() -> None:
    with pytest.raises(EvidenceError, match="variable a is given as y and as z"):
        read_case(net(), [("a", "y"), ("a", "z")])


@pytest.mark.parametrize("given", ["a=y", 5, [("a",)], [("a", "y", "z")], [3]])
def test_evidence_that_is_no_pairs_is_refused(given: Any) -> None:  # noqa: ANN401 - wrong on purpose
    with pytest.raises(EvidenceError, match="a mapping or pairs of a variable and a state"):
        read_case(net(), given)


def test_unknown_names_in_evidence_are_named() -> None:
    with pytest.raises(UnknownVariableError, match="'c'"):
        read_case(net(), {"c": "y"})
    with pytest.raises(UnknownStateError, match="'no' of variable 'a'"):
        read_case(net(), {"a": "no"})
    with pytest.raises(UnknownVariableError, match="'c'"):
        read_case(net(), soft={"c": [1]})
    with pytest.raises(UnknownStateError, match="'no' of variable 'a'"):
        read_case(net(), soft={"a": {"x": 1, "y": 1, "z": 1, "no": 1}})


def test_likelihoods_are_scaled_to_at_most_one() -> None:
    found = read_case(net(), soft={"a": {"z": 8, "x": 4, "y": 0}, "b": [0.25, 0.5]})
    assert found.likelihood[0].tolist() == [0.5, 0.0, 1.0]
    assert found.likelihood[1].tolist() == [0.5, 1.0]
    assert found.log_scale == pytest.approx(math.log(8) + math.log(0.5))
    assert found.describe(net()) == "likelihoods of a, likelihoods of b"


def test_likelihoods_must_name_every_state() -> None:
    with pytest.raises(EvidenceError, match="likelihoods of variable a lack its states y, z"):
        read_case(net(), soft={"a": {"x": 1}})


@pytest.mark.parametrize(
    "values",
    [[1, 1], [0, 0, 0], [1, -1, 1], [1, math.nan, 1], [1, math.inf, 1], ["a", "b", "c"], 3, None],
)
def test_numbers_that_are_no_likelihoods_are_refused(values: Any) -> None:  # noqa: ANN401 - wrong on purpose
    with pytest.raises(EvidenceError, match="likelihoods of variable a must be 3 finite numbers"):
        read_case(net(), soft={"a": values})


@pytest.mark.parametrize("soft", [5, ["a"], "a"])
def test_soft_evidence_that_is_no_mapping_is_refused(soft: Any) -> None:  # noqa: ANN401
    with pytest.raises(EvidenceError, match="must be a mapping of variables to likelihoods"):
        read_case(net(), soft=soft)


def test_a_given_state_that_can_be_no_label_is_unknown() -> None:
    wrong: Any = {"a": ["y"]}
    with pytest.raises(UnknownStateError, match="unknown state"):
        read_case(net(), wrong)
