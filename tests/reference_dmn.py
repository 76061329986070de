"""Decomposable Markov networks by brute force: every set of links, networkx, joint entropies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import networkx as nx

from bayesloom.data import Table

Pair = tuple[int, int]
Links = tuple[Pair, ...]


@dataclass(frozen=True)
class Taken:
    """A step: the links, the gain in nats per row, its fall of entropy and further parameters."""

    links: Links
    gain: float
    entropy: float
    parameters: int


def joint_entropy(table: Table, nodes: Collection[int]) -> float:
    """Return the empirical entropy of some columns, in nats."""
    return _joint_entropy(table, tuple(sorted(nodes)))


@lru_cache(maxsize=1000)
def _joint_entropy(table: Table, nodes: tuple[int, ...]) -> float:
    columns = [table.codes[v].tolist() for v in nodes]
    if not columns:
        return 0.0
    n = table.n_rows
    counts = Counter(zip(*columns, strict=True))
    return math.fsum(-k / n * math.log(k / n) for k in counts.values())


def cells(table: Table, nodes: Collection[int]) -> int:
    """Return the number of cells of the table over some columns."""
    return math.prod(len(table.states[v]) for v in nodes)


Forest = tuple[list[frozenset[int]], list[frozenset[int]], int]


def junction_forest(graph: nx.Graph[int]) -> Forest:
    """Return the cliques, the separators and the number of trees."""
    edges = frozenset((min(edge), max(edge)) for edge in graph.edges)
    return _junction_forest(tuple(sorted(graph.nodes)), edges)


@lru_cache(maxsize=100_000)
def _junction_forest(nodes: tuple[int, ...], edges: frozenset[Pair]) -> Forest:
    graph: nx.Graph[int] = nx.Graph(edges)
    graph.add_nodes_from(nodes)
    cliques = sorted(nx.find_cliques(graph), key=sorted)
    tree: nx.Graph[int] = nx.Graph()
    tree.add_nodes_from(range(len(cliques)))
    for i, j in combinations(range(len(cliques)), 2):
        shared = len(set(cliques[i]) & set(cliques[j]))
        if shared:
            tree.add_edge(i, j, weight=shared)
    forest = nx.maximum_spanning_tree(tree)
    separators = [frozenset(cliques[i]) & frozenset(cliques[j]) for i, j in forest.edges]
    return list(map(frozenset, cliques)), separators, nx.number_connected_components(graph)


def model_entropy(table: Table, graph: nx.Graph[int]) -> float:
    """Return the entropy of the model with empirical marginals: equation 1 of seed 002."""
    cliques, separators, _ = junction_forest(graph)
    return math.fsum(joint_entropy(table, c) for c in cliques) - math.fsum(
        joint_entropy(table, s) for s in separators
    )


def model_parameters(table: Table, graph: nx.Graph[int]) -> int:
    """Return the number of free parameters: corollary 12 of seed 002."""
    cliques, separators, trees = junction_forest(graph)
    return sum(cells(table, c) for c in cliques) - sum(cells(table, s) for s in separators) - trees


def gamma(table: Table, graph: nx.Graph[int], alpha: float) -> float:
    """Return the score of a model, to be minimised."""
    return model_entropy(table, graph) + alpha * model_parameters(table, graph)


def empty_graph(n: int) -> nx.Graph[int]:
    """Return the graph without links."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(n))
    return graph


def admissible(graph: nx.Graph[int], size: int) -> Iterator[Links]:
    """Yield every set of links that leaves the graph chordal with all ends in one clique."""
    absent = sorted((min(pair), max(pair)) for pair in nx.non_edges(graph))
    for links in combinations(absent, size):
        larger = graph.copy()
        larger.add_edges_from(links)
        ends = {v for link in links for v in link}
        if all(larger.has_edge(a, b) for a, b in combinations(ends, 2)) and is_chordal(larger):
            yield links


def is_chordal(graph: nx.Graph[int]) -> bool:
    """Say whether networkx finds a graph chordal; it refuses graphs of fewer than 4 nodes."""
    return graph.number_of_nodes() <= 3 or bool(nx.is_chordal(graph))


def learn(
    table: Table,
    lookahead: int,
    alpha: float,
    *,
    epsilon: float,
    accepts: Callable[[nx.Graph[int]], bool] = lambda _: True,
    start: nx.Graph[int] | None = None,
) -> tuple[nx.Graph[int], list[Taken]]:
    """Grow a graph as section 14 of the specification says; ``accepts`` judges the new graph."""
    graph = empty_graph(table.n_columns) if start is None else start.copy()
    steps: list[Taken] = []
    size = 1
    while size <= lookahead:
        here = measures(table, graph)
        found = [
            step
            for links in admissible(graph, size)
            if accepts(with_links(graph, links))
            and (step := change(table, graph, links, alpha, here)).gain > epsilon
        ]
        if not found:
            size += 1
            continue
        top = max(step.gain for step in found)
        near = [step for step in found if step.gain >= top - epsilon]
        best = min(near, key=lambda step: sorted({v for link in step.links for v in link}))
        graph.add_edges_from(best.links)
        steps.append(best)
        size = 1
    return graph, steps


def measures(table: Table, graph: nx.Graph[int]) -> tuple[float, int]:
    """Return entropy and parameters of a model."""
    return model_entropy(table, graph), model_parameters(table, graph)


def change(
    table: Table,
    graph: nx.Graph[int],
    links: Links,
    alpha: float,
    before: tuple[float, int] | None = None,
) -> Taken:
    """Return what links do, from the whole model before and after."""
    old, after = before or measures(table, graph), measures(table, with_links(graph, links))
    entropy, parameters = old[0] - after[0], after[1] - old[1]
    return Taken(links, entropy - alpha * parameters, entropy, parameters)


def with_links(graph: nx.Graph[int], links: Links) -> nx.Graph[int]:
    """Return the graph with some links more."""
    larger = graph.copy()
    larger.add_edges_from(links)
    return larger
