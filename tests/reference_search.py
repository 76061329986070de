"""Slow, obvious searches that the fast ones must agree with, move by move.

Graphs are sets of arcs and links; every operator is made anew in every step and checked by its
definition, semi-directed paths by listing them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, combinations, product
from typing import NamedTuple, Protocol, Self

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, CountingEngine, Engine, FamilyKernel, NativeEngine, StopSignal
from bayesloom.engine.batch import NONE
from bayesloom.scores import Score
from bayesloom.search import Knowledge, Limits, ScoredResult, Step, Watch
from reference_graphs import Arcs, Links, all_classes, is_acyclic, skeleton, v_structures

Parents = frozenset[int]


class Search(Protocol):
    """What all searches have in common."""

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search."""


def run(
    search: Search, table: Table, limits: Limits | None = None, watch: Watch | None = None
) -> ScoredResult:
    """Run a search on a table with one thread."""
    engine = NativeEngine(table, threads=1)
    return search.search(
        engine, Limits.none(table.names) if limits is None else limits, watch or Watch()
    )


class _CountedEngine(NativeEngine):
    """An engine that notes how many families each batch asked for."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, threads=1)
        self.sizes: list[int] = []

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        self.sizes.append(len(batch))
        return super().families(batch, kernel, ess, price)


def families_asked_for(search: Search, table: Table) -> tuple[ScoredResult, list[int]]:
    """Run a search; say also how many families each batch asked for."""
    engine = _CountedEngine(table)
    return search.search(engine, Limits.none(table.names), Watch()), engine.sizes


class Asked(NativeEngine):
    """An engine that remembers how many pairs each batch asked for, and gives the signal."""

    def __init__(self, table: Table, gives_at: int = 0) -> None:
        super().__init__(table, 1)
        self.sizes: list[int] = []
        self.gives_at = gives_at
        self.signal: StopSignal | None = None

    def until(self, signal: StopSignal) -> Self:
        view = super().until(signal)
        view.signal = signal
        return view

    def informations(self, batch: Batch) -> Floats:
        self.sizes.append(len(batch))
        if self.signal is not None and len(self.sizes) == self.gives_at:
            self.signal.set()
        return super().informations(batch)


def replayed(steps: Iterable[Step], start: Arcs) -> Arcs:
    """Make the steps of a search over DAGs, one after the other."""
    arcs = start
    for step in steps:
        edge = (step.x, step.y)
        if step.operator == "insert":
            assert edge not in arcs
            arcs |= {edge}
        else:
            assert edge in arcs
            arcs -= {edge}
            if step.operator == "reverse":
                arcs |= {edge[::-1]}
            else:
                assert step.operator == "delete"
    return arcs


# Scores


@dataclass
class Scorer:
    """The local scores of families, each asked for by itself."""

    engine: CountingEngine
    score: Score
    known: dict[tuple[int, tuple[int, ...], int], float] = field(default_factory=dict)

    def with_partner(self, child: int, base: Iterable[int], partner: int) -> float:
        key = child, tuple(sorted(base)), partner
        if key not in self.known:
            batch = Batch.of([(child, key[1], (partner,))])
            self.known[key] = float(self.score.local_scores(self.engine, batch)[0])
        return self.known[key]

    def family(self, child: int, parents: Iterable[int]) -> float:
        given = sorted(parents)
        if not given:
            return self.with_partner(child, (), NONE)
        return self.with_partner(child, given[:-1], given[-1])

    def total(self, arcs: Arcs) -> float:
        nodes = range(self.engine.n_variables)
        return math.fsum(self.family(v, parents_in(arcs, v)) for v in nodes)

    @classmethod
    def of(cls, table: Table, score: Score) -> Scorer:
        return cls(NativeEngine(table, threads=1), score)


def tie_of(total: float) -> float:
    return 1e-11 * max(1.0, abs(total))


def parents_in(arcs: Arcs, v: int) -> Parents:
    return frozenset(a for a, b in arcs if b == v)


# Knowledge


@dataclass(frozen=True)
class Law:
    """What a DAG must keep to: the arcs it may have, those it must have, the parents of a node."""

    allowed: Arcs
    required: Arcs = frozenset()
    most: int | None = None

    @classmethod
    def none(cls, n: int, most: int | None = None) -> Law:
        return cls(frozenset((a, b) for a in range(n) for b in range(n) if a != b), most=most)

    @classmethod
    def of(cls, knowledge: Knowledge, names: Sequence[str], most: int | None = None) -> Law:
        """Read the knowledge by names, edge by edge."""

        def permitted(a: str, b: str) -> bool:
            later = [t for t, tier in enumerate(knowledge.tiers) if a in tier]
            earlier = [t for t, tier in enumerate(knowledge.tiers) if b in tier]
            return not (
                a == b
                or (a, b) in knowledge.forbidden
                or b in knowledge.roots
                or a in knowledge.leaves
                or (later and earlier and later > earlier)
            )

        index = {name: v for v, name in enumerate(names)}
        allowed = frozenset((index[a], index[b]) for a in names for b in names if permitted(a, b))
        required = frozenset((index[a], index[b]) for a, b in knowledge.required)
        return cls(allowed, required, most)

    def holds(self, arcs: Arcs) -> bool:
        return (
            self.required <= arcs <= self.allowed
            and max((len(parents_in(arcs, v)) for _, v in arcs), default=0) <= self.max_parents
        )

    @property
    def max_parents(self) -> float:
        return math.inf if self.most is None else self.most


# Searches over DAGs


class Change(NamedTuple):
    operator: str
    x: int
    y: int
    gain: float
    arcs: Arcs


def changes(scorer: Scorer, arcs: Arcs, law: Law) -> list[Change]:
    """List every legal insertion, deletion and reversal of one arc, in the order of ties.

    A variable with one state gets no arcs.
    """
    n = scorer.engine.n_variables
    varied = [v for v in range(n) if scorer.engine.cardinality[v] > 1]
    pairs = [(x, y) for x in varied for y in varied if x != y]
    after = [
        ("insert", x, y, arcs | {(x, y)})
        for x, y in pairs
        if (x, y) not in arcs and (y, x) not in arcs
    ]
    after += [("delete", x, y, arcs - {(x, y)}) for x, y in sorted(arcs)]
    after += [("reverse", x, y, arcs - {(x, y)} | {(y, x)}) for x, y in pairs if (x, y) in arcs]
    return [
        Change(operator, x, y, gain_of(scorer, arcs, new), new)
        for operator, x, y, new in after
        if is_acyclic(new, n) and law.holds(new)
    ]


def gain_of(scorer: Scorer, before: Arcs, after: Arcs) -> float:
    return math.fsum(
        scorer.family(v, parents_in(after, v)) - scorer.family(v, parents_in(before, v))
        for v in {b for _, b in before ^ after}
    )


def first_of_the_best(options: Sequence[Change], tie: float) -> Change:
    top = max(option.gain for option in options)
    return next(option for option in options if option.gain >= top - tie)


def climb(scorer: Scorer, start: Arcs, law: Law) -> list[Change]:
    """Take the best change while it improves the score."""
    moves: list[Change] = []
    arcs = start
    while True:
        tie = tie_of(scorer.total(arcs))
        options = [move for move in changes(scorer, arcs, law) if move.gain > tie]
        if not options:
            return moves
        moves.append(first_of_the_best(options, tie))
        arcs = moves[-1].arcs


def tabu(scorer: Scorer, start: Arcs, law: Law, length: int, patience: int) -> list[Change]:
    """Take the best change to none of the last graphs; return the moves up to the best graph."""
    moves: list[Change] = []
    seen = [start]
    score = best = scorer.total(start)
    until = 0
    while len(moves) - until < patience:
        options = [m for m in changes(scorer, seen[-1], law) if m.arcs not in seen[-length:]]
        if not options:
            break
        moves.append(first_of_the_best(options, tie_of(score)))
        seen.append(moves[-1].arcs)
        score = scorer.total(seen[-1])
        if score > best + tie_of(score):
            best, until = score, len(moves)
    return moves[:until]


# K2


def k2(scorer: Scorer, order: Sequence[int], law: Law) -> Arcs:
    """Give each node in turn the parents before it that help most, one by one."""
    tie = tie_of(scorer.total(law.required))
    arcs: set[tuple[int, int]] = set()
    for place, v in enumerate(order):
        found = parents_in(law.required, v)
        while len(found) < law.max_parents:
            free = [p for p in sorted(order[:place]) if p not in found and (p, v) in law.allowed]
            values = [scorer.family(v, found | {p}) for p in free]
            if not values or not max(values) > scorer.family(v, found) + tie:
                break
            found |= {next(p for p, s in zip(free, values, strict=True) if s >= max(values) - tie)}
        arcs |= {(p, v) for p in found}
    return frozenset(arcs)


# Searches over equivalence classes


@dataclass(frozen=True)
class Mixed:
    """A partially directed graph."""

    n: int
    arcs: Arcs
    links: Links

    @cached_property
    def neighbours(self) -> list[frozenset[int]]:
        return [
            frozenset(chain.from_iterable(link - {v} for link in self.links if v in link))
            for v in range(self.n)
        ]

    @cached_property
    def parents(self) -> list[Parents]:
        return [parents_in(self.arcs, v) for v in range(self.n)]

    @cached_property
    def children(self) -> list[frozenset[int]]:
        return [frozenset(b for a, b in self.arcs if a == v) for v in range(self.n)]

    @cached_property
    def adjacent(self) -> list[frozenset[int]]:
        return [
            p | c | u for p, c, u in zip(self.parents, self.children, self.neighbours, strict=True)
        ]

    def is_clique(self, nodes: Iterable[int]) -> bool:
        return all(b in self.adjacent[a] for a, b in combinations(nodes, 2))

    def paths(self, y: int, x: int, wall: frozenset[int]) -> Iterator[tuple[int, ...]]:
        """List the semi-directed paths from y to x that enter no node of the wall."""

        def extend(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if path[-1] == x:
                yield path
                return
            for v in self.children[path[-1]] | self.neighbours[path[-1]]:
                if v not in path and v not in wall:
                    yield from extend((*path, v))

        yield from extend((y,))


def extension(graph: Mixed) -> Arcs:
    """Return a DAG with the same adjacencies, arcs and v-structures (Dor and Tarsi)."""
    arcs, links = set(graph.arcs), set(graph.links)
    left = set(range(graph.n))
    found = set(graph.arcs)
    while left:
        here = Mixed(graph.n, frozenset(arcs), frozenset(links))
        x = next(
            v
            for v in sorted(left)
            if not here.children[v]
            and all(here.adjacent[v] - {u} <= here.adjacent[u] for u in here.neighbours[v])
        )
        found |= {(u, x) for u in here.neighbours[x]}
        arcs = {arc for arc in arcs if x not in arc}
        links = {link for link in links if x not in link}
        left.remove(x)
    return frozenset(found)


def completed(dag: Arcs, n: int) -> Mixed:
    """Return the CPDAG of a DAG: its v-structures and what Meek's first three rules add."""
    arcs = {(a, c) for ends, c in v_structures(dag) for a in ends}
    links = skeleton(dag) - skeleton(frozenset(arcs))
    while True:
        graph = Mixed(n, frozenset(arcs), links)
        new = {
            (a, b)
            for link in links
            for a, b in (tuple(link), tuple(link)[::-1])
            if follows(graph, a, b)
        }
        if not new:
            return graph
        arcs |= new
        links -= skeleton(frozenset(new))


