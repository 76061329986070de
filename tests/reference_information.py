"""Slow, obvious learners from informations: dictionaries of counts, one pair at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations

from bayesloom.data import Table
from bayesloom.search import Limits
from reference_constraint import has_cycle, meek

Pair = tuple[int, int]


def rows_of(table: Table) -> list[tuple[int, ...]]:
    """Return the rows of a table as tuples of codes."""
    return list(zip(*(column.tolist() for column in table.codes), strict=True))


def counts_of(rows: Iterable[tuple[int, ...]], variables: Iterable[int]) -> Counter[object]:
    """Count how often every combination of values of some variables occurs."""
    chosen = tuple(variables)
    return Counter(tuple(row[v] for v in chosen) for row in rows)


def information(rows: list[tuple[int, ...]], x: int, y: int, given: Iterable[int] = ()) -> float:
    """Return the conditional mutual information in nats, by four entropies."""
    base = tuple(given)

    def entropy(variables: tuple[int, ...]) -> float:
        n = len(rows)
        return -math.fsum(c / n * math.log(c / n) for c in counts_of(rows, variables).values())

    return entropy((x, *base)) + entropy((y, *base)) - entropy((x, y, *base)) - entropy(base)


def aracne(
    joined: set[Pair], shared: dict[Pair, float], tolerance: float, kept: set[Pair]
) -> set[Pair]:
    """Take the weakest pair of every triangle out of a graph; pairs are (x, y) with x < y."""
    out = set()
    for triple in combinations(sorted({v for pair in joined for v in pair}), 3):
        pairs = list(combinations(triple, 2))
        if not all(pair in joined for pair in pairs):
            continue
        for pair in pairs:
            least = min(shared[other] for other in pairs if other != pair)
            if shared[pair] < (1 - tolerance) * least - 1e-12:
                out.add(pair)
    return joined - (out - kept)


@cache
def regret(n: int, r: int) -> float:
    """Return log C(n, r): the sum over all samples of n rows of their greatest likelihood."""
    if n == 0 or r == 1:
        return 0.0
    terms = (Fraction(math.comb(n, k) * k**k * (n - k) ** (n - k), n**n) for k in range(n + 1))
    before, here = 1.0, math.fsum(map(float, terms))
    for states in range(3, r + 1):
        before, here = here, here + n / (states - 2) * before
    return math.log(here)


def nml_complexity(table: Table, x: int, y: int, given: Iterable[int]) -> float:
    """Return the NML complexity of Affeldt and Isambert, which treats x and y alike."""
    rows, base = rows_of(table), tuple(given)
    r = [len(states) for states in table.states]

    def cost(variables: tuple[int, ...], states: int) -> float:
        return math.fsum(regret(count, states) for count in counts_of(rows, variables).values())

    return 0.5 * (
        (cost((x, *base), r[y]) - cost(base, r[y])) + (cost((y, *base), r[x]) - cost(base, r[x]))
    )


def mdl_complexity(table: Table, x: int, y: int, given: Iterable[int]) -> float:
    """Return half of log N for every further parameter."""
    r = [len(states) for states in table.states]
    free = (r[x] - 1) * (r[y] - 1) * math.prod(r[v] for v in given)
    return 0.5 * math.log(table.n_rows) * free


@dataclass
class SlowMIIC:
    """3off2 of Affeldt, Verny and Isambert by its pseudo-code, with probabilities as in MIIC."""

    table: Table
    limits: Limits
    complexity: Callable[[Table, int, int, Iterable[int]], float]
    everywhere: bool = False
    known: dict[tuple[int, int, frozenset[int]], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = self.table.n_columns
        self.rows = rows_of(self.table)
        self.joined = {v: {u for u in range(n) if self.limits.pairs[v] >> u & 1} for v in range(n)}
        self.varied = {v for v, seen in enumerate(self.table.observed) if seen > 1}
        self.separating: dict[Pair, frozenset[int]] = {}

    def shared(self, x: int, y: int, given: Iterable[int]) -> float:
        """Return N I'(x; y | given), rounded so that what is equal is equal."""
        key = min(x, y), max(x, y), frozenset(given)
        if key not in self.known:
            base = sorted(key[2])
            found = len(self.rows) * information(self.rows, key[0], key[1], base)
            self.known[key] = round(found - self.complexity(self.table, *key[:2], base), 7) + 0.0
        return self.known[key]

    def best_contributor(self, x: int, y: int, given: frozenset[int]) -> tuple[Decimal, int]:
        """Return the odds of the rank R, R / (1 - R), and the contributor with the highest."""
        near = self.varied if self.everywhere else self.joined[x] | self.joined[y]
        best = (Decimal(0), -1)
        for z in sorted(near - given - {x, y}):
            pair = self.shared(x, y, given)
            no_collider = exp(pair - self.shared(x, y, given | {z}))
            a, b = self.shared(x, z, given) - pair, self.shared(y, z, given) - pair
            weakest = 1 / (exp(-a) + exp(-b))
            rank = rounded(min(no_collider, weakest))
            if rank > best[0]:
                best = rank, z
        return best

    def skeleton(self) -> None:
        """Take pairs apart, the one with the likeliest contributor first."""
        n = self.table.n_columns
        required = {
            frozenset((u, v))
            for v in range(n)
            for u in range(n)
            if self.limits.required[v] >> u & 1
        }
        left = {
            (x, y): frozenset[int]()
            for x, y in combinations(range(n), 2)
            if frozenset((x, y)) not in required and (y in self.joined[x] or {x, y} <= self.varied)
        }
        for x, y in list(left):
            if self.shared(x, y, ()) <= 0:
                self._part(left, x, y)
        best = {pair: self.best_contributor(*pair, given) for pair, given in left.items()}
        while best:
            x, y = min(best, key=lambda pair: (-best[pair][0], pair))
            rank, z = best.pop((x, y))
            if rank <= 1:
                break
            left[x, y] |= {z}
            if self.shared(x, y, left[x, y]) <= 0:
                self._part(left, x, y)
            else:
                best[x, y] = self.best_contributor(x, y, left[x, y])

    def _part(self, left: dict[Pair, frozenset[int]], x: int, y: int) -> None:
        self.separating[x, y] = left.pop((x, y))
        self.joined[x].discard(y)
        self.joined[y].discard(x)

    def arrows(self) -> tuple[set[Pair], set[tuple[int, int, int]]]:
        """Return the arrows, closed under Meek's rules, and the colliders that were not drawn."""
        n, allowed = self.table.n_columns, self.limits.allowed
        sure = {
            (u, v)
            for v in range(n)
            for u in self.joined[v]
            if allowed[v] >> u & 1 and not allowed[u] >> v & 1
        }
        sure |= {(u, v) for v in range(n) for u in range(n) if self.limits.required[v] >> u & 1}
        doubts = dict.fromkeys(sure, Decimal(0))
        triples = {}
        for (x, y), given in self.separating.items():
            for z in self.joined[x] & self.joined[y]:
                rest = given - {z}
                loss = self.shared(x, y, rest) - self.shared(x, y, rest | {z})
                triples[x, z, y] = round(loss, 6)
        while True:
            moves = [
                (rounded(doubt), -abs(triples[triple]), triple, arrows)
                for triple in triples
                for doubt, arrows in self._moves(triple, triples[triple], doubts)
            ]
            if not moves:
                break
            doubt, _, _, arrows = min(moves)
            doubts |= dict.fromkeys(arrows, doubt)
        found = meek(self.joined, set(doubts), fourth=not self.limits.are_open)
        lost = {
            (x, z, y)
            for (x, z, y), shared in triples.items()
            if shared < 0 and not {(x, z), (y, z)} <= found
        }
        return found, lost

    def _moves(
        self, triple: tuple[int, int, int], shared: float, doubts: dict[Pair, Decimal]
    ) -> Iterable[tuple[Decimal, tuple[Pair, ...]]]:
        """Yield what a triple directs: 1 minus its probability, and which arrows."""
        x, z, y = triple
        n = self.table.n_columns
        leads = [v for v in (x, y) if (v, z) in doubts]
        wanted: list[tuple[Decimal, tuple[Pair, ...]]] = []
        if not leads and shared < 0 and (z, x) not in doubts and (z, y) not in doubts:
            wanted.append((2 * exp(shared) / (1 + 3 * exp(shared)), ((x, z), (y, z))))
        for v in leads:
            w = y if v == x else x
            if (w, z) not in doubts and (z, w) not in doubts and shared != 0:
                wrong = 1 / (1 + exp(abs(shared)))  # p = (1 - doubt) (1 - wrong - 1/2) + 1/2
                doubt = wrong + doubts[v, z] * (Decimal("0.5") - wrong)
                arrow = (w, z) if shared < 0 else (z, w)
                if has_cycle({*doubts, arrow}, n):
                    arrow = arrow[1], arrow[0]
                wanted.append((doubt, (arrow,)))
        return [(doubt, new) for doubt, new in wanted if not has_cycle({*doubts, *new}, n)]


def exp(power: float) -> Decimal:
    """Return e to a power, which does not overflow."""
    return Decimal(power).exp()


def rounded(value: Decimal) -> Decimal:
    """Round to twelve digits, so that what is equal is equal."""
    return Decimal(f"{value:.11e}")
