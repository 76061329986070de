from __future__ import annotations

from pathlib import Path

import pytest

import bayesloom as bl
from bayesloom import facade
from bayesloom.errors import FileFormatError, OptionError
from bayesloom.report import Picture

DATA = {
    "wet": ["no", "yes", "no", "no"] * 50,
    "rain": ["no", "yes", "yes", "no"] * 50,
    "moon": ["old", "new"] * 100,
}
PAIR = {name: DATA[name] for name in ("wet", "rain")}


def test_the_picture_shows_every_variable_and_is_written(tmp_path: Path) -> None:
    picture = bl.learn(DATA).plot(tmp_path / "net.svg")
    assert (tmp_path / "net.svg").read_text() == str(picture)
    assert str(picture).count('class="node"') == 3


TIERS = bl.Knowledge(tiers=[["rain"], ["wet", "moon"]])


@pytest.mark.parametrize(
    ("search", "knowledge"),
    [
        (bl.GES(), None),
        (bl.GES(), TIERS),
        (bl.HillClimbing(), None),
        (bl.HillClimbing(), TIERS),
        (bl.DMN(), None),
    ],
)
def test_a_saved_network_is_drawn_as_the_learned_one(
    search: bl.GES, knowledge: bl.Knowledge | None, tmp_path: Path
) -> None:
    learned = bl.learn(DATA, search, knowledge=knowledge)
    learned.save(tmp_path / "net.json")
    assert str(bl.load(tmp_path / "net.json").plot()) == str(learned.plot())


def test_a_search_over_dags_draws_arrows_and_one_over_classes_lines() -> None:
    assert 'class="head"' in str(bl.learn(PAIR, bl.HillClimbing()).plot())
    assert 'class="head"' not in str(bl.learn(PAIR, bl.GES()).plot())
    assert 'class="head"' in str(bl.learn(PAIR, bl.GES()).plot(view="dag"))
    assert 'class="head"' not in str(bl.learn(PAIR, bl.HillClimbing()).plot(view="class"))


def test_directions_from_tiers_have_their_own_style_in_dags_too() -> None:
    tiers = bl.Knowledge(tiers=[["rain"], ["wet"]])
    for search in (bl.HillClimbing(), bl.GES()):
        assert 'class="edge known"' in str(bl.learn(PAIR, search, knowledge=tiers).plot())


def test_whatever_has_a_graph_can_be_drawn(tmp_path: Path) -> None:
    learned = bl.learn(DATA, bl.DMN())
    dag = bl.DAG.from_edges([("rain", "wet")])
    for what in (
        learned,
        learned.net,
        learned.decomposable_net,
        learned.graph,
        learned.junction_forest,
        dag,
        bl.CPDAG.of(dag),
        bl.PDAG.from_edges([("A", "B")]),
    ):
        picture = facade.plot(what, tmp_path / "net.svg")
        assert isinstance(picture, Picture)
        assert (tmp_path / "net.svg").read_text() == str(picture)


def test_what_has_no_graph_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="a network is made of arrows"):
        facade.plot(3)  # type: ignore[arg-type]
    with pytest.raises(FileFormatError, match=r"pictures are written as \.svg or \.png"):
        facade.plot(bl.DAG.empty(["A"]), tmp_path / "net.pdf")


def test_a_network_draws_itself_in_a_notebook() -> None:
    assert "<svg" in bl.learn(DATA)._repr_html_()
