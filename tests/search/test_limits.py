from __future__ import annotations

from collections.abc import Sequence
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.errors import KnowledgeError
from bayesloom.graphs import cpdag_of_dag, transposed
from bayesloom.search import Knowledge, Limits
from reference_graphs import all_classes, all_dags, arcs_of, masks_of, shared_arcs
from reference_search import Law
from strategies_search import Known, known

N = 4
NAMES = tuple("ABCD")


@given(known(NAMES))
@settings(max_examples=30)
def test_keeping_to_the_limits_is_keeping_every_sentence_of_the_knowledge(given_: Known) -> None:
    law, limits = Law.of(given_.knowledge, NAMES, given_.max_parents), given_.limits(NAMES)
    for arcs in all_dags(N):
        assert limits.keeps(masks_of(arcs, N)) == law.holds(arcs)


@given(known(NAMES))
@settings(max_examples=30)
def test_a_class_is_extended_to_a_member_that_keeps_the_limits_if_there_is_one(
    given_: Known,
) -> None:
    law, limits = Law.of(given_.knowledge, NAMES, given_.max_parents), given_.limits(NAMES)
    for group in all_classes(N):
        found = limits.extend(*cpdag_of_dag(masks_of(group[0], N)))
        legal = [arcs for arcs in group if law.holds(arcs)]
        assert found is None if not legal else found is not None and arcs_of(found) in legal


@given(known(NAMES))
@settings(max_examples=30)
def test_what_knowledge_directs_is_what_all_legal_members_share(given_: Known) -> None:
    law = Law.of(given_.knowledge, NAMES)
    limits = given_.knowledge.limits(NAMES)
    for group in all_classes(N):
        directed = limits.orient(*cpdag_of_dag(masks_of(group[0], N)))
        legal = [arcs for arcs in group if law.holds(arcs)]
        if legal:
            assert directed is not None
            assert arcs_of(directed[0]) == shared_arcs(legal)[0]


@given(known(NAMES), st.sampled_from(all_dags(N)))
def test_a_graph_outside_the_limits_is_told_why(
    given_: Known, arcs: frozenset[tuple[int, int]]
) -> None:
    limits, parents = given_.limits(NAMES), masks_of(arcs, N)
    if limits.keeps(parents):
        limits.check(parents, "the start graph")
    else:
        with pytest.raises(KnowledgeError, match=r"the start graph (has|lacks|gives)"):
            limits.check(parents, "the start graph")


@pytest.mark.parametrize(
    ("knowledge", "message"),
    [
        (Knowledge(forbidden=[("A", "B")]), "the graph has the edge A -> B, which is not allowed"),
        (Knowledge(required=[("C", "B")]), "the graph lacks the required edge C -> B"),
        (Knowledge(), "the graph gives B 1 parents, more than max_parents = 0"),
    ],
)
def test_the_sentence_names_the_edge(knowledge: Knowledge, message: str) -> None:
    limits = knowledge.limits(NAMES, 0 if knowledge == Knowledge() else None)
    with pytest.raises(KnowledgeError, match=message):
        limits.check((0, 1, 0, 0), "the graph")


def test_limits_are_open_only_without_any() -> None:
    assert Limits.none(NAMES).are_open
    assert Knowledge().limits(NAMES).are_open
    assert Knowledge(tiers=[NAMES]).limits(NAMES).are_open
    assert not Limits.none(NAMES, 2).are_open
    assert Limits.none(NAMES, 3).are_open, "nobody can have more than three parents"
    assert Limits.none(NAMES, 10**25) == Limits.none(NAMES)
    assert not Knowledge(forbidden=[("A", "B")]).limits(NAMES).are_open
    assert not Knowledge(required=[("A", "B")]).limits(NAMES).are_open


def test_no_limits_wait_for_those_of_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    # A process that is forked while a thread holds a lock waits for that lock for ever.
    inside, ends = Event(), Event()
    allowed, required = (0, 1, 3), (0, 0, 0)

    def slow(masks: Sequence[int]) -> list[int]:
        inside.set()
        ends.wait(60)
        return transposed(masks)

    monkeypatch.setattr("bayesloom.search.limits.transposed", slow)
    other = Thread(target=lambda: Limits(("A", "B", "C"), allowed, required).pairs)
    other.start()
    assert inside.wait(60)
    found: list[tuple[int, ...]] = []
    mine = Thread(target=lambda: found.append(Limits(("A", "B"), (2, 1), (0, 0)).pairs))
    mine.start()
    mine.join(5)
    found_meanwhile = list(found)
    ends.set()
    other.join()
    mine.join()
    assert found_meanwhile == [(2, 1)]
