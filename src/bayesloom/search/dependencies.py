"""The dependencies a search has detected, and which of them a graph covers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bayesloom.engine import Batch, Engine
from bayesloom.graphs import bits, d_connected, marginally_connected, moral_graph, transposed
from bayesloom.independence import Decider, IndependenceTest


@dataclass(frozen=True, slots=True)
class Dependency:
    """A rejected hypothesis: x and y are dependent given the rest.

    Parameters
    ----------
    x, y : int
        The pair, x < y.
    given : tuple of int
        What was conditioned on, in order.
    statistic, df, p, log_p, min_expected : float
        The test that rejected independence.
    covered : bool
        Whether x and y are d-connected given the rest in the graph at hand.
    """

    x: int
    y: int
    given: tuple[int, ...]
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    covered: bool = False


@dataclass(frozen=True, slots=True)
class TestTally:
    """How many tests were made and what came of them.

    Parameters
    ----------
    made : int
        Hypotheses tested.
    inconclusive : int
        Those without a verdict, because the rows do not suffice.
    uncounted : int
        Those among them that were not even counted: so many cells cannot all be filled.
    rejected : int
        Hypotheses rejected: detected dependencies.
    """

    __test__ = False

    made: int = 0
    inconclusive: int = 0
    uncounted: int = 0
    rejected: int = 0


Key = tuple[int, int, int]
"""A hypothesis: x < y, and the mask of the given variables."""


@dataclass(slots=True)
class Detected:
    """The dependencies found so far (D) and those the current graph does not cover (U)."""

    engine: Engine
    test: IndependenceTest
    decider: Decider
    found: dict[Key, Dependency] = field(default_factory=dict)
    uncovered: set[Key] = field(default_factory=set)
    tested: dict[tuple[int, int], int] = field(default_factory=dict)
    """For every (variable, given) the mask of the variables it has been tested against."""
    tally: TestTally = field(default_factory=TestTally)

    def look(self, hypotheses: Iterable[tuple[int, int, int]]) -> list[Key]:
        """Test each (x, mask of ys, given) that is new, in one batch; return what was rejected.

        The decider sees the conclusive p-values in the order of x, then y.
        """
        requests = []
        for x, ys, given in hypotheses:
            new = ys & ~self.tested.get((x, given), 0)
            if not new:
                continue
            self.tested[x, given] = self.tested.get((x, given), 0) | new
            partners = bits(new)
            for y in partners:
                self.tested[y, given] = self.tested.get((y, given), 0) | 1 << x
            requests.append((x, bits(given), partners))
        if not requests:
            return []
        batch = Batch.of(requests)
        results = self.test.run(self.engine, batch)
        sure = results.conclusive.nonzero()[0]
        verdicts = self.decider.decide(results.p[sure].tolist())
        keys: list[Key] = []
        of_request = batch.request_of
        for i in (int(i) for i, rejected in zip(sure, verdicts, strict=True) if rejected):
            x, given, _ = requests[int(of_request[i])]
            y = int(batch.partner[i])
            key = min(x, y), max(x, y), sum(1 << v for v in given)
            self.found[key] = Dependency(
                key[0], key[1], tuple(given), float(results.statistic[i]), float(results.df[i]),
                float(results.p[i]), float(results.log_p[i]), float(results.min_expected[i]),
            )  # fmt: skip
            keys.append(key)
        self._count(
            len(batch), len(sure), int((results.statistic != results.statistic).sum()), keys
        )
        return keys

    def _count(self, made: int, sure: int, uncounted: int, keys: Sequence[Key]) -> None:
        t = self.tally
        self.tally = TestTally(
            t.made + made,
            t.inconclusive + made - sure,
            t.uncounted + uncounted,
            t.rejected + len(keys),
        )

    def look_at_all_pairs(self) -> None:
        """Test all pairs given nothing."""
        n = self.engine.n_variables
        everything = (1 << n) - 1
        self.look((x, everything >> (x + 1) << (x + 1), 0) for x in range(n))

    def look_around(self, parents: Sequence[int], changed: Iterable[int]) -> list[Key]:
        """Test each changed variable against all outside its Markov blanket, given the blanket."""
        blankets = moral_graph(parents)
        everything = (1 << len(parents)) - 1
        return self.look((x, everything & ~blankets[x] & ~(1 << x), blankets[x]) for x in changed)

    def split(self, parents: Sequence[int], keys: Iterable[Key]) -> tuple[set[Key], set[Key]]:
        """Divide dependencies into those a graph covers and those it does not."""
        children = transposed(parents)
        groups: dict[tuple[int, int], list[Key]] = {}
        for key in keys:
            groups.setdefault((key[0], key[2]), []).append(key)
        covered: set[Key] = set()
        bare: set[Key] = set()
        marginal = marginally_connected(parents) if any(not s for _, s in groups) else []
        for (x, given), members in groups.items():
            reach = d_connected(parents, x, given, children) if given else marginal[x]
            for key in members:
                (covered if reach >> key[1] & 1 else bare).add(key)
        return covered, bare

    def update(self, parents: Sequence[int], *, only_uncovered: bool) -> set[Key]:
        """Find out anew what the graph covers; return what has become covered.

        ``only_uncovered`` is right after an insertion: it never destroys an active path.
        """
        keys = self.uncovered if only_uncovered else self.found
        covered, bare = self.split(parents, keys)
        gained = covered & self.uncovered
        self.uncovered = bare
        return gained

    def keeps(self, parents: Sequence[int]) -> bool:
        """Say whether a graph covers everything that is covered now."""
        held = [key for key in self.found if key not in self.uncovered]
        return not self.split(parents, held)[1]

    def gains(self, parents: Sequence[int]) -> bool:
        """Say whether a graph covers something that is not covered now."""
        return bool(self.split(parents, self.uncovered)[0])
