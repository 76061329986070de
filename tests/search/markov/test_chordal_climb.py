"""The graph that grows: rules, limits and what is told of a step."""

from __future__ import annotations

import pytest

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import KnowledgeError
from bayesloom.scores import BIC
from bayesloom.search import Knowledge, Limits, Watch
from bayesloom.search.markov.chordal_climb import ChordalClimb, Rules, undirected_limits
from bayesloom.search.markov.informations import Link

NAMES = ("A", "B", "C")


def test_limits_without_directions_become_forbidden_pairs() -> None:
    knowledge = Knowledge(forbidden=(("A", "C"), ("C", "A")))
    assert undirected_limits(knowledge.limits(NAMES)) == (0b100, 0, 0b001)
    assert undirected_limits(Limits.none(NAMES)) == (0, 0, 0)


def test_a_direction_in_the_limits_is_refused_by_its_edge() -> None:
    with pytest.raises(KnowledgeError, match="but B -> A is not allowed"):
        undirected_limits(Knowledge(required=(("A", "B"),)).limits(NAMES))
    limits = Limits(NAMES, (0b110, 0b101, 0b011), (0, 0b001, 0))
    with pytest.raises(KnowledgeError, match="but A -> B is required"):
        undirected_limits(limits)


def grown(rows: int = 40) -> ChordalClimb:
    table = Table(
        NAMES, [["0", "1"]] * 3, [[0, 1] * rows, [0, 1] * rows, [0, 0, 1, 1] * (rows // 2)]
    )
    rules = Rules((0, 0, 0), 3, None)
    return ChordalClimb.of(NativeEngine(table), rules, [0, 0, 0], BIC())


def test_a_step_is_told_with_its_links_entropy_parameters_and_crux() -> None:
    growth, watch = grown(), Watch()
    links = growth.best_link()
    assert links == [Link(0, 1, 0)]
    growth.add(links, watch)
    change = watch.steps[0].change
    assert change is not None
    assert (change.links, change.parameters, change.crux) == (((0, 1),), 1.0, (0, 1))
    assert change.entropy == pytest.approx(0.6931471805599453)


def test_taking_a_link_away_undoes_what_it_did() -> None:
    growth, watch = grown(), Watch()
    before = growth.score
    growth.add([Link(0, 1, 0)], watch)
    growth.remove(Link(0, 1, 0), watch)
    assert growth.score == before
    assert growth.state.adjacent == [0, 0, 0]
    assert growth.best_link() == [Link(0, 1, 0)]
    first, second = (step.change for step in watch.steps)
    assert first is not None
    assert second is not None
    assert (first.entropy, first.parameters) == (-second.entropy, -second.parameters)
