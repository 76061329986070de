"""Slow, obvious constraint-based learners: dictionaries of sets, one test at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import ClassVar

import numpy as np

from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, NativeEngine
from bayesloom.graphs import DAG, d_connected, mask_of
from bayesloom.independence import Coverage, IndependenceTest, TestResults
from bayesloom.search import Limits

Given = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Truth(IndependenceTest):
    """A test that knows a DAG: it rejects where that d-connects, and nowhere else."""

    name: ClassVar[str] = "truth"
    min_expected: float = 0.0
    coverage: Coverage = Coverage.RELAXED
    dag: DAG = DAG.empty(["A"])

    def run(self, engine: Engine, batch: Batch, level: float = 1.0) -> TestResults:  # noqa: ARG002
        """Read d-separation off the graph."""
        near = [
            d_connected(self.dag.parent_masks, x, mask_of(s)) >> y & 1 for *s, x, y in batch.axes
        ]
        connected = np.array(near, np.bool_)
        log_p = np.where(connected, -50.0, 0.0)
        ones = np.ones(len(batch))
        statistic = np.where(connected, 100.0, 0.0)
        return TestResults(statistic, ones, np.exp(log_p), log_p, 9 * ones, ones > 0, ones)


def any_table(names: Iterable[str]) -> Table:
    """Return a table whose variables all vary."""
    every = list(names)
    return Table(every, [["n", "y"]] * len(every), [[0, 1]] * len(every))


@dataclass(frozen=True)
class Verdict:
    """A test at a fixed level."""

    conclusive: bool
    rejected: bool
    log_p: float

    @property
    def clarity(self) -> tuple[bool, float]:
        """How clearly it takes a pair apart."""
        return self.conclusive, self.log_p


@dataclass
class Oracle:
    """Tests at a fixed level, one table at a time, each made once."""

    table: Table
    test: IndependenceTest
    alpha: float
    inconclusive_is_independent: bool = False
    known: dict[tuple[int, int, Given], Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.engine = NativeEngine(self.table, 1)
        self.varied = [v for v, seen in enumerate(self.engine.observed) if seen > 1]

    def ask(self, x: int, y: int, given: Iterable[int]) -> Verdict:
        key = x, y, tuple(sorted(given))
        if key not in self.known:
            found = self.test.run(self.engine, Batch.of([(x, key[2], (y,))]))
            sure = bool(found.conclusive[0])
            rejected = sure and bool(found.p[0] <= self.alpha)
            self.known[key] = Verdict(sure, rejected, float(found.log_p[0]))
        return self.known[key]

    def takes_apart(self, verdict: Verdict) -> bool:
        return not verdict.rejected and (verdict.conclusive or self.inconclusive_is_independent)


Separating = dict[tuple[int, int], tuple[Given, tuple[bool, float], set[int]]]
"""For a pair the clearest set that takes it apart, how clearly, and the members of all such."""


def pc_skeleton(
    oracle: Oracle, limits: Limits, most: int | None = None
) -> tuple[dict[int, set[int]], Separating]:
    """Thin out the complete graph by levels; neighbours are those at the beginning of a level."""
    n = len(limits.names)
    joined = {v: {u for u in range(n) if limits.pairs[v] >> u & 1} for v in range(n)}
    required = {
        frozenset((u, v)) for v in range(n) for u in range(n) if limits.required[v] >> u & 1
    }
    left = {
        (x, y)
        for x, y in combinations(range(n), 2)
        if frozenset((x, y)) not in required
        and (y in joined[x] or (x in oracle.varied and y in oracle.varied))
    }
    separating: Separating = {}
    level = 0
    while level <= n and (most is None or level <= most):
        frozen = {v: sorted(near) for v, near in joined.items()}
        for x, y in sorted(left):
            best: tuple[Given, tuple[bool, float]] | None = None
            members: set[int] = set()
            for a, b, given in _sets(frozen, x, y, level):
                verdict = oracle.ask(a, b, given)
                if oracle.takes_apart(verdict):
                    members |= set(given)
                    if best is None or verdict.clarity > best[1]:
                        best = given, verdict.clarity
            if best is not None:
                separating[x, y] = (*best, members)
        left -= separating.keys()
        for x, y in separating:
            joined[x].discard(y)
            joined[y].discard(x)
        level += 1
    return joined, separating


def _sets(
    frozen: dict[int, list[int]], x: int, y: int, level: int
) -> Iterator[tuple[int, int, Given]]:
    """Yield the sets of neighbours of x, then those of y alone."""
    of_x = list(combinations([v for v in frozen[x] if v != y], level))
    yield from ((x, y, given) for given in of_x)
    for given in combinations([v for v in frozen[y] if v != x], level):
        if given not in of_x:
            yield y, x, given


def directed(
    joined: dict[int, set[int]], separating: Separating, limits: Limits
) -> tuple[set[tuple[int, int]], list[tuple[int, int, int]]]:
    """Return the arrows after colliders and Meek's rules, and the colliders that were refused."""
    n = len(joined)
    arrows = {
        (u, v)
        for v in range(n)
        for u in joined[v]
        if limits.allowed[v] >> u & 1 and not limits.allowed[u] >> v & 1
    }
    arrows |= {(u, v) for v in range(n) for u in range(n) if limits.required[v] >> u & 1}
    triples = [
        (not sure, -log_p, x, y, z)
        for (x, y), (_, (sure, log_p), members) in separating.items()
        for z in joined[x] & joined[y]
        if z not in members and y not in joined[x]
    ]
    refused = []
    for *_, x, y, z in sorted(triples):
        wanted = {(x, z), (y, z)}
        if any((z, v) in arrows for v in (x, y)) or has_cycle(arrows | wanted, n):
            refused.append((x, z, y))
        else:
            arrows |= wanted
    return meek(joined, arrows, fourth=not limits.are_open), refused


