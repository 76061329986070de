from __future__ import annotations

import io
import itertools
import shutil
import subprocess
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesloom as bl
from bayesloom.graphs.exchange import dot_text, graphml_text

names = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=6
).filter(lambda name: name == name.strip() and "\ufffe" not in name and "\uffff" not in name)


@given(st.lists(names, min_size=2, max_size=5, unique=True))
def test_networkx_reads_the_graphml_of_any_names(found: list[str]) -> None:
    edges = list(itertools.pairwise(found))
    graph = nx.read_graphml(io.BytesIO(graphml_text(found, edges).encode()))
    assert list(graph.nodes) == found
    assert list(graph.edges) == edges


def test_links_are_undirected_in_graphml() -> None:
    graph = nx.read_graphml(io.BytesIO(graphml_text(["A", "B"], [], [("A", "B")]).encode()))
    assert not graph.is_directed()
    assert list(graph.edges) == [("A", "B")]


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@given(st.lists(names, min_size=2, max_size=4, unique=True))
def test_graphviz_reads_the_dot_of_any_names(found: list[str]) -> None:
    text = dot_text(found, [(found[0], found[1])])
    said = subprocess.run(
        ["dot", "-Tplain"], input=text.encode(), capture_output=True, check=True
    ).stdout.decode()
    assert sum(line.startswith("node") for line in said.splitlines()) == len(found)


def test_a_network_is_saved_for_other_programs(tmp_path: Path) -> None:
    net = bl.network("A -> B <- C")
    assert net.save(tmp_path / "net.dot") == str(tmp_path / "net.dot")
    assert '"A" -> "B";' in (tmp_path / "net.dot").read_text()
    net.save(tmp_path / "net.graphml")
    assert set(nx.read_graphml(tmp_path / "net.graphml").edges) == {("A", "B"), ("C", "B")}


def test_open_edges_of_a_class_have_no_heads_in_dot(tmp_path: Path) -> None:
    net = bl.learn({"A": ["x", "y"] * 50, "B": ["x", "y"] * 50}, bl.GES())
    net.save(tmp_path / "net.dot")
    assert '"A" -> "B" [dir=none];' in (tmp_path / "net.dot").read_text()
