"""I-map learning read aloud: explicit classes, all neighbours in every step, every test by itself.

Dependencies are pairs of a pair and a set; a class is the set of its DAGs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from scipy.stats import chi2

import reference
import reference_search
from bayesloom.data import Table
from reference_graphs import Arcs, d_separated_by_paths, is_acyclic, skeleton, v_structures
from reference_search import (
    KINDS,
    Law,
    Mixed,
    Operator,
    Scorer,
    changes,
    first_of_the_best,
    members,
    tie_of,
)

completed = cache(reference_search.completed)
extension = cache(reference_search.extension)

Claim = tuple[frozenset[int], frozenset[int]]
Decide = Callable[[list[list[float]]], list[bool]]
"""Says which p-values of the last batch are rejected, from all batches so far."""


# Tests


def p_value(table: Table, x: int, y: int, given: Iterable[int]) -> float | None:
    """Return the p-value of the chi-square test, None if a cell expects fewer than 5 rows."""
    s = sorted(given)
    level = [sorted(set(column.tolist())) for column in table.codes]
    n_sxy = reference.counts(table, [*s, x, y])
    n_sx, n_sy = reference.counts(table, [*s, x]), reference.counts(table, [*s, y])
    n_s = reference.counts(table, s)
    statistic = 0.0
    for config in product(*(level[v] for v in s)):
        for i, j in product(level[x], level[y]):
            if not n_s[config]:
                return None
            expected = n_sx[*config, i] * n_sy[*config, j] / n_s[config]
            if expected < 5:
                return None
            statistic += (n_sxy[*config, i, j] - expected) ** 2 / expected
    df = (len(level[x]) - 1) * (len(level[y]) - 1)
    for v in s:
        df *= len(level[v])
    return float(chi2.sf(statistic, df)) if df else None


def fixed(alpha: float) -> Decide:
    return lambda batches: [p <= alpha for p in batches[-1]]


def step_up(alpha: float) -> Decide:
    return lambda batches: reference.benjamini_hochberg(batches[-1], alpha)


def online(rule: Callable[[Sequence[float]], list[bool]]) -> Decide:
    """Decide by a rule for all p-values in a row."""

    def decide(batches: list[list[float]]) -> list[bool]:
        verdicts = rule([p for batch in batches for p in batch])
        return verdicts[len(verdicts) - len(batches[-1]) :]

    return decide


# Graphs


@cache
def blanket(arcs: Arcs, x: int) -> frozenset[int]:
    parents = {a for a, b in arcs if b == x}
    children = {b for a, b in arcs if a == x}
    spouses = {a for a, b in arcs if b in children}
    return frozenset((parents | children | spouses) - {x})


@cache
def covers(arcs: Arcs, claim: Claim) -> bool:
    (x, y), given = sorted(claim[0]), claim[1]
    return not d_separated_by_paths(arcs, x, y, set(given))


@cache
def class_of(arcs: Arcs) -> object:
    return skeleton(arcs), v_structures(arcs)


def grown_classes(state: Mixed) -> set[object]:
    """Return the classes with one edge more in some member."""
    return {
        class_of(dag | {(x, y)})
        for dag in members(state)
        for x, y in product(range(state.n), repeat=2)
        if x != y and frozenset((x, y)) not in skeleton(dag) and is_acyclic(dag | {(x, y)}, state.n)
    }


def shrunk_classes(state: Mixed) -> set[object]:
    """Return the classes with one edge less in some member."""
    return {class_of(dag - {arc}) for dag in members(state) for arc in dag}


# The schema


@dataclass
class Knower:
    """D, and everything that was tested."""

    table: Table
    decide: Decide
    tested: set[Claim] = field(default_factory=set)
    found: list[Claim] = field(default_factory=list)
    batches: list[list[float]] = field(default_factory=list)

    def look(self, hypotheses: Iterable[tuple[int, int, frozenset[int]]]) -> None:
        asked: list[Claim] = []
        batch: list[float] = []
        for x, y, given in hypotheses:
            claim = frozenset((x, y)), given
            if claim in self.tested:
                continue
            self.tested.add(claim)
            p = p_value(self.table, x, y, given)
            if p is not None:
                asked.append(claim)
                batch.append(p)
        if batch:
            self.batches.append(batch)
            verdicts = self.decide(self.batches)
            self.found += [claim for claim, bad in zip(asked, verdicts, strict=True) if bad]

    def uncovered(self, arcs: Arcs) -> set[Claim]:
        return {claim for claim in self.found if not covers(arcs, claim)}


def blanket_hypotheses(
    arcs: Arcs, nodes: Iterable[int], n: int
) -> Iterator[tuple[int, int, frozenset[int]]]:
    for x in nodes:
        given = blanket(arcs, x)
        yield from ((x, y, given) for y in range(n) if y != x and y not in given)


def changed(before: Arcs, after: Arcs, n: int) -> list[int]:
    return [v for v in range(n) if blanket(before, v) != blanket(after, v)]


@dataclass
class Twin:
    """What I-map learning shares over classes and over DAGs."""

    table: Table
    scorer: Scorer
    law: Law
    decide: Decide
    mode: str = "repeat"
    knower: Knower = field(init=False)
    moves: list[tuple[str, int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.knower = Knower(self.table, self.decide)

    def start(self, arcs: Arcs) -> None:
        n = self.table.n_columns
        self.knower.look((x, y, frozenset()) for x in range(n) for y in range(x + 1, n))
        self.knower.look(blanket_hypotheses(arcs, range(n), n))

    def keeps(self, before: Arcs, after: Arcs) -> bool:
        """Say whether a graph covers what is covered; in boundary mode test its blankets first."""
        bare = self.knower.uncovered(before)
        if any(claim not in bare and not covers(after, claim) for claim in self.knower.found):
            return False
        if self.mode != "boundary":
            return True
        nodes = changed(before, after, self.table.n_columns)
        claims = list(blanket_hypotheses(after, nodes, self.table.n_columns))
        self.knower.look(claims)
        return not any((frozenset((x, y)), s) in self.knower.found for x, y, s in claims)

    def covers_more(self, before: Arcs, after: Arcs) -> bool:
        return any(covers(after, claim) for claim in self.knower.uncovered(before))

    def adopt(self, before: Arcs, after: Arcs) -> None:
        n = self.table.n_columns
        self.knower.look(blanket_hypotheses(after, changed(before, after, n), n))


@dataclass
class ClassTwin(Twin):
    """I-map learning over equivalence classes."""

    def run(self) -> Mixed:
        n = self.table.n_columns
        self.tie = tie_of(self.scorer.total(self.law.required))
        state = completed(self.law.required, n)
        self.start(extension(state))
        again = True
        while again:
            known, before = len(self.knower.found), len(self.moves)
            for pick in (self.growth, self.shrinkage):
                while (op := pick(state)) is not None:
                    self.adopt(extension(state), extension(op.after))
                    state = op.after
            again = len(self.moves) > before or len(self.knower.found) > known
            again = again and self.mode != "once"
        return state

    def candidates(self, kind: str, state: Mixed) -> list[Operator]:
        """Return all valid operators in order, each with the class it leads to."""
        ops = [
            op._replace(after=completed(extension(op.after), state.n))
            for op in KINDS[kind](self.scorer, state)
        ]
        reached = {class_of(extension(op.after)) for op in ops}
        assert reached == (grown_classes if kind == "insert" else shrunk_classes)(state)
        kept = [
            op
            for op in ops
            if self.law == Law.none(state.n) or any(map(self.law.holds, members(op.after)))
        ]
        return sorted(kept, key=lambda op: (-round(op.gain / self.tie), *op[1:4]))

    def growth(self, state: Mixed) -> Operator | None:
        here = extension(state)
        candidates = self.candidates("insert", state)
        for op in candidates:
            if op.gain > self.tie:
                self.moves.append(("insert", op.x, op.y, "score"))
                return op
        for op in candidates:
            if self.covers_more(here, extension(op.after)):
                self.moves.append(("insert", op.x, op.y, "dependency"))
                return op
        return None

    def shrinkage(self, state: Mixed) -> Operator | None:
        here = extension(state)
        for op in self.candidates("delete", state):
            if op.gain > self.tie and self.keeps(here, extension(op.after)):
                self.moves.append(("delete", op.x, op.y, "score"))
                return op
        return None


@dataclass
class DagTwin(Twin):
    """I-map learning with hill climbing over DAGs."""

    def run(self) -> Arcs:
        self.tie = tie_of(self.scorer.total(self.law.required))
        arcs = self.law.required
        self.start(arcs)
        while (after := self.next(arcs)) is not None:
            self.adopt(arcs, after)
            arcs = after
        return arcs

    def next(self, arcs: Arcs) -> Arcs | None:
        left = changes(self.scorer, arcs, self.law)
        ranked = []
        while left:
            ranked.append(first_of_the_best(left, self.tie))
            left.remove(ranked[-1])
        for move in ranked:
            if move.gain > self.tie and self.holds(arcs, move.operator, move.arcs):
                self.moves.append((move.operator, move.x, move.y, "score"))
                return move.arcs
        for move in ranked:
            if self.covers_more(arcs, move.arcs) and self.holds(arcs, move.operator, move.arcs):
                self.moves.append((move.operator, move.x, move.y, "dependency"))
                return move.arcs
        return None

    def holds(self, arcs: Arcs, operator: str, after: Arcs) -> bool:
        return operator == "insert" or self.keeps(arcs, after)
