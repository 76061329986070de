from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import KnowledgeError
from bayesloom.graphs import DAG, find_cycle
from bayesloom.search import facts_of
from bayesloom.search.search import Search

BELIEF = {("A", "B"): 0.05, ("B", "A"): 0.9, ("C", "A"): 0.8, ("D", "C"): 0.6}
EVEN = {("A", "B"): 0.45, ("B", "A"): 0.45, ("C", "D"): 0.1, ("D", "C"): 0.1}


def frame(seed: int, rows: int = 60) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 2, rows)
    b = np.where(rng.random(rows) < 0.8, a, 1 - a)
    c = np.where(rng.random(rows) < 0.75, b, rng.integers(0, 3, rows))
    d = rng.integers(0, 2, rows)
    return {name: [str(x) for x in x_] for name, x_ in zip("ABCD", (a, b, c, d), strict=True)}


def all_dags(names: str) -> list[DAG]:
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    found = []
    for how in product((0, 1, 2), repeat=len(pairs)):
        edges = [(a, b) if k == 1 else (b, a) for k, (a, b) in zip(how, pairs, strict=True) if k]
        parents = [0] * len(names)
        for a, b in edges:
            parents[names.index(b)] |= 1 << names.index(a)
        if not find_cycle(parents):
            found.append(DAG.from_edges(edges, list(names)))
    return found


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", list(bl.ExactMethod))
def test_exact_search_finds_the_best_of_all_graphs(seed: int, method: bl.ExactMethod) -> None:
    if method is bl.ExactMethod.ILP:
        pytest.importorskip("highspy")
    data, known, score = frame(seed), bl.Knowledge(belief=BELIEF), bl.BIC()
    best = max(score.explain(data, dag, knowledge=known).value for dag in all_dags("ABCD"))
    net = bl.learn(data, bl.Exact(score=score, method=method), knowledge=known)
    assert net.proof is not None
    assert net.proof.optimal
    assert net.score.value == pytest.approx(best, abs=1e-9)
    assert bl.certify(net, data, score, knowledge=known).optimal


SEARCHES: list[Search] = [
    bl.HillClimbing(),
    bl.Tabu(),
    bl.OrderSearch(),
    bl.IHC(),
    bl.MMHC(),
    bl.Exact(),
    bl.K2(order=("D", "C", "B", "A")),
    bl.StructuralEM(bl.HillClimbing()),
    bl.IL(bl.Tabu()),
]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda each: type(each).__name__)
def test_every_search_over_dags_counts_beliefs(search: Search) -> None:
    data, known = frame(1), bl.Knowledge(belief=BELIEF)
    net = bl.learn(data, search, knowledge=known)
    score = facts_of(search).goal(60)
    assert score is not None
    assert net.score.value == pytest.approx(
        score.explain(data, net.dag, knowledge=known).value, abs=1e-9
    )


@pytest.mark.parametrize("search", [*SEARCHES, bl.XGES(), bl.GES(), bl.BOSS(), None], ids=repr)
def test_one_third_changes_nothing_to_the_bit(search: Search | None) -> None:
    third = {(a, b): 1 / 3 for a in "ABCD" for b in "ABCD" if a < b}
    data = frame(2)
    plain, known = (
        bl.learn(data, search),
        bl.learn(data, search, knowledge=bl.Knowledge(belief=third)),
    )
    assert known.dag == plain.dag
    assert known.graph == plain.graph
    assert known.score == plain.score
    assert known.history.steps == plain.history.steps


@pytest.mark.parametrize("search", [bl.GES(), bl.XGES(), bl.BOSS(), bl.IGES()], ids=repr)
def test_searches_over_classes_take_beliefs_that_are_equal_both_ways(search: Search) -> None:
    data, known = frame(3), bl.Knowledge(belief=EVEN)
    net = bl.learn(data, search, knowledge=known)
    value = search.score.explain(data, net.dag, knowledge=known).value  # type: ignore[attr-defined]
    assert net.score.value == pytest.approx(value, abs=1e-9)
    with pytest.raises(KnowledgeError, match="take a search over DAGs"):
        bl.learn(data, search, knowledge=bl.Knowledge(belief=BELIEF))


