"""The face of decomposable Markov networks: links without direction, cliques, separators."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.errors import AbsentError, GraphError, OptionError
from bayesloom.facade import learn
from bayesloom.graphs import ChordalGraph
from bayesloom.inference import query
from bayesloom.model import Laplace, MaximumLikelihood
from bayesloom.scores import AIC, BIC, BDeu, model_entropy
from bayesloom.search import DMN, GES, HillClimbing, Start, ThroughDMN

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
    text = str(story)
    assert "Step 1 linked X - Y, X - Z, Y - Z: entropy fell by 0.6931 nats per row" in text
    assert "for 4 more parameters (crux X, Y, Z); this changed the score by +" in text
    assert "Now, unlinking Y - Z would change the score (bic) by -" in text
    assert "Given X (their common neighbours) the two are dependent" in text
    assert learned.query("Z", given={"X": "1", "Y": "1"})["0"] > 0.9


def test_the_price_of_a_parameter_names_the_score(asia: Table) -> None:
    assert learn(asia, DMN()).score.name == "bic"
    assert learn(asia, DMN(alpha=0.0, lookahead=1, max_clique=2)).score.name == "loglik"


def test_the_network_can_be_saved_and_keeps_its_record(asia: Table, tmp_path: Path) -> None:
    from bayesloom.facade import load

    learned = learn(asia, DMN())
    learned.save(tmp_path / "net.json")
    assert load(tmp_path / "net.json").record == learned.record


def test_steps_in_json_tell_links_entropy_parameters_and_crux() -> None:
    told = learn(PARITY, DMN(lookahead=3)).to_dict()
    assert isinstance(told["steps"], list)
    (step,) = told["steps"]
    assert step["links"] == [["X", "Y"], ["X", "Z"], ["Y", "Z"]]
    assert step["entropy"] == pytest.approx(math.log(2))
    assert (step["parameters"], step["crux"]) == (4.0, ["X", "Y", "Z"])


def test_a_pair_is_told_only_of_the_step_that_linked_it(child: Table) -> None:
    learned = learn(child, DMN())
    for pair in learned.undirected:
        story = learned.explain(*pair)
        assert story.steps is not None
        assert len(story.steps) == 1
        change = story.steps[0].step.change
        assert change is not None
        assert pair in change.links


def test_what_a_change_of_a_link_would_do_is_what_the_score_says(child: Table) -> None:
    learned = learn(child, DMN(lookahead=1, score=BIC()))
    assert isinstance(learned.graph, ChordalGraph)
    links = set(learned.undirected)
    for pair in itertools.combinations(sorted(learned.names)[:10], 2):
        evidence = learned.explain(*pair).evidence
        assert evidence is not None
        (change,) = evidence.changes
        assert change.operator == ("unlink" if pair in links else "link")
        other = learned.graph.edges
        changed = (
            [edge for edge in other if set(edge) != set(pair)] if pair in links else [*other, pair]
        )
        try:
            graph = ChordalGraph.from_edges(changed, learned.names)
        except GraphError:
            assert change.gain is None
            continue
        engine = learned.data
        total = BIC().total(engine, graph.to_dag().reordered(engine.names).parent_masks)
        assert change.gain == pytest.approx(total - learned.score.value, abs=1e-6)


def test_a_link_that_cannot_change_alone_is_told_so() -> None:
    chain = {"A": ["0", "1"] * 40, "B": ["0", "1"] * 40, "C": ["0", "1"] * 40, "D": ["0", "1"] * 40}
    learned = learn(chain, DMN())
    assert len(learned.undirected) == 3
    absent = next(
        pair for pair in itertools.combinations("ABCD", 2) if pair not in learned.undirected
    )
    assert "would" in str(learned.explain(*absent))


def test_clique_tables_have_the_joint_of_the_network(asia: Table) -> None:
    learned = learn(asia, DMN())
    net = learned.decomposable_net
    assert net.forest == learned.junction_forest
    everything = query(learned.net, list(learned.names)).probabilities
    np.testing.assert_allclose(net.joint(), everything, atol=1e-12)
    frequencies = learn(asia, DMN(), estimator=MaximumLikelihood()).decomposable_net
    engine = learned.data
    entropy = model_entropy(frequencies.graph, engine)
    assert frequencies.log_likelihood(asia) == pytest.approx(-asia.n_rows * entropy)


def test_only_a_markov_network_has_cliques(asia: Table) -> None:
    learned = learn(asia)
    with pytest.raises(AbsentError, match="only a Markov network has a junction forest"):
        _ = learned.junction_forest
    with pytest.raises(AbsentError, match="only a Markov network has clique tables"):
        _ = learned.decomposable_net
    with pytest.raises(AbsentError, match="only a Markov network"):
        learned.plot(junction_forest=True)
    smoothed = learn(asia, DMN(), estimator=Laplace())
    with pytest.raises(OptionError, match="disagree on what they share"):
        _ = smoothed.decomposable_net


def test_the_junction_forest_is_drawn_with_its_cliques(asia: Table, tmp_path: Path) -> None:
    learned = learn(asia, DMN())
    text = str(learned.plot(tmp_path / "forest.svg", junction_forest=True))
    for clique in learned.junction_forest.clique_names():
        assert ", ".join(clique) in text
    assert (tmp_path / "forest.svg").read_text() == text
    assert str(learned.plot()) != text


def test_a_learned_markov_network_can_be_stayed_within() -> None:
    first = learn(PARITY, DMN())
    inside = learn(PARITY, HillClimbing(start=Start.COMPLETE, within=first))  # type: ignore[arg-type]
    assert len(inside.edges) == 2
    through = learn(PARITY, ThroughDMN(then=HillClimbing()))
    assert len(through.edges) == 2
    assert through.score == inside.score
    assert through.steps[0].operator == "link"
    assert learn(PARITY, HillClimbing()).edges == ()


def test_aic_is_named_aic(asia: Table) -> None:
    assert learn(asia, DMN(score=AIC(), max_clique=3)).score.name == "aic"
    assert learn(asia, ThroughDMN(then=GES(score=BDeu()))).score.name == "bdeu"
