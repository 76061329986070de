"""The memory of informations, against joint entropies."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_dmn as slow
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, NativeEngine
from bayesloom.graphs import bits
from bayesloom.search.markov.informations import Informations, Link
from strategies_search import tables


def information(table: Table, link: Link) -> float:
    given = bits(link.given)
    h = [
        slow.joint_entropy(table, [*given, *more])
        for more in ([link.x], [link.y], [], [link.x, link.y])
    ]
    return h[0] + h[1] - h[2] - h[3]


@st.composite
def asked_links(draw: st.DrawFn, n: int) -> list[Link]:
    links = []
    for _ in range(draw(st.integers(0, 6))):
        x, y = sorted(draw(st.permutations(range(n)))[:2])
        links.append(Link(x, y, draw(st.integers(0, (1 << n) - 1)) & ~(1 << x | 1 << y)))
    return links


@settings(max_examples=50)
@given(st.data())
def test_informations_are_differences_of_joint_entropies(data: st.DataObject) -> None:
    table = data.draw(tables(least=2, most=5))
    links = data.draw(asked_links(table.n_columns))
    known = Informations.of(NativeEngine(table), 0.1)
    known.ask(links)
    for link in links:
        assert known[link] == pytest.approx(information(table, link), abs=1e-12)
    for x, y in combinations(range(table.n_columns), 2):
        assert known[Link(x, y, 0)] == pytest.approx(information(table, Link(x, y, 0)), abs=1e-12)


class Counting(NativeEngine):
    """An engine that remembers how many tables each question asked for."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.asked: list[int] = []

    def informations(self, batch: Batch) -> Floats:
        self.asked.append(len(batch))
        return super().informations(batch)


def test_each_information_is_asked_for_once_and_all_new_ones_in_one_batch() -> None:
    table = Table(list("ABCD"), [["0", "1"]] * 4, [[0, 1, 1, 0]] * 4)
    engine = Counting(table)
    known = Informations.of(engine, 0.0)
    links = [Link(0, 1, 4), Link(0, 2, 2), Link(0, 1, 4), Link(2, 3, 0)]
    known.ask(links)
    known.ask([*links, Link(0, 1, 8)])
    known.ask(links)
    assert engine.asked == [6, 2, 1]
    assert len(known) == 6 + 3


def test_a_gain_is_the_fall_of_entropy_minus_the_price_of_the_parameters() -> None:
    table = Table(
        list("ABC"), [["0", "1"], ["0", "1", "2"], ["0", "1"]], [[0, 1, 1], [0, 2, 1], [1, 0, 0]]
    )
    known = Informations.of(NativeEngine(table), 0.25)
    links = [Link(0, 1, 0), Link(0, 2, 0b010)]
    known.ask(links)
    gain = known.gain(links)
    assert gain.parameters == 1 * 2 + 1 * 1 * 3
    assert gain.entropy == known[links[0]] + known[links[1]]
    assert gain.gain == gain.entropy - 0.25 * 5


def test_a_link_of_two_nodes_is_the_same_in_either_order() -> None:
    assert Link.of(3, 1, 4) == Link.of(1, 3, 4) == Link(1, 3, 4)
