from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given as draw

from bayesloom.errors import CapacityError, EvidenceError, OptionError, UnknownVariableError
from bayesloom.inference import query
from reference_inference import enumerated
from strategies_inference import Case, cases, chain


@draw(case=cases())
def test_one_question_agrees_with_enumeration(case: Case) -> None:
    name = case.net.names[0]
    table, total = enumerated(case.net, [name], case.given, case.soft)
    found = query(case.net, name, case.given, soft=case.soft)
    np.testing.assert_allclose(found.values, table / total, rtol=0, atol=1e-12)
    assert found.log_evidence == pytest.approx(math.log(total), abs=1e-12)


@draw(case=cases())
def test_several_targets_give_their_joint(case: Case) -> None:
    names = list(case.net.names[:3])
    table, total = enumerated(case.net, names, case.given, case.soft)
    found = query(case.net, names, case.given, soft=case.soft)
    np.testing.assert_allclose(found.probabilities, table / total, rtol=0, atol=1e-12)


def test_questions_have_the_errors_of_a_compiled_network() -> None:
    net = chain(5, 0.5)
    with pytest.raises(UnknownVariableError):
        query(net, "y")
    with pytest.raises(EvidenceError):
        query(net, "x1", soft={"x2": [0, 0]})
    with pytest.raises(CapacityError):
        query(net, ["x0", "x1", "x2", "x3"], memory=64)


@pytest.mark.parametrize("target", [5, None, 2.5])
def test_a_target_that_is_no_name_is_refused_with_one_sentence(target: Any) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match=f"by its name or for several in a list, got {target}"):
        query(chain(2, 0.5), target)


@pytest.mark.parametrize("net", [5, None])
def test_what_is_no_network_is_refused_with_the_way_to_one(net: Any) -> None:  # noqa: ANN401
    with pytest.raises(OptionError, match="net must be a network, such as learn or load gives"):
        query(net, "x0")