def follows(graph: Mixed, a: int, b: int) -> bool:
    """Say whether a rule of Meek's directs a - b as a -> b."""
    first = any(c not in graph.adjacent[b] for c in graph.parents[a])
    second = bool(graph.children[a] & graph.parents[b])
    both = graph.neighbours[a] & graph.parents[b]
    third = any(d not in graph.adjacent[c] for c, d in combinations(both, 2))
    return first or second or third


def members(graph: Mixed) -> list[Arcs]:
    """List the DAGs of a class by trying all directions of its links."""
    ends = [tuple(link) for link in sorted(graph.links, key=sorted)]
    mine = v_structures(extension(graph))
    found = []
    for flips in product((False, True), repeat=len(ends)):
        turned = ((b, a) if flip else (a, b) for (a, b), flip in zip(ends, flips, strict=True))
        dag = graph.arcs | frozenset(turned)
        if is_acyclic(dag, graph.n) and v_structures(dag) == mine:
            found.append(dag)
    return found


class Operator(NamedTuple):
    kind: str
    x: int
    y: int
    others: tuple[int, ...]
    gain: float
    after: Mixed


def subsets(nodes: Iterable[int]) -> Iterator[frozenset[int]]:
    ordered = sorted(nodes)
    for size in range(len(ordered) + 1):
        yield from map(frozenset, combinations(ordered, size))


