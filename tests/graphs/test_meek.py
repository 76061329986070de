from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.graphs import close_under_meek, cpdag_of_dag, transposed
from reference_graphs import all_classes, arcs_of, links_of, masks_of, shared_arcs
from strategies_graphs import dag_masks


@pytest.mark.parametrize(
    ("parents", "links", "expected"),
    [
        pytest.param([0, 0b001, 0], [(1, 2)], [0, 0b001, 0b010], id="R1"),
        pytest.param([0, 0b001, 0b010], [(0, 2)], [0, 0b001, 0b011], id="R2"),
        pytest.param([0, 0b1100, 0, 0], [(0, 1), (0, 2), (0, 3)], [0, 0b1101, 0, 0], id="R3"),
    ],
)
def test_each_rule_directs_its_own_figure(
    parents: list[int], links: list[tuple[int, int]], expected: list[int]
) -> None:
    assert close_under_meek(parents, neighbours(links, len(parents)))[0] == expected


def test_the_fourth_rule_directs_its_figure_only_when_asked() -> None:
    # a - b, a - c, a - d with d -> c -> b; nodes a, b, c, d are 0, 1, 2, 3.
    parents, links = [0, 0b0100, 0b1000, 0], neighbours([(0, 1), (0, 2), (0, 3)], 4)
    assert close_under_meek(parents, links)[0] == parents
    assert close_under_meek(parents, links, fourth_rule=True)[0][1] == 0b0101


def test_an_arrow_found_late_still_directs_an_edge_that_does_not_touch_it() -> None:
    # Nodes a, b, c, d, e are 0 to 4. R1 gives d -> c from e -> d; only then does R4 give a -> b.
    parents = [0, 0b00100, 0, 0b10000, 0]
    links = neighbours([(0, 1), (0, 2), (0, 3), (0, 4), (2, 3)], 5)
    closed, _ = close_under_meek(parents, links, fourth_rule=True)
    assert closed[1] == 0b00101
    assert closed[2] & 0b01000


def neighbours(links: list[tuple[int, int]], n: int) -> list[int]:
    masks = [0] * n
    for a, b in links:
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return masks


def test_four_rules_find_all_that_knowledge_compels_in_all_classes_with_four_nodes() -> None:
    for members in all_classes(4):
        compelled, free = shared_arcs(members)
        known = {
            frozenset(subset)
            for member in members
            for subset in subsets(arc for arc in member if frozenset(arc) in free)
        }
        for knowledge in known:
            left = [member for member in members if knowledge <= member]
            expected = shared_arcs(left)
            parents = masks_of(compelled | knowledge, 4)
            open_links = [tuple(link) for link in free - {frozenset(arc) for arc in knowledge}]
            closed = close_under_meek(
                parents, neighbours([(a, b) for a, b in open_links], 4), fourth_rule=True
            )
            assert (arcs_of(closed[0]), links_of(closed[1])) == expected


def subsets(items: Iterable[tuple[int, int]]) -> Iterable[tuple[tuple[int, int], ...]]:
    listed = list(items)
    return chain.from_iterable(combinations(listed, k) for k in range(len(listed) + 1))


@given(dag_masks(10), st.integers(0), st.booleans())
def test_the_rules_keep_the_skeleton_and_every_arrow(
    parents: list[int],
    loose: int,
    fourth: bool,  # noqa: FBT001
) -> None:
    free = [mask & (loose >> v) for v, mask in enumerate(parents)]
    arrows = [mask & ~f for mask, f in zip(parents, free, strict=True)]
    links = [a | b for a, b in zip(free, transposed(free), strict=True)]
    closed, left = close_under_meek(arrows, links, fourth_rule=fourth)
    assert all(not a & ~b for a, b in zip(arrows, closed, strict=True))
    assert adjacency(closed, left) == adjacency(arrows, links)
    assert close_under_meek(closed, left, fourth_rule=fourth) == (closed, left)


def adjacency(parents: list[int], links: list[int]) -> list[int]:
    triples = zip(parents, transposed(parents), links, strict=True)
    return [a | b | c for a, b, c in triples]


@given(dag_masks(10))
def test_a_completed_graph_is_closed_already(parents: list[int]) -> None:
    completed = cpdag_of_dag(parents)
    assert close_under_meek(*completed) == completed
