"""Structural expectation-maximisation: a graph from rows with missing cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple

from bayesloom.arrays import Floats
from bayesloom.engine import (
    Completions,
    Engine,
    PooledEngine,
    completions_of,
)
from bayesloom.errors import CapacityError, OptionError
from bayesloom.graphs.text import counted
from bayesloom.incomplete import EM, EvenPrior, maximise
from bayesloom.scores import PNAL, Score
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.imap.shorthand import IXGES
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.search import OuterSearch, Search, facts_of
from bayesloom.search.watch import Watch

_PENALTIES = (1.0, 2.0, 4.0, 8.0, 16.0)  # of the first graph, until it is sparse enough
_PRIOR = EvenPrior(10.0)  # of the parameters that rows are completed with
_ROUGH = EM(tolerance=1e-6)
_ENOUGH_CELLS, _CELLS_PER_ROW, _MOST_CELLS = float(1 << 20), 512.0, float(1 << 25)
"""What a graph may take to complete rows by; with more it takes too long."""


@dataclass(frozen=True, slots=True)
class StructuralEM(OuterSearch):
    """Structural EM: complete the rows by the network found so far, search again, until it stays.

    Every round fits the parameters of the graph by EM, draws each row's missing cells several times
    from their exact joint distribution given what is known of it, and lets a search see all copies
    as so many rows as there are. The first graph is what `GES` finds by `PNAL` in the rows in which
    a family is known. Of all graphs on the way the one is returned
    whose BIC is highest, with the likelihood of what is known. Without missing cells it is the
    search itself.

    Parameters
    ----------
    then : Search
        The search that is run on completed rows, one with a score.
    score : Score, optional
        What it maximises, in place of its own.
    copies : int
        How often every row is completed.
    max_rounds : int
        The most searches on completed rows.
    seed : int
        The seed of the completions.

    References
    ----------
    N. Friedman: The Bayesian structural EM algorithm, UAI 1998. M. Singh: Learning Bayesian
    networks from incomplete data, AAAI 1997.

    Examples
    --------
    >>> StructuralEM(copies=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: copies must be at least 1, got 0
    """

    then: Search = IXGES()
    score: Score | None = None
    copies: int = 5
    max_rounds: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        self._check_whole(copies=1, max_rounds=1, seed=0)
        runs = callable(getattr(self.then, "search", None)) and not isinstance(self.then, type)
        if not runs or facts_of(self.then).goal(1) is None:
            got = self.then.__name__ if isinstance(self.then, type) else repr(self.then)
            msg = f"then must be a search with a score, such as IXGES(), got {got}"
            raise OptionError(msg)
        if self.score is not None:
            changed = _scoring(self.then, self.score)
            if facts_of(changed).goal(1) != self.score:
                msg = f"score has no meaning for {type(self.then).__name__}; set it there"
                raise OptionError(msg)
            object.__setattr__(self, "then", changed)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        if not engine.missing.any():
            return self.then.search(engine, limits, watch)
        found, rows = _first(engine, limits, watch)
        best, candidates, rounds, seen = found, found.candidates, 0, {_parents(found)}
        worth, stop = -math.inf, Stop.STEP_LIMIT
        fitted = _fitted(rows, engine, watch)
        while rounds < self.max_rounds and watch.may_go_on():
            watch.steps.clear()  # what is told are the steps from the start to the graph
            seen_by = self.completed(fitted.rows, fitted.tables)
            found = replace(self.then.search(seen_by, limits, watch), completed=True)
            candidates += found.candidates
            rounds += 1
            if watch.stopped is not None:
                break
            try:
                fitted = _fitted(_ready(engine, _parents(found)), engine, watch)
            except CapacityError:  # too dense to complete rows by, as the first graph is not
                best = best if worth > -math.inf else found
                stop = Stop.COMPLETE
                break
            if fitted.worth > worth:
                best, worth = found, fitted.worth
            if _parents(found) in seen:
                stop = Stop.COMPLETE
                break
            seen.add(_parents(found))
        return replace(
            best,
            stop=watch.why(stop),
            candidates=candidates,
            notes=(*best.notes, self._told(rounds)),
        )

    def completed(self, rows: Completions, tables: Sequence[Floats]) -> PooledEngine:
        """Return an engine over the rows, completed by tables as often as the option says."""
        seeds = range(self.seed * self.copies, (self.seed + 1) * self.copies)
        return PooledEngine([rows.drawn(tables, seed) for seed in seeds], rows.threads)

    def _told(self, rounds: int) -> str:
        made = f"{counted(rounds, 'round')} of completion and search"
        return f"structural EM: {made}, every row completed {counted(self.copies, 'time')}"


class _Fitted(NamedTuple):
    """The parameters of a graph, and what it is worth: the BIC of what is known."""

    rows: Completions
    tables: list[Floats]
    worth: float


def _first(engine: Engine, limits: Limits, watch: Watch) -> tuple[SearchResult, Completions]:
    """Return the first graph, by what is known: as many edges as rows can be completed by.

    Completions by a network with too many edges lose few of them, while those by one with too few
    bring hardly any. Where no graph is sparse enough, rows are completed column by column.
    """
    for penalty in _PENALTIES:
        watch.steps.clear()
        found = GES(score=PNAL(penalty=penalty, chained=False)).search(engine, limits, watch)
        try:
            return found, _ready(engine, _parents(found))
        except CapacityError:
            continue
    return found, _ready(engine, (0,) * engine.n_variables)


def _ready(engine: Engine, parents: Sequence[int]) -> Completions:
    most = min(_MOST_CELLS, max(_ENOUGH_CELLS, _CELLS_PER_ROW * engine.n_rows))
    return completions_of(engine, engine.names, parents, most_cells=most)


def _parents(found: SearchResult) -> tuple[int, ...]:
    assert found.dag is not None  # a search with a score has one
    return found.dag.parent_masks


def _fitted(rows: Completions, engine: Engine, watch: Watch) -> _Fitted:
    """Fit the parameters of a graph by EM."""
    best, _ = maximise(rows, _PRIOR, _ROUGH, stop=watch.signal)
    free = sum(math.prod(shape) - math.prod(shape[:-1]) for shape in rows.shapes)
    worth = best.log_likelihood - 0.5 * math.log(engine.n_rows) * free
    return _Fitted(rows, best.tables, worth)


def _scoring(search: Any, score: Score) -> Search:  # noqa: ANN401 - any search
    """Return a search that maximises another score, if it or the one that it runs has one."""
    known = {field.name for field in fields(search)} if is_dataclass(search) else set()
    changed: Search = search
    if "score" in known:
        changed = replace(search, score=score)
    for part in known & {"then", "local"}:
        changed = replace(search, **{part: _scoring(getattr(search, part), score)})
    return changed
