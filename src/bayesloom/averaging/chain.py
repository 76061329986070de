"""Markov chains over orders and over ordered partitions of the variables (MCMC)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.graphs import bits, topological_order
from bayesloom.search.dag.order_search import Order

Room = tuple[int, int]
"""What a variable's parents must lie within, and what they must meet unless it is empty."""

OrderedPartition = tuple[int, ...]
"""Masks of the elements, earliest first."""

_Layout = TypeVar("_Layout")


class Chain(ABC, Generic[_Layout]):
    """A Metropolis chain: its layout of the variables, and the score of that.

    Parameters
    ----------
    sums : ParentSetSums
        Scored sets of parents.
    layout : order or partition
        Where it starts.
    rng : Generator
        The source of its moves.
    """

    def __init__(
        self, sums: _native.ParentSetSums, layout: _Layout, rng: np.random.Generator
    ) -> None:
        self._sums, self._rng = sums, rng
        self.layout = layout
        self._rooms = self.rooms(layout)
        self._locals = sums.log_sums([(v, *room) for v, room in enumerate(self._rooms)])
        self.accepted = 0

    @abstractmethod
    def rooms(self, layout: _Layout) -> list[Room]:
        """Return what a layout leaves to every variable."""

    @abstractmethod
    def step(self) -> None:
        """Make one move."""

    @property
    def score(self) -> float:
        """The logarithm of the sum over all graphs of the layout."""
        return math.fsum(self._locals)

    def shares(self) -> Floats:
        """Return for x and y the probability of x -> y given the layout."""
        n = len(self._rooms)
        asked = [(v, *room) for v, room in enumerate(self._rooms)]
        return self._sums.shares(asked).reshape(n, n).T

    def _consider(self, layout: _Layout) -> None:
        """Take a layout with the probability of Metropolis; its proposal is symmetric."""
        rooms = self.rooms(layout)
        changed = [v for v, (a, b) in enumerate(zip(rooms, self._rooms, strict=True)) if a != b]
        found = self._sums.log_sums([(v, *rooms[v]) for v in changed])
        gain = math.fsum(found) - math.fsum(self._locals[v] for v in changed)
        if gain >= 0 or self._rng.random() < math.exp(gain):
            self.layout, self._rooms = layout, rooms
            for v, value in zip(changed, found, strict=True):
                self._locals[v] = value
            self.accepted += 1


class OrderChain(Chain[Order]):
    """A chain over orders; every order stands for all graphs whose edges go forward in it.

    A graph with many orders counts many times, so the prior of graphs is not uniform
    (Friedman and Koller 2003, section 5). Moves: two neighbours swap, two variables swap, or one
    variable is put anywhere, with the probability of each place given the order of the others.
    """

    def rooms(self, layout: Order) -> list[Room]:
        """Leave to every variable those before it."""
        rooms, before = [(0, 0)] * len(layout), 0
        for v in layout:
            rooms[v] = before, 0
            before |= 1 << v
        return rooms

    def step(self) -> None:
        """Swap neighbours, swap any two, or put one variable anew."""
        n, rng = len(self.layout), self._rng
        if n < 2:  # noqa: PLR2004 - a pair
            return
        kind = rng.random()
        if kind < 0.2:  # noqa: PLR2004 - one move in five: it is worth many of the others
            self._put_anew(int(rng.integers(n)))
            return
        i = int(rng.integers(n - 1))
        j = i + 1 if kind < 0.6 else (i + int(rng.integers(1, n))) % n  # noqa: PLR2004
        order = list(self.layout)
        order[i], order[j] = order[j], order[i]
        self._consider(tuple(order))

    def _put_anew(self, place: int) -> None:
        """Draw the place of one variable given the order of the others, a Gibbs move."""
        v = self.layout[place]
        others = (*self.layout[:place], *self.layout[place + 1 :])
        asked, before = [], 0
        for u in others:
            asked += [(v, before, 0), (u, before, 0), (u, before | 1 << v, 0)]
            before |= 1 << u
        asked.append((v, before, 0))
        found = self._sums.log_sums(asked)
        own, without, beyond = np.array(found[0::3]), found[1::3], found[2::3]
        ahead = np.concatenate([[0.0], np.cumsum(without)])
        behind = np.concatenate([np.cumsum(beyond[::-1])[::-1], [0.0]])
        total = own + ahead + behind  # finite at the place it has now
        chance = np.exp(total - total.max())
        k = int(self._rng.choice(len(chance), p=chance / chance.sum()))
        self.layout = (*others[:k], v, *others[k:])
        self._rooms = self.rooms(self.layout)
        for j, u in enumerate(others):
            self._locals[u] = without[j] if j < k else beyond[j]
        self._locals[v] = float(own[k])
        self.accepted += k != place


