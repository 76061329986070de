"""Who is joined after the likeliest contributors to what pairs share have been taken off."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice

from bayesloom.graphs import bits
from bayesloom.search.constraint.surplus import PAIRS_AT_ONCE, SharedBy, Surpluses, shared_by
from bayesloom.search.constraint.tester import NodePair
from bayesloom.search.result import Stop
from bayesloom.search.watch import Watch


@dataclass(slots=True)
class Contributors:
    """Adjacencies that lose a pair once what it shares is explained by others.

    Every pair collects contributors, one at a time; the pair whose next contributor is likeliest
    comes first (a priority queue). A pair whose surplus given its contributors is not positive is
    taken apart.

    What the queue will ask for next is asked for all pairs in it at once: adjacencies only
    shrink, so what a pair may want later is among what it may want now, and a batch lasts until
    the first pair has taken two steps.

    Parameters
    ----------
    adjacency : list of int
        For every variable the mask of those it is joined with.
    surpluses : Surpluses
        What pairs share beyond chance.
    watch : Watch
        Says whether the search may go on.
    required, apart : sequence of int
        Masks of the adjacencies that stay, and of the pairs that are not joined and nevertheless
        looked at for what separates them: directions depend on it.
    everywhere : int
        Mask of the variables that contribute without being neighbours.
    """

    adjacency: list[int]
    surpluses: Surpluses
    watch: Watch
    required: Sequence[int]
    apart: Sequence[int]
    everywhere: int = 0
    supposed: bool = True
    """Whether pairs are joined, or apart, only because not all have been weighed yet."""
    given: dict[NodePair, int] = field(default_factory=dict)
    """The mask of the contributors of every pair that was looked at."""
    separated: set[NodePair] = field(default_factory=set)
    _queue: list[tuple[float, int, int, int]] = field(default_factory=list)
    """Minus the rank, the pair, and its next contributor."""
    _foreseen: set[SharedBy] = field(default_factory=set)
    """Pairs with contributors for whom the next contributor can be told without asking."""
    _taken: int = 0

    def collect(self) -> None:
        """Go on until no contributor is more likely than not."""
        with self.watch.heeded():
            if self.watch.may_go_on():
                self._look_at_pairs()
            while self._queue and self.watch.may_go_on(ahead=self._taken):
                self._take_contributor()
        if self.watch.stopped is Stop.STEP_LIMIT:  # none at all: nothing was to be looked at
            self.supposed = False
        if self.supposed:
            self._keep_weighed()

    def _keep_weighed(self) -> None:
        """Take apart all pairs but those that must be joined or were found to share something."""
        joined, self.adjacency = self.adjacency, list(self.required)
        for x, y in self.given:
            if self.surpluses[x, y, 0] <= 0:
                self.separated.add((x, y))
            elif joined[x] >> y & 1:
                self.adjacency[x] |= 1 << y
                self.adjacency[y] |= 1 << x

    def _look_at_pairs(self) -> None:
        """Weigh all pairs with nothing given; rank those that stay."""
        pairs = self._pairs()
        while block := list(islice(pairs, PAIRS_AT_ONCE)):
            self.surpluses.ask((x, y, 0) for x, y in block)
            self.given.update(dict.fromkeys(block, 0))
        self._taken, self.supposed = 1, False
        for pair in self.given:
            if self.surpluses[*pair, 0] <= 0:
                self._separate(pair)
        left = [pair for pair in self.given if pair not in self.separated]
        self._foresee((*pair, 0) for pair in left)
        for pair in left:
            self._rank(pair)

    def _pairs(self) -> Iterator[NodePair]:
        """Yield the pairs to look at."""
        masks = zip(self.adjacency, self.apart, self.required, strict=True)
        for x, (joined, apart, required) in enumerate(masks):
            for y in bits((joined | apart) & ~required & -(2 << x)):
                yield x, y

    def _take_contributor(self) -> None:
        """Give the first pair of the queue its next contributor; take it apart, or rank it anew."""
        _, x, y, z = self._queue[0]
        given = self.given[x, y] | 1 << z
        stays = self.surpluses[x, y, given] > 0
        if stays and (x, y, given) not in self._foreseen:
            self._foresee(self._next_in_queue())
        heappop(self._queue)
        self._taken += 1
        self.given[x, y] = given
        if stays:
            self._rank((x, y))
        else:
            self._separate((x, y))

    def _next_in_queue(self) -> Iterator[SharedBy]:
        """Yield the pairs of the queue with their next contributor that it does not separate."""
        for _, x, y, z in self._queue:
            given = self.given[x, y] | 1 << z
            if self.surpluses[x, y, given] > 0:
                yield x, y, given

    def _foresee(self, pairs: Iterable[SharedBy]) -> None:
        """Ask for what ranks the contributors of some pairs."""
        new = [shared for shared in pairs if shared not in self._foreseen]
        self.surpluses.ask(
            wanted
            for x, y, given in new
            for z in self._candidates(x, y, given)
            for wanted in (
                (x, y, given | 1 << z),
                shared_by(x, z, given),
                shared_by(y, z, given),
            )
        )
        self._foreseen.update(new)

    def _candidates(self, x: int, y: int, given: int) -> list[int]:
        near = self.adjacency[x] | self.adjacency[y] | self.everywhere
        return bits(near & ~(given | 1 << x | 1 << y))

    def _rank(self, pair: NodePair) -> None:
        """Put a pair into the queue with its likeliest contributor, if that is likely at all."""
        x, y = pair
        given = self.given[pair]
        alone = self.surpluses[x, y, given]
        best, contributor = 0.0, -1
        for z in self._candidates(x, y, given):
            rank = rank_of_contributor(
                alone - self.surpluses[x, y, given | 1 << z],
                self.surpluses.of(x, z, given) - alone,
                self.surpluses.of(y, z, given) - alone,
            )
            if rank > best:
                best, contributor = rank, z
        if contributor >= 0:
            heappush(self._queue, (-best, x, y, contributor))

    def _separate(self, pair: NodePair) -> None:
        x, y = pair
        self.separated.add(pair)
        self.adjacency[x] &= ~(1 << y)
        self.adjacency[y] &= ~(1 << x)


def rank_of_contributor(taken_off: float, beside_x: float, beside_y: float) -> float:
    """Return the log-odds that z contributes to what x and y share (the rank R, as a logit).

    R is the smaller of two probabilities: that x - z - y is no collider, and that x - y is the
    weakest of the three pairs. As log-odds it does not run into 1 where data are many.

    Parameters
    ----------
    taken_off : float
        The three-point information: by how much the surplus of x and y falls given z.
    beside_x, beside_y : float
        By how much the surplus of x and z, and of y and z, is above that of x and y.

    Examples
    --------
    >>> rank_of_contributor(3.0, 9.0, 50.0), rank_of_contributor(3.0, -9.0, 50.0)
    (3.0, -9.0)
    """
    low, high = min(beside_x, beside_y), max(beside_x, beside_y)
    return min(taken_off, low - math.log1p(math.exp(low - high)))