def test_tiers_settle_directions_for_searches_over_classes() -> None:
    known = bl.Knowledge(tiers=[["A"], ["B"]], belief={("A", "B"): 0.9})
    net = bl.learn(frame(3), bl.GES(), knowledge=known)
    assert ("A", "B") in net.dag.edges


@pytest.mark.parametrize(
    "search", [bl.PC(), bl.DMN(), bl.ChowLiu(), bl.ARACNE(), bl.MIIC()], ids=repr
)
def test_searches_that_choose_no_arrow_by_a_score_refuse_beliefs(search: Search) -> None:
    with pytest.raises(KnowledgeError, match="cannot count beliefs"):
        bl.learn(frame(1), search, knowledge=bl.Knowledge(belief=BELIEF))


def test_a_strong_belief_turns_an_arrow_that_the_data_leave_open() -> None:
    data = {name: column for name, column in frame(1).items() if name in "AB"}
    for arrow in (("A", "B"), ("B", "A")):
        net = bl.learn(data, knowledge=bl.Knowledge(belief={arrow: 0.8}))
        assert net.dag.edges == (arrow,)


def test_the_default_goes_over_dags_only_where_directions_differ() -> None:
    data = frame(1)
    assert "Tabu" in bl.learn(data, knowledge=bl.Knowledge(belief=BELIEF)).history.search
    even = bl.learn(data, knowledge=bl.Knowledge(belief=EVEN))
    assert even.history.search == bl.learn(data).history.search


def test_summaries_stories_and_losses_count_beliefs() -> None:
    known = bl.Knowledge(belief={("A", "B"): 0.8})
    net = bl.learn(frame(1), bl.Tabu(), knowledge=known)
    assert "belief   A -> B 0.8; counted in the score" in str(net)
    story = net.explain("A", "B")
    assert "The belief is A -> B 0.8, B -> A 0.1, no arrow 0.1" in str(story)
    plain = bl.BIC()
    with_, without = (
        plain.explain(frame(1), dag, knowledge=known).value
        for dag in (net.dag, DAG.from_edges(set(net.dag.edges) - {("A", "B")}, net.dag.names))
    )
    assert story.evidence is not None
    assert story.evidence.changes[0].gain == pytest.approx(without - with_, abs=1e-9)


def test_records_and_files_keep_beliefs(tmp_path: Path) -> None:
    net = bl.learn(frame(1), bl.Tabu(), knowledge=bl.Knowledge(belief=BELIEF))
    net.save(tmp_path / "net.json")
    again = bl.load(tmp_path / "net.json")
    assert again.history.knowledge == net.history.knowledge
    plain = bl.learn(frame(1), bl.Tabu())
    assert "belief" not in json.dumps(plain.history.to_dict())


def test_posterior_of_two_variables_is_the_prior_times_the_likelihood() -> None:
    data = {name: column for name, column in frame(1, 12).items() if name in "AB"}
    known, score = bl.Knowledge(belief={("A", "B"): 0.7}), bl.BDeu()
    values = {dag.edges: score.explain(data, dag, knowledge=known).value for dag in all_dags("AB")}
    top = max(values.values())
    weights = {edges: np.exp(value - top) for edges, value in values.items()}
    wanted = sum(weights.values()) - weights[()]
    found = bl.posterior(data, score, knowledge=known, method="partition", seed=1)
    (pair,) = found.confidence.pairs
    assert pair.strength == pytest.approx(wanted / sum(weights.values()), abs=0.03)
    assert pair.direction == pytest.approx(weights[("A", "B"),] / wanted, abs=0.03)


def test_bootstrap_and_compare_count_beliefs() -> None:
    data = {name: column for name, column in frame(1).items() if name in "AB"}
    known = bl.Knowledge(belief={("B", "A"): 0.9})
    drawn = bl.bootstrap(data, bl.HillClimbing(), replicates=5, classes=False, knowledge=known)
    assert [(pair.x, pair.y) for pair in drawn.confidence.pairs] == [("B", "A")]
    found = bl.compare(data, [bl.HillClimbing(), bl.GES()], folds=2, knowledge=known)
    over_dags, over_classes = found
    assert over_dags.failure == ""
    assert "beliefs that differ by direction" in over_classes.failure
