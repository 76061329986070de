from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from bayesloom.errors import UnknownStateError, UnknownVariableError
from bayesloom.inference import (
    Explanation,
    JointPosterior,
    Posterior,
    Posteriors,
    compile_net,
)
from bayesloom.inference.case import Known
from bayesloom.model import BayesNet

NO_YES = ("no", "yes")


def posterior() -> Posterior:
    return Posterior("rain", NO_YES, np.array([0.25, 0.75]), math.log(0.5))


def joint() -> JointPosterior:
    return JointPosterior(("a", "b"), (NO_YES, NO_YES), np.array([[0.5, 0.2], [0.1, 0.2]]), 0.0)


def test_a_long_posterior_shows_its_most_probable_states() -> None:
    values = np.full(19, 0.001)
    values[15] = 0.982
    long = Posterior("x", tuple(map(str, range(19))), values, 0.0)
    assert "P(x): 15 0.982, 0 0.001, " in repr(long)


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


def test_a_posterior_and_an_explanation_have_one_line() -> None:
    long = Posterior("v", tuple(map(str, range(50))), np.full(50, 0.02), 0.0)
    assert repr(long).endswith("7 0.02 and 42 more")
    assert "a=no" in repr(Explanation({"a": "no"}, -1.0, 0.0))


def test_answers_name_their_evidence_and_say_how_probable_it_is() -> None:
    known = Known({"wet": "yes"}, ("sky",))
    told = repr(Posterior("rain", NO_YES, np.array([0.25, 0.75]), math.log(0.5), known))
    assert told.startswith("P(rain | wet=yes, likelihoods of sky): no 0.25")
    assert told.endswith("; probability of the evidence 0.5")
    assert repr(Explanation({"a": "no"}, 0.0, 0.0, known)).endswith(
        "with probability 1 given wet=yes, likelihoods of sky"
    )


def test_nothing_is_said_of_evidence_that_was_not_given() -> None:
    for value in (posterior(), joint(), Posteriors({"rain": NO_YES}, {"rain": np.ones(2)}, 0.0)):
        assert "evidence" not in f"{value!r}{value}"


def test_queries_hand_the_evidence_on() -> None:
    net = BayesNet.from_tables(
        {
            "rain": (NO_YES, [], [0.8, 0.2]),
            "wet": (NO_YES, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
        }
    )
    compiled, given = compile_net(net), {"wet": "yes"}
    known = Known(given)
    assert compiled.posterior("rain", given).known == known
    assert compiled.posteriors(given=given)["rain"].known == known
    assert compiled.joint(["rain", "wet"], given).known == known
    assert compiled.joint(["rain", "wet"], given).marginal("rain").known == known
    assert compiled.most_probable(given=given).known == known
    assert compiled.posterior("rain", soft={"wet": [1, 2]}).known == Known({}, ("wet",))


def test_two_variables_print_as_a_grid() -> None:
    assert str(joint()).splitlines() == [
        "P(a, b)",
        "  a \\ b        no       yes",
        "  no     0.500000  0.200000",
        "  yes    0.100000  0.200000",
    ]


def test_more_variables_print_their_most_probable_cells_first() -> None:
    values = np.zeros((2, 3, 4))
    values[1, 2, 3], values[0, 0, 1] = 0.75, 0.25
    states = (("0", "1"), ("0", "1", "2"), ("0", "1", "2", "3"))
    told = JointPosterior(("a", "b", "c"), states, values, 0.0).text(rows=2).splitlines()
    assert told == [
        "P(a, b, c)",
        "  a  b  c  probability",
        "  1  2  3     0.750000",
        "  0  0  1     0.250000",
        "  and 22 more cells",
    ]


def test_frames_hold_the_exact_numbers() -> None:
    assert joint().to_pandas().to_dict("list") == {
        "a": ["no", "no", "yes", "yes"],
        "b": ["no", "yes", "no", "yes"],
        "probability": [0.5, 0.2, 0.1, 0.2],
    }
    assert posterior().to_polars().to_dict(as_series=False) == {
        "rain": ["no", "yes"],
        "probability": [0.25, 0.75],
    }
    several = Posteriors({"rain": NO_YES}, {"rain": np.array([0.25, 0.75])}, 0.0)
    assert several.to_arrow().column("state").to_pylist() == ["no", "yes"]
    assert Explanation({"a": "no"}, -1.0, 0.0).to_arrow().to_pydict() == {
        "variable": ["a"],
        "state": ["no"],
    }


def test_html_escapes_names_states_and_evidence() -> None:
    bad = "<img src=x onerror=alert(1)>"
    known = Known({bad: bad}, (bad,))
    values = (
        Posterior(bad, (bad,), np.ones(1), 0.0, known),
        JointPosterior((bad, "b"), ((bad,), (bad,)), np.ones((1, 1)), 0.0, known),
        Posteriors({bad: (bad,)}, {bad: np.ones(1)}, 0.0, known),
        Explanation({bad: bad}, 0.0, 0.0, known),
    )
    for value in values:
        html = value._repr_html_()
        assert "<img" not in html
        assert "&lt;img" in html


def test_a_state_is_asked_for_as_evidence_is_given() -> None:
    sick = Posterior("sick", ("0", "1"), np.array([0.25, 0.75]), 0.0)
    assert sick[1] == sick["1"] == sick[1.0] == sick["1.0"] == sick[np.int64(1)] == 0.75
    age = Posterior("age", ("(-inf,20]", "(20,inf)", "missing"), np.array([0.2, 0.3, 0.5]), 0.0)
    assert (age[20], age[20.5], age["39"], age["missing"]) == (0.2, 0.3, 0.3, 0.5)
    joint = JointPosterior(("sick",), (("0", "1"),), np.array([0.25, 0.75]), 0.0)
    assert joint.probability({"sick": 1}) == 0.75


@pytest.mark.parametrize("state", [2, -1, True, None, [0], slice(2)])
def test_what_is_no_state_is_refused(state: object) -> None:
    with pytest.raises(UnknownStateError, match="of variable 'sick'"):
        Posterior("sick", ("0", "1"), np.array([0.25, 0.75]), 0.0)[state]


def test_a_posterior_goes_through_its_states() -> None:
    sick = Posterior("sick", ("0", "1"), np.array([0.25, 0.75]), 0.0)
    assert list(sick) == ["0", "1"]
    assert dict(sick) == sick.probabilities
