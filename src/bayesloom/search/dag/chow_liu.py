"""Chow and Liu's tree: the maximum-likelihood network in which every variable has one parent."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE
from bayesloom.errors import KnowledgeError, UnknownVariableError, check_flag, check_kind
from bayesloom.graphs import bits
from bayesloom.graphs.heaviest_pairs import outward
from bayesloom.graphs.spanning import TIE, maximum_branching, maximum_spanning_forest
from bayesloom.scores import BIC, Score, check_score
from bayesloom.scores.score import checked_scores
from bayesloom.search.dag.gains import as_matrix
from bayesloom.search.facts.moves import Step
from bayesloom.search.limits import Limits
from bayesloom.search.memory import check_memory
from bayesloom.search.pair_scan import (
    PairBlock,
    information_forest,
    pair_informations,
    pair_parameters,
)
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import scored_network
from bayesloom.search.watch import Watch

_BYTES_PER_DIRECTED_PAIR = 96  # of a maximum branching: matrices of the weights both ways


class SpanningTree(Enum):
    """In which order the edges of the maximum spanning tree are taken; both give the same tree."""

    PRIM = "prim"
    KRUSKAL = "kruskal"


@dataclass(frozen=True, slots=True)
class ChowLiu(BaseSearch):
    """The tree of maximum likelihood, with edges pointing away from a root.

    The log-likelihood of a tree is N times the sum of its edges' mutual informations, minus N
    times the sum of all entropies, so a maximum spanning tree is the best. The direction of the
    edges changes nothing. Constant columns tell nothing and stay alone. Where knowledge limits the
    directions, the best tree that keeps to it is a maximum branching.

    Parameters
    ----------
    root : str, optional
        The variable the edges lead away from; by default the first in name order, if the knowledge
        lets it be.
    forest : bool
        Leave out edges whose information does not pay for their parameters under BIC: the best
        forest by that score.
    algorithm : SpanningTree
        The order in which edges are taken: outward from a node, as Prim's algorithm does, or the
        heaviest first, as Kruskal's.
    score : Score
        What is reported as the score of the result; it does not change the tree.

    References
    ----------
    C. K. Chow, C. N. Liu: Approximating discrete probability distributions with dependence trees,
    IEEE Transactions on Information Theory 14, 1968. J. Edmonds: Optimum branchings, Journal of
    Research of the National Bureau of Standards 71B, 1967.
    """

    root: str | None = None
    forest: bool = False
    algorithm: SpanningTree = SpanningTree.PRIM
    score: Score = BIC()

    def __post_init__(self) -> None:
        check_score(self.score)
        if self.root is not None:
            check_kind("root", self.root, str, "the name of a variable")
        check_flag("forest", self.forest)
        check_kind("algorithm", self.algorithm, SpanningTree, "a SpanningTree such as PRIM")

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        check_tree(self.root, engine.names, limits)
        directed, looked_at = [0] * engine.n_variables, 0
        if limits.most >= 1:
            learn = self._branching if are_directed(limits) else self._tree
            directed, looked_at = learn(engine, limits, watch)
        parents = self._insert(directed, engine, limits, watch)
        return scored_network(
            parents, self.score, engine, limits=limits, watch=watch, candidates=looked_at
        )

    def _tree(self, engine: Engine, limits: Limits, watch: Watch) -> tuple[list[int], int]:
        """Return the parents in the heaviest tree, of the pairs that there was time to look at."""
        n, alone = engine.n_variables, engine.constant
        apart = alone | (np.array([mask == 0 for mask in limits.pairs]))

        def weights_of(block: PairBlock) -> Floats:
            weights = block.information
            joined = ~(alone[block.x] | alone[block.y])
            if not limits.are_open:
                joined &= block.are_in(limits.pairs)
            if self.forest:
                price = edge_prices(pair_parameters(engine, block.x, block.y), engine.n_rows)
                joined &= weights > price
                weights = weights - price
            return np.where(joined, weights, -np.inf)

        found = information_forest(engine, watch, int(apart.sum()), weights_of)
        edges = found.edges
        if self.algorithm is SpanningTree.PRIM:
            edges = outward(n, edges)
        root = None if self.root is None else engine.names.index(self.root)
        return _direct(n, edges, root or 0), found.looked_at

    def _branching(self, engine: Engine, limits: Limits, watch: Watch) -> tuple[list[int], int]:
        """Return the parents in the heaviest tree whose directions keep to the limits."""
        n = engine.n_variables
        what = f"a tree of {n:,} variables with directions that are known"
        check_memory(_BYTES_PER_DIRECTED_PAIR * n * (n - 1) // 2, what)
        information = pair_informations(engine, watch)
        if information is None:
            return [0] * n, 0
        price = None
        if self.forest:
            price = edge_prices(all_pair_parameters(engine), engine.n_rows)
        weights = edge_weights(information, engine.constant, limits, price)
        root = None if self.root is None else engine.names.index(self.root)
        return heaviest_tree(weights, limits, root), len(information)

    def _insert(
        self, directed: list[int], engine: Engine, limits: Limits, watch: Watch
    ) -> list[int]:
        """Insert the tree's edges one by one, each with what it does to the score."""
        parents = list(limits.required)
        new = [v for v, mask in enumerate(directed) if mask & ~parents[v]]
        batch = Batch.of((v, (), (NONE, *bits(directed[v]))) for v in new)
        scores = checked_scores(self.score, engine, batch).reshape(-1, 2)
        total = self.score.total(engine, parents)
        for v, gain in zip(new, (scores[:, 1] - scores[:, 0]).tolist(), strict=True):
            if not watch.may_go_on() and watch.stopped is Stop.STEP_LIMIT:
                break
            parents[v] = directed[v]
            total += gain
            watch.saw(Step("insert", bits(directed[v])[0], v, gain), total)
        return parents


