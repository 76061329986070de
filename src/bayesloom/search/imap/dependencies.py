"""The dependencies a search has detected, and which of them a graph covers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from bayesloom._native import DependencyCover
from bayesloom.arrays import Bools, Floats, Ints, Longs
from bayesloom.data.plain import finite
from bayesloom.engine import Batch, Engine, StopSignal
from bayesloom.graphs import bits, d_connections
from bayesloom.search.facts.tested import Dependency
from bayesloom.search.facts.wording import some_rows
from bayesloom.search.foresight import Prefetch
from bayesloom.search.memory import check_memory
from bayesloom.search.tally import TestTally

if TYPE_CHECKING:
    from bayesloom.independence import Decider, IndependenceTest, TestResults


Key = tuple[int, int, int]
"""A hypothesis: x < y, and the mask of the given variables."""

Rejection = tuple[float, float, float, float, float, float]
"""Statistic, df, p, log p, least expected count and rows of a test that rejected independence."""

Pair = tuple[int, int]
"""Two variables."""

Groups = dict[tuple[int, int], int]
"""Hypotheses by (x, given): the mask of the ys above x."""


Request = tuple[int, int, int]
"""A variable, the mask of what is given, and that of the variables it is tested against."""

_BLOCK = 1 << 20  # tests that are in memory at a time
_BYTES_PER_PAIR = 5  # half a p-value, and sets of nodes by node


class Likely(NamedTuple):
    """The tests of a block that may be rejected.

    Parameters
    ----------
    requests : sequence of Request
        The questions of the block.
    order : array of int
        The places of the tests among all that the decider sees.
    parts : list of arrays
        For every test its request, the partner, and the fields of a rejection.
    """

    requests: Sequence[Request]
    order: Longs
    parts: list[npt.NDArray[np.generic]]

    @classmethod
    def of(
        cls, requests: Sequence[Request], batch: Batch, results: TestResults, low: Longs, first: int
    ) -> Likely:
        """Pick the conclusive tests at some places of them; ``first`` came in earlier blocks."""
        chosen = results.conclusive.nonzero()[0][low]
        request = np.searchsorted(batch.partner_start, chosen, side="right") - 1
        r = results
        parts: list[npt.NDArray[np.generic]] = [request, batch.partner[chosen]]
        parts += [c[chosen] for c in (r.statistic, r.df, r.p, r.log_p, r.min_expected, r.rows)]
        return cls(requests, first + low, parts)


@dataclass(slots=True)
class Detected:
    """The dependencies found so far (D), those the graph covers (``covered``) and the rest (U)."""

    engine: Engine
    test: IndependenceTest
    decider: Decider
    stop: StopSignal | None = None
    found: dict[Key, Rejection] = field(default_factory=dict)
    place: dict[Key, int] = field(default_factory=dict)
    """Where the dependencies stand in the order of detection."""
    tested: dict[int, dict[int, int]] = field(default_factory=dict)
    """For every given and variable the mask of the variables it has been tested against."""
    put_first: dict[int, int] = field(default_factory=dict)
    """For every given the mask of the variables that it holds something for there."""
    too_sparse: dict[int, bool] = field(default_factory=dict)
    """For every set asked about whether no test that holds it and more can be conclusive."""
    sparsest: dict[int, list[int]] = field(default_factory=dict)
    """Sets that are too sparse, by their lowest bit; all others known to be so hold one."""
    all_tested: set[int] = field(default_factory=set)
    """The givens that all pairs have been tested for."""
    tally: TestTally = field(default_factory=TestTally)
    asked: Engine = field(init=False)
    """The engine as long as the signal has not been given."""
    verdicts: Prefetch[int, bool] = field(init=False)
    """Which sets are too sparse, as the engine counts them."""
    cover: DependencyCover = field(init=False)
    """The dependencies, and which of them the graph covers."""

    def __post_init__(self) -> None:
        n = self.engine.n_variables
        check_memory(_BYTES_PER_PAIR * n * n, f"the tests of all pairs of {n:,} variables")
        self.cover = DependencyCover(self.engine.n_variables)
        self.asked = self.engine if self.stop is None else self.engine.until(self.stop)
        self.verdicts = Prefetch(self._ruled_out)

    def look(self, hypotheses: Iterable[tuple[int, int, int]]) -> list[Key]:
        """Test each (x, mask of ys, given) that is new, in one batch; return what was rejected.

        The decider sees the conclusive p-values in the order of x, then y. A hypothesis that can
        be put from both ends is tested once, at the first.
        """
        requests = [
            (x, given, new)
            for x, ys, given in hypotheses
            if (new := self._note_as_tested(x, ys, given))
        ]
        self._find_too_sparse({given | 1 << x for x, given, _ in requests})
        promising = []
        for x, given, partners in requests:
            if self.too_sparse[given | 1 << x]:
                n = partners.bit_count()
                self._count(n, n, n, 0)
            else:
                promising.append((x, given, partners))
        return self._run(promising) if promising else []

    def _note_as_tested(self, x: int, ys: int, given: int) -> int:
        """Count x with all the ys among what has been tested; return the ys that are new to it."""
        if given in self.all_tested:
            return 0
        seen = self.tested.setdefault(given, {})
        new = ys & ~seen.get(x, 0)
        for v in bits(new & self.put_first.get(given, 0)):
            if seen[v] >> x & 1:
                new &= ~(1 << v)
        if new:
            seen[x] = seen.get(x, 0) | new
            self.put_first[given] = self.put_first.get(given, 0) | 1 << x
        return new

    def _find_too_sparse(self, sets: set[int]) -> None:
        """Find out which sets leave no test with a further variable conclusive: one batch."""
        unknown = []
        for mask in sorted(sets - self.too_sparse.keys()):
            # What holds such a set is one, too: its table has no larger cells.
            if self._holds_too_sparse(mask):
                self.too_sparse[mask] = True
            else:
                unknown.append(mask)
        if unknown:
            self.too_sparse.update(zip(unknown, self.verdicts.take(unknown), strict=True))
            for mask in unknown:
                if self.too_sparse[mask]:
                    self.sparsest.setdefault(mask & -mask, []).append(mask)

    def foresee(self, guess: Callable[[], Iterable[int]]) -> None:
        """Ask also about the sets that a guess returns, whenever some are asked about."""
        self.verdicts = Prefetch(self._ruled_out, guess)

    def _ruled_out(self, sets: list[int]) -> list[bool]:
        return self.test.rules_out(self.asked, [bits(mask) for mask in sets])

    def _holds_too_sparse(self, mask: int) -> bool:
        """Say whether a set that is known to be too sparse is part of another."""
        return any(not part & ~mask for v in bits(mask) for part in self.sparsest.get(1 << v, ()))

    def _count(self, made: int, inconclusive: int, uncounted: int, rejected: int) -> None:
        t = self.tally
        self.tally = TestTally(
            t.made + made,
            t.inconclusive + inconclusive,
            t.uncounted + uncounted,
            t.rejected + rejected,
        )

    def _run(self, requests: Sequence[Request]) -> list[Key]:
        """Test in blocks, so that little is in memory at a time, and decide about all at once."""
        level = self.decider.indifference
        sure: list[Floats] = []
        likely: list[Likely] = []
        first = made = uncounted = 0
        for block in _blocks(requests):
            batch = _batch_of(block)
            results = self.test.run(self.asked, batch, level)
            p = results.p[results.conclusive]
            sure.append(p)
            low = (p <= level).nonzero()[0]
            likely.append(Likely.of(block, batch, results, low, first))
            first += len(p)
            made += len(batch)
            uncounted += int(np.isnan(results.statistic).sum())
        rejected = self.decider.rejects(np.concatenate(sure))
        keys = [key for each in likely for key in self._take(each, rejected)]
        self._count(made, made - first, uncounted, len(keys))
        return keys

    def _take(self, likely: Likely, rejected: Bools) -> list[Key]:
        """Note what was rejected in a block of tests."""
        chosen = rejected[likely.order]
        keys: list[Key] = []
        for request, y, *rejection in zip(
            *(part[chosen].tolist() for part in likely.parts), strict=True
        ):
            x, given, _ = likely.requests[request]
            key = min(x, y), max(x, y), given
            self.place[key] = len(self.found)
            self.found[key] = (*rejection,)
            keys.append(key)
        return keys

    def look_at_all_pairs(self) -> list[Key]:
        """Test all pairs given nothing."""
        n = self.engine.n_variables
        everything = (1 << n) - 1
        keys = self.look((x, everything >> (x + 1) << (x + 1), 0) for x in range(n))
        self.all_tested.add(0)
        return keys

    def look_around(self, blankets: Sequence[int], changed: Iterable[int]) -> list[Key]:
        """Test each changed variable against all outside its Markov blanket, given the blanket."""
        everything = (1 << len(blankets)) - 1
        return self.look((x, everything & ~blankets[x] & ~(1 << x), blankets[x]) for x in changed)

    def any_rejected(self, blankets: Sequence[int], changed: Iterable[int]) -> bool:
        """Say whether a Markov-blanket hypothesis of a changed variable is known to be false."""
        outside = [((1 << len(blankets)) - 1) & ~blanket for blanket in blankets]
        return any(
            (min(x, y), max(x, y), blankets[x]) in self.found
            for x in changed
            for y in bits(outside[x] & ~(1 << x))
        )

    def add_uncovered(self, keys: Iterable[Key]) -> None:
        """Count dependencies among those that the graph does not cover."""
        self.cover.add([(x, given, ys) for (x, given), ys in grouped(keys).items()])

    def go_to(
        self, parents: Sequence[int], pair: Pair | None = None, *, grows: bool = True
    ) -> dict[int, int]:
        """Go on to a graph; it differs from the last by the edge of a pair, up to equivalence.

        A graph that does not grow has lost an edge; then nothing is covered that was not before.
        Returns the Markov blankets that have changed, by variable.
        """
        return dict(self.cover.go_to(parents, pair, grows))

    def settle(self) -> Groups:
        """Find out which uncovered dependencies the graph covers, and return them."""
        return {(x, given): ys for x, given, ys in self.cover.settle(self.stop)}

    def keeps(self, parents: Sequence[int], pair: Pair | None = None) -> bool:
        """Say whether another graph, which differs by a pair, covers all that is covered now."""
        return self.cover.keeps(parents, pair, self.stop)

    def gains(self, parents: Sequence[int], pair: Pair | None = None) -> bool:
        """Say whether such a graph covers something that is not covered now."""
        return self.cover.gains(parents, pair, self.stop)

    def may_gain(self, pair: Pair) -> bool:
        """Say whether an edge between a pair may cover something that is not covered now."""
        return self.cover.may_gain(*pair)

    def joins(self, x: int, y: int) -> bool:
        """Say whether something uncovered is about x and y: an edge between them covers it."""
        return self.cover.joins(x, y)

    @property
    def n_uncovered(self) -> int:
        """How many dependencies the graph does not cover."""
        return self.cover.n_uncovered

    def missing(self, parents: Sequence[int]) -> set[Key]:
        """Return what a graph does not cover, of all that was found."""
        groups = grouped(self.found)
        reaches = d_connections(parents, list(groups))
        left = {key: groups[key] & ~reach for key, reach in zip(groups, reaches, strict=True)}
        return set(keys_of(left))

    def places(self, groups: Groups) -> tuple[int, ...]:
        """Return the places, in the order of detection, of some dependencies."""
        return tuple(sorted(self.place[key] for key in keys_of(groups)))

    def report(self, parents: Sequence[int]) -> tuple[Dependency, ...]:
        """Return all dependencies with their strength, and whether a graph covers them."""
        if not self.found:
            return ()
        batch = Batch.of((x, bits(given), (y,)) for x, y, given in self.found)
        information = self.engine.informations(batch).tolist()
        left = self.missing(parents)
        return tuple(
            Dependency(
                x,
                y,
                tuple(bits(given)),
                test[0],
                finite(test[1]),
                *test[2:4],
                finite(test[4]),
                covered=(x, y, given) not in left,
                rows=some_rows(test[5], self.engine.n_rows),
                information=max(0.0, nats),
            )
            for ((x, y, given), test), nats in zip(self.found.items(), information, strict=True)
        )


def _blocks(requests: Sequence[Request]) -> Iterator[Sequence[Request]]:
    """Cut requests into blocks with not too many tests."""
    first = n_tests = 0
    for k, (_, _, partners) in enumerate(requests):
        n_tests += partners.bit_count()
        if n_tests >= _BLOCK:
            yield requests[first : k + 1]
            first, n_tests = k + 1, 0
    if n_tests:
        yield requests[first:]


def _batch_of(requests: Sequence[Request]) -> Batch:
    """Return the batch of some requests; masks become arrays without a detour."""
    partners = [_members(mask) for _, _, mask in requests]
    given = [bits(mask) for _, mask, _ in requests]
    return Batch(
        np.array([x for x, _, _ in requests], np.int32),
        np.cumsum([0, *map(len, given)], dtype=np.int64),
        np.array([v for each in given for v in each], np.int32),
        np.cumsum([0, *map(len, partners)], dtype=np.int64),
        np.concatenate(partners),
    )


def _members(mask: int) -> Ints:
    """Return the nodes of a mask as an array."""
    packed = np.frombuffer(mask.to_bytes((mask.bit_length() + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, bitorder="little").nonzero()[0].astype(np.int32)


def grouped(keys: Iterable[Key]) -> Groups:
    """Return hypotheses by (x, given)."""
    groups: Groups = {}
    for x, y, given in keys:
        groups[x, given] = groups.get((x, given), 0) | 1 << y
    return groups


def keys_of(groups: Groups) -> Iterator[Key]:
    """Yield the hypotheses of groups one by one."""
    return ((x, y, given) for (x, given), mask in groups.items() for y in bits(mask))
