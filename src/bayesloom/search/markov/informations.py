"""A memory of conditional mutual informations, asked for in batches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, is_counting
from bayesloom.engine.batch import NONE
from bayesloom.graphs import bits
from bayesloom.scores.decomposable import set_parameters
from bayesloom.search.foresight import Prefetch
from bayesloom.search.pair_scan import PairBlock, pair_blocks

_MOST_PAIRS = 1 << 24
"""If there are more, only those that are wanted are kept: most have no gain."""


class Link(NamedTuple):
    """A link of x < y that is added while ``given`` are their common neighbours."""

    x: int
    y: int
    given: int

    @classmethod
    def of(cls, a: int, b: int, given: int) -> Link:
        """Return the link of two nodes in any order."""
        return cls(a, b, given) if a < b else cls(b, a, given)


class LinkGain(NamedTuple):
    """What adding links does, all per row.

    The gain is ``entropy - price * parameters``, minus the price of the links themselves.

    ``entropy`` is by how much the entropy of the model falls, ``parameters`` how many more it has.
    """

    gain: float
    entropy: float
    parameters: float


@dataclass(slots=True)
class Informations:
    """The informations of links; what is missing is asked for in one batch.

    Parameters
    ----------
    engine : Engine
        The data.
    price : float
        What a parameter costs, in nats per row.
    pairs : array
        The information of every pair x < y with nothing given, in that order; none if there are
        too many to keep.
    """

    engine: Engine
    price: float
    pairs: Floats
    states: tuple[int, ...] | None
    """How many states variables have: what parameters of tables are made of, if they have any."""
    known: dict[Link, float] = field(default_factory=dict)
    free: dict[Link, float] = field(default_factory=dict)
    """How many further parameters links take."""
    sizes: dict[int, float] = field(default_factory=dict)
    """How many parameters sets of variables have together."""
    scanned: int = 0
    """How many pairs have been asked for together."""
    link_price: float = 0.0
    """What a link costs besides its parameters, in nats per row."""
    ahead: Prefetch[Link, float] = field(init=False)
    """Those that were asked for on a guess."""

    def __post_init__(self) -> None:
        self.ahead = Prefetch(self._asked)

    @classmethod
    def of(cls, engine: Engine, price: float) -> Informations:
        """Ask for the informations of all pairs."""
        known = cls.none(engine, price)
        for _ in known.scan_pairs():
            pass
        return known

    @classmethod
    def none(cls, engine: Engine, price: float) -> Informations:
        """Begin without any; before others, those of all pairs have to be asked for."""
        states = tuple(engine.cardinality.tolist()) if is_counting(engine) else None
        return cls(engine, price, np.zeros(0), states)

    def scan_pairs(self) -> Iterator[PairBlock]:
        """Ask for the informations of all pairs, block by block, and yield each block."""
        n = self.engine.n_variables
        n_pairs = n * (n - 1) // 2
        keeps = n_pairs <= _MOST_PAIRS
        found = np.empty(n_pairs if keeps else 0)
        self.scanned = 0
        for block in pair_blocks(self.engine):
            if keeps:
                found[self.scanned : self.scanned + len(block)] = block.information
            self.scanned += len(block)
            yield block
        self.pairs = found

    def __getitem__(self, link: Link) -> float:
        if not link.given and len(self.pairs):
            n = self.engine.n_variables
            return float(self.pairs[link.x * (2 * n - link.x - 3) // 2 + link.y - 1])
        return self.known[link]

    def __len__(self) -> int:
        return self.scanned + sum(1 for link in self.known if link.given)

    def lacks(self, link: Link) -> bool:
        """Say whether the information of a link has to be asked for."""
        return link not in self.known and (link.given != 0 or not len(self.pairs))

    def learn(self, link: Link, information: float) -> None:
        """Remember what was found out about a pair while all were scanned."""
        if not len(self.pairs):
            self.known[link] = information

    def ask(self, links: Iterable[Link]) -> None:
        """Make sure that the informations of these links are known."""
        new = [link for link in dict.fromkeys(links) if self.lacks(link)]
        self.known.update(zip(new, self.ahead.take(new), strict=True))
        if new and self.states is None:
            self._count(new)

    def foresee(self, guess: Callable[[], Iterable[Link]]) -> None:
        """Ask also for the links that a guess returns, whenever some are asked for."""
        self.ahead = Prefetch(self._asked, guess)

    def _asked(self, links: list[Link]) -> list[float]:
        """Ask the engine for informations: one batch."""
        groups: dict[tuple[int, int], list[int]] = {}
        for link in links:
            groups.setdefault((link.x, link.given), []).append(link.y)
        batch = Batch.of((x, bits(given), ys) for (x, given), ys in groups.items())
        values = iter(self.engine.informations(batch).tolist())
        found = {Link(x, y, given): next(values) for (x, given), ys in groups.items() for y in ys}
        return [found[link] for link in links]

    def gain(self, links: Sequence[Link]) -> LinkGain:
        """Return what adding links in this order does; their informations must be known."""
        entropy = sum(self[link] for link in links)
        parameters = sum(self.parameters(link) for link in links)
        price = self.price * parameters + self.link_price * len(links)
        return LinkGain(entropy - price, entropy, parameters)

    def parameters(self, link: Link) -> float:
        """Return how many further parameters the link takes."""
        if self.states is not None:
            free = (self.states[link.x] - 1) * (self.states[link.y] - 1)
            return float(free * (self.size(link.given) + 1))
        if link not in self.free:
            self._count([link])
        return self.free[link]

    def size(self, nodes: int) -> float:
        """Return how many parameters some variables have together: with states, cells but one."""
        if self.states is not None:
            return math.prod(self.states[v] for v in bits(nodes)) - 1
        if nodes not in self.sizes:
            self.sizes[nodes] = set_parameters(self.engine, [bits(nodes)])[0]
        return self.sizes[nodes]

    def _count(self, links: list[Link]) -> None:
        """Ask for the parameters of links: those of y given x and the rest beyond those without x.

        One batch.
        """
        batch = Batch.of((y, bits(given), (NONE, x)) for x, y, given in links)
        free = self.engine.free_parameters(batch).reshape(-1, 2)
        self.free.update(zip(links, (free[:, 1] - free[:, 0]).tolist(), strict=True))


class ForeseenInformations(Informations):
    """What a guess may look at: links that are not known are noted, and have no gain."""

    __slots__ = ("wanted",)

    def __init__(self, known: Informations) -> None:
        memories = known.known, known.free, known.sizes
        super().__init__(
            known.engine, known.price, known.pairs, known.states, *memories, known.scanned
        )
        self.link_price = known.link_price
        self.wanted: list[Link] = []

    def __getitem__(self, link: Link) -> float:
        if self.lacks(link):
            return -math.inf
        return super().__getitem__(link)

    def ask(self, links: Iterable[Link]) -> None:
        """Note which informations are not known."""
        self.wanted += [link for link in links if self.lacks(link)]
