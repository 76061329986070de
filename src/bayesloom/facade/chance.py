"""Chance edges: how many of the edges that a search found the truth does not have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesloom.data import Table
from bayesloom.engine import Engine, NativeEngine, as_engine
from bayesloom.errors import AbsentError, OptionError, check_number, check_whole
from bayesloom.facade.entry import run_search
from bayesloom.facade.fitting import fit_usual
from bayesloom.graphs import DAG, skeleton
from bayesloom.learning.false_edges import ChanceEdge, FalseEdges
from bayesloom.model import BDeuMean, Estimator, draw_rows
from bayesloom.scores import BIC, PNAL, Score
from bayesloom.search import XGES, Budget, Knowledge, Search, SearchResult, Stop, Watch, facts_of
from bayesloom.search.restriction import confined

if TYPE_CHECKING:
    from bayesloom.facade.whole import Network

_PRICES = [k / 4 for k in range(17)]
"""The sparsities that are tried: a price of 0 to 4 log n per edge."""

Masks = list[int]


class SearchedCopies:
    """Data drawn from the strongest part of what a search found, and the search run on them.

    Whatever it joins there that the strongest part does not is chance.

    Parameters
    ----------
    engine : Engine
        The data.
    search : Search
        The search.
    knowledge, max_parents
        What it keeps to.
    estimator : Estimator, optional
        How the network is fitted from which the copies are drawn.
    """

    def __init__(
        self,
        engine: Engine,
        search: Search,
        knowledge: Knowledge,
        max_parents: int | None,
        estimator: Estimator | None = None,
    ) -> None:
        self.engine, self.search, self.knowledge = engine, search, knowledge
        self.max_parents, self.estimator = max_parents, estimator or BDeuMean()

    def run(self, engine: Engine, search: Search | None = None) -> SearchResult:
        """Run the search on some data."""
        watch, result = run_search(
            search or self.search,
            self.knowledge,
            self.max_parents,
            engine,
            Budget(),
            progress=False,
        )
        if watch.interrupted:
            raise KeyboardInterrupt
        return result

    def core(self, near: Sequence[int]) -> DAG:
        """Return the best network among pairs that are joined, at a price for choosing them."""
        plain = replace(self.knowledge, belief=())
        limits = confined(plain.limits(self.engine.names, self.max_parents), near)
        score: Score = PNAL(sparsity=1.0) if self.engine.missing.any() else BIC(sparsity=1.0)
        return XGES(score=score).search(self.engine, limits.over(self.engine), Watch()).dag

    def drawn(self, core: DAG, n: int, seed: int) -> list[Engine]:
        """Return so many copies of the data, drawn from a network of this structure."""
        net = fit_usual(core, self.engine, self.estimator)[0]
        rng = np.random.default_rng(seed)
        copies = (draw_rows(net, self.engine.n_rows, rng) for _ in range(n))
        return [as_engine(self._with_holes(copy.in_name_order())) for copy in copies]

    def _with_holes(self, table: Table) -> Table:
        """Return a copy in which those cells are missing that are in the data."""
        if not self.engine.missing.any():
            return table
        if not isinstance(self.engine, NativeEngine):
            msg = (
                "chance edges of data with missing cells are counted where rows are in memory: "
                "this engine does not hand out its rows"
            )
            raise OptionError(msg)
        codes = [
            np.where(np.asarray(own) == len(states), len(states), drawn)
            for own, drawn, states in zip(
                self.engine.table.codes, table.codes, table.states, strict=True
            )
        ]
        return Table(table.names, table.states, codes, holes=True)


def near_in(result: SearchResult) -> Masks:
    """Return for every variable those that a result joins it with."""
    graph: Any = result.graph
    return skeleton(graph.parent_masks) if isinstance(graph, DAG) else list(graph.adjacency)


def count_false_edges(
    copies: SearchedCopies, result: SearchResult, replicates: int, seed: int
) -> FalseEdges:
    """Count the chance edges of copies, and tell what that says of the edges of a result."""
    near = near_in(result)
    core = copies.core(near)
    expected = skeleton(core.parent_masks)
    found = _strengths(copies, copies.engine, result)
    chance: list[dict[tuple[int, int], float]] = []
    for engine in copies.drawn(core, replicates, seed):
        strengths = _strengths(copies, engine, copies.run(engine))
        chance.append({(u, v): s for (u, v), s in strengths.items() if not expected[u] >> v & 1})
    q = _q_values(found, [list(each.values()) for each in chance])
    names = copies.engine.names
    edges = sorted(
        (ChanceEdge(names[u], names[v], q[u, v]) for u, v in found), key=lambda e: (e.q, e)
    )
    return FalseEdges(len(found), tuple(map(len, chance)), tuple(edges))


def _strengths(
    copies: SearchedCopies, engine: Engine, result: SearchResult
) -> dict[tuple[int, int], float]:
    """Return how strong every pair that a result joins is: minus the log p of its test."""
    from bayesloom.story import Criterion, measure_edges

    testing = facts_of(copies.search).testing()
    criterion = Criterion() if testing is None else Criterion(testing.test)
    names = engine.names
    index = {name: v for v, name in enumerate(names)}
    near = near_in(result)
    found = {(u, v): 0.0 for v, mask in enumerate(near) for u in range(v) if mask >> u & 1}
    for edge in measure_edges(engine, None, result.graph, result.dag, criterion=criterion):
        pair = sorted((index[edge.parent], index[edge.child]))
        found[pair[0], pair[1]] = -(edge.log_p or 0.0)
    return found


def _q_values(
    found: dict[tuple[int, int], float], chance: list[list[float]]
) -> dict[tuple[int, int], float]:
    """Return for every edge the least share of chance edges among those at least as strong."""
    strengths = np.sort(np.array(list(found.values())))
    null = np.sort(np.array([s for each in chance for s in each]))
    order = sorted(found, key=lambda pair: (found[pair], pair))
    q, least = {}, 1.0
    for pair in order:
        s = found[pair]
        as_strong = len(strengths) - int(np.searchsorted(strengths, s))
        by_chance = (len(null) - int(np.searchsorted(null, s)) + 0.5) / len(chance)
        least = min(least, by_chance / as_strong)
        q[pair] = least
    return q


def false_edges(
    net: Network, engine: Engine, *, replicates: int, seed: int, search: Search | None
) -> FalseEdges:
    """Count the chance edges of a network; see `Network.false_edges`."""
    check_whole("replicates", replicates, 2)
    check_whole("seed", seed, 0)
    chosen = search or net.search
    if chosen is None:
        msg = (
            "chance edges are counted by running the search again, and this network does not hold "
            "it; give it as search=, or learn again"
        )
        raise AbsentError(msg)
    knowledge = Knowledge() if net.record is None else net.record.knowledge
    most = None if net.record is None else net.record.max_parents
    copies = SearchedCopies(engine, chosen, knowledge, most, net.estimator)
    graph = net.graph.reordered(engine.names)
    dag = None if net.extension is None else net.extension.reordered(engine.names)
    result = SearchResult(
        graph=graph, dag=dag, score=None, steps=(), stop=Stop.COMPLETE, candidates=0
    )
    return count_false_edges(copies, result, replicates, seed)


def with_sparsity(search: Any, sparsity: float) -> Any:  # noqa: ANN401 - any search
    """Return a search whose score has another price per edge; None if there is no such score."""
    if not is_dataclass(search) or isinstance(search, type):
        return None
    known = {field.name: getattr(search, field.name) for field in fields(search)}
    if isinstance(known.get("score"), Score):
        return replace(search, score=replace(known["score"], sparsity=sparsity))
    for part in ("then", "local"):
        if part in known and (inner := with_sparsity(known[part], sparsity)) is not None:
            return replace(search, **{part: inner})
    return None


def search_at(
    search: Search,
    engine: Engine,
    knowledge: Knowledge,
    max_parents: int | None,
    fdr: float,
    *,
    replicates: int = 8,
    seed: int = 0,
) -> Search:
    """Return a search at the lowest price per edge at which about this share of edges is chance.

    At ``fdr=0`` it is the lowest price at which nothing is joined in columns that were permuted.
    Where no price is enough, it is the highest.
    """
    check_number("fdr", fdr, least=0, below=1)
    if with_sparsity(search, 0.0) is None:
        msg = (
            f"fdr chooses the price of an edge in a score, and {type(search).__name__} has none; "
            "take a search with a score"
        )
        raise OptionError(msg)

    def is_enough(price: float) -> bool:
        copies = SearchedCopies(engine, with_sparsity(search, price), knowledge, max_parents)
        if fdr == 0:
            nulls = (permuted(engine, seed + k) for k in range(replicates))
            return not any(any(near_in(copies.run(null))) for null in nulls)
        result = copies.run(engine)
        counted = count_false_edges(copies, result, replicates, seed)
        return sum(counted.counts) <= fdr * replicates * counted.n_edges

    found: Search = with_sparsity(search, _first(_PRICES, is_enough))
    return found


def _first(prices: Sequence[float], is_enough: Callable[[float], bool]) -> float:
    """Return the first price that is enough, by bisection; the last one if none is."""
    low, high = 0, len(prices) - 1
    while low < high:
        middle = (low + high) // 2
        if is_enough(prices[middle]):
            high = middle
        else:
            low = middle + 1
    return prices[low]


def permuted(engine: Engine, seed: int) -> Engine:
    """Return the data with every column permuted, missing cells included: nothing depends."""
    if not isinstance(engine, NativeEngine):
        msg = "fdr=0 permutes columns, and this engine does not hand out its rows; take fdr above 0"
        raise OptionError(msg)
    rng, table = np.random.default_rng(seed), engine.table
    codes = [rng.permutation(np.asarray(column)) for column in table.codes]
    return NativeEngine(Table(table.names, table.states, codes, holes=bool(engine.missing.any())))
