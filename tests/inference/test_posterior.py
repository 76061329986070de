from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from bayesloom.errors import UnknownStateError, UnknownVariableError
from bayesloom.inference import Explanation, JointPosterior, Posterior, Posteriors

NO_YES = ("no", "yes")


def posterior() -> Posterior:
    return Posterior("rain", NO_YES, np.array([0.25, 0.75]), math.log(0.5))


def joint() -> JointPosterior:
    return JointPosterior(("a", "b"), (NO_YES, NO_YES), np.array([[0.5, 0.2], [0.1, 0.2]]), 0.0)


def test_a_long_posterior_shows_its_most_probable_states() -> None:
    values = np.full(19, 0.001)
    values[15] = 0.982
    long = Posterior("x", tuple(map(str, range(19))), values, 0.0)
    assert "evidence): 15 0.982, 0 0.001, " in repr(long)


def test_a_posterior_speaks_in_labels() -> None:
    found = posterior()
    assert found.probabilities == {"no": 0.25, "yes": 0.75}
    assert found["yes"] == 0.75
    assert found.most_probable == "yes"
    assert found.evidence_probability == 0.5
    with pytest.raises(UnknownStateError, match="unknown state 'maybe' of variable 'rain'"):
        found["maybe"]


def test_the_json_form_is_the_documented_one() -> None:
    expected = {"no": 0.25, "yes": 0.75}
    found = posterior().to_dict()
    assert found == {"target": "rain", "posterior": expected, "evidence_probability": 0.5}


@pytest.mark.parametrize(
    "value",
    [posterior(), joint(), Posteriors({}, {}, 0.0), Explanation({"a": "no"}, -1.0, 0.0)],
    ids=lambda value: type(value).__name__,
)
def test_answers_cannot_be_changed(value: object) -> None:
    with pytest.raises((FrozenInstanceError, TypeError)):
        setattr(value, "log_evidence", 1.0)  # noqa: B010 - mypy knows that it is frozen


def test_posteriors_are_a_mapping() -> None:
    found = Posteriors({"rain": NO_YES}, {"rain": np.array([0.25, 0.75])}, math.log(0.5))
    assert list(found) == ["rain"]
    assert len(found) == 1
    assert "rain" in found
    assert found["rain"].to_dict() == posterior().to_dict()
    assert found.probabilities == {"rain": {"no": 0.25, "yes": 0.75}}
    assert found.evidence_probability == 0.5
    with pytest.raises(UnknownVariableError, match="unknown variable 'snow'"):
        found["snow"]


def test_a_joint_sums_over_what_a_case_leaves_open() -> None:
    assert joint().probability({"a": "no", "b": "yes"}) == 0.2
    assert joint().probability({"b": "no"}) == pytest.approx(0.6)
    assert joint().probability({}) == pytest.approx(1.0)
    assert joint().marginal("b").probabilities == pytest.approx({"no": 0.6, "yes": 0.4})
    with pytest.raises(UnknownVariableError):
        joint().probability({"c": "no"})
    with pytest.raises(UnknownVariableError):
        joint().marginal("c")
    with pytest.raises(UnknownStateError):
        joint().probability({"a": "maybe"})


def test_answers_print_on_one_line() -> None:
    long = Posterior("v", tuple(map(str, range(50))), np.full(50, 0.02), 0.0)
    assert repr(long).endswith("7 0.02 and 42 more; probability of the evidence 1")
    assert repr(joint()) == "P(a, b | evidence): 4 cells; probability of the evidence 1"
    assert "a=no" in repr(Explanation({"a": "no"}, -1.0, 0.0))