def check_tree(root: str | None, names: Sequence[str], limits: Limits) -> None:
    """Refuse a root that is not there, and knowledge that no tree with this root can keep to.

    Raises
    ------
    UnknownVariableError
        If no variable is called like the root.
    KnowledgeError
        If two parents of a variable are required, or one of the root, or the root can have no
        children.
    """
    if root is not None and root not in names:
        raise UnknownVariableError(root, names, "as the root")
    for v, (name, mask) in enumerate(zip(names, limits.required, strict=True)):
        if mask & (mask - 1):
            msg = f"a tree gives every variable one parent, but more are required for {name}"
            raise KnowledgeError(msg)
        if name != root:
            continue
        if mask:
            msg = f"the root {name} has no parents, but {names[bits(mask)[0]]} is required"
            raise KnowledgeError(msg)
        if limits.pairs[v] and not any(into >> v & 1 for into in limits.allowed):
            msg = f"the root {name} must be allowed to have children; choose another root"
            raise KnowledgeError(msg)


def edge_prices(parameters: Floats, n_rows: float, configurations: int = 1) -> Floats:
    """Return what the parameters of edges cost under BIC, per row.

    An edge below a class has its parameters once for each of the class's ``configurations``.
    """
    price: Floats = 0.5 * math.log(n_rows) * configurations * parameters / n_rows
    return price


def all_pair_parameters(engine: Engine) -> Floats:
    """Return how many free parameters the edge of every pair has, in order."""
    a, b = np.triu_indices(engine.n_variables, 1)
    return pair_parameters(engine, a.astype(np.int32), b.astype(np.int32))


def edge_weights(
    information: Floats,
    alone: npt.NDArray[np.bool_],
    limits: Limits,
    price: Floats | None = None,
) -> Floats:
    """Return the weights of all pairs: -inf if they may not be joined, large if they must.

    Parameters
    ----------
    information : array
        The information of every pair, in order.
    alone : array of bool
        For every variable whether it stays outside of the tree.
    limits : Limits
        What the tree must keep to.
    price : array, optional
        What the edge of each pair costs; pairs that are not worth it are not joined.
    """
    a, b = np.triu_indices(len(alone), 1)
    weights = information.copy()
    weights[alone[a] | alone[b]] = -np.inf
    if price is not None:
        weights[information <= price] = -np.inf
        weights -= price
    if not limits.are_open:
        weights[~as_matrix(limits.pairs)[a, b]] = -np.inf
        required = as_matrix(limits.required)
        weights[(required | required.T)[a, b]] = information.max(initial=0.0) + 1.0
    return weights


def heaviest_tree(
    weights: Floats,
    limits: Limits,
    root: int | None = None,
) -> list[int]:
    """Return the parents in the heaviest tree, or forest, whose edges point away from the root.

    If no root is named, the first variable is it where that costs nothing. Where the limits are
    about directions, the tree is a maximum branching.
    """
    if are_directed(limits):
        return _branching(weights, limits, root)
    n = len(limits.names)
    return _direct(n, maximum_spanning_forest(n, weights), root or 0)


def are_directed(limits: Limits) -> bool:
    """Say whether limits are about directions, or require edges."""
    return any(limits.required) or limits.allowed != limits.pairs


def _branching(weights: Floats, limits: Limits, named: int | None) -> list[int]:
    """Return the heaviest tree, or forest, whose directions keep to the limits."""
    n, root = len(limits.names), named or 0
    into = np.full((n, n), -np.inf)
    above = np.triu_indices(n, 1)
    into[above] = into.T[above] = weights
    must = as_matrix(limits.required)
    into[~as_matrix(limits.allowed) | (must.any(axis=0) & ~must)] = -np.inf
    from_root = into.copy()
    from_root[:, root] = -np.inf
    best = maximum_branching(from_root)
    if named is None and not limits.required[root]:
        free = maximum_branching(into)
        if _weight_of(free, into) > _weight_of(best, into) + TIE:
            best = free
    elif named is None:
        best = maximum_branching(into)
    return [0 if parent is None else 1 << parent for parent in best]


def _direct(n: int, edges: list[tuple[int, int]], root: int) -> list[int]:
    """Point the edges away from the root, and in other trees away from their first variable."""
    adjacent: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges:
        adjacent[a].append(b)
        adjacent[b].append(a)
    parents = [0] * n
    seen = [False] * n
    for start in [root, *range(n)]:
        queue = deque([start])
        while queue:
            v = queue.popleft()
            if seen[v]:
                continue
            seen[v] = True
            for w in adjacent[v]:
                if not seen[w]:
                    parents[w] = 1 << v
                    queue.append(w)
    return parents


def _weight_of(parents: Sequence[int | None], into: Floats) -> float:
    return math.fsum(into[parent, v] for v, parent in enumerate(parents) if parent is not None)
