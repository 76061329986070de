"""Asking for tests in batches, and what a test without a verdict counts as."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bayesloom.data.plain import finite
from bayesloom.engine import Batch, Engine
from bayesloom.graphs import mask_of
from bayesloom.search.facts.tested import Dependency, Separation
from bayesloom.search.facts.wording import some_rows
from bayesloom.search.tally import TestTally

if TYPE_CHECKING:
    from bayesloom.independence import Decider, IndependenceTest, TestResults
    from bayesloom.search.watch import Watch

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]
NodePair = tuple[int, int]
TestRequest = tuple[int, Sequence[int], Sequence[int]]
"""x, what is given, and the ys that x is tested against."""

_Hypothesis = tuple[int, int, tuple[int, ...], float, float, float, float, float, int | None]

_TABLES = 1 << 16  # asked for in one batch


class Inconclusive(Enum):
    """What a test counts as whose rows do not suffice for a verdict.

    DEPENDENT: it takes nothing apart. INDEPENDENT: it takes a pair apart as if it had not rejected.
    Either way it is no reason to bring two variables together: for that a test has to reject.
    """

    DEPENDENT = "dependent"
    INDEPENDENT = "independent"


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """The answers to a batch of tests, one entry per table.

    Parameters
    ----------
    batch : Batch
        The questions.
    results : TestResults
        The tests.
    rejected : array of bool
        Where independence is rejected: the two are dependent.
    independent : array of bool
        Where the test takes the two apart.
    n_rows : int
        How many rows there are.
    """

    batch: Batch
    results: TestResults
    rejected: Flags
    independent: Flags
    n_rows: int

    def pairs(self, n: int) -> npt.NDArray[np.int64]:
        """Return for every table the number of its pair x < y, which is x n + y."""
        x = self.batch.target[self.batch.request_of].astype(np.int64)
        y = self.batch.partner.astype(np.int64)
        return np.minimum(x, y) * n + np.maximum(x, y)

    def given_masks(self) -> list[int]:
        """Return for every request the mask of what is given."""
        given, starts = self.batch.given.tolist(), self.batch.given_start.tolist()
        return [mask_of(given[a:b]) for a, b in pairwise(starts)]

    def separations(self, chosen: Places) -> list[Separation]:
        """Return some tests as what took their pairs apart."""
        conclusive = self.results.conclusive[chosen].tolist()
        told = zip(self._hypotheses(chosen), conclusive, strict=True)
        return [
            Separation(
                x, y, given, finite(statistic), finite(df), p, log_p, finite(least), sure, rows
            )
            for (x, y, given, statistic, df, p, log_p, least, rows), sure in told
        ]

    def dependencies(self, chosen: Places) -> list[Dependency]:
        """Return some tests as what found their pairs dependent; an edge between them covers it."""
        return [
            Dependency(
                x, y, given, statistic, finite(df), p, log_p, finite(least), covered=True, rows=rows
            )
            for x, y, given, statistic, df, p, log_p, least, rows in self._hypotheses(chosen)
        ]

    def _hypotheses(self, chosen: Places) -> list[_Hypothesis]:
        """Return x, y, given, statistic, df, p, log p, least expected count and rows of tests."""
        b, r, k = self.batch, self.results, chosen
        requests = np.searchsorted(b.partner_start, k, side="right") - 1
        starts, given = b.given_start.tolist(), b.given.tolist()
        targets, partners = b.target[requests].tolist(), b.partner[k].tolist()
        numbers = (r.statistic, r.df, r.p, r.log_p, r.min_expected, r.rows)
        facts = zip(*(column[k].tolist() for column in numbers), strict=True)
        rows = zip(requests.tolist(), targets, partners, facts, strict=True)
        return [
            (
                min(x, y),
                max(x, y),
                tuple(sorted(given[starts[i] : starts[i + 1]])),
                *fact,
                some_rows(known, self.n_rows),
            )
            for i, x, y, (*fact, known) in rows
        ]


def told_separations(answers: Iterable[tuple[Verdicts, int]]) -> dict[NodePair, Separation]:
    """Return for every pair the clearest of some tests: a verdict before none, then the largest p.

    Of tests that are equally clear the first is taken.
    """
    places: dict[int, tuple[Verdicts, list[int]]] = {}
    for verdicts, k in answers:
        places.setdefault(id(verdicts), (verdicts, []))[1].append(k)
    found: dict[NodePair, Separation] = {}
    for verdicts, chosen in places.values():
        note_clearest(found, verdicts.separations(np.array(chosen)))
    return dict(sorted(found.items()))


def note_clearest(found: dict[NodePair, Separation], more: Iterable[Separation]) -> None:
    """Keep for every pair the clearest separation."""
    for new in more:
        old = found.get((new.x, new.y))
        if old is None or (new.conclusive, new.log_p) > (old.conclusive, old.log_p):
            found[new.x, new.y] = new


def first_of_each(keys: npt.NDArray[np.int64], *ranks: npt.NDArray[np.generic]) -> Places:
    """Return for every key, in order, the place of its lowest rank; ties go to the first.

    Examples
    --------
    >>> first_of_each(np.array([7, 3, 7]), np.array([2.0, 0.0, 1.0])).tolist()
    [1, 2]
    """
    order = np.lexsort((*reversed(ranks), keys))
    kept = keys[order]
    first = np.ones(len(order), np.bool_)
    first[1:] = kept[1:] != kept[:-1]
    return order[first]


@dataclass(slots=True)
class Tester:
    """Test hypotheses of a search batch by batch, and count the tests.

    Parameters
    ----------
    engine : Engine
        The data.
    test : IndependenceTest
        The test.
    decider : Decider
        Says which p-values reject.
    inconclusive : Inconclusive
        What a test without a verdict counts as.
    watch : Watch
        Its signal ends a batch.
    """

    engine: Engine
    test: IndependenceTest
    decider: Decider
    inconclusive: Inconclusive
    watch: Watch
    tally: TestTally = field(default_factory=TestTally)
    asked: Engine = field(init=False)
    """The engine as long as the signal has not been given."""

    def __post_init__(self) -> None:
        self.asked = self.engine.until(self.watch.signal)

    def ask(self, requests: Iterable[TestRequest]) -> Verdicts:
        """Test everything in one batch.

        Raises
        ------
        Stopped
            If the watch's signal is given meanwhile.
        """
        batch = Batch.of(requests)
        results = self.test.run(self.asked, batch)
        sure = results.conclusive.nonzero()[0]
        rejected = np.zeros(len(batch), np.bool_)
        rejected[sure] = self.decider.rejects(results.p[sure])
        independent = ~rejected
        if self.inconclusive is Inconclusive.DEPENDENT:
            independent &= results.conclusive
        t = self.tally
        self.tally = TestTally(
            t.made + len(batch),
            t.inconclusive + len(batch) - len(sure),
            t.uncounted + int(np.isnan(results.statistic).sum()),
            t.rejected + int(rejected.sum()),
        )
        self.watch.tested(len(batch))
        return Verdicts(batch, results, rejected, independent, self.engine.n_rows)

    def ask_in_blocks(self, requests: Iterable[TestRequest]) -> Iterator[Verdicts]:
        """Test everything in as few batches as memory allows; between them a search may end."""
        block: list[TestRequest] = []
        tables = 0
        for request in requests:
            if tables + len(request[2]) > _TABLES and block:
                yield self.ask(block)
                block, tables = [], 0
            block.append(request)
            tables += len(request[2])
        if block:
            yield self.ask(block)

    def answers(
        self, requests: Iterable[TestRequest]
    ) -> Iterator[tuple[TestRequest, Verdicts, slice]]:
        """Test everything; yield every request with its part of the answers."""
        asked: deque[TestRequest] = deque()

        def noted() -> Iterator[TestRequest]:
            for request in requests:
                asked.append(request)
                yield request

        for verdicts in self.ask_in_blocks(noted()):
            for start, end in pairwise(verdicts.batch.partner_start.tolist()):
                yield asked.popleft(), verdicts, slice(start, end)

    def rules_out(self, sets: Sequence[Sequence[int]]) -> list[bool]:
        """Say which sets leave no test with a further variable that could change anything."""
        if self.inconclusive is Inconclusive.INDEPENDENT:
            return [False] * len(sets)
        return self.test.rules_out(self.asked, sets)
