from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import FileFormatError
from bayesloom.model.draft import Draft, FileText, as_numbers, wrong_number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read_back_from_its_shortest_form(value: float) -> None:
    numbers = as_numbers([repr(value)])
    assert numbers is not None
    assert numbers.tobytes() == np.array([value]).tobytes()


@pytest.mark.parametrize("token", ["nan", "inf", "1_0", "0x1", "\u0661", "1e", "--1", "", "1,2"])
def test_what_is_no_plain_number_is_refused(token: str) -> None:
    assert as_numbers(["1", token]) is None
    assert wrong_number(["1", token])[0] == 1


def test_a_long_wrong_token_is_cut_in_the_message() -> None:
    assert len(wrong_number(["x" * 1000])[1]) < 100


def test_errors_name_the_place_of_the_first_character_that_is_not_blank() -> None:
    source = FileText("ab\n  \n  cd", "net.bif")
    assert str(source.error("wrong", 2)) == "net.bif, line 3, column 3: wrong"
    assert str(source.error("wrong")) == "net.bif: wrong"
    assert str(source.error("wrong", 10)) == "net.bif, line 3, column 5: wrong"


def draft() -> Draft:
    made = Draft(FileText("x", "net.bif"))
    made.add_variable("a", ["0", "1"], 0)
    made.add_variable("b", ["0", "1", "2"], 0)
    return made


def test_a_table_is_compared_with_the_declared_sizes() -> None:
    with pytest.raises(FileFormatError, match=r"table of 'a' needs 3 x 2 = 6 numbers, got 5"):
        draft().add_table("a", ["b"], np.ones(5), 0)


def test_wrong_families_are_one_sentence() -> None:
    with pytest.raises(FileFormatError, match="unknown variable 'z'; known are a, b"):
        draft().add_table("a", ["z"], np.ones(2), 0)
    with pytest.raises(FileFormatError, match="table of 'a' names a variable twice: a, a"):
        draft().add_table("a", ["a"], np.ones(4), 0)
    twice = draft()
    twice.add_table("a", [], np.array([0.5, 0.5]), 0)
    with pytest.raises(FileFormatError, match="'a' has a second table"):
        twice.add_table("a", [], np.array([0.5, 0.5]), 0)
    with pytest.raises(FileFormatError, match="variable 'a' is defined twice"):
        draft().add_variable("a", ["x"], 0)
    with pytest.raises(FileFormatError, match="variable 'c' has the state 'x' twice"):
        draft().add_variable("c", ["x", "x"], 0)
    with pytest.raises(FileFormatError, match="'c' needs a list of at least one state"):
        draft().add_variable("c", [], 0)
    with pytest.raises(FileFormatError, match="a variable name must not be empty"):
        draft().add_variable("", ["x"], 0)


def test_a_draft_that_is_not_complete_is_refused() -> None:
    with pytest.raises(FileFormatError, match="the file holds no variable"):
        Draft(FileText("", "net.bif")).finish()
    with pytest.raises(FileFormatError, match="variable 'a' has no table"):
        draft().finish()
    cyclic = draft()
    cyclic.add_table("a", ["b"], np.full(6, 0.5), 0)
    cyclic.add_table("b", ["a"], np.full(6, 1 / 3), 0)
    with pytest.raises(FileFormatError, match="the edges form a cycle: a -> b -> a"):
        cyclic.finish()


def test_too_many_parents_are_refused() -> None:
    wide = draft()
    parents = [f"p{v}" for v in range(64)]
    for name in parents:
        wide.add_variable(name, ["only"], 0)
    with pytest.raises(FileFormatError, match="'a' has 64 parents; at most 63"):
        wide.add_table("a", parents, np.array([0.5, 0.5]), 0)
