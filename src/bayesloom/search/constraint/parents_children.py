"""Max-min parents and children: who may be joined with whom, by the weakest association."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import TypeVar

from bayesloom.engine import Engine
from bayesloom.errors import check_whole
from bayesloom.graphs import bits, mask_of, transposed
from bayesloom.independence import Control, FixedAlpha, IndependenceTest
from bayesloom.search.constraint.skeleton import required_pairs
from bayesloom.search.constraint.tester import (
    Inconclusive,
    NodePair,
    Tester,
    Verdicts,
    told_separations,
)
from bayesloom.search.constraint.testing_search import USUAL_TEST, can_tell, check_testing
from bayesloom.search.facts.tested import Separation
from bayesloom.search.limits import Limits
from bayesloom.search.restriction import Candidates
from bayesloom.search.search import Testing
from bayesloom.search.watch import Watch

_Answer = tuple[Verdicts, int]
_Sets = Iterable[tuple[int, ...]]
_SETS = 1 << 18  # looked at between two looks at the clock
_Partners = TypeVar("_Partners")
"""A mask, or one of them: the lists for all targets would take far more memory."""


@dataclass(frozen=True, slots=True)
class MMPC:
    """Max-min parents and children: candidates for the neighbours of every variable.

    Of every candidate the weakest association with the target counts that any set of the
    neighbours found so far leaves; the candidate for which that is strongest (the maximum of the
    minima) comes next, and one that a set takes apart from the target is out for good. In the end
    neighbours that others take apart go, and two variables are neighbours if each is one of the
    other. All targets go in step, one question to the engine per round. It is a rule for
    `Restricted`, and what `MMHC` begins with.

    Parameters
    ----------
    test, control, inconclusive
        As in `PC`. The association is the p-value of the test: the smaller, the stronger.
    max_given : int, optional
        The most neighbours that are given in a test.

    References
    ----------
    I. Tsamardinos, L. E. Brown, C. F. Aliferis: The max-min hill-climbing Bayesian network
    structure learning algorithm, Machine Learning 2006.

    Examples
    --------
    >>> MMPC(control=FixedAlpha(0.01)).max_given
    3
    """

    test: IndependenceTest = USUAL_TEST
    control: Control = FixedAlpha()
    inconclusive: Inconclusive = Inconclusive.DEPENDENT
    max_given: int | None = 3

    def __post_init__(self) -> None:
        check_testing(self.test, self.control, self.inconclusive)
        if self.max_given is not None:
            check_whole("max_given", self.max_given, 0)
            object.__setattr__(self, "max_given", int(self.max_given))

    def testing(self) -> Testing:
        """Return the test and its control."""
        return Testing(self.test, self.control)

    def candidates(self, engine: Engine, limits: Limits, watch: Watch) -> Candidates:
        """Return for every variable who may be joined with it, and what the tests found."""
        decider = self.control.decider()
        tester = Tester(engine, self.test, decider, self.inconclusive, watch)
        neighbours = _Neighbours(tester, limits, self.max_given)
        with watch.heeded():
            neighbours.grow()
            neighbours.shrink()
        return neighbours.result()


@dataclass(slots=True)
class _Neighbours:
    """The neighbours of every variable found so far, in the order in which they were found."""

    tester: Tester
    limits: Limits
    max_given: int | None
    required: list[int] = field(init=False)
    found: list[list[int]] = field(init=False)
    open: list[int] = field(init=False)
    """For every variable the mask of those that may yet become neighbours."""
    weakest: list[dict[int, float]] = field(init=False)
    """For every variable its open candidates that a test found dependent, and of the tests that
    did so the largest log p-value."""
    apart: dict[NodePair, _Answer] = field(default_factory=dict)
    """For a target and a variable the test that took the variable out, if there are few pairs."""
    _tells: bool = field(init=False)

    def __post_init__(self) -> None:
        self._tells = can_tell(self.tester.engine)
        self.required = required_pairs(self.limits)
        self.found = [bits(mask) for mask in self.required]
        pairs = zip(self.limits.pairs, self.required, strict=True)
        self.open = [may & ~must for may, must in pairs]
        self.weakest = [{} for _ in self.required]

    def grow(self) -> None:
        """Take in the max-min candidate of every target until no candidate is dependent."""
        sets: dict[int, _Sets] = {t: self._subsets(members) for t, members in enumerate(self.found)}
        rounds = 0
        while sets and self.tester.watch.may_go_on(ahead=rounds):
            self._ask_open(sets)
            sets = {}
            for t, weakest in enumerate(self.weakest):
                if weakest:
                    chosen = min(weakest, key=lambda y: (weakest[y], y))
                    del weakest[chosen]
                    self.open[t] &= ~(1 << chosen)
                    self.found[t].append(chosen)
                    if self.open[t]:
                        sets[t] = self._subsets(self.found[t], len(self.found[t]) - 1)
            rounds += 1

    def shrink(self) -> None:
        """Take out neighbours that sets of the others take apart, the clearest first."""
        requests = (
            (t, given, (y,))
            for t, members in enumerate(self.found)
            for k, y in enumerate(members)
            if not self.required[t] >> y & 1
            # Given sets of those before it alone it was tested before it was taken in.
            for given in self._subsets([*members[:k], *members[k + 1 :]], k)
        )
        found = []
        for (t, given, (y,)), verdicts, part in self.tester.answers(self._hopeful(requests)):
            k = part.start
            if verdicts.independent[k]:
                results = verdicts.results
                rank = not results.conclusive[k], -float(results.log_p[k]), t, y, tuple(given)
                found.append((rank, t, y, mask_of(given), (verdicts, k)))
        members = [mask_of(each) for each in self.found]
        for _, t, y, given_mask, answer in sorted(found, key=lambda each: each[0]):
            if members[t] >> y & 1 and not given_mask & ~members[t]:
                members[t] &= ~(1 << y)
                self.found[t].remove(y)
                self.apart[t, y] = answer

    def result(self) -> Candidates:
        """Return who is a neighbour of whom, where both agree."""
        masks = [mask_of(members) for members in self.found]
        both = [into & out for into, out in zip(masks, transposed(masks), strict=True)]
        return Candidates(tuple(both), self.tester.tally, self._separations(both))

    def _separations(self, joined: Sequence[int]) -> tuple[Separation, ...]:
        """Return for the pairs that are not joined the clearest test that took one out."""
        found = (answer for (t, y), answer in self.apart.items() if not joined[t] >> y & 1)
        return tuple(told_separations(found).values())

    def _ask_open(self, sets: dict[int, _Sets]) -> None:
        """Test the open candidates of targets given sets of their neighbours."""
        before = list(self.open)  # the answers to the first tests are not to spare others
        asked = ((t, given, before[t]) for t, each in sets.items() for given in each)
        requests = ((t, given, bits(mask)) for t, given, mask in self._hopeful(asked))
        for (t, _, others), verdicts, part in self.tester.answers(requests):
            weakest = self.weakest[t]
            rejected, log_p = verdicts.rejected[part], verdicts.results.log_p[part]
            for k in rejected.nonzero()[0].tolist():
                y = others[k]
                if self.open[t] >> y & 1:
                    weakest[y] = max(float(log_p[k]), weakest.get(y, -float("inf")))
            for k in verdicts.independent[part].nonzero()[0].tolist():
                y = others[k]
                if self.open[t] >> y & 1:
                    self.open[t] &= ~(1 << y)
                    weakest.pop(y, None)
                    if self._tells:
                        self.apart[t, y] = verdicts, part.start + k

    def _subsets(self, members: Sequence[int], new: int | None = None) -> Iterator[tuple[int, ...]]:
        """Yield the sets of members, or only those that hold one from place ``new`` on."""
        most = len(members) if self.max_given is None else min(self.max_given, len(members))
        later = None if new is None else set(members[new:])
        for size in range(most + 1):
            for given in combinations(sorted(members), size):
                if later is None or later.intersection(given):
                    yield given

    def _hopeful(
        self, requests: Iterable[tuple[int, Sequence[int], _Partners]]
    ) -> Iterator[tuple[int, Sequence[int], _Partners]]:
        """Yield the tests of sets that leave enough rows for a verdict.

        There can be so many that they are looked at as they are asked about.
        """
        asked = (request for request in requests if request[2])
        while some := list(islice(asked, _SETS)):
            ruled = self.tester.rules_out([(each[0], *each[1]) for each in some])
            yield from (request for request, out in zip(some, ruled, strict=True) if not out)
