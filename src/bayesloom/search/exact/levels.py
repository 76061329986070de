"""The search for candidate sets of parents: level by level, one batch for all variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Unpack

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Longs
from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE
from bayesloom.engine.data_engine import engine_in_name_order
from bayesloom.errors import CapacityError, KnowledgeError, check_whole
from bayesloom.graphs import bits
from bayesloom.registry import SCORES
from bayesloom.scores import BIC, Score, check_score
from bayesloom.scores.score import checked_scores
from bayesloom.search.believing import believed_score
from bayesloom.search.exact.candidates import CandidateSets, ParentSet, in_order
from bayesloom.search.exact.groups import ParentScores, family_of, grouped_bound, words_of
from bayesloom.search.knowledge import Knowledge
from bayesloom.search.limits import Limits
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions

MOST_FAMILIES = 1 << 24
"""More families than this on one level are refused: they would take minutes and gigabytes."""

_BITS = 62  # of a number that stands for a family
_TABLES = 1 << 20  # asked for in one batch


@dataclass(frozen=True, slots=True)
class Level:
    """Families with equally many parents besides those required, in dictionary order.

    Parameters
    ----------
    child : array of int
        The child of every family.
    extra : matrix of int
        A row of further parents for every family, in ascending order.
    best : array of float
        The best score of every family and of those with fewer parents.
    ceiling : array of float
        What no family with more parents scores more than.
    """

    child: Longs
    extra: npt.NDArray[np.int64]
    best: Floats
    ceiling: Floats

    def at(self, which: npt.NDArray[np.generic]) -> Level:
        """Return some of the families."""
        return Level(self.child[which], self.extra[which], self.best[which], self.ceiling[which])


@dataclass(slots=True)
class CandidateSearch:
    """Score families level by level; leave out what cannot be part of a network that is best.

    A set of parents is dropped if a subset of it is at least as good; it is not extended, either,
    if a subset is at least as good as the set with any further parents can be (`Score.ceilings`).
    With the score of a network that is known, ``best``, every level tells how far it is from the
    ceilings at most.
    """

    engine: Engine
    score: Score
    limits: Limits
    watch: Watch
    best: float | None = None
    found: list[list[ParentSet]] = field(init=False)
    scored: int = field(init=False, default=0)
    bound: float = field(init=False, default=math.inf)
    """What no network scores more than, by the last complete level."""
    refusal: CapacityError | None = field(init=False, default=None)
    """Why the next level is not looked at, if it has too many families."""

    def __post_init__(self) -> None:
        self.found = [[] for _ in self.limits.names]

    def run(self) -> CandidateSets:
        """Find the candidates; what is cut off is incomplete, with ceilings that still hold.

        Raises
        ------
        KnowledgeError
            If more parents are required than are possible.
        """
        check_required(self.limits)
        n = len(self.limits.names)
        level: Level | None = None
        is_complete = False
        with self.watch.heeded():
            level = self._first() if self.watch.may_go_on() else None
            while level is not None and len(level.child) and self.watch.may_go_on():
                self._tell(level)
                try:
                    level = self._next(level)
                except CapacityError as refusal:
                    self.refusal = refusal
                    break
            is_complete = level is not None and not len(level.child)
        return CandidateSets(
            self.limits.names,
            tuple(tuple(sorted(sets, key=in_order)) for sets in self.found),
            self._ceilings(level, n),
            self.limits.max_parents,
            self.scored,
            is_complete,
        )

    def _tell(self, level: Level) -> None:
        """Report what is proven after a level: no network exceeds the ceilings of all variables."""
        if self.best is None:
            return
        bound = grouped_bound(self._families(level), self.watch.signal)
        self.bound = min(self.bound, max(bound, self.best))
        self.watch.proved(self.best, self.bound)

    def _families(self, level: Level) -> list[ParentScores]:
        """Return what every variable may have: candidates, and ceilings of all above a level."""
        n = len(self.limits.names)
        families = []
        for v, sets in enumerate(self.found):
            here = level.child == v
            required = words_of([self.limits.required[v]], n)
            extra = np.zeros((np.count_nonzero(here), required.shape[1]), np.uint64)
            for column in level.extra[here].T:
                bit = np.uint64(1) << (column % 64).astype(np.uint64)
                extra[np.arange(len(column)), column // 64] |= bit
            scores = np.concatenate([[s.score for s in sets], level.ceiling[here]])
            masks = words_of([s.parents for s in sets], n)
            families.append(
                family_of(scores, np.concatenate([masks, required | extra.view(np.int64)]))
            )
        return families

    def _ceilings(self, level: Level | None, n: int) -> tuple[float, ...]:
        """Return what no family of a variable scores more than; ``level`` was the last complete."""
        if level is None:
            return (np.inf,) * n
        most = np.array([max((s.score for s in sets), default=-np.inf) for sets in self.found])
        np.maximum.at(most, level.child, level.ceiling)
        return tuple(most.tolist())

    def _first(self) -> Level:
        """Score every variable with its required parents alone."""
        n = len(self.limits.names)
        child, none = np.arange(n), np.zeros((n, 0), np.int64)
        bare = Level(child, none, np.full(n, -np.inf), np.full(n, np.inf))
        return self._extensible(self._judged(bare))

    def _next(self, level: Level) -> Level:
        """Score what comes of a level by one more parent."""
        longer = self._longer(level)
        longer = longer.at(longer.ceiling > longer.best)
        if not len(longer.child):
            return longer
        ceiling = self._asked(longer, self.score.ceilings)
        np.minimum(longer.ceiling, ceiling, out=longer.ceiling)
        return self._extensible(self._judged(longer.at(longer.ceiling > longer.best)))

    def _judged(self, level: Level) -> Level:
        """Score the families of a level and keep the candidates among them."""
        scores = self._asked(level, self._scores)
        self.scored += len(scores)
        self.watch.candidates = self.scored
        is_better = scores > level.best
        is_better |= level.extra.shape[1] == 0  # every variable has a set
        for k in np.flatnonzero(is_better).tolist():
            v = int(level.child[k])
            parents = self.limits.required[v]
            for p in level.extra[k].tolist():
                parents |= 1 << p
            self.found[v].append(ParentSet(float(scores[k]), parents))
        return Level(level.child, level.extra, np.maximum(scores, level.best), level.ceiling)

    def _extensible(self, level: Level) -> Level:
        """Return the families that may have more parents."""
        room = np.array([self.limits.most - mask.bit_count() for mask in self.limits.required])
        return level.at((level.ceiling > level.best) & (room[level.child] > level.extra.shape[1]))

    def _longer(self, level: Level) -> Level:
        """Join families that differ in their last parent, if all sets between are there."""
        size = level.extra.shape[1]
        if size == 0:
            return self._singles(level)
        first, second = self._pairs(level)
        extra = np.hstack([level.extra[first], level.extra[second, -1:]])
        child = level.child[first]
        best = np.maximum(level.best[first], level.best[second])
        ceiling = np.minimum(level.ceiling[first], level.ceiling[second])
        keys = self._keys(level.child, level.extra)
        there = np.ones(len(child), np.bool_)
        for left_out in range(size - 1):
            others = [k for k in range(size + 1) if k != left_out]
            key = self._keys(child, extra[:, others])
            place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            there &= keys[place] == key
            best = np.maximum(best, level.best[place])
            ceiling = np.minimum(ceiling, level.ceiling[place])
        return Level(child, extra, best, ceiling).at(there)

    def _singles(self, level: Level) -> Level:
        """Give every variable one further parent."""
        limits = self.limits
        partners = [bits(limits.allowed[v] & ~limits.required[v]) for v in level.child.tolist()]
        sizes = [len(row) for row in partners]
        self._check_size(sum(sizes), 1)
        extra = np.array([p for row in partners for p in row], np.int64).reshape(-1, 1)
        again = np.repeat(np.arange(len(sizes)), sizes)
        return Level(level.child[again], extra, level.best[again], level.ceiling[again])

    def _pairs(self, level: Level) -> tuple[Longs, Longs]:
        """Return the pairs of families that share all but the last parent, in dictionary order."""
        stem = np.column_stack([level.child, level.extra[:, :-1]])
        ends = np.flatnonzero(np.append((stem[1:] != stem[:-1]).any(axis=1), True)) + 1
        after = ends[np.searchsorted(ends, np.arange(len(stem)), side="right")]
        partners = after - np.arange(len(stem)) - 1
        self._check_size(int(partners.sum()), level.extra.shape[1] + 1)
        first = np.repeat(np.arange(len(stem)), partners)
        start = np.concatenate([[0], np.cumsum(partners)[:-1]])
        second = first + 1 + np.arange(len(first)) - np.repeat(start, partners)
        return first, second

    def _keys(self, child: Longs, extra: npt.NDArray[np.int64]) -> Longs:
        """Return numbers that order families as a dictionary does."""
        n, size = len(self.limits.names), extra.shape[1]
        key = child.astype(np.int64)
        if n.bit_length() + n < _BITS:  # sets as bits, the first variable highest, complemented
            key = (key + 1 << n) - 1
            for column in extra.T:
                key -= 1 << (n - 1 - column)
        elif n ** (size + 1) < 1 << _BITS:
            for column in extra.T:
                key = key * n + column
        else:
            msg = (
                f"sets of {size} parents among {n} variables are too many to be told apart; set "
                f"max_parents to {size}"
            )
            raise CapacityError(msg)
        return key

    def _check_size(self, families: int, parents: int) -> None:
        if families <= MOST_FAMILIES:
            return
        why = ""
        if not self.score.has_ceilings:
            name = SCORES.name_of(self.score)
            why = f" (the score {name} has no ceilings by which sets could be left out)"
        size = families * (parents + 8) * 8 / 2**30
        msg = (
            f"{families:,} families with {parents} parents would have to be scored, which takes "
            f"about {size:,.1f} GB{why}; set max_parents to {parents - 1}, or leave out columns"
        )
        raise CapacityError(msg)

    def _asked(self, level: Level, ask: Callable[[Engine, Batch], Floats]) -> Floats:
        """Ask the engine about every family of a level."""
        engine = self.engine.until(self.watch.signal)
        return np.concatenate([np.zeros(0), *(ask(engine, b) for b in self._batches(level))])

    def _scores(self, engine: Engine, batch: Batch) -> Floats:
        return checked_scores(self.score, engine, batch)

    def _batches(self, level: Level) -> Iterator[Batch]:
        """Yield the families as batches; those that differ in the last parent share a request."""
        required = [bits(mask) for mask in self.limits.required]
        size = level.extra.shape[1]
        if size == 0:
            yield Batch.of(
                (v, required[v][:-1], required[v][-1:] or (NONE,)) for v in level.child.tolist()
            )
            return
        wide = max(map(len, required))
        always = np.array([[*row, *[-1] * (wide - len(row))] for row in required], np.int64)
        for first in range(0, len(level.child), _TABLES):
            child = level.child[first : first + _TABLES]
            extra = level.extra[first : first + _TABLES]
            stem = np.column_stack(
                [child, always.reshape(len(required), wide)[child], extra[:, :-1]]
            )
            is_new = np.append(True, (stem[1:] != stem[:-1]).any(axis=1))
            start = np.append(np.flatnonzero(is_new), len(child))
            given = stem[start[:-1], 1:]
            is_there = given >= 0
            yield Batch(
                child[start[:-1]].astype(np.int32),
                np.concatenate([[0], np.cumsum(is_there.sum(axis=1))]).astype(np.int64),
                given[is_there].astype(np.int32),
                start.astype(np.int64),
                np.ascontiguousarray(extra[:, -1], np.int32),
            )


def check_required(limits: Limits) -> None:
    """Refuse limits that require more parents than they allow.

    Raises
    ------
    KnowledgeError
        With the variable and the edge, or the number of parents.
    """
    for v, mask in enumerate(limits.required):
        if mask.bit_count() > limits.most:
            edges = ", ".join(f"{limits.names[p]} -> {limits.names[v]}" for p in bits(mask))
            msg = f"the edges {edges} are required, more than max_parents = {limits.max_parents}"
            raise KnowledgeError(msg)
        for p in bits(mask & ~limits.allowed[v]):
            msg = f"the edge {limits.names[p]} -> {limits.names[v]} is required and not allowed"
            raise KnowledgeError(msg)


def find_candidates(
    data: object,
    score: Score = BIC(),
    *,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    **reading: Unpack[ReadingOptions],
) -> CandidateSets:
    """Find the sets of parents that a network of the highest score can need.

    They are all sets that score better than each of their subsets; which sets need not be scored
    for that is decided by `Score.ceilings`.

    Parameters
    ----------
    data : path, frame, Table or Engine
        The data.
    score : Score
        What is maximised.
    max_parents : int, optional
        The most parents of a set.
    knowledge : Knowledge, optional
        Edges that must or must not be there.
    **reading
        How to read the data, such as ``missing="drop"``; see `bayesloom.Reading`.

    Returns
    -------
    CandidateSets
        To be given to `Exact`, or to be written with `save_candidates`.

    Raises
    ------
    CapacityError
        If a level has too many families.

    Examples
    --------
    >>> found = find_candidates({"rain": ["no", "yes"] * 9, "wet": ["no", "yes"] * 9})
    >>> found.parents_of(0)
    (('wet',), ())
    """
    check_score(score)
    if max_parents is not None:
        check_whole("max_parents", max_parents, 0)
    engine = engine_in_name_order(data, reading)
    known = knowledge or Knowledge()
    limits = known.limits(engine.names, max_parents).over(engine)
    looking = CandidateSearch(engine, believed_score(score, known, limits), limits, Watch())
    candidates = looking.run()
    if looking.refusal is not None:
        raise looking.refusal
    return candidates
