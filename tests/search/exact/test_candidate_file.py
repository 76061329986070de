"""Files of candidate sets: what is written is read, and what is no such file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.data import Table
from bayesloom.errors import FileFormatError, OptionError
from bayesloom.search import (
    CandidateSets,
    ParentSet,
    find_candidates,
    load_candidates,
    save_candidates,
)
from strategies_search import rich_table

# As GOBNILP prints it: a count, then for each variable its sets, in any order.
TEXT = """3
wet 2
-10.5 0
-4.25 2 rain cold
rain 2
-3.5 1 cold
-6 0
cold 1
-2.75 0
"""


def test_the_format_of_gobnilp_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.scores").write_text(TEXT)
    found = load_candidates(tmp_path / "a.scores")
    assert found.names == ("cold", "rain", "wet")
    assert found.sets == (
        (ParentSet(-2.75, 0),),
        (ParentSet(-3.5, 0b001), ParentSet(-6.0, 0)),
        (ParentSet(-4.25, 0b011), ParentSet(-10.5, 0)),
    )
    assert found.ceilings == (-2.75, -3.5, -4.25)
    assert found.max_parents == 2
    assert found.is_complete


@given(seed=st.integers(0, 1000))
def test_what_is_written_is_read_to_the_last_bit(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("candidates") / "a.scores"
    found = find_candidates(rich_table(seed, 5, 6), bl.BDeu(ess=3), max_parents=3)
    save_candidates(found, path)
    again = load_candidates(path)
    assert (again.names, again.sets, again.ceilings) == (found.names, found.sets, found.ceilings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file ends where the number of variables should be"),
        ("three\n", r"line 1: expected a whole number, got 'three'"),
        ("99999999999999999999\n", "line 1: expected a whole number"),
        ("2\na 1\n-1 0\n", "the file ends where a variable and the number of its sets"),
        ("1\na 2\n-1 0\n", "the file ends where a set of parents of 'a' should be"),
        ("1\na b 1\n-1 0\n", "line 2: expected a variable and the number of its sets"),
        ("1\na 1\nlow 0\n", "line 3: expected a score, got 'low'"),
        ("1\na 1\nnan 0\n", "line 3: expected a score, got 'nan'"),
        ("1\na 1\n-1\n", "line 3: expected a score, the number of parents, and so many"),
        ("1\na 1\n-1 1\n", "line 3: expected a score, the number of parents, and so many"),
        ("1\na 1\n-1 1 a\n", "line 3: 'a' is among its own parents"),
        ("1\na 1\n-1 1 b\n", "line 3: 'b' is no variable of the file"),
        ("2\nb 1\n-1 0\na 1\n-1 2 b b\n", "line 5: a parent is there twice"),
        ("2\na 1\n-1 0\na 1\n-1 0\n", "line 4: the variable 'a' is there twice"),
        ("1\na 1\n-1 0\nb 1\n", "line 4: expected the end of the file after 1 variables"),
        ("1\na 0\n", "'a' has no set of parents, not even the empty one"),
    ],
)
def test_what_is_no_such_file_is_refused_with_its_line(
    text: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "a.scores").write_text(text)
    with pytest.raises(FileFormatError, match=message):
        load_candidates(tmp_path / "a.scores")


def test_a_name_with_blanks_cannot_be_written(tmp_path: Path) -> None:
    for name in ("bad weather", "bad\nweather", "", "\u2003"):
        odd = CandidateSets((name,), ((ParentSet(-1.0, 0),),), (-1.0,))
        with pytest.raises(OptionError, match="separates names by blanks"):
            save_candidates(odd, tmp_path / "a.scores")
    assert not (tmp_path / "a.scores").exists()


def test_a_name_that_would_be_read_as_a_comment_cannot_be_written(tmp_path: Path) -> None:
    found = find_candidates({"#1": ["x", "y"] * 9, "b": ["x", "y"] * 9})
    with pytest.raises(OptionError, match="begins with # is a comment"):
        save_candidates(found, tmp_path / "x.scores")
    assert not (tmp_path / "x.scores").exists()


def test_only_candidates_are_written(asia: Table, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="candidates must be CandidateSets"):
        save_candidates(asia, tmp_path / "a.scores")  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="nothing"):
        load_candidates(tmp_path / "nothing.scores")


def test_a_rounded_file_leads_to_the_scores_of_the_data(asia: Table, tmp_path: Path) -> None:
    lines = []
    save_candidates(find_candidates(asia), tmp_path / "a.scores")
    for line in (tmp_path / "a.scores").read_text().splitlines():
        first, *rest = line.split()
        lines.append(" ".join([f"{float(first):.4f}" if "." in first else first, *rest]))
    (tmp_path / "rounded.scores").write_text("\n".join(lines))
    learned = bl.learn(asia, bl.Exact(candidates=load_candidates(tmp_path / "rounded.scores")))
    assert learned.score == bl.learn(asia, bl.Exact()).score
    assert learned.proof is not None
    assert learned.proof.optimal
