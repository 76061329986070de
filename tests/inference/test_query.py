from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given as draw

from bayesloom.errors import CapacityError, EvidenceError, UnknownVariableError
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
