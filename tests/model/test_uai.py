from __future__ import annotations

import pytest

from bayesloom.errors import FileFormatError
from bayesloom.model import uai
from reference_model import same_network

PLAIN = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n0.8 0.2\n\n6\n0.1 0.2 0.7\n0.3 0.3 0.4\n"


def test_a_plain_file_gets_numbered_names_and_states() -> None:
    net = uai.read(PLAIN, "net.uai")
    assert net.names == ("x0", "x1")
    assert net.states == (("0", "1"), ("0", "1", "2"))
    assert net.table("x1").tolist() == [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]


def test_comments_and_lower_case_are_read() -> None:
    text = PLAIN.replace("BAYES", "# made by hand 1 2 3\nbayes").replace("6\n", "6 # next\n")
    assert uai.read(text, "net.uai").n == 2


def test_the_first_parent_of_a_scope_varies_slowest() -> None:
    text = "BAYES 3  2 3 2  3  1 0  1 1  3 1 0 2  2 .5 .5  3 .2 .3 .5  12 "
    text += ".1 .9 .2 .8 .3 .7 .4 .6 .5 .5 .6 .4"
    table = uai.read(text, "net.uai").table("x2")
    assert table[:, :, 0].tolist() == [[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected BAYES as the first word, got an empty file"),
        (PLAIN.replace("BAYES", "MARKOV"), "expected BAYES .* got MARKOV; only Bayesian networks"),
        ("BAYES\n-1", "line 2, column 1: expected the number of variables, .* got -1"),
        ("BAYES\n999999999999", "expected the number of variables, a number from 1 to 2; got 9999"),
        (
            "BAYES 1 999999999999 1 1 0 999999999999 1",
            "expected a number of states, .* 1 to 8; got",
        ),
        (PLAIN.replace("2 3\n2", "2 3\n3"), "line 4, column 1: expected the number of functions"),
        (PLAIN.replace("2 0 1", "2 0 2"), "line 6, column 5: expected a variable of a scope"),
        (
            PLAIN.replace("2 0 1", "2 1 1"),
            "line 6, column 5: variable 1 .* has a scope with repeats",
        ),
        (PLAIN.replace("2 0 1", "2 1 0"), "line 6, column 5: variable 0 .* has a second table"),
        (PLAIN.replace("2 0 1", "0"), "expected the size of a scope, a number from 1 to 64; got 0"),
        (PLAIN.replace("6\n", "5\n"), "line 11, .* expected the size of the table of variable 1"),
        (PLAIN.replace("0.7", "x"), "line 12, column 9: expected a number, got 'x'"),
        (PLAIN.replace("0.7", "0.6"), "line 12, column 1: the prob.* 'x1' given x0=0 sum to 0.9"),
        (PLAIN.replace("0.7", "-0.7"), "line 12, column 1: .* hold -0.7, which is negative"),
        (PLAIN.replace(" 0.4", ""), "expected 6 numbers, but only 5 are left in the file"),
        (PLAIN + "1", "line 14, column 1: expected the end of the file after the last table"),
        (
            PLAIN + '# bayesloom {"names": ["a"], "states": []}',
            "line 14, .* expected names and states",
        ),
        (PLAIN + '# bayesloom {"names": ', "line 14, column 23: not JSON"),
        (
            PLAIN + '# bayesloom {"names": ["a", "a"], "states": [["0", "1"], ["0", "1", "2"]]}',
            "variable 'a' is defined twice",
        ),
        (
            PLAIN + '# bayesloom {"names": ["a", "b"], "states": [["0", 1], ["0", "1", "2"]]}',
            "a state of variable 'a' must be a text",
        ),
        ("BAYES 2 2 2 2 2 1 0 2 0 1 4 .5 .5 .5 .5 4 .5 .5 .5 .5", "the edges form a cycle"),
    ],
)
def test_a_wrong_file_names_line_and_column(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        uai.read(text, "net.uai")


def test_a_deeply_nested_names_line_is_refused() -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        uai.read(PLAIN + '# bayesloom {"a":' + "[" * 100_000, "net.uai")


@pytest.mark.parametrize("gap", [" ", "  ", "\t"])
def test_comments_on_scope_lines_change_nothing(gap: str) -> None:
    text = "BAYES\n3\n2 2 2\n3\n1 0\n1 1\n3 0 1 2\n\n2 .5 .5\n\n2 .5 .5\n\n8\n"
    text += ".1 .9 .2 .8 .3 .7 .4 .6\n"
    noted = text
    for scope, note in (("1 0", "rain"), ("1 1", "sun"), ("3 0 1 2", "wet given both")):
        noted = noted.replace(f"\n{scope}\n", f"\n{scope}{gap}# {note}\n")
    assert noted.count("#") == 3
    assert same_network(uai.read(noted, "net.uai"), uai.read(text, "net.uai"))