class PartitionChain(Chain[OrderedPartition]):
    """A chain over ordered partitions; every graph belongs to exactly one of them.

    The first element holds the variables without parents; every variable of a later element has
    a parent in the element just before its own, and none in its own or later ones. So the prior of
    graphs is uniform (Kuipers and Moffa 2017). Moves: a variable is put into another element, or
    between two as an element of its own, near its place or anywhere; two variables of neighbouring
    elements swap; or a variable is put anywhere with the probability of each place given the
    others. Proposals are symmetric: without the variable the partition is the same before and
    after.
    """

    def rooms(self, layout: OrderedPartition) -> list[Room]:
        """Leave to every variable those of earlier elements, of which the last is needed."""
        n = sum(mask.bit_count() for mask in layout)
        rooms, before, last = [(0, 0)] * n, 0, 0
        for element in layout:
            rest = element
            while rest:
                low = rest & -rest
                rooms[low.bit_length() - 1] = before, last
                rest ^= low
            before, last = before | element, element
        return rooms

    def step(self) -> None:
        """Put one variable elsewhere, or swap two."""
        n, rng = len(self._rooms), self._rng
        if n < 2:  # noqa: PLR2004 - a pair
            return
        kind = rng.random()
        if kind < 0.05:  # noqa: PLR2004 - one move in twenty is worth as much as n of the others
            self._put_anew(int(rng.integers(n)))
        elif kind < 0.7:  # noqa: PLR2004 - two of three of the others
            v = int(rng.integers(n))
            places, now = places_of(self.layout, v)
            ahead = int(rng.integers(1, 4 if kind < 0.5 else len(places)))  # noqa: PLR2004
            to = now + ahead * (1 if rng.random() < 0.5 else -1)  # noqa: PLR2004 - a fair coin
            if 0 <= to < len(places):
                self._consider(places[to])
        elif len(self.layout) > 1:
            k = int(rng.integers(len(self.layout) - 1))
            u, v = (_drawn(mask, rng) for mask in self.layout[k : k + 2])
            self._consider(exchanged(self.layout, u, v))

    def _put_anew(self, v: int) -> None:
        """Draw the place of one variable given the partition of the others, a Gibbs move."""
        places, now = places_of(self.layout, v)
        rooms = [self.rooms(layout) for layout in places]
        asked = list({(u, *room) for each in rooms for u, room in enumerate(each)})
        value = dict(zip(asked, self._sums.log_sums(asked), strict=True))
        locals_ = [[value[u, *room] for u, room in enumerate(each)] for each in rooms]
        total = np.array([math.fsum(each) for each in locals_])
        chance = np.exp(total - total.max())
        k = int(self._rng.choice(len(places), p=chance / chance.sum()))
        self.layout, self._rooms, self._locals = places[k], rooms[k], locals_[k]
        self.accepted += k != now


def places_of(layout: OrderedPartition, v: int) -> tuple[list[OrderedPartition], int]:
    """Return the layouts with a variable in every element and gap, in order, and which is now.

    Examples
    --------
    >>> places, now = places_of((0b01, 0b10), 1)
    >>> places, now
    ([(2, 1), (3,), (1, 2)], 2)
    """
    own = 1 << v
    rest = [mask & ~own for mask in layout if mask != own]
    places: list[OrderedPartition] = []
    for k, element in enumerate(rest):
        places.append((*rest[:k], own, *rest[k:]))
        places.append((*rest[:k], element | own, *rest[k + 1 :]))
    places.append((*rest, own))
    place = next(k for k, mask in enumerate(layout) if mask & own)
    return places, 2 * place + (layout[place] != own)


def _drawn(mask: int, rng: np.random.Generator) -> int:
    """Draw a variable of a mask."""
    members = bits(mask)
    return members[int(rng.integers(len(members)))]


def exchanged(layout: OrderedPartition, u: int, v: int) -> OrderedPartition:
    """Swap two variables; nothing changes if they are in one element.

    Examples
    --------
    >>> [bin(mask) for mask in exchanged((0b011, 0b100), 0, 2)]
    ['0b110', '0b1']
    """
    both = 1 << u | 1 << v
    return tuple(mask ^ both if (mask & both).bit_count() == 1 else mask for mask in layout)


def partition_of(parents: Sequence[int]) -> OrderedPartition:
    """Return the partition that a DAG, as parent masks, belongs to.

    Examples
    --------
    >>> [bin(mask) for mask in partition_of([0b000, 0b001, 0b000])]
    ['0b101', '0b10']
    """
    depth = [0] * len(parents)
    for v in topological_order(parents):
        depth[v] = max((depth[p] + 1 for p in bits(parents[v])), default=0)
    elements = [0] * (max(depth, default=-1) + 1)
    for v, k in enumerate(depth):
        elements[k] |= 1 << v
    return tuple(elements)
