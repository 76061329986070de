from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from bayesloom.data import Table
from bayesloom.facade import Network, learn
from bayesloom.graphs import CPDAG
from bayesloom.model import load_net
from bayesloom.search import GES, ChowLiu, HillClimbing, Knowledge

KEYS = [
    "variables", "directed", "undirected", "cpdag", "score", "dependencies", "steps", "tests",
    "candidates", "stop", "seconds",
]  # fmt: skip


def test_searches_over_dags_give_the_dag_and_its_class(asia: Table) -> None:
    learned = learn(asia, HillClimbing())
    assert learned.edges == tuple(sorted(learned.dag.edges))
    assert learned.undirected == ()
    assert learned.cpdag == CPDAG.of(learned.dag)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_result_can_be_sent_to_another_process(
    asia: Table, again: Callable[[Network], Network]
) -> None:
    learned = learn(asia, GES())
    twin = again(learned)
    assert twin.to_dict() == learned.to_dict()
    assert twin.net.table("asia").tolist() == learned.net.table("asia").tolist()


def test_searches_over_classes_give_the_class(child: Table) -> None:
    learned = learn(child, GES())
    assert learned.undirected
    assert learned.edges == tuple(sorted(learned.cpdag.directed))
    assert {frozenset(edge) for edge in learned.undirected} == {
        frozenset(edge) for edge in learned.cpdag.undirected
    }


def test_the_skeleton_joins_the_same_pairs_and_keeps_isolated_nodes(asia: Table) -> None:
    learned = learn(asia, max_parents=0)
    assert learned.skeleton.names == asia.names
    assert learned.skeleton.undirected == ()
    joined = learn(asia, HillClimbing())
    assert {frozenset(e) for e in joined.skeleton.undirected} == {
        frozenset(e) for e in joined.edges
    }


def test_the_data_form_has_exactly_the_documented_members(asia: Table) -> None:
    told = json.loads(json.dumps(learn(asia, GES()).to_dict(), allow_nan=False))
    assert list(told) == KEYS
    assert set(told["score"]) == {"name", "value"}
    assert set(told["cpdag"]) == {"directed", "undirected"}
    assert told["tests"] == {"made": 0, "inconclusive": 0, "rejected": 0}
    assert told["dependencies"] == []
    for step in told["steps"]:
        assert list(step) == ["operator", "x", "y", "with", "reason", "gain"]
    for key in ("directed", "undirected"):
        assert told[key] == sorted(told[key])
        assert told["cpdag"][key] == told[key]
    assert all(pair == sorted(pair) for pair in told["undirected"])
    assert told["stop"] == "local_optimum"


def test_the_gains_of_the_steps_add_up_to_the_score(asia: Table) -> None:
    learned = learn(asia, GES())
    empty = learn(asia, GES(), max_parents=0).score.value
    assert empty + sum(step.gain for step in learned.steps) == pytest.approx(learned.score.value)


def test_parameters_are_fitted_once(asia: Table) -> None:
    learned = learn(asia)
    assert learned.net is learned.net


@pytest.mark.parametrize("name", ["a.bif", "a.xml", "a.net", "a.uai", "a.json", "a.json.gz"])
def test_saved_networks_come_back(asia: Table, tmp_path: Path, name: str) -> None:
    learned = learn(asia)
    learned.save(tmp_path / name)
    found = load_net(tmp_path / name)
    assert found.dag.reordered(asia.names) == learned.dag


def test_the_screen_tells_search_score_steps_and_edges(asia: Table) -> None:
    learned = learn(asia, HillClimbing(restarts=2))
    text, n = repr(learned), len(learned.edges)
    assert text.splitlines()[0] == (
        f"Learned from 1,000 rows of 8 columns: a Bayesian network with {n} edges"
    )
    assert "HillClimbing(restarts=2)" in text
    assert "bic -2," in text
    assert "no move improves the score" in text
    assert "isolated: asia" in text or "asia ->" in text or "-> asia" in text


def test_the_screen_of_a_large_network_stays_one_screen() -> None:
    frame = {f"v{k:03}": ["n", "y"] * 20 for k in range(200)}
    text = repr(learn(frame, ChowLiu()))
    assert len(text.splitlines()) < 60


def test_the_notebook_form_escapes_names() -> None:
    frame = {"<script>": ["n", "y"] * 20, "a&b": ["n", "y"] * 20}
    page = learn(frame)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "a&amp;b" in page


def test_required_edges_stay_directed_in_the_class_found(asia: Table) -> None:
    learned = learn(asia, GES(), knowledge=Knowledge(required=(("lung", "smoke"),)))
    assert ("lung", "smoke") in learned.edges
