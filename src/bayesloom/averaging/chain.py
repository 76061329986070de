"""Markov chains over orders and over ordered partitions of the variables (MCMC)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from bayesloom import _native
from bayesloom._native import OrderMove, PartitionMove
from bayesloom.arrays import Floats
from bayesloom.graphs import bits, topological_order
from bayesloom.search.dag.order_search import Order

OrderedPartition = tuple[int, ...]
"""Masks of the elements, earliest first."""


@dataclass(frozen=True, slots=True)
class OrderMix:
    """How often a chain over orders makes which move.

    Parameters
    ----------
    shares : mapping
        The probability of every kind of move.
    width : int
        How many variables a window has.
    """

    shares: Mapping[OrderMove, float] = field(
        default_factory=lambda: MappingProxyType({OrderMove.RELOCATE: 0.5, OrderMove.WINDOW: 0.5})
    )
    width: int = 8


@dataclass(frozen=True, slots=True)
class PartitionMix:
    """How often a chain over partitions makes which move.

    Parameters
    ----------
    shares : mapping
        The probability of every kind of move.
    block, blocks : int
        How many variables have their parents drawn anew together, and how many such blocks of the
        drawn graph in one move.
    """

    shares: Mapping[PartitionMove, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                PartitionMove.SWAP: 0.1,
                PartitionMove.DIVIDE: 0.1,
                PartitionMove.RELOCATE: 0.4,
                PartitionMove.FAMILIES: 0.4,
            }
        )
    )
    block: int = 4
    blocks: int = 10


class Chain(ABC):
    """A chain of moves; each leaves the distribution of layouts as it is.

    Which kind of move is made is drawn here, moves are made natively.
    """

    _walk: _native.OrderWalk | _native.PartitionWalk

    def __init__(
        self, shares: Mapping[OrderMove, float] | Mapping[PartitionMove, float], seed: int
    ) -> None:
        self._kinds = np.array([int(kind) for kind in shares], np.uint8)
        self._chances = np.array(list(shares.values()))
        self._rng = np.random.default_rng(seed)
        self.accepted = 0

    @property
    @abstractmethod
    def layout(self) -> tuple[int, ...]:
        """The order, or the masks of the partition's elements."""

    def run(self, moves: int) -> None:
        """Make moves."""
        kinds = self._rng.choice(self._kinds, moves, p=self._chances)
        self.accepted += self._walk.moves(kinds)

    @property
    def score(self) -> float:
        """The logarithm of the sum over all graphs of the layout."""
        return math.fsum(self._walk.local)

    def shares(self) -> Floats:
        """Return for x and y the probability of x -> y given the layout."""
        n = len(self._walk.local)
        return self._walk.shares().reshape(n, n)


class OrderChain(Chain):
    """A chain over orders; every order stands for all graphs whose edges go forward in it.

    A graph with many orders counts many times, so the prior of graphs is not uniform
    (Friedman and Koller 2003, section 5). Moves: two variables swap; one variable is put anywhere,
    with the probability of each place given the order of the others; or consecutive variables are
    ordered anew, with the probability of each of their orders.
    """

    _walk: _native.OrderWalk

    def __init__(
        self, sums: _native.ParentSetSums, layout: Order, seed: int, mix: OrderMix | None = None
    ) -> None:
        mix = mix or OrderMix()
        super().__init__(mix.shares, seed)
        key = int(self._rng.integers(1 << 63))
        self._walk = _native.OrderWalk(sums, list(layout), mix.width, key)

    @property
    def layout(self) -> Order:
        """The order."""
        return tuple(self._walk.order)


class PartitionChain(Chain):
    """A chain over ordered partitions; every graph belongs to exactly one of them.

    The first element holds the variables without parents; every variable of a later element has
    a parent in the element just before its own, and none in its own or later ones. So the prior of
    graphs is uniform (Kuipers and Moffa 2017). Moves: two variables of different elements swap; an
    element is split or two are joined; a variable is put anywhere with the probability of each
    place given the others; or a graph of the partition is drawn, the parents of blocks of
    variables in it are drawn anew, given the families of the others (Goudie and Mukherjee 2016),
    and its partition is taken.
    """

    _walk: _native.PartitionWalk

    def __init__(
        self,
        sums: _native.ParentSetSums,
        layout: OrderedPartition,
        near: Sequence[int],
        seed: int,
        mix: PartitionMix | None = None,
    ) -> None:
        mix = mix or PartitionMix()
        super().__init__(mix.shares, seed)
        key = int(self._rng.integers(1 << 63))
        self._walk = _native.PartitionWalk(
            sums, list(layout), list(near), mix.block, mix.blocks, key
        )

    @property
    def layout(self) -> OrderedPartition:
        """The masks of the elements."""
        return tuple(self._walk.elements)


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