def has_cycle(arrows: set[tuple[int, int]], n: int) -> bool:
    left = set(range(n))
    while left:
        sources = {v for v in left if not any((u, v) in arrows for u in left)}
        if not sources:
            return True
        left -= sources
    return False


def meek(
    joined: dict[int, set[int]], arrows: set[tuple[int, int]], *, fourth: bool
) -> set[tuple[int, int]]:
    """Apply Meek's rules by their definitions until nothing changes."""
    arrows = set(arrows)
    changed = True
    while changed:
        changed = False
        for a, near in joined.items():
            for b in sorted(near):
                if (a, b) in arrows or (b, a) in arrows:
                    continue
                if _follows(joined, arrows, a, b, fourth=fourth):
                    arrows.add((a, b))
                    changed = True
    return arrows


def _follows(
    joined: dict[int, set[int]], arrows: set[tuple[int, int]], a: int, b: int, *, fourth: bool
) -> bool:
    def free(u: int, v: int) -> bool:
        return v in joined[u] and (u, v) not in arrows and (v, u) not in arrows

    others = [v for v in joined if v not in (a, b)]
    one = any((c, a) in arrows and c not in joined[b] for c in others)
    two = any((a, c) in arrows and (c, b) in arrows for c in others)
    three = any(
        free(a, c) and free(a, d) and (c, b) in arrows and (d, b) in arrows and d not in joined[c]
        for c, d in combinations(others, 2)
    )
    four = fourth and any(
        free(a, d)
        and (d, c) in arrows
        and (c, b) in arrows
        and c in joined[a]
        and d not in joined[b]
        for c in others
        for d in others
        if c != d
    )
    return one or two or three or four


def grow_shrink(oracle: Oracle, target: int) -> set[int]:
    """Take in the first dependent variable by dependence alone, then take out."""
    if target not in oracle.varied:
        return set()
    others = [v for v in oracle.varied if v != target]
    order = sorted(others, key=lambda v: (oracle.ask(target, v, ()).log_p, v))
    blanket: set[int] = set()
    while True:
        new = [v for v in order if v not in blanket and oracle.ask(target, v, blanket).rejected]
        if not new:
            return shrunk(oracle, target, blanket)
        blanket.add(new[0])


def iamb(oracle: Oracle, target: int, *, inter: bool = False) -> set[int]:
    """Take in the strongest; shrink in the end, or after each."""
    if target not in oracle.varied:
        return set()
    blanket: set[int] = set()
    seen = [set(blanket)]
    while True:
        found = [
            (verdict.log_p, v)
            for v in oracle.varied
            if v != target
            and v not in blanket
            and (verdict := oracle.ask(target, v, blanket)).rejected
        ]
        if not found:
            return shrunk(oracle, target, blanket)
        blanket = blanket | {min(found)[1]}
        if inter:
            blanket = shrunk(oracle, target, blanket)
            if blanket in seen:
                return blanket
            seen.append(set(blanket))


def shrunk(oracle: Oracle, target: int, blanket: set[int]) -> set[int]:
    """Take out the member that is most clearly independent given the others, until none is."""
    blanket = set(blanket)
    while True:
        verdicts = [(oracle.ask(target, v, blanket - {v}), -v) for v in blanket]
        apart = [(found.clarity, v) for found, v in verdicts if oracle.takes_apart(found)]
        if not apart:
            return blanket
        blanket.remove(-max(apart)[1])


def mmpc(oracle: Oracle, limits: Limits, most: int | None) -> dict[int, set[int]]:
    """Max-min parents and children of every variable, where both agree."""
    n = len(limits.names)
    each = {t: _mmpc_of(oracle, t, limits, most) for t in range(n)}
    return {t: {v for v in each[t] if t in each[v]} for t in range(n)}


def _mmpc_of(oracle: Oracle, t: int, limits: Limits, most: int | None) -> set[int]:
    found: list[int] = []
    left = [v for v in range(len(limits.names)) if limits.pairs[t] >> v & 1]
    while True:
        ranked = []
        for v in list(left):
            verdicts = [oracle.ask(t, v, given) for given in subsets(found, most)]
            if any(oracle.takes_apart(verdict) for verdict in verdicts):
                left.remove(v)
                continue
            rejected = [verdict.log_p for verdict in verdicts if verdict.rejected]
            if rejected:
                ranked.append((max(rejected), v))
        if not ranked:
            break
        found.append(min(ranked)[1])
        left.remove(found[-1])
    apart = sorted(
        (not verdict.conclusive, -verdict.log_p, v, tuple(sorted(given)))
        for v in found
        for given in subsets([u for u in found if u != v], most)
        if oracle.takes_apart(verdict := oracle.ask(t, v, given))
    )
    members = set(found)
    for _, _, v, given in apart:
        if v in members and set(given) <= members:
            members.remove(v)
    return members


def subsets(members: Iterable[int], most: int | None) -> Iterator[Given]:
    """Yield every subset up to a size."""
    every = sorted(members)
    sizes = range((len(every) if most is None else min(most, len(every))) + 1)
    return chain.from_iterable(combinations(every, size) for size in sizes)
