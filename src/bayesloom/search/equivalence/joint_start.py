"""Starts that already join what depends on each other only together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from bayesloom.engine import counting
from bayesloom.graphs import topological_order
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores, tolerance
from bayesloom.search.markov.pseudo_independence import sets_dependent_together
from bayesloom.search.result import ScoredResult
from bayesloom.search.start import may_start_class


def with_joint_sets(
    parents: Sequence[int], scores: LocalScores, limits: Limits, lookahead: int
) -> list[int]:
    """Return a start in which sets are joined that no single edge leads to.

    They are sets of up to k variables, k (k - 1) / 2 at most ``lookahead``, no two of which are
    significantly dependent while each two are given the others. Those with the largest total
    correlation come first; each is joined as far as limits and score let it.

    Parameters
    ----------
    parents : sequence of int
        The start without them.
    scores : LocalScores
        What is maximised, and the data.
    limits : Limits
        What the start must keep to.
    lookahead : int
        How many edges are added at once, at most.
    """
    start = list(parents)
    if lookahead < 3:  # noqa: PLR2004 - edges of three variables
        return start
    size = max(k for k in range(3, lookahead + 2) if k * (k - 1) // 2 <= lookahead)
    engine = counting(
        scores.engine if scores.stop is None else scores.engine.until(scores.stop), "lookahead"
    )
    for nodes in sets_dependent_together(engine, size):
        joined = _joined(start, nodes, limits)
        if joined is None or not may_start_class(joined):
            continue
        total = scores.total(start)
        if scores.total(joined) > total + tolerance(total):
            start = joined
    return start


def _joined(parents: Sequence[int], nodes: Sequence[int], limits: Limits) -> list[int] | None:
    """Join nodes with each other, along an order of the graph; None if the limits forbid it."""
    place = {v: k for k, v in enumerate(topological_order(parents))}
    found = list(parents)
    for a, b in combinations(sorted(nodes, key=place.__getitem__), 2):
        found[b] |= 1 << a
    return found if limits.keeps(found) else None


def with_note(result: ScoredResult, before: Sequence[int], after: Sequence[int]) -> ScoredResult:
    """Tell which pairs looking ahead joined before the first step."""
    names = result.graph.names
    pairs = [
        f"{names[u]} - {names[v]}"
        for v, (old, new) in enumerate(zip(before, after, strict=True))
        for u in range(len(names))
        if (new & ~old) >> u & 1
    ]
    if not pairs:
        return result
    note = (
        f"looking ahead joined {', '.join(sorted(pairs))} before the first step: no two of these "
        "depend on each other alone, and each two do given the others of their set"
    )
    return replace(result, notes=(*result.notes, note))
