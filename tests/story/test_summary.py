from __future__ import annotations

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.facade import learn
from bayesloom.independence import FixedAlpha
from bayesloom.search import DMN, GES, IGES, IXGES, PC, XGES, Exact, HillClimbing, Knowledge
from bayesloom.story.summary import as_html, as_text, tally_text
from every_search import NAMES, made


@pytest.fixture(params=[80, 160])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_wider_than_the_terminal(asia: Table, width: int, name: str) -> None:
    text = repr(learn(asia, made(name, asia.names)))
    assert max(map(len, text.splitlines())) <= width


def test_many_isolated_variables_fit_the_terminal(width: int) -> None:
    frame = {f"a_rather_long_name_{k:03}": ["n", "y", "n", "n"] for k in range(50)}
    text = repr(learn(frame, HillClimbing(), max_parents=0))
    assert max(map(len, text.splitlines())) <= width
    assert "and 30 more" in " ".join(text.split())


def test_a_graph_that_no_network_extends_is_not_called_a_class() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        table = Table("ABCDEF", ["ny"] * 6, list(rng.integers(0, 2, (6, 60))))
        net = learn(table, PC(control=FixedAlpha(0.5)))
        if any(note.startswith("no DAG extends") for note in net.notes):
            break
    text = " ".join(repr(net).split())
    assert "no class of networks: there is none that has all these edges" in text
    assert "a class of equivalent networks" not in text


def test_arrows_that_are_those_of_one_member_of_a_class_are_told(asia: Table) -> None:
    for search in (HillClimbing(), Exact()):
        net = learn(asia, search)
        free = sum(row.direction == "free" for row in net.edge_table())
        assert free == len(net.cpdag.undirected) > 0
        text = " ".join(repr(net).split())
        assert f"read one network of a class: {free} of the {len(net.edges)} arrows could" in text
    collider = {"a": [0, 0, 1, 1] * 25, "b": [0, 1] * 50, "c": [0, 0, 0, 1] * 25}
    net = learn(collider, HillClimbing())
    assert net.edges == (("a", "c"), ("b", "c"))
    assert "one network of a class" not in repr(net)
    known = learn(asia, HillClimbing(), knowledge=Knowledge(tiers=[[name] for name in asia.names]))
    assert "one network of a class" not in repr(known)


def test_a_start_graph_is_told_by_its_edges(child: Table, width: int) -> None:
    start = learn(child, HillClimbing()).dag
    text = repr(learn(child, XGES(start=start)))
    assert f"search   XGES, from a start graph of {start.n_edges} edges\n" in text
    assert max(map(len, text.splitlines())) <= width


def test_the_default_is_told_as_the_search_of_its_name_and_others_are_told_apart(
    asia: Table,
) -> None:
    default, named, other = (repr(learn(asia, search)) for search in (None, IXGES(), IGES()))
    assert "IXGES with chi-square tests (control spending, alpha 0.05)" in default
    assert "score    bdm" in default
    assert default.splitlines()[1:3] == named.splitlines()[1:3]
    assert "IGES with chi-square tests (control fixed, alpha 0.05)" in other
    assert "score    bdeu" in other


def test_numbers_are_those_of_the_result(asia: Table) -> None:
    learned = learn(asia, GES())
    text = repr(learned)
    assert f"bic {learned.score.value:,.6f}" in text
    assert f"{learned.candidates:,} families scored" in text
    strongest = learned.edge_table().rows[0]
    first = next(line for line in text.splitlines() if f"{strongest.loss:,.1f}" in line)
    assert strongest.source in first
    assert strongest.target in first


def test_what_an_edge_without_a_direction_means_is_said_once_and_where_there_is_one(
    asia: Table,
) -> None:
    frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    assert " ".join(repr(learn(frame, GES())).split()).count("either direction explains") == 1
    assert "either direction" not in repr(learn(asia, HillClimbing()))
    assert "linked" in repr(learn(asia, DMN()))


def test_no_conclusive_test_is_no_clean_bill(asia: Table) -> None:
    few = learn(asia.take(slice(0, 8)))
    assert few.tests.inconclusive == few.tests.made > 0
    text = tally_text(few.history)
    assert text.startswith(f"none of {few.tests.made:,} tests was conclusive (too few rows")
    assert "covered" not in text


def test_columns_with_many_states_are_named() -> None:
    many = [f"p{k % 30}" for k in range(120)]
    text = repr(learn({"pixel": many, "class": ["a", "b"] * 60}))
    assert "states   2 to 30 per column; more than 20: pixel 30" in text


def test_a_long_list_of_edges_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    frame = {f"v{k:03}": ["n", "y"] * 20 for k in range(200)}
    text = repr(learn(frame, made("chow-liu", tuple(frame))))
    assert "more; edge_table() lists all" in text
    assert len(text.splitlines()) < 40


def test_html_says_the_same(asia: Table) -> None:
    learned = learn(asia, GES())
    record = learned._full_record()
    assert record is not None
    html = as_html(record, learned.graph, 1.5, dict.fromkeys(asia.names, 2))
    for line in as_text(record, learned.graph, 1.5).splitlines()[:4]:
        assert line.split("  ")[-1].strip() in html
    assert "after 1.500 s" in html
    assert "after" not in as_html(record, learned.graph)
    assert html.count("&rarr;") == len(learned.edges)


def test_hostile_names_stay_on_their_line() -> None:
    bad = "a\nb"
    frame = {bad: ["n", "y"] * 20, "c": ["n", "y"] * 20}
    assert not any(line.startswith("b") for line in repr(learn(frame)).splitlines())
