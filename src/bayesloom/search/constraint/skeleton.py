"""The skeleton of PC, level by level: who is still joined after tests given more and more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice

import numpy as np

from bayesloom.errors import Stopped
from bayesloom.graphs import bits, mask_of
from bayesloom.search.constraint.tester import (
    NodePair,
    Tester,
    TestRequest,
    Verdicts,
    first_of_each,
    note_clearest,
)
from bayesloom.search.facts.tested import Dependency, Separation
from bayesloom.search.limits import Limits

_SETS = 1 << 12  # looked at at once for whether they hold too many cells


@dataclass(slots=True)
class Skeleton:
    """Adjacencies that tests thin out, and what each test found.

    A level tests every pair that is joined given every set of so many neighbours of either end. The
    neighbours are those at the beginning of the level, and of several sets that take a pair apart
    the one with the largest p-value is told: so no order of the variables matters.

    A level that is cut off counts for nothing. Where it is the first one of a graph that only
    supposes its pairs to be joined, those stay joined that its tests have found dependent so far.

    Parameters
    ----------
    adjacency : list of int
        For every variable the mask of those it is joined with.
    tester : Tester
        Asks for the tests.
    required : sequence of int
        Masks of the adjacencies that stay whatever tests say.
    apart : sequence of int
        Masks of the pairs that are not joined and nevertheless tested for what separates them:
        directions depend on it.
    supposed : bool
        Whether pairs are joined only because nothing has been tested yet.
    """

    adjacency: list[int]
    tester: Tester
    required: Sequence[int]
    apart: list[int]
    supposed: bool = False
    separations: dict[NodePair, Separation] = field(default_factory=dict)
    weakest: dict[NodePair, Dependency] = field(default_factory=dict)
    """For every pair, as long as it was joined, the rejection of the largest p-value."""
    level: int = 0
    _sets: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    """For variables with sets that leave too few rows, those of the level that do not."""

    @classmethod
    def complete(cls, limits: Limits, tester: Tester) -> Skeleton:
        """Join every pair that may be joined; test the others, too, if both vary."""
        varied = mask_of(np.flatnonzero(~tester.engine.constant).tolist())
        apart = [
            varied & ~pairs & ~(1 << v) if varied >> v & 1 else 0
            for v, pairs in enumerate(limits.pairs)
        ]
        return cls(list(limits.pairs), tester, required_pairs(limits), apart, supposed=True)

    def thin_out(self, max_given: int | None) -> None:
        """Go through the levels until no variable has enough neighbours for another one."""
        watch = self.tester.watch
        with watch.heeded():
            while watch.may_go_on(ahead=self.level) and self._any_left(max_given):
                self._thin_level()
                self.level += 1
                self.supposed = False
        if self.supposed:
            self._keep_rejected()

    def _keep_rejected(self) -> None:
        """Take apart all pairs but those that must be joined or were found dependent."""
        self.adjacency = list(self.required)
        for x, y in self.weakest:
            self.adjacency[x] |= 1 << y
            self.adjacency[y] |= 1 << x

    def _any_left(self, max_given: int | None) -> bool:
        if max_given is not None and self.level > max_given:
            return False
        return any(
            open_ and mask.bit_count() >= self.level
            for open_, mask in zip(self._open(), self.adjacency, strict=True)
        )

    def _open(self) -> list[int]:
        """Return for every variable the mask of those it may yet be taken apart from."""
        masks = zip(self.adjacency, self.apart, self.required, strict=True)
        return [(joined | apart) & ~required for joined, apart, required in masks]

    def _thin_level(self) -> None:
        """Test one level; then take apart what its tests say."""
        n = len(self.adjacency)
        found: dict[NodePair, Separation] = {}
        weakest: dict[NodePair, Dependency] = {}
        given: dict[NodePair, int] = {}
        try:
            for verdicts in self.tester.ask_in_blocks(self._requests()):
                _note_best(found, given, verdicts, n)
                _note_weakest(weakest, verdicts, n)
        except Stopped:
            if self.supposed:
                self.weakest = {
                    (x, y): why for (x, y), why in weakest.items() if self.adjacency[x] >> y & 1
                }
            raise
        for pair, apart in found.items():
            all_of_them = tuple(bits(given[pair]))
            self.separations[pair] = (
                apart if all_of_them == apart.given else replace(apart, any_given=all_of_them)
            )
        for x, y in found:
            for masks in (self.adjacency, self.apart):
                masks[x] &= ~(1 << y)
                masks[y] &= ~(1 << x)
        for (x, y), rejection in weakest.items():
            known = self.weakest.get((x, y))
            if self.adjacency[x] >> y & 1 and rejection.log_p > _log_p(known):
                self.weakest[x, y] = rejection

    def _requests(self) -> Iterator[TestRequest]:
        """Yield the tests of the level, each hypothesis once."""
        open_, adjacency = self._open(), tuple(self.adjacency)
        for x, given in self._candidates(open_):
            base = mask_of(given)
            partners = [y for y in bits(open_[x] & ~base) if y > x or base & ~adjacency[y]]
            if partners:
                yield x, given, partners

    def _candidates(self, open_: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield every variable with the sets of its neighbours that leave enough rows."""
        every = ((x, given) for x, mask in enumerate(open_) if mask for given in self._sets_of(x))
        if not self.level:
            yield from every
            return
        kept: dict[int, list[tuple[int, ...]]] = {}
        thinned = set(self._sets)
        while block := list(islice(every, _SETS)):
            ruled = self.tester.rules_out([(x, *given) for x, given in block])
            for (x, given), out in zip(block, ruled, strict=True):
                if out:
                    thinned.add(x)
                else:
                    kept.setdefault(x, []).append(given)
                    yield x, given
        self._sets = {x: kept.get(x, []) for x in thinned}

    def _sets_of(self, x: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets of neighbours of a variable whose subsets left enough rows."""
        near = bits(self.adjacency[x])
        if x not in self._sets:
            yield from combinations(near, self.level)
            return
        mask = self.adjacency[x]
        before = [given for given in self._sets[x] if not mask_of(given) & ~mask]
        alive = set(before)
        for given in before:
            for v in near:
                if v > given[-1] and all(
                    (*given[:k], *given[k + 1 :], v) in alive for k in range(len(given))
                ):
                    yield (*given, v)


def required_pairs(limits: Limits) -> list[int]:
    """Return for every variable the mask of those it must be joined with."""
    masks = list(limits.required)
    for v, mask in enumerate(limits.required):
        for p in bits(mask):
            masks[p] |= 1 << v
    return masks


def _log_p(found: Dependency | None) -> float:
    return float("-inf") if found is None else found.log_p


def _note_best(
    found: dict[NodePair, Separation], given: dict[NodePair, int], verdicts: Verdicts, n: int
) -> None:
    """Keep for every pair the clearest separation, and the members of all separating sets."""
    chosen = verdicts.independent.nonzero()[0]
    keys, results = verdicts.pairs(n)[chosen], verdicts.results
    best = first_of_each(keys, ~results.conclusive[chosen], -results.log_p[chosen])
    note_clearest(found, verdicts.separations(chosen[best]))
    bases = verdicts.given_masks()
    requests = verdicts.batch.request_of[chosen].tolist()
    for key, request in zip(keys.tolist(), requests, strict=True):
        pair = divmod(key, n)
        given[pair] = given.get(pair, 0) | bases[request]


def _note_weakest(found: dict[NodePair, Dependency], verdicts: Verdicts, n: int) -> None:
    """Keep for every pair the rejection of the largest p-value."""
    chosen = verdicts.rejected.nonzero()[0]
    best = first_of_each(verdicts.pairs(n)[chosen], -verdicts.results.log_p[chosen])
    for new in verdicts.dependencies(chosen[best]):
        if new.log_p > _log_p(found.get((new.x, new.y))):
            found[new.x, new.y] = new