def inserts(scorer: Scorer, g: Mixed) -> Iterator[Operator]:
    for x, y in product(range(g.n), repeat=2):
        if x == y or x in g.adjacent[y]:
            continue
        near = g.neighbours[y] & g.adjacent[x]
        for t in subsets(g.neighbours[y] - g.adjacent[x]):
            clique = near | t
            if not g.is_clique(clique) or any(g.paths(y, x, clique)):
                continue
            base = clique | g.parents[y]
            gain = scorer.with_partner(y, base, x) - scorer.family(y, base)
            arcs = g.arcs | {(x, y)} | {(v, y) for v in t}
            links = g.links - {frozenset((v, y)) for v in t}
            yield Operator("insert", x, y, tuple(sorted(t)), gain, Mixed(g.n, arcs, links))


def deletes(scorer: Scorer, g: Mixed) -> Iterator[Operator]:
    for x, y in product(range(g.n), repeat=2):
        if x not in g.parents[y] | g.neighbours[y]:
            continue
        near = g.neighbours[y] & g.adjacent[x]
        for h in subsets(near):
            if not g.is_clique(near - h):
                continue
            base = (near - h) | (g.parents[y] - {x})
            gain = scorer.family(y, base) - scorer.family(y, base | {x})
            new = {(y, v) for v in h} | {(x, v) for v in h if v in g.neighbours[x]}
            arcs = (g.arcs - {(x, y)}) | new
            links = g.links - {frozenset((x, y))} - skeleton(frozenset(new))
            yield Operator("delete", x, y, tuple(sorted(h)), gain, Mixed(g.n, arcs, links))


