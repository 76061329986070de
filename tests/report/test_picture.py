from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.errors import FileFormatError
from bayesloom.graphs import DAG, ChordalGraph
from bayesloom.model import random_dag
from bayesloom.report import Drawing, Line, Picture
from bayesloom.report.drawing import forest_drawing
from bayesloom.report.lettering import text_width
from bayesloom.report.network_drawing import network_drawing
from strategies_graphs import dags

NAMESPACE = "{http://www.w3.org/2000/svg}"


def groups(picture: Picture, kind: str) -> list[ET.Element]:
    """Return the groups of a kind outside the key."""
    root = ET.fromstring(str(picture))
    key = {id(e) for g in root.iter() if g.get("class") == "key" for e in g.iter()}
    found = (g for g in root.iter(f"{NAMESPACE}g") if id(g) not in key)
    return [g for g in found if (g.get("class") or "").split()[:1] == [kind]]


def labels(picture: Picture) -> list[str]:
    return [
        "".join(t.itertext()) for g in groups(picture, "node") for t in g.iter(f"{NAMESPACE}text")
    ]


def titles(picture: Picture) -> list[str | None]:
    return [t.text for g in groups(picture, "edge") for t in g.iter(f"{NAMESPACE}title")]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=12))
def test_any_label_gives_well_formed_svg_that_shows_it(label: str) -> None:
    assert labels(Picture.of(Drawing((label,), (0,)))) == [label]


@given(st.text(max_size=12), st.text(max_size=40))
def test_no_name_makes_the_picture_malformed(name: str, note: str) -> None:
    drawing = Drawing((name, f"{name}!"), (0, 1), notes={(0, 1): note})
    ET.fromstring(str(Picture.of(drawing)).encode())


@pytest.mark.parametrize("sign", ["\x00", "\x07", "\x1b", "\x7f", "\ud800", "\uffff", "\x85"])
def test_what_a_file_cannot_hold_is_shown_by_a_sign(sign: str) -> None:
    picture = Picture.of(Drawing((f"a{sign}b",), (0,)))
    ET.fromstring(str(picture).encode())
    assert len(labels(picture)[0]) == 3
    assert sign not in str(picture)


def test_a_long_name_is_cut_in_its_box_and_whole_in_its_tooltip() -> None:
    name = "the_name_of_a_column_that_somebody_made_from_a_whole_sentence"
    picture = Picture.of(Drawing((name,), (0,)))
    assert labels(picture)[0].endswith("…")
    assert name.startswith(labels(picture)[0][:-1])
    assert [t.text for g in groups(picture, "node") for t in g.iter(f"{NAMESPACE}title")] == [name]
    assert picture.width < 320


@given(dags())
def test_every_node_and_every_edge_is_drawn_once(dag: DAG) -> None:
    picture = Picture.of(network_drawing(dag))
    assert len(groups(picture, "node")) == dag.n
    assert len(groups(picture, "edge")) == len(set(titles(picture))) == dag.n_edges


@given(dags(), st.randoms())
def test_the_order_of_the_nodes_does_not_change_the_picture(dag: DAG, dice: st.DataObject) -> None:
    names = list(dag.names)
    dice.shuffle(names)  # type: ignore[attr-defined]
    one, other = (Picture.of(network_drawing(graph)) for graph in (dag, dag.reordered(names)))
    assert str(one) == str(other)


def test_the_picture_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from bayesloom.model import random_dag; from bayesloom.facade import plot;"
        "print(plot(random_dag(30, 1, edges=50)))"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1


def test_arrows_have_heads_and_lines_have_none() -> None:
    for line in Line:
        text = str(Picture.of(Drawing(("A", "B"), (0, 1), {(0, 1): line})))
        assert text.count('class="head"') == line.has_head


def test_the_key_explains_what_occurs_and_fits() -> None:
    words = {Line.ARROW: "an arrow of which much is to be said", Line.OPEN: "does not occur"}
    picture = Picture.of(Drawing(("A", "B"), (0, 1), key=words, measure="thicker is more"))
    root = ET.fromstring(str(picture))
    key = [g for g in root.iter(f"{NAMESPACE}g") if g.get("class") == "key"]
    said = ["".join(t.itertext()) for g in key for t in g.iter(f"{NAMESPACE}text")]
    assert said == ["an arrow of which much is to be said", "thicker is more"]
    assert picture.width > text_width(said[0], 11.0) + 34


def test_styles_hold_for_their_own_picture_alone() -> None:
    pictures = [Picture.of(Drawing((name,), (0,))) for name in "AB"]
    own = [ET.fromstring(str(picture)).get("class") for picture in pictures]
    assert own[0] != own[1]
    for picture, name in zip(pictures, own, strict=True):
        style = next(ET.fromstring(str(picture)).iter(f"{NAMESPACE}style")).text or ""
        rules = [line for line in style.splitlines() if "{" in line and not line.startswith("@")]
        assert rules
        assert all(rule.startswith(f".{name} ") for rule in rules)


def test_the_picture_says_what_it_shows() -> None:
    picture = Picture.of(network_drawing(DAG.from_edges([("A", "B")])))
    root = ET.fromstring(str(picture))
    assert root.get("role") == "img"
    assert root.get("aria-label") == root[0].text == "Network with 2 nodes and 1 edge"
    assert "\n" not in repr(picture)
    assert picture._repr_svg_() == str(picture)
    assert (root.get("width"), root.get("height")) == (str(picture.width), str(picture.height))


def test_pictures_are_saved_whole_and_as_svg(tmp_path: Path) -> None:
    picture = Picture.of(Drawing(("Größe",), (0,)))
    picture.save(tmp_path / "net.svg")
    assert (tmp_path / "net.svg").read_text(encoding="utf-8") == str(picture)
    with pytest.raises(FileFormatError, match=r"pictures are written as \.svg"):
        picture.save(tmp_path / "net.pdf")


def test_isolated_nodes_are_drawn() -> None:
    assert labels(Picture.of(network_drawing(DAG.empty(["A", "B", "C"])))) == ["A", "B", "C"]


def test_an_empty_graph_has_a_picture() -> None:
    ET.fromstring(str(Picture.of(network_drawing(DAG.empty([])))))


def test_a_junction_forest_shows_cliques_and_tells_what_they_share() -> None:
    graph = ChordalGraph.from_edges([("A", "B"), ("B", "C"), ("A", "C"), ("C", "D")])
    picture = Picture.of(forest_drawing(graph.junction_forest()))
    assert sorted(labels(picture)) == ["A, B, C", "C, D"]
    assert titles(picture) == ["shares C"]
    assert 'class="head"' not in str(picture)


@pytest.mark.parametrize("note", ["p < 0.05 & more", "<script>alert(1)</script>"])
def test_notes_are_escaped(note: str) -> None:
    picture = Picture.of(Drawing(("A", "B"), (0, 1), notes={(0, 1): note}))
    assert "<script>" not in str(picture)
    assert titles(picture) == [note]


def test_a_large_network_is_drawn_in_one_piece() -> None:
    picture = Picture.of(network_drawing(random_dag(80, 1, edges=110)))
    assert len(groups(picture, "edge")) == 110
