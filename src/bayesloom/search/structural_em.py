"""Structural expectation-maximisation: a graph from rows with missing cells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple

from bayesloom.arrays import Floats
from bayesloom.engine import (
    Completions,
    Engine,
    NodeAverageEngine,
    PooledEngine,
    completions_of,
)
from bayesloom.errors import CapacityError, OptionError
from bayesloom.graphs.text import counted
from bayesloom.incomplete import EM, EvenPrior, maximise
from bayesloom.scores import Score
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.search import BaseSearch, Search, Testing, facts_of
from bayesloom.search.watch import Watch

_PRIOR = EvenPrior(10.0)  # of the parameters that rows are completed with
_ROUGH = EM(tolerance=1e-6)
_MOST_CELLS = float(1 << 16)  # of a row; a denser graph is not worth completing rows by


@dataclass(frozen=True, slots=True)
class StructuralEM(BaseSearch):
    """Structural EM: complete the rows by the network found so far, search again, until it stays.

    Every round fits the parameters of the graph by EM, draws each row's missing cells several times
    from their exact joint distribution given what is known of it, and lets a search see all copies
    as so many rows as there are. The first graph is the search's own on what is known: by the
    log-likelihood per row in which a family is known. Of all graphs on the way the one is returned
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
    bayesloom.errors.OptionError: copies must be a whole number of at least 1, got 0
    """

    then: Search = GES()  # noqa: RUF009 - a frozen value
    score: Score | None = None
    copies: int = 5
    max_rounds: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        self._check_whole(copies=1, max_rounds=1, seed=0)
        runs = callable(getattr(self.then, "search", None)) and not isinstance(self.then, type)
        if not runs or facts_of(self.then).goal(1) is None:
            got = self.then.__name__ if isinstance(self.then, type) else repr(self.then)
            msg = f"then must be a search with a score, such as GES(), got {got}"
            raise OptionError(msg)
        if self.score is not None:
            object.__setattr__(self, "then", _with_score(self.then, self.score))

    def parts(self) -> Iterator[Search]:
        """Yield the search and the one that it runs."""
        yield self
        yield from facts_of(self.then).parts()

    def goal(self, n_rows: int) -> Score | None:
        """Return what the inner search maximises."""
        return facts_of(self.then).goal(n_rows)

    def testing(self) -> Testing | None:
        """Return the test of the inner search, if it tests."""
        return facts_of(self.then).testing()

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        if not engine.missing.any():
            return self.then.search(engine, limits, watch)
        found = self.then.search(NodeAverageEngine(engine), limits, watch)
        best, seen, candidates = None, set(), found.candidates
        while not watch.stopped:
            fitted = _fitted(engine, found, limits, watch)
            if best is None or fitted.worth > best.worth:
                best = fitted
            if fitted.parents in seen or len(seen) == self.max_rounds or not watch.may_go_on():
                break
            seen.add(fitted.parents)
            watch.steps.clear()  # what is told are the steps from the start to the graph
            found = self.then.search(self._completed(fitted), limits, watch)
            candidates += found.candidates
        if best is None:
            return found
        repeated = fitted.parents in seen and watch.stopped is None
        return replace(
            best.found,
            stop=watch.why(Stop.COMPLETE if repeated else Stop.STEP_LIMIT),
            candidates=candidates,
            notes=(*best.found.notes, self._told(len(seen))),
        )

    def _completed(self, fitted: _Fitted) -> PooledEngine:
        """Complete the rows by a network as often as wanted."""
        seeds = range(self.seed * self.copies, (self.seed + 1) * self.copies)
        return PooledEngine([fitted.rows.drawn(fitted.tables, seed) for seed in seeds])

    def _told(self, rounds: int) -> str:
        made = f"{counted(rounds, 'round')} of completion and search"
        return f"structural EM: {made}, every row completed {counted(self.copies, 'time')}"


class _Fitted(NamedTuple):
    """A graph with its parameters, and what it is worth: the BIC of what is known."""

    found: SearchResult
    parents: tuple[int, ...]
    rows: Completions
    tables: list[Floats]
    worth: float


def _fitted(engine: Engine, found: SearchResult, limits: Limits, watch: Watch) -> _Fitted:
    """Fit the parameters of a graph by EM; in place of one too dense for it stands one without edges."""
    assert found.dag is not None  # a search with a score has one
    parents = found.dag.parent_masks
    possible = True
    try:
        rows = completions_of(engine, engine.names, parents, most_cells=_MOST_CELLS)
    except CapacityError:
        parents, possible = limits.required, False
        rows = completions_of(engine, engine.names, parents)
    best, _ = maximise(rows, _PRIOR, _ROUGH, stop=watch.signal)
    free = sum(math.prod(shape) - math.prod(shape[:-1]) for shape in rows.shapes)
    worth = best.log_likelihood - 0.5 * math.log(engine.n_rows) * free
    return _Fitted(found, parents, rows, best.tables, worth if possible else -math.inf)


def _with_score(search: Any, score: Score) -> Search:  # noqa: ANN401 - any search
    """Return a search that maximises another score."""
    if not is_dataclass(search) or "score" not in {field.name for field in fields(search)}:
        msg = f"score has no meaning for {type(search).__name__}, which has none of its own"
        raise OptionError(msg)
    made: Search = replace(search, score=score)  # type: ignore[type-var]
    return made
