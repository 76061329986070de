"""Markov blankets of many variables at once, grown and shrunk in step with each other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Engine
from bayesloom.graphs import bits, mask_of, transposed
from bayesloom.search.constraint.skeleton import Skeleton, required_pairs
from bayesloom.search.constraint.tester import (
    Flags,
    NodePair,
    Tester,
    TestRequest,
    Verdicts,
    told_separations,
)
from bayesloom.search.constraint.testing_search import (
    TestingSearch,
    can_tell,
    oriented_result,
    refuse_max_parents,
)
from bayesloom.search.facts.tested import Dependency, Separation
from bayesloom.search.limits import Limits
from bayesloom.search.restriction import Candidates
from bayesloom.search.result import SearchResult
from bayesloom.search.watch import Watch

Choice = Callable[[int, Sequence[int], Flags, Floats], list[int]]
"""Of a target, the variables outside its blanket, whether each is dependent on it given the
blanket, and the log p-values: those to take in."""

_Answer = tuple[Verdicts, int]


@dataclass(slots=True)
class Blankets:
    """The Markov blankets of some targets, as far as they are known.

    Every round asks one batch for all targets that still change.

    Parameters
    ----------
    tester : Tester
        Asks for the tests.
    targets : sequence of int
        Whose blankets are looked for.
    required : sequence of int
        Masks of what stays in the blanket of every variable whatever tests say.
    """

    tester: Tester
    targets: Sequence[int]
    required: Sequence[int]
    members: dict[int, int] = field(init=False)
    """For every target the mask of its blanket."""
    rounds: int = 0
    _varied: int = field(init=False)
    _tells: bool = field(init=False)
    _outside: dict[int, tuple[list[int], _Answer]] = field(default_factory=dict)
    """For a target what was outside in its latest round of growing, and where the tests begin; of
    all targets if there are few pairs."""
    _taken_out: dict[tuple[int, int], _Answer] = field(default_factory=dict)
    """For a target and a variable the latest test that took it out of the blanket."""
    _inside: dict[tuple[int, int], _Answer] = field(default_factory=dict)
    """For a target and a member of its blanket the latest test given the others."""

    def __post_init__(self) -> None:
        self._tells = can_tell(self.tester.engine)
        constant = self.tester.engine.constant
        self._varied = mask_of(np.flatnonzero(~constant).tolist())
        self.members = {t: self.required[t] for t in self.targets}

    def grow(self, targets: Iterable[int], choose: Choice) -> list[int]:
        """Test all targets against everything outside their blankets; return those that grew."""
        grown = []
        for (t, _, others), verdicts, part in self.tester.answers(self._growing(targets)):
            rejected = verdicts.rejected[part]
            chosen = choose(t, others, rejected, verdicts.results.log_p[part])
            if self._tells:
                self._outside[t] = list(others), (verdicts, part.start)
            if chosen:
                self.members[t] |= mask_of(chosen)
                grown.append(t)
        self.rounds += 1
        return grown

    def _growing(self, targets: Iterable[int]) -> Iterator[TestRequest]:
        """Yield the tests of the targets whose rows suffice for a further member."""
        wanted = [t for t in targets if self._varied >> t & 1]
        ruled = self.tester.test.rules_out(
            self.tester.asked, [(t, *bits(self.members[t])) for t in wanted]
        )
        for t, out in zip(wanted, ruled, strict=True):
            if not out and (others := bits(self._varied & ~self.members[t] & ~(1 << t))):
                yield t, bits(self.members[t]), others

    def shrink(self, targets: Iterable[int]) -> None:
        """Take out of every blanket the member that is most clearly independent, until none is."""
        left = list(targets)
        while left and self.tester.watch.may_go_on(ahead=self.rounds):
            requests = [
                (t, bits(self.members[t] & ~(1 << y)), (y,))
                for t in left
                for y in bits(self.members[t] & ~self.required[t])
            ]
            clearest: dict[int, tuple[tuple[bool, float], int, _Answer]] = {}
            for (t, _, (y,)), verdicts, part in self.tester.answers(requests):
                answer = (verdicts, part.start)
                self._inside[t, y] = answer
                if verdicts.independent[part.start]:
                    results = verdicts.results
                    rank = bool(results.conclusive[part.start]), float(results.log_p[part.start])
                    if t not in clearest or rank > clearest[t][0]:
                        clearest[t] = (rank, y, answer)
            for t, (_, y, answer) in clearest.items():
                self.members[t] &= ~(1 << y)
                self._taken_out[t, y] = answer
            left = list(clearest)
            self.rounds += 1

    def evidence(self, target: int) -> dict[int, Dependency]:
        """Return for every member of a blanket the latest test given the others that rejected."""
        found = {}
        for y in bits(self.members[target]):
            answer = self._inside.get((target, y))
            if answer is not None and answer[0].rejected[answer[1]]:
                [found[y]] = answer[0].dependencies(np.array([answer[1]]))
        return found

    def symmetric(self) -> list[int]:
        """Return who is in the blanket of whom, where both agree."""
        masks = [self.members.get(v, 0) for v in range(self.tester.engine.n_variables)]
        return [into & out for into, out in zip(masks, transposed(masks), strict=True)]

    def separations(self, adjacency: Sequence[int]) -> dict[NodePair, Separation]:
        """Return for the pairs that are not joined the clearest test that left one outside."""
        return told_separations(
            (verdicts, k)
            for t, y, (verdicts, k) in self._left_out()
            if verdicts.independent[k] and not adjacency[t] >> y & 1
        )

    def _left_out(self) -> Iterator[tuple[int, int, _Answer]]:
        """Yield every target with the variables outside its blanket and the latest test of both."""
        latest = dict(self._taken_out)
        for t, (others, (verdicts, start)) in self._outside.items():
            for k, y in enumerate(others, start=start):
                latest.setdefault((t, y), (verdicts, k))
        for (t, y), answer in sorted(latest.items(), key=itemgetter(0)):
            if not self.members[t] >> y & 1:
                yield t, y, answer


@dataclass(frozen=True, slots=True)
class BlanketSearch(TestingSearch):
    """A search that learns the Markov blanket of every variable first, and who is joined in it."""

    @abstractmethod
    def blankets(
        self, engine: Engine, targets: Sequence[int], required: Sequence[int], watch: Watch
    ) -> Blankets:
        """Learn the blankets of some variables."""

    def candidates(self, engine: Engine, limits: Limits, watch: Watch) -> Candidates:
        """Return the blankets, where both sides agree, as candidates for neighbours."""
        blankets = self.blankets(engine, range(engine.n_variables), required_pairs(limits), watch)
        near = blankets.symmetric()
        told = blankets.separations(near).values() if can_tell(engine) else ()
        return Candidates(tuple(near), blankets.tester.tally, tuple(told))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        refuse_max_parents(limits, type(self).__name__)
        required = required_pairs(limits)
        blankets = self.blankets(engine, range(engine.n_variables), required, watch)
        near = blankets.symmetric()
        joined = [mask & pairs for mask, pairs in zip(near, limits.pairs, strict=True)]
        apart = [mask & ~pairs for mask, pairs in zip(near, limits.pairs, strict=True)]
        skeleton = Skeleton(joined, blankets.tester, required, apart)
        elsewhere = blankets.separations(near) if can_tell(engine) else {}
        skeleton.thin_out(self.max_given)
        return oriented_result(skeleton, limits, watch, elsewhere=elsewhere)


def strongest(others: Sequence[int], rejected: Flags, log_p: Floats) -> list[int]:
    """Return the dependent variable of the smallest p-value, if there is one.

    Examples
    --------
    >>> strongest([3, 5, 8], np.array([True, True, False]), np.array([-4.0, -9.0, -1.0]))
    [5]
    """
    if not rejected.any():
        return []
    return [others[int(np.where(rejected, log_p, np.inf).argmin())]]
