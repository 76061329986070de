from __future__ import annotations

from pathlib import Path

import pytest

import bayesloom as bl
from bayesloom.report.network_picture import edge_losses


@pytest.fixture
def learned() -> bl.Learned:
    rain = ["no", "yes", "yes", "no"] * 50
    wet = ["no", "yes", "no", "no"] * 50
    return bl.learn({"wet": wet, "rain": rain, "moon": ["old", "new"] * 100})


def test_the_picture_shows_every_variable_and_edge(learned: bl.Learned, tmp_path: Path) -> None:
    text = learned.plot(tmp_path / "net.svg")
    assert (tmp_path / "net.svg").read_text() == text
    assert text.count('class="node"') == 3
    assert "rain" in text
    assert "moon" in text


def test_an_edge_is_as_strong_as_the_score_falls_without_it(learned: bl.Learned) -> None:
    losses = edge_losses(learned.engine, bl.BIC(), learned.dag)
    for (p, v), loss in losses.items():
        edges = [e for e in learned.dag.edges if e != (learned.names[p], learned.names[v])]
        without = bl.DAG.from_edges(edges, nodes=learned.names)
        order = learned.engine.names
        now = bl.BIC().total(learned.engine, learned.dag.reordered(order).parents)
        then = bl.BIC().total(learned.engine, without.reordered(order).parents)
        assert loss == pytest.approx(now - then)


def test_a_markov_network_is_drawn_without_arrows() -> None:
    table = {"a": ["0", "1"] * 40, "b": ["0", "1"] * 40, "c": ["0", "1", "1", "0"] * 20}
    assert 'class="head"' not in bl.learn(table, bl.DMN()).plot()


def test_a_network_draws_itself_in_a_notebook(learned: bl.Learned) -> None:
    assert "<svg" in learned._repr_html_()


def test_pictures_are_svg_files(learned: bl.Learned, tmp_path: Path) -> None:
    with pytest.raises(bl.errors.FileFormatError, match=r"pictures are written as \.svg"):
        learned.plot(tmp_path / "net.pdf")
