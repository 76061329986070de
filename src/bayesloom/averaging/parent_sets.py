"""Scored sets of parents, over which chains of orders and partitions sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine
from bayesloom.errors import CapacityError
from bayesloom.graphs import bits, mask_of, skeleton
from bayesloom.scores import Score
from bayesloom.scores.score import checked_scores, family_batch
from bayesloom.search import GES, Limits, Tabu, Watch

MOST_SETS = 1 << 23
"""More scored sets than this are refused: they would take minutes and gigabytes."""

_BLOCK = 1 << 18  # families asked for in one batch


@dataclass(frozen=True, slots=True)
class ParentSetChoice:
    """Which sets of parents are summed over.

    All sets of at most ``max_parents`` candidates of a variable, and each of these that has room
    with one further parent from outside the candidates. Candidates are the variables that GES
    joins with the variable, then those that alone raise its score most. Sets that are worse than
    their subsets are not left out: they are part of the sum.

    Parameters
    ----------
    candidates : int
        How many candidates a variable has.
    max_parents : int
        The most parents, required ones included.
    """

    candidates: int = 10
    max_parents: int = 4

    def sums(self, engine: Engine, score: Score, limits: Limits, watch: Watch) -> ScoredSets:
        """Score the sets.

        Raises
        ------
        CapacityError
            If there are too many.
        Stopped
            If the watch ends it.
        """
        n = engine.n_variables
        width = min(self.max_parents, limits.most, n - 1)
        if sum(self._n_sets(v, limits, width) for v in range(n)) > MOST_SETS:
            msg = (
                f"there are more than {MOST_SETS:,} sets of parents to sum over; lower "
                "max_parents or candidates"
            )
            raise CapacityError(msg)
        pools = self._pools(engine, score, limits, watch)
        families: list[tuple[int, tuple[int, ...]]] = []
        start = [0]
        for v in range(n):
            families += ((v, parents) for parents in self._sets(v, pools[v], limits, width))
            start.append(len(families))
        return ScoredSets.of(engine.until(watch.signal), score, families, start, pools)

    def _pools(
        self, engine: Engine, score: Score, limits: Limits, watch: Watch
    ) -> tuple[tuple[int, ...], ...]:
        """Return the candidates of every variable, without required parents."""
        n = engine.n_variables
        free = [bits(limits.allowed[v] & ~limits.required[v]) for v in range(n)]
        if max(map(len, free), default=0) <= self.candidates:
            return tuple(map(tuple, free))
        near = GES(score=score) if score.equivalent else Tabu(score=score)
        found = near.search(engine, limits, Watch(signal=watch.signal))
        joined = skeleton(found.dag.parent_masks)
        batch = Batch.of((v, tuple(bits(limits.required[v])), tuple(free[v])) for v in range(n))
        alone = iter(checked_scores(score, engine.until(watch.signal), batch).tolist())
        pools = []
        for v in range(n):
            worth = {u: next(alone) for u in free[v]}
            order = sorted(free[v], key=lambda u: (not joined[v] >> u & 1, -worth[u], u))
            pools.append(tuple(sorted(order[: self.candidates])))
        return tuple(pools)

    def _n_sets(self, v: int, limits: Limits, width: int) -> int:
        """Count the sets of a variable, before its candidates are looked for."""
        n_required = limits.required[v].bit_count()
        n_free = limits.allowed[v].bit_count() - n_required
        n_pool = min(n_free, self.candidates)
        room = max(width, n_required) - n_required
        return sum(
            comb(n_pool, size) * (1 + (n_free - n_pool) * (size < room)) for size in range(room + 1)
        )

    def _sets(
        self, v: int, pool: tuple[int, ...], limits: Limits, width: int
    ) -> Iterator[tuple[int, ...]]:
        required = tuple(bits(limits.required[v]))
        taken = {*pool, *required}
        outside = [u for u in bits(limits.allowed[v]) if u not in taken]
        room = max(width, len(required)) - len(required)
        for size in range(room + 1):
            for chosen in combinations(pool, size):
                yield (*required, *chosen)
                if size < room:
                    for u in outside:
                        yield (*required, *chosen, u)


@dataclass(frozen=True, slots=True)
class ScoredSets:
    """Sets of parents with their scores, ready to be summed.

    Parameters
    ----------
    sums : ParentSetSums
        The native sums.
    n_sets : int
        How many sets there are.
    pools : tuple of tuples of int
        The candidates of every variable.
    masks : tuple of tuples of int
        The sets of every variable.
    scores : tuple of arrays
        Their scores.
    """

    sums: _native.ParentSetSums
    n_sets: int
    pools: tuple[tuple[int, ...], ...]
    masks: tuple[tuple[int, ...], ...]
    scores: tuple[Floats, ...]

    @classmethod
    def of(
        cls,
        engine: Engine,
        score: Score,
        families: list[tuple[int, tuple[int, ...]]],
        start: list[int],
        pools: tuple[tuple[int, ...], ...],
    ) -> ScoredSets:
        """Score families, in a few batches; those of variable v lie from start[v] on."""
        parts: list[Floats] = [np.zeros(0)]
        for first in range(0, len(families), _BLOCK):
            batch = family_batch([(v, sorted(p)) for v, p in families[first : first + _BLOCK]])
            parts.append(checked_scores(score, engine, batch))
        width = max(1, *(len(parents) for _, parents in families))
        parents = np.full((len(families), width), -1, np.int32)
        for k, (_, chosen) in enumerate(families):
            parents[k, : len(chosen)] = chosen
        scores = np.concatenate(parts)
        sums = _native.ParentSetSums(np.array(start, np.int64), parents.ravel(), width, scores)
        masks = [mask_of(chosen) for _, chosen in families]
        own = list(pairwise(start))
        return cls(
            sums,
            len(families),
            pools,
            tuple(tuple(masks[a:b]) for a, b in own),
            tuple(scores[a:b] for a, b in own),
        )

    @property
    def near(self) -> list[int]:
        """For every variable its candidates and those whose candidate it is."""
        return skeleton([mask_of(pool) for pool in self.pools])

    def draw(self, rooms: Sequence[int], rng: np.random.Generator) -> list[int]:
        """Draw a graph: for every variable a set of parents within its room, by its score."""
        parents = []
        for allowed, masks, scores in zip(rooms, self.masks, self.scores, strict=True):
            fits = [k for k, mask in enumerate(masks) if not mask & ~allowed]
            chance = np.exp(scores[fits] - scores[fits].max())
            parents.append(masks[fits[int(rng.choice(len(fits), p=chance / chance.sum()))]])
        return parents
