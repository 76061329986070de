"""The face of decomposable Markov networks: links without direction, cliques, separators."""

from __future__ import annotations

import itertools
from pathlib import Path

from bayesloom.data import Table
from bayesloom.graphs import ChordalGraph
from bayesloom.learning import learn
from bayesloom.search import DMN

PARITY = {
    name: [str(row[k]) for row in itertools.product((0, 1), repeat=2) for _ in range(50)]
    for k, name in enumerate("XY")
}
PARITY["Z"] = [str(int(x) ^ int(y)) for x, y in zip(PARITY["X"], PARITY["Y"], strict=True)]


def test_links_are_undirected_edges(child: Table) -> None:
    learned = learn(child, DMN())
    assert isinstance(learned.graph, ChordalGraph)
    assert learned.edges == ()
    assert {frozenset(pair) for pair in learned.undirected} == {
        frozenset(pair) for pair in learned.graph.edges
    }


def test_cliques_and_separators_are_told_by_names(child: Table) -> None:
    told = learn(child, DMN()).to_dict()
    cliques, separators = told["cliques"], told["separators"]
    assert isinstance(cliques, list)
    assert isinstance(separators, list)
    assert sorted(cliques) == cliques
    assert sorted(separators) == separators
    assert {name for clique in cliques for name in clique} == set(child.names)
    for separator in separators:
        assert sum(set(separator) <= set(clique) for clique in cliques) >= 2


def test_parity_is_found_and_its_story_told() -> None:
    learned = learn(PARITY, DMN(lookahead=3))
    assert learned.undirected == (("X", "Y"), ("X", "Z"), ("Y", "Z"))
    story = learned.explain("Y", "Z")
    assert (story.edge, story.direction) == ("-", None)
    assert "Step 1 linked X, Y, Z: it changed the score by +" in str(story)
    assert learned.query("Z", given={"X": "1", "Y": "1"})["0"] > 0.9


def test_the_price_of_a_parameter_names_the_score(asia: Table) -> None:
    assert learn(asia, DMN()).score.name == "bic"
    assert learn(asia, DMN(alpha=0.0, lookahead=1, max_clique=2)).score.name == "loglik"


def test_the_network_can_be_saved_and_keeps_its_record(asia: Table, tmp_path: Path) -> None:
    from bayesloom.learning import load_record

    learned = learn(asia, DMN())
    learned.save(tmp_path / "net.json")
    assert load_record(tmp_path / "net.json") == learned.record
