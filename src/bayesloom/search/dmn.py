"""Decomposable Markov networks: search over chordal graphs by sets of links."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom import _native
from bayesloom.engine import Batch, Engine
from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.graphs import ChordalGraph, bits
from bayesloom.scores import BIC
from bayesloom.search.chordal_state import ChordalState, total_gain, vertex_sets
from bayesloom.search.gains import as_matrix, tolerance
from bayesloom.search.informations import Informations, Link
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Step, Stop
from bayesloom.search.watch import Watch

MOST_CELLS = 1 << 24
"""Cliques with more cells than this are refused: their tables would not fit."""


@dataclass(frozen=True, slots=True)
class DMN:
    """Learn a decomposable Markov network by adding sets of up to ``lookahead`` links.

    The graph stays chordal. Its score is N times (minus the entropy of the model, minus ``alpha``
    times its number of parameters). As long as a single link helps, the best is added; when none
    does, sets of two, then three links and so on are tried together, which finds variables that
    are pairwise independent but jointly dependent. After every success single links come first
    again.

    Parameters
    ----------
    lookahead : int
        The most links that are added at once; 3 finds the parity of three bits.
    alpha : float, optional
        The price of a parameter in nats per row. By default log N / (2 N): the score is BIC.
        1 / N makes it AIC.
    max_clique : int, optional
        The most variables a clique may have.
    start : ChordalGraph, optional
        Where to start; by default the graph without links.
    backward : bool
        Take links away again where that helps, and go on until neither helps.
    significance : float, optional
        Add links only if 2 N times the fall of entropy is significant at this level.
    triples : int, optional
        With more than 50 variables: how many sets of three unlinked variables are tried together,
        the strongest by total correlation (default 10,000).

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001. Y. Xiang, S. Wong,
    N. Cercone: A microscopic study of minimum entropy search in learning decomposable Markov
    networks, Machine Learning 26, 1997.

    Examples
    --------
    >>> DMN(lookahead=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: lookahead must be at least 1, got 0
    """

    lookahead: int = 3
    alpha: float | None = None
    max_clique: int | None = None
    start: ChordalGraph | None = None
    backward: bool = False
    significance: float | None = None
    triples: int | None = None

    def __post_init__(self) -> None:
        if self.lookahead < 1:
            msg = f"lookahead must be at least 1, got {self.lookahead}"
            raise OptionError(msg)
        if self.alpha is not None and not 0 <= self.alpha < math.inf:
            msg = f"alpha must be 0 or more, got {self.alpha}"
            raise OptionError(msg)
        if self.max_clique is not None and self.max_clique < 1:
            msg = f"max_clique must be at least 1, got {self.max_clique}"
            raise OptionError(msg)
        if self.significance is not None and not 0 < self.significance < 1:
            msg = f"significance must be between 0 and 1, got {self.significance}"
            raise OptionError(msg)
        if self.triples is not None and self.triples < 0:
            msg = f"triples must be 0 or more, got {self.triples}"
            raise OptionError(msg)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        growth = Growth.of(self, engine, limits)
        moved = True
        while moved and watch.may_go_on():
            moved = self._grow(growth, watch)
            if self.backward:
                moved = self._shrink(growth, watch) and moved
            else:
                moved = False
        return growth.result(watch)

    def _grow(self, growth: Growth, watch: Watch) -> bool:
        """Add link sets, single links first, until none up to the lookahead helps."""
        grown = False
        level = 1
        while level <= self.lookahead and watch.may_go_on():
            links = growth.best_link() if level == 1 else growth.best_set(level)
            if links is None:
                level += 1
                continue
            growth.add(links, watch)
            grown, level = True, 1
        return grown

    def _shrink(self, growth: Growth, watch: Watch) -> bool:
        """Take single links away as long as that helps."""
        shrunk = False
        while watch.may_go_on() and (link := growth.best_removal()) is not None:
            growth.remove(link, watch)
            shrunk = True
        return shrunk


@dataclass(slots=True)
class Growth:
    """A chordal graph that grows, and the links that may be added to it."""

    options: DMN
    engine: Engine
    state: ChordalState
    known: Informations
    alpha: float
    score: float
    epsilon: float
    forbidden: list[int]
    most_clique: int
    heap: list[tuple[int, int, int, Link]] = field(default_factory=list)
    refused: int = 0
    candidates: int = 0

    @classmethod
    def of(cls, options: DMN, engine: Engine, limits: Limits) -> Growth:
        """Begin at the start graph with all links that may be added to it: one batch."""
        n = engine.n_variables
        alpha = options.alpha
        if alpha is None:
            alpha = math.log(engine.n_rows) / (2 * engine.n_rows)
        start = options.start or ChordalGraph.empty(engine.names)
        state = ChordalState(list(start.reordered(engine.names).adjacency))
        most = min(options.max_clique or n, limits.most + 1)
        growth = cls(
            options, engine, state, Informations(engine), alpha, 0.0, 0.0,
            forbidden_pairs(limits), most,
        )  # fmt: skip
        growth.score = growth.total()
        growth.epsilon = tolerance(growth.score) / engine.n_rows
        growth._seed()
        return growth

    def total(self) -> float:
        """Return the score of the graph: N times minus entropy minus alpha times parameters."""
        dag = ChordalGraph(self.engine.names, tuple(self.state.adjacent)).to_dag()
        penalty = 2 * self.alpha * self.engine.n_rows / math.log(max(self.engine.n_rows, 2))
        if penalty > 0:
            return BIC(penalty=penalty).total(self.engine, dag.parents)
        return BIC(penalty=1e-300).total(self.engine, dag.parents)

    def _seed(self) -> None:
        """Put all links that may be added on the heap; those between components in one batch."""
        n = self.engine.n_variables
        values = self.engine.informations(Batch.pairs(n))
        self.candidates += len(values)
        x, y = np.triu_indices(n, 1)
        free = self.engine.cardinality.astype(np.float64) - 1
        gains = values - self.alpha * free[x] * free[y]
        blank = [mask.bit_count() == 1 for mask in self.state.component]
        loose = np.array(blank)[x] | np.array(blank)[y] | (not any(self.state.adjacent))
        for k in np.flatnonzero((gains > self.epsilon) & loose):
            link = Link(int(x[k]), int(y[k]), 0)
            self.known.known[link] = float(values[k])
            self._push(link)
        others = np.flatnonzero(~loose)
        self._offer((int(x[k]), int(y[k])) for k in others)
        heapq.heapify(self.heap)

    def _offer(self, pairs: Iterator[tuple[int, int]]) -> None:
        """Put the links of pairs that may be joined now on the heap: one batch."""
        links = []
        for a, b in pairs:
            x, y = min(a, b), max(a, b)
            if x != y and not self.state.adjacent[x] >> y & 1:
                common = self.state.separator(x, y)
                if common is not None:
                    links.append(Link(x, y, common))
        self.known.ask(links)
        self.candidates += len(links)
        for link in links:
            self._push(link)

    def _push(self, link: Link) -> None:
        if self.forbidden[link.x] >> link.y & 1:
            return
        gain = total_gain([link], self.known, self.alpha)[0]
        if gain > self.epsilon and self._fits([link]) and self._is_significant([link]):
            heapq.heappush(self.heap, (-round(gain / self.epsilon), link.x, link.y, link))

    def _fits(self, links: Sequence[Link]) -> bool:
        """Say whether the cliques that links make are small enough; count those refused."""
        for link in links:
            small = link.given.bit_count() + 2 <= self.most_clique
            if not small or self.known.cells(link) > MOST_CELLS:
                self.refused += 1
                return False
        return True

    def _is_significant(self, links: Sequence[Link]) -> bool:
        if self.options.significance is None:
            return True
        _, entropy, cost = total_gain(links, self.known, self.alpha)
        statistic = np.array([2 * self.engine.n_rows * entropy])
        log_p = _native.log_p_values(statistic, np.array([cost]))
        return bool(cost > 0 and log_p[0] <= math.log(self.options.significance))

    def best_link(self) -> list[Link] | None:
        """Return the best single link that can still be added."""
        while self.heap:
            link = self.heap[0][-1]
            x, y = link.x, link.y
            stale = (
                self.state.adjacent[x] >> y & 1
                or link.given != self.state.adjacent[x] & self.state.adjacent[y]
            )
            if not stale and self.state.separator(x, y) is not None:
                return [link]
            # What cannot be added now never can, unless the common neighbours change.
            heapq.heappop(self.heap)
        return None

    def best_set(self, level: int) -> list[Link] | None:
        """Return the best set of ``level`` links, in an order that stays chordal: one batch."""
        chains = [chain for nodes in self._sets(level) if (chain := self._chain(nodes))]
        self.candidates += len(chains)
        self.known.ask(link for chain in chains for link in chain)
        best, best_gain = None, self.epsilon
        for chain in chains:
            gain = total_gain(chain, self.known, self.alpha)[0]
            if gain > best_gain + self.epsilon * (best is not None):
                if not self._fits(chain) or not self._is_significant(chain):
                    continue
                best, best_gain = chain, gain
        return best

    def _chain(self, nodes: Sequence[int]) -> list[Link] | None:
        pairs = ((x, y) for i, x in enumerate(nodes) for y in nodes[i + 1 :])
        if any(self.forbidden[x] >> y & 1 for x, y in pairs):
            return None
        return self.state.chain(nodes)

    def _sets(self, level: int) -> Iterator[tuple[int, ...]]:
        many = self.engine.n_variables > _MANY and level == _TRIPLE
        for nodes in vertex_sets(self.state.adjacent, level, triples=not many):
            yield nodes
        if many:
            yield from self._strongest_triples()

    def _strongest_triples(self) -> list[tuple[int, ...]]:
        """List the unlinked triples with the largest total correlation, in order of nodes."""
        n, keep = self.engine.n_variables, self.options.triples
        keep = 10_000 if keep is None else keep
        pair = np.zeros((n, n))
        pair[np.triu_indices(n, 1)] = self.engine.informations(Batch.pairs(n))
        pair += pair.T
        adjacent = as_matrix(self.state.adjacent)
        found: list[tuple[float, int, int, int]] = []
        for x in range(n - 2):
            loose = [v for v in range(x + 1, n) if not adjacent[x, v]]
            batch = Batch.of(
                (y, (x,), [z for z in loose[i + 1 :] if not adjacent[y, z]])
                for i, y in enumerate(loose)
            )
            if not len(batch):
                continue
            y, z = batch.target[batch.request_of], batch.partner
            total = self.engine.informations(batch) + pair[x, y] + pair[x, z]
            top = np.argsort(-total, kind="stable")[:keep]
            found += [(-float(total[k]), x, int(y[k]), int(z[k])) for k in top]
            found = heapq.nsmallest(keep, found)
        return sorted(nodes for _, *nodes in found)  # type: ignore[misc]

    def add(self, links: Sequence[Link], watch: Watch) -> None:
        """Add links and offer what that makes possible: one batch."""
        gain = total_gain(links, self.known, self.alpha)[0] * self.engine.n_rows
        around = set()
        for link in links:
            self.state.link(link.x, link.y)
            around |= {(link.x, v) for v in bits(self.state.adjacent[link.y])}
            around |= {(link.y, v) for v in bits(self.state.adjacent[link.x])}
        self._offer(iter(sorted({(min(p), max(p)) for p in around})))
        self.score += gain
        nodes = sorted({v for link in links for v in (link.x, link.y)})
        watch.saw(Step("link", nodes[0], nodes[1], gain, tuple(nodes[2:])), self.score)

    def best_removal(self) -> Link | None:
        """Return the link whose removal helps most: one batch."""
        links = []
        for x, mask in enumerate(self.state.adjacent):
            for y in bits(mask >> (x + 1)):
                w = x + 1 + y
                if self.state.is_removable(x, w):
                    links.append(Link(x, w, self.state.adjacent[x] & self.state.adjacent[w]))
        self.known.ask(links)
        gains = [-total_gain([link], self.known, self.alpha)[0] for link in links]
        best = max(gains, default=-math.inf)
        if not best > self.epsilon:
            return None
        return next(
            link for link, gain in zip(links, gains, strict=True) if gain >= best - self.epsilon
        )

    def remove(self, link: Link, watch: Watch) -> None:
        """Take a link away and offer what that makes possible."""
        gain = -total_gain([link], self.known, self.alpha)[0] * self.engine.n_rows
        self.state.unlink(link.x, link.y)
        self.score += gain
        watch.saw(Step("unlink", link.x, link.y, gain), self.score)
        self.heap = []
        n = self.engine.n_variables
        self._offer((x, y) for x in range(n) for y in range(x + 1, n))

    def result(self, watch: Watch) -> SearchResult:
        """Return the graph, a DAG with the same independences, and its score."""
        graph = ChordalGraph(self.engine.names, tuple(self.state.adjacent))
        notes = ()
        if self.refused:
            notes = (f"{self.refused} link sets were refused because their cliques are too large",)
        return SearchResult(
            graph.to_dag(), graph, self.total(), tuple(watch.steps),
            watch.why(Stop.LOCAL_OPTIMUM), self.candidates, notes=notes,
        )  # fmt: skip


_MANY = 50  # variables above which unlinked triples are picked by total correlation
_TRIPLE = 3


def forbidden_pairs(limits: Limits) -> list[int]:
    """Return for every variable those it must not be linked with.

    Raises
    ------
    KnowledgeError
        If the knowledge is about directions, which a Markov network does not have.
    """
    everything = (1 << len(limits.names)) - 1
    for v, (allowed, pairs) in enumerate(zip(limits.allowed, limits.pairs, strict=True)):
        if limits.required[v] or allowed != pairs:
            msg = (
                "a decomposable Markov network has no directions: forbid an edge in both "
                f"directions, and require none ({limits.names[v]} has such knowledge)"
            )
            raise KnowledgeError(msg)
    return [everything & ~pairs & ~(1 << v) for v, pairs in enumerate(limits.pairs)]
