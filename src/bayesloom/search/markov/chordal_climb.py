"""A chordal graph that a search lets grow and shrink, and the links that may be added to it."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Bools, Floats
from bayesloom.engine import Engine
from bayesloom.errors import KnowledgeError
from bayesloom.graphs import ChordalGraph, bits, maximum_cardinality_search
from bayesloom.scores import Score
from bayesloom.search.facts.moves import LinkChange, Step
from bayesloom.search.foresight import FARTHEST
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import audit_of, tolerance
from bayesloom.search.markov.chordal_state import ChordalState
from bayesloom.search.markov.informations import ForeseenInformations, Informations, Link
from bayesloom.search.markov.link_sets import LinkSets
from bayesloom.search.markov.loose_links import LooseLinks, RankedLink
from bayesloom.search.memory import check_memory
from bayesloom.search.pair_scan import PairBlock, pair_parameters
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.search.score_audit import ScoreAudit

_BYTES_PER_LINK = 48  # of a pair with a gain, in order twice
MOST_CLIQUE_CELLS = 1 << 24
"""Cliques with more cells than this are refused: their tables would not fit."""
_TOO_MANY_CELLS = f"a table of more than {MOST_CLIQUE_CELLS:,} cells"


@dataclass(frozen=True, slots=True)
class Rules:
    """What links must keep to besides having a gain.

    Parameters
    ----------
    forbidden : tuple of int
        For every node those it must not be linked with.
    max_clique : int
        The most nodes of a clique.
    significance : float, optional
        The level at which 2 N times the fall of entropy has to be significant.
    """

    forbidden: tuple[int, ...]
    max_clique: int
    significance: float | None


@dataclass(slots=True)
class ChordalClimb:
    """A chordal graph, the gains of links, and the single links that help, the best first."""

    engine: Engine
    goal: Score
    rules: Rules
    state: ChordalState
    known: Informations
    sets: LinkSets
    score: float
    epsilon: float
    start: tuple[tuple[int, int], ...]
    """The pairs that the first graph linked."""
    heap: list[RankedLink] = field(default_factory=list)
    loose: LooseLinks = field(default_factory=LooseLinks)
    """The links with a gain while their ends are in different components."""
    queues: dict[int, list[tuple[float, tuple[int, ...], float]]] = field(default_factory=dict)
    """By size: a priority queue of the sets of links with a gain, the best first."""
    behind: dict[int, int] = field(default_factory=dict)
    """By size: the ends of links added since its queue was last brought up to date."""
    too_large: dict[str, int] = field(default_factory=dict)
    audit: ScoreAudit | None = None

    @classmethod
    def of(
        cls,
        engine: Engine,
        rules: Rules,
        start: Sequence[int],
        goal: Score,
        watch: Watch | None = None,
    ) -> ChordalClimb:
        """Begin at a chordal graph with all links that may be added to it.

        Parameters
        ----------
        engine : Engine
            The data.
        rules : Rules
            What links must keep to.
        start : sequence of int
            The neighbours of every node.
        goal : Score
            What is maximised: a likelihood with a price per parameter.
        watch : Watch, optional
            If it runs out meanwhile, there are no links.
        """
        watch = watch or Watch()
        price = goal.price(engine.n_rows) - math.log(goal.kappa or 1.0)
        known = Informations.none(engine.until(watch.signal), price / engine.n_rows)
        choice = (goal.sparsity or 0.0) * math.log(engine.n_variables)
        known.link_price = choice / engine.n_rows
        state = ChordalState(list(start))
        score = _total(engine, goal, start)
        epsilon = tolerance(score) / engine.n_rows
        sets = LinkSets(state, known, rules.forbidden, epsilon)
        climb = cls(engine, goal, rules, state, known, sets, score, epsilon, joined_pairs(start))
        climb.audit = audit_of(goal, engine)
        if engine.round_trip > 0:
            known.foresee(climb._links_ahead)
        with watch.heeded():
            climb._seed()
        return climb

    def _links_ahead(self) -> list[Link]:
        """Return the links that will be offered if the best known ones are added next."""
        known = ForeseenInformations(self.known)
        state = ChordalState(self.state.adjacent[:])
        heap, loose = self.heap[:], replace(self.loose)
        replace(self, state=state, known=known, heap=heap, loose=loose, too_large={}).go_ahead()
        return known.wanted

    def go_ahead(self) -> None:
        """Add the best links, step by step, as a copy that runs ahead of a climb does."""
        for _ in range(FARTHEST):
            links = self.best_link()
            if links is None:
                return
            self.state.link(links[0].x, links[0].y)
            self._offer(self._with_other_separator(links[0]))

    def _seed(self) -> None:
        """Find the links between components, then offer those inside a component."""
        found: list[LooseLinks] = []
        for block in self.known.scan_pairs():
            found.append(self._loose_of(block))
            n_links = sum(map(len, found))
            check_memory(_BYTES_PER_LINK * n_links, f"keeping {n_links:,} links with a gain")
        self.loose = LooseLinks.in_order(found)
        adjacent = self.state.adjacent
        self._offer(
            (v, w)
            for v, mask in enumerate(adjacent)
            for u in bits(mask)
            for w in bits(adjacent[u])
            if v < w
        )

    def _loose_of(self, block: PairBlock) -> LooseLinks:
        """Return the links of a block of pairs with a gain that keep to the rules."""
        price, link_price = self.known.price, self.known.link_price
        parameters = pair_parameters(self.known.engine, block.x, block.y)
        better = block.information - price * parameters - link_price > self.epsilon
        if any(self.rules.forbidden[x] for x in block.of):
            better &= ~block.are_in(self.rules.forbidden)
        x, y, information = block.x[better], block.y[better], block.information[better]
        parameters = parameters[better]
        sizes = np.array([self.known.size(1 << v) for v in range(self.engine.n_variables)])
        too_large = np.full(len(x), self.rules.max_clique < 2)  # noqa: PLR2004 - both ends
        self._refuse(int(too_large.sum()), self._too_many())
        large = ~too_large & (sizes[x] + sizes[y] + parameters >= MOST_CLIQUE_CELLS)
        self._refuse(int(large.sum()), _TOO_MANY_CELLS)
        kept = ~too_large & ~large & self._are_significant(information, parameters)
        gains = information[kept] - price * parameters[kept] - link_price
        rank = np.rint(gains / -self.epsilon)  # as `rank_of`
        return LooseLinks(rank, x[kept], y[kept], information[kept])

    def _offer(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Put the links of pairs that can be joined inside their component on the heap."""
        links = set()
        for v, w in pairs:
            common = self.state.adjacent[v] & self.state.adjacent[w]
            if common and v != w and not self.state.adjacent[v] >> w & 1:
                link = Link.of(v, w, common)
                if link not in links and self.state.separator(v, w) is not None:
                    links.add(link)
        self.known.ask(sorted(links))
        self._push(
            link
            for link in links
            if self.known.gain([link]).gain > self.epsilon and self._is_allowed([link])
        )

    def _push(self, links: Iterable[Link]) -> None:
        for link in links:
            rank = _native.rank_of(self.known.gain([link]).gain, self.epsilon)
            heapq.heappush(self.heap, (rank, link.x, link.y, link))

    def _is_allowed(self, links: Sequence[Link]) -> bool:
        """Say whether links with a gain keep to the rules; count those that are too large."""
        if any(self.rules.forbidden[link.x] >> link.y & 1 for link in links):
            return False
        for link in links:
            clique = link.given | 1 << link.x | 1 << link.y
            reason = ""
            if clique.bit_count() > self.rules.max_clique:
                reason = self._too_many()
            elif self.known.size(clique) >= MOST_CLIQUE_CELLS:
                reason = _TOO_MANY_CELLS
            if reason:
                self._refuse(1, reason)
                return False
        if self.rules.significance is None:
            return True
        _, entropy, parameters = self.known.gain(links)
        return bool(self._are_significant(np.array([entropy]), np.array([parameters]))[0])

    def _too_many(self) -> str:
        return f"more than {self.rules.max_clique} variables"

    def _refuse(self, count: int, reason: str) -> None:
        """Count links that are too large."""
        if count:
            self.too_large[reason] = self.too_large.get(reason, 0) + count

    def _are_significant(self, entropy: Floats, parameters: Floats) -> Bools:
        """Say which changes are, of so much entropy and so many parameters."""
        if self.rules.significance is None:
            return np.ones(len(entropy), np.bool_)
        log_p = _native.log_p_values(2 * self.engine.n_rows * entropy, parameters)
        found: Bools = (parameters > 0) & (log_p <= math.log(self.rules.significance))
        return found

    def best_link(self) -> list[Link] | None:
        """Return the best single link that can still be added."""
        while self._draw():
            link = self.heap[0][-1]
            if self._is_current(link) and self.state.separator(link.x, link.y) is not None:
                return [link]
            # What cannot be added now never can, unless the common neighbours change.
            heapq.heappop(self.heap)
        return None

    def _draw(self) -> bool:
        """Put the loose links whose turn it is on the heap; say whether there is anything on it."""
        for entry, information in self.loose.until(self.heap[0] if self.heap else None):
            if not self.state.component(entry[1]) >> entry[2] & 1:
                self.known.learn(entry[3], information)
                heapq.heappush(self.heap, entry)
                break
        return bool(self.heap)

    def _is_current(self, link: Link) -> bool:
        adjacent = self.state.adjacent
        joined = adjacent[link.x] >> link.y & 1
        return not joined and link.given == adjacent[link.x] & adjacent[link.y]

    def best_set(self, size: int, watch: Watch) -> list[Link] | None:
        """Return the best set of so many links, in an order that stays chordal."""
        self._renew(size, watch)
        queue = self.queues[size]
        while queue:
            _, nodes, gain = queue[0]
            links = self.state.chain(nodes)
            if links is not None and len(links) == size:
                self.known.ask(links)
                if abs(self.known.gain(links).gain - gain) <= self.epsilon:
                    return links
            heapq.heappop(queue)
        return None

    def _renew(self, size: int, watch: Watch) -> None:
        """Look for the sets of a size that have changed since it was last tried."""
        everything = (1 << self.engine.n_variables) - 1
        touched = self.behind.get(size, everything)
        if touched == everything:
            self.queues[size] = []
        self.behind[size] = 0
        found = self.sets.of(size, touched, watch) if touched else []
        self.known.ask(link for part in found for link in part.links)
        for part in found:
            gain = self.known.gain(part.links).gain
            if gain > self.epsilon and self._is_allowed(part.links):
                entry = _native.rank_of(gain, self.epsilon), tuple(bits(part.nodes)), gain
                heapq.heappush(self.queues[size], entry)

    def add(self, links: Sequence[Link], watch: Watch) -> None:
        """Add links and offer what that makes possible: one batch."""
        ends = 0
        for link in links:
            self.state.link(link.x, link.y)
            ends |= 1 << link.x | 1 << link.y
        self.behind = {size: touched | ends for size, touched in self.behind.items()}
        self._tell("link", links, 1, watch)
        self._offer(pair for link in links for pair in self._with_other_separator(link))

    def _with_other_separator(self, link: Link) -> Iterator[tuple[int, int]]:
        """Yield the pairs whose common neighbours a link has changed."""
        for a, b in ((link.x, link.y), (link.y, link.x)):
            for v in bits(self.state.adjacent[b]):
                yield a, v

    def best_removal(self) -> Link | None:
        """Return the link whose removal helps most: one batch."""
        adjacent = self.state.adjacent
        links = [
            Link(x, y, mask & adjacent[y])
            for x, mask in enumerate(adjacent)
            for y in bits(mask >> (x + 1) << (x + 1))
            if self.state.is_removable(x, y)
        ]
        self.known.ask(links)
        gains = [-self.known.gain([link]).gain for link in links]
        best = max(gains, default=-math.inf)
        if not best > self.epsilon:
            return None
        return next(
            link for link, gain in zip(links, gains, strict=True) if gain >= best - self.epsilon
        )

    def remove(self, link: Link, watch: Watch) -> None:
        """Take a link away and offer what that makes possible."""
        gain = self._tell("unlink", [link], -1, watch)
        before = self.state.component(link.x)
        self.state.unlink(link.x, link.y)
        if self.audit is not None:  # only what takes links away, too, may go round in a circle
            self.audit.saw_move(self.score, gain, lambda: _parents_in(self.state.adjacent))
        part = self.state.component(link.x)
        if part != before:
            inside = np.zeros(self.engine.n_variables, np.bool_)
            inside[bits(part)] = True
            for entry, information in self.loose.across(inside):
                self.known.learn(entry[3], information)
                heapq.heappush(self.heap, entry)
        self.behind.clear()
        # A pair that only paths over this link kept together has all its common neighbours among
        # those of x and y.
        around = 0
        for v in bits(link.given):
            around |= self.state.adjacent[v]
        self._offer(self._with_other_separator(link))
        self._offer(combinations(bits(around), 2))

    def _tell(self, operator: str, links: Sequence[Link], sign: int, watch: Watch) -> float:
        """Record a step and return its gain; the links are in the graph."""
        gain, entropy, parameters = self.known.gain(links)
        change = LinkChange(
            tuple(sorted((min(link.x, link.y), max(link.x, link.y)) for link in links)),
            sign * entropy,
            sign * parameters,
            tuple(bits(self.state.crux(links))),
        )
        nodes = sorted({v for link in links for v in (link.x, link.y)})
        gain *= sign * self.engine.n_rows
        self.score += gain
        step = Step(operator, nodes[0], nodes[1], gain, tuple(nodes[2:]), change=change)
        watch.saw(step, self.score)
        return gain

    def result(self, watch: Watch) -> ScoredResult:
        """Return the graph, a DAG with the same independences, and its score."""
        graph = ChordalGraph(self.engine.names, tuple(self.state.adjacent))
        notes = tuple(
            f"{count:,} time{'s' * (count > 1)} links with a gain were refused because their "
            f"clique would have {reason}"
            for reason, count in sorted(self.too_large.items())
        )
        return ScoredResult(
            dag=graph.to_dag(),
            graph=graph,
            score=_total(self.engine, self.goal, self.state.adjacent),
            steps=tuple(watch.steps),
            stop=watch.why(Stop.LOCAL_OPTIMUM),
            candidates=len(self.known) + self.sets.looked,
            notes=notes,
            start=self.start,
        )


def _total(engine: Engine, goal: Score, adjacent: Sequence[int]) -> float:
    """Return the score of a chordal graph: that of a DAG with the same independences."""
    return goal.total(engine, _parents_in(adjacent))


def _parents_in(adjacent: Sequence[int]) -> Sequence[int]:
    """Return the parents in a DAG with the independences of a chordal graph."""
    return maximum_cardinality_search(adjacent)[1]


def undirected_limits(limits: Limits) -> tuple[int, ...]:
    """Return for every variable those it must not be linked with.

    Raises
    ------
    KnowledgeError
        If the knowledge is about directions, which a Markov network does not have.
    """
    names = limits.names
    for v, (allowed, pairs) in enumerate(zip(limits.allowed, limits.pairs, strict=True)):
        for p in bits(limits.required[v] | pairs & ~allowed):
            verb = "required" if limits.required[v] >> p & 1 else "not allowed"
            msg = (
                f"a decomposable Markov network has no directions, but {names[p]} -> {names[v]} is "
                f"{verb}; forbid an edge in both directions, and require none"
            )
            raise KnowledgeError(msg)
    everything = (1 << len(names)) - 1
    return tuple(everything & ~pairs & ~(1 << v) for v, pairs in enumerate(limits.pairs))
