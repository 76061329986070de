"""A search of somebody's own with evidence of a new kind: one class, known to all that tells it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import bayesloom as bl
from bayesloom.data.plain import from_plain, to_plain
from bayesloom.engine import Engine
from bayesloom.errors import DataError, FileFormatError
from bayesloom.graphs import PDAG, bits
from bayesloom.registry import FINDINGS
from bayesloom.search import (
    Finding,
    Limits,
    Reason,
    ReportColumn,
    SearchResult,
    Step,
    Stop,
    V,
    Watch,
)
from bayesloom.search.facts.finding import Foreign


@dataclass(frozen=True, slots=True)
class Vote(Finding[V]):
    """How many witnesses spoke for an edge."""

    witnesses: tuple[V, ...]
    votes: int
    name = "vote"
    columns = (ReportColumn("witnesses", "witnesses", "variables"), ReportColumn("votes", "votes"))

    def sentence(self, *, joined: bool = False) -> str:
        """Say what the vote was."""
        who = " and ".join(map(str, self.witnesses)) or "nobody"
        verdict = "joined" if joined else "kept apart"
        return f"{self.x} and {self.y} were {verdict}: {who} voted, {self.votes:,} times."


@dataclass(frozen=True)
class Votes:
    """Joins the first variable with all others, by vote."""

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search."""
        del watch
        n = engine.n_variables
        star = tuple((1 << n) - 2 if v == 0 else 1 for v in range(n))
        others = [(x, y) for x in range(1, n) for y in range(x + 1, n)]
        return SearchResult(
            dag=None,
            graph=PDAG(limits.names, (0,) * n, star),
            score=None,
            steps=(),
            stop=Stop.COMPLETE,
            candidates=0,
            separations=tuple(Vote(x, y, (0,), 1) for x, y in others),
            weighed=tuple(Vote(0, y, tuple(bits(star[0] & ~(1 << y))), 7 * y) for y in range(1, n)),
        )


@pytest.fixture
def registered() -> Iterator[None]:
    bl.register(Vote)
    yield
    del FINDINGS._added["vote"]


@pytest.fixture
def net() -> bl.Network:
    rows = {"c": ["n", "y"] * 20, "a": ["n", "y"] * 20, "b": ["n", "n", "y", "y"] * 10}
    return bl.learn(rows, Votes())


@pytest.mark.usefixtures("registered")
def test_a_finding_of_a_new_kind_is_told_in_stories_reports_and_json(
    net: bl.Network, tmp_path: Path
) -> None:
    assert net.weighed == (Vote("a", "b", ("c",), 7), Vote("a", "c", ("b",), 14))
    assert "a and b were joined: c voted, 7 times." in str(net.explain("a", "b"))
    apart = net.explain("c", "b")
    assert "b and c were kept apart: a voted, 1 times." in str(apart)
    expected = {"kind": "vote", "x": "b", "y": "c", "witnesses": ["a"], "votes": 1}
    expected["text"] = "b and c were kept apart: a voted, 1 times."
    assert apart.to_dict()["separation"] == expected
    assert net.to_dict()["separations"] == [expected]
    page = Path(net.report(tmp_path / "net.html")).read_text()
    content = json.loads(re.search(r'id="content">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    table, names = content["control"]["tables"]["vote"], content["names"]
    assert [column["head"] for column in table["columns"]] == ["witnesses", "votes", "joined"]
    told = {
        (names[row["x"]], names[row["y"]], row["votes"], row["joined"]) for row in table["rows"]
    }
    assert told == {("a", "b", 7, True), ("a", "c", 14, True), ("b", "c", 1, False)}


@pytest.mark.usefixtures("registered")
def test_it_comes_back_from_a_file_where_it_is_known(net: bl.Network, tmp_path: Path) -> None:
    again = bl.load(net.save(tmp_path / "net.json"))
    assert again.record == net.record
    assert again.weighed == net.weighed


def test_where_it_is_not_known_a_file_still_has_its_sentence(
    net: bl.Network, tmp_path: Path
) -> None:
    bl.register(Vote)
    try:
        net.save(tmp_path / "net.json")
    finally:
        del FINDINGS._added["vote"]
    again = bl.load(tmp_path / "net.json")
    assert isinstance(again.weighed[0], Foreign)
    assert "a and b were joined: c voted, 7 times." in str(again.explain("a", "b"))
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "net.json").read_text()


@pytest.mark.usefixtures("registered")
def test_a_file_about_other_variables_is_refused(net: bl.Network, tmp_path: Path) -> None:
    path = Path(net.save(tmp_path / "net.json"))
    text = json.loads(path.read_text())
    text["learned"]["weighed"][0]["witnesses"] = ["nobody"]
    path.write_text(json.dumps(text))
    with pytest.raises(FileFormatError, match="it tells of 'nobody', which is no variable here"):
        bl.load(path)


def test_facts_are_renamed_wherever_they_have_variables() -> None:
    step = Step("insert", 0, 1, 2.5, (2,), Reason.TRIAL, (0,))
    named = step.renamed("ABC".__getitem__)
    assert named == Step("insert", "A", "B", 2.5, ("C",), Reason.TRIAL, (0,))
    assert list(named.variables()) == ["A", "B", "C"]


def test_plain_data_of_a_wrong_kind_are_refused_with_their_place() -> None:
    vote = Vote("a", "b", ("c",), 7)
    assert from_plain(Vote, to_plain(vote)) == vote
    for damage, message in (
        ({"votes": -1}, '"votes" must be a whole number, 0 or more, got -1'),
        ({"witnesses": "c"}, "\"witnesses\" must be a list, got 'c'"),
        ({"x": 3}, '"x" must be a text, got 3'),
    ):
        with pytest.raises(DataError, match=re.escape(message)):
            from_plain(Vote, to_plain(vote) | damage)