def reversals(scorer: Scorer, g: Mixed) -> Iterator[Operator]:
    for y, x in sorted(g.arcs):
        near = g.neighbours[y] & g.adjacent[x]
        for t in subsets(g.neighbours[y] - g.adjacent[x]):
            clique = near | t
            around = (path for path in g.paths(y, x, clique | g.neighbours[x]) if path != (y, x))
            if not g.is_clique(clique) or any(around):
                continue
            base = clique | g.parents[y]
            gain = scorer.with_partner(y, base, x) - scorer.family(y, base)
            gain = gain + scorer.family(x, g.parents[x] - {y}) - scorer.family(x, g.parents[x])
            arcs = (g.arcs - {(y, x)}) | {(x, y)} | {(v, y) for v in t}
            links = g.links - {frozenset((v, y)) for v in t}
            yield Operator("reverse", x, y, tuple(sorted(t)), gain, Mixed(g.n, arcs, links))


KINDS: dict[str, Callable[[Scorer, Mixed], Iterator[Operator]]] = {
    "insert": inserts,
    "delete": deletes,
    "reverse": reversals,
}


@dataclass
class ClassSearch:
    """A search over classes that makes all operators anew in every step."""

    scorer: Scorer
    law: Law
    state: Mixed = field(init=False)
    tie: float = field(init=False)
    moves: list[Operator] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = completed(self.law.required, self.scorer.engine.n_variables)
        self.tie = tie_of(self.scorer.total(self.law.required))

    def best(self, kind: str) -> Operator | None:
        """Return the best operator whose result keeps the law, completed."""
        better = [op for op in KINDS[kind](self.scorer, self.state) if op.gain > self.tie]
        for op in sorted(better, key=lambda op: (-round(op.gain / self.tie), *op[1:4])):
            after = completed(extension(op.after), self.state.n)
            if self.law == Law.none(after.n) or any(map(self.law.holds, members(after))):
                return op._replace(after=after)
        return None

    def take(self, kind: str) -> bool:
        op = self.best(kind)
        if op is not None:
            self.moves.append(op)
            self.state = op.after
        return op is not None

    def ges(self, *, turning: bool = False) -> ClassSearch:
        """Insert while it helps, delete while it helps; turn, and begin again if asked to."""
        kinds = ("insert", "delete", "reverse") if turning else ("insert", "delete")
        moved = True
        while moved:
            before = len(self.moves)
            for kind in kinds:
                while self.take(kind):
                    pass
            moved = turning and len(self.moves) > before
        return self

    def xges(self) -> ClassSearch:
        """Delete if it helps, else reverse, else insert."""
        while any(self.take(kind) for kind in ("delete", "reverse", "insert")):
            pass
        return self


@cache
def classes(n: int) -> dict[Arcs, tuple[Arcs, ...]]:
    """Return for every DAG the members of its class."""
    return {dag: group for group in all_classes(n) for dag in group}


def class_neighbours(dag: Arcs, n: int, kind: str) -> set[tuple[Arcs, ...]]:
    """Return the classes that one change of one member leads to; only compelled arcs are turned."""
    group = classes(n)[dag]
    compelled = frozenset.intersection(*group)
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    changed: list[Arcs] = []
    for member in group:
        if kind == "insert":
            changed += [member | {(a, b)} for a, b in pairs if (b, a) not in member]
        elif kind == "delete":
            changed += [member - {arc} for arc in member]
        else:
            changed += [member - {(a, b)} | {(b, a)} for a, b in compelled]
    return {classes(n)[arcs] for arcs in changed if arcs in classes(n)} - {group}


# Trees


def all_trees(n: int) -> Iterator[Links]:
    """List all labelled trees by their Pruefer codes."""
    if n < 3:
        yield frozenset([frozenset((0, 1))] if n == 2 else [])
        return
    for code in product(range(n), repeat=n - 2):
        degree = [1 + code.count(v) for v in range(n)]
        links = set()
        for v in code:
            leaf = degree.index(1)
            links.add(frozenset((leaf, v)))
            degree[leaf] -= 1
            degree[v] -= 1
        links.add(frozenset(v for v in range(n) if degree[v] == 1))
        yield frozenset(links)


def all_forests(n: int) -> Iterator[Links]:
    """List all sets of links without a cycle."""
    pairs = [frozenset(pair) for pair in combinations(range(n), 2)]
    for size in range(n):
        for chosen in combinations(pairs, size):
            part = {v: v for v in range(n)}
            for a, b in map(tuple, chosen):
                if part[a] == part[b]:
                    break
                part = {v: part[a] if p == part[b] else p for v, p in part.items()}
            else:
                yield frozenset(chosen)
