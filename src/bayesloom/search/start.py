"""Where a search over DAGs may start."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Engine
from bayesloom.errors import GraphError, OptionError, UnknownVariableError, check_kind
from bayesloom.graphs import DAG, ancestors, bits, cpdag_of_dag, topological_order
from bayesloom.scores import Score
from bayesloom.search.limits import Limits
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.search.pair_scan import PairBlock

_MOST_JOINED = 64  # variables that a complete start may join with each other
_MOST_JOINED_IN_CLASS = 12  # the same in a search over equivalence classes


class Start(Enum):
    """A start that is made from the data or from nothing."""

    EMPTY = "empty"
    COMPLETE = "complete"
    CHOW_LIU = "chow-liu"


def start_graph(
    start: Start | DAG, engine: Engine, limits: Limits, watch: Watch | None = None
) -> list[int]:
    """Return the parent masks of the start, which keeps to the limits.

    If the watch runs out while a tree is looked for, there is none.

    Raises
    ------
    UnknownVariableError
        If a given graph has a variable that the data do not have.
    GraphError
        If it lacks one of theirs.
    KnowledgeError
        If it breaks the limits.
    OptionError
        If the complete start joins more than 64 variables with each other.
    """
    if isinstance(start, DAG):
        known, named = set(engine.names), set(start.names)
        for name in start.names:
            if name not in known:
                raise UnknownVariableError(name, engine.names, "in the start graph")
        for name in engine.names:
            if name not in named:
                msg = f"the start graph lacks the variable {name!r}; add it, joined or not"
                raise GraphError(msg)
        graph = start.reordered(engine.names)
        limits.check(graph.parent_masks, "the start graph")
        return list(graph.parent_masks)
    parents = list(limits.required)
    if start is Start.COMPLETE:
        _fill(parents, engine, limits)
        _check_joined(
            parents,
            "the complete start",
            _MOST_JOINED,
            "counting for so many parents would take very long: set max_parents",
        )
    elif start is Start.CHOW_LIU:
        _add_tree(parents, engine, limits, watch or Watch())
    return parents


def class_start(
    start: Start | DAG, engine: Engine, limits: Limits, watch: Watch | None = None
) -> list[int]:
    """Return the start of a search over equivalence classes, which must not join too many.

    In the class of a complete graph all edges are open, and a search looks at every set of them.

    Raises
    ------
    OptionError
        If the start joins more than 12 variables with each other by edges that are open.
    """
    parents = start_graph(start, engine, limits, watch)
    _check_joined(
        parents if start is Start.COMPLETE else _open_parents(parents),
        "the complete start" if start is Start.COMPLETE else "the class of the start graph",
        _MOST_JOINED_IN_CLASS,
        "a search over equivalence classes goes through all subsets of them: set max_parents "
        f"(to 5, for example, and to at most {_MOST_JOINED_IN_CLASS - 1})",
    )
    return parents


def may_start_class(parents: Sequence[int]) -> bool:
    """Say whether a search over equivalence classes may start at a graph's class.

    Examples
    --------
    >>> may_start_class([(1 << v) - 1 for v in range(12)]), may_start_class([0] * 20)
    (True, True)
    >>> may_start_class([(1 << v) - 1 for v in range(13)])
    False
    """
    return _n_joined(_open_parents(parents)) <= _MOST_JOINED_IN_CLASS


def _open_parents(parents: Sequence[int]) -> list[int]:
    """Return the parents from which edges come that the class leaves open."""
    return [mask & near for mask, near in zip(parents, cpdag_of_dag(parents)[1], strict=True)]


def _n_joined(parents: Sequence[int]) -> int:
    return 1 + max(map(int.bit_count, parents), default=0)


def _check_joined(parents: list[int], what: str, most: int, why: str) -> None:
    """Refuse a start that joins too many variables with each other."""
    joined = _n_joined(parents)
    if joined > most:
        msg = f"{what} joins {joined} variables with each other, and {why}, or start empty"
        raise OptionError(msg)


def joined_pairs(masks: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the pairs x < y that a graph joins: of masks of parents, or of neighbours.

    Examples
    --------
    >>> joined_pairs([0b010, 0, 0b010])
    ((0, 1), (1, 2))
    """
    found = {(min(u, v), max(u, v)) for v, mask in enumerate(masks) for u in bits(mask)}
    return tuple(sorted(found))


def check_start(start: object) -> None:
    """Refuse what is neither a start nor a graph.

    Examples
    --------
    >>> check_start("empty")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: start must be a DAG or a Start such as Start.EMPTY, got 'empty'
    """
    check_kind("start", start, Start | DAG, "a DAG or a Start such as Start.EMPTY")


def _fill(parents: list[int], engine: Engine, limits: Limits) -> None:
    """Add every allowed edge between varied columns that goes forward in one order of them."""
    before = 0
    for v in _order(limits):
        if engine.constant[v]:
            continue
        for p in bits(before & limits.allowed[v] & ~parents[v]):
            if parents[v].bit_count() < limits.most:
                parents[v] |= 1 << p
        before |= 1 << v


def _order(limits: Limits) -> list[int]:
    """Order the variables so that required edges go forward and tiers are kept where possible."""
    possible = [allowed.bit_count() for allowed in limits.allowed]
    order = sorted(range(len(possible)), key=lambda v: (possible[v], v))
    rank = {v: k for k, v in enumerate(order)}
    moved = [sum(1 << rank[p] for p in bits(limits.required[v])) for v in order]
    return [order[k] for k in topological_order(moved)]


def scored_network(
    parents: Sequence[int],
    score: Score,
    engine: Engine,
    *,
    limits: Limits,
    watch: Watch,
    candidates: int,
) -> ScoredResult:
    """Return the result of a search that comes to its end with one network."""
    dag = DAG(engine.names, tuple(parents))
    total, steps = score.total(engine, parents), tuple(watch.steps)
    start = joined_pairs(limits.required)
    return ScoredResult(dag, dag, total, steps, watch.why(Stop.COMPLETE), candidates, start=start)


def _add_tree(parents: list[int], engine: Engine, limits: Limits, watch: Watch) -> None:
    """Add the edges of the maximum-likelihood tree, each in a direction that is allowed."""
    from bayesloom.graphs.heaviest_pairs import outward
    from bayesloom.search.pair_scan import information_forest

    constant = engine.constant

    def weights_of(block: PairBlock) -> Floats:
        return np.where(constant[block.x] | constant[block.y], -np.inf, block.information)

    forest = information_forest(engine, watch, int(constant.sum()), weights_of)
    if not forest.is_whole:
        return
    for a, b in outward(engine.n_variables, forest.edges):
        for x, y in ((a, b), (b, a)):
            joined = (parents[x] >> y | parents[y] >> x) & 1
            fits = limits.allowed[y] >> x & 1 and parents[y].bit_count() < limits.most
            if fits and not joined and not ancestors(parents, 1 << x) >> y & 1:
                parents[y] |= 1 << x
                break
