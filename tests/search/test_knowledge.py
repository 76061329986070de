from __future__ import annotations

import pytest
from hypothesis import given

from bayesloom.errors import KnowledgeError, OptionError, UnknownVariableError
from bayesloom.search import Knowledge
from reference_graphs import arcs_of
from reference_search import Law
from strategies_search import Known, known

NAMES = tuple("ABCDE")


@given(known(NAMES))
def test_masks_say_what_the_knowledge_says(given_: Known) -> None:
    law, limits = Law.of(given_.knowledge, NAMES), given_.limits(NAMES)
    required = {(b, a) for a, b in law.required}
    assert arcs_of(limits.allowed) == law.allowed - required
    assert arcs_of(limits.required) == law.required
    most = given_.max_parents
    assert limits.max_parents == (None if most is None or most >= len(NAMES) - 1 else most)


@given(known(NAMES))
def test_the_order_of_the_variables_does_not_matter(given_: Known) -> None:
    there, back = given_.limits(NAMES), given_.limits(NAMES[::-1])
    assert {(4 - a, 4 - b) for a, b in arcs_of(back.allowed)} == arcs_of(there.allowed)
    assert {(4 - a, 4 - b) for a, b in arcs_of(back.required)} == arcs_of(there.required)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"required": [("A", "B")], "forbidden": [("A", "B")]}, "A -> B is both required and"),
        ({"required": [("A", "B"), ("B", "A")]}, "required edges form a cycle: A -> B -> A;"),
        ({"required": [("A", "B"), ("B", "C"), ("C", "A")]}, "required edges form a cycle"),
        ({"required": [("A", "B")], "tiers": [["B"], ["A"]]}, "A is in a later tier than B"),
        ({"required": [("A", "B")], "roots": ["B"]}, "A -> B is required, but B is a root"),
        ({"required": [("A", "B")], "leaves": ["A"]}, "A -> B is required, but A is a leaf"),
        ({"tiers": [["A", "B"], ["A"]]}, "variable 'A' stands in two tiers"),
        ({"tiers": [["A", "A"]]}, "variable 'A' stands in two tiers"),
        ({"required": [("A", "A")]}, "join two variables, got A -> A"),
    ],
)
def test_contradictions_are_refused_when_the_knowledge_is_made(
    said: dict[str, object], message: str
) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"required": ["AB"]}, "are pairs .parent, child., got 'AB'"),
        ({"forbidden": [("A", "B", "C")]}, "are pairs .parent, child., got"),
        ({"forbidden": [("A", None)]}, "forbidden must be a list of names, got one with None"),
        ({"required": "AB"}, "required must be a list of pairs .parent, child., got 'AB'"),
        ({"roots": "AB"}, "roots must be a list of names, got the text 'AB'"),
        ({"tiers": ["AB"]}, "a tier must be a list of names, got the text 'AB'"),
        ({"tiers": "AB"}, "tiers must be a list of lists of names, got 'AB'"),
    ],
)
def test_what_is_no_edge_and_no_name_is_refused_when_the_knowledge_is_made(
    said: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        Knowledge(**said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "said",
    [
        {"required": [("A", "Z")]},
        {"forbidden": [("Z", "A")]},
        {"tiers": [["A"], ["Z"]]},
        {"roots": ["Z"]},
        {"leaves": ["Z"]},
    ],
)
def test_unknown_variables_are_named(said: dict[str, object]) -> None:
    knowledge = Knowledge(**said)  # type: ignore[arg-type]
    with pytest.raises(
        UnknownVariableError, match="unknown variable 'Z' in the knowledge; known are A, B"
    ):
        knowledge.limits(("A", "B"))


def test_more_required_parents_than_allowed_are_refused() -> None:
    knowledge = Knowledge(required=[("A", "C"), ("B", "C")])
    assert knowledge.limits("ABCD", 2).most == 2
    with pytest.raises(KnowledgeError, match="C has 2 required parents, more than max_parents = 1"):
        knowledge.limits("ABC", 1)


def test_a_negative_limit_on_parents_is_refused() -> None:
    with pytest.raises(OptionError, match="max_parents must be 0 or more, got -1"):
        Knowledge().limits("ABC", -1)


def test_repeated_edges_and_their_order_do_not_matter() -> None:
    there = Knowledge(required=[("A", "B"), ("C", "B"), ("A", "B")])
    assert there == Knowledge(required=[("C", "B"), ("A", "B")])


def test_sets_of_names_are_put_in_order() -> None:
    """Sets come in an order that the hash seed decides."""
    said = Knowledge(tiers=[["B", "A"]], roots=["D", "C"], leaves=["F", "E"])
    assert said == Knowledge(tiers=[["A", "B"]], roots=["C", "D"], leaves=["E", "F"])
    assert (said.tiers, said.roots, said.leaves) == ((("A", "B"),), ("C", "D"), ("E", "F"))
