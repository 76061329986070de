"""Searches and estimators side by side on one data set."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from bayesloom.averaging.fold import row_folds
from bayesloom.data import Reading, Table
from bayesloom.engine import Engine, engine_in_memory, is_engine, rows_behind
from bayesloom.engine.data_engine import refuse_reading
from bayesloom.errors import DataError, OptionError, check_flag, check_whole, shown
from bayesloom.evaluation import log_loss
from bayesloom.facade.comparison import Comparison, Contender
from bayesloom.facade.entry import check_result, check_search, checked_knowledge
from bayesloom.facade.fitting import fit_usual
from bayesloom.learning.choice import chosen_search
from bayesloom.learning.crew import Crew, crew_of
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.learning.record import ScoreValue
from bayesloom.model import BDeuMean, Estimator
from bayesloom.registry import SCORES, described
from bayesloom.search import (
    Budget,
    Knowledge,
    Limits,
    Search,
    SearchResult,
    Stop,
    Watch,
    facts_of,
)
from bayesloom.search.believing import believing

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions

_Task = tuple[str, int]  # a search, and the fold that is held out; -1: none


@dataclass(frozen=True, slots=True)
class _Run:
    """What came of one task: a result with losses by estimator, or what went wrong."""

    result: SearchResult | None = None
    losses: tuple[float, ...] = ()
    seconds: float = 0.0
    failure: str = ""


def compare(
    data: Any,  # noqa: ANN401 - frames of whatever library
    searches: Iterable[Search] | Mapping[str, Search],
    *,
    folds: int = 5,
    seed: int = 0,
    estimators: Sequence[Estimator] | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    threads: int | None = None,
    scheduler: Any = None,  # noqa: ANN401 - an address or a client of Dask
    time_limit: float | str | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Comparison:
    """Run several searches on the same data, and cross-validate each on the same folds.

    Every search learns from all rows once, and once without each fold; the network of the latter is
    fitted to the same rows and judged by its log-loss on the fold. Folds depend on the seed and on
    what rows hold, not on their order. A search that fails is told in its row, and loses nobody
    else's.

    Parameters
    ----------
    data : path, frame, Table, NativeEngine or DiskEngine
        As for `bayesloom.learn`; of engines one that hands out its rows, for they are divided by
        what they hold. Those of a disk must fit the memory that the engine may take.
    searches : list of Search, or mapping of str to Search
        What is compared; a mapping names them. Scores are options of searches:
        ``[GES(score=BIC()), GES(score=BDeu())]``.
    folds : int
        In how many parts the rows are divided.
    seed : int
        Of the division.
    estimators : list of Estimator, optional
        By which parameters are fitted; with several, every search has a row for each.
    knowledge, max_parents
        What every network keeps to.
    threads : int, optional
        How many searches run side by side; by default as many as there are processors.
    scheduler : str or distributed.Client, optional
        Run the searches on the workers of a Dask cluster, given the address of its scheduler or a
        client; each worker gets all rows.
    time_limit : float or str, optional
        Seconds for all together; what is done until then is told. Ctrl-C does the same.
    progress : bool
        Show a line on standard error.
    **reading
        How to read the data, such as ``missing="drop"``; see `bayesloom.Reading`.

    Returns
    -------
    Comparison
        Prints as a table, the lowest log-loss first; with ``agreement``, ``edges`` and ``to_html``.

    Raises
    ------
    DataError, FileFormatError, KnowledgeError, OptionError, UnknownVariableError
        As `bayesloom.learn`.
    ClusterError
        If the cluster is not there, or has workers with another version of bayesloom.

    Examples
    --------
    >>> from bayesloom.search import ChowLiu, HillClimbing
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> found = compare(frame, [HillClimbing(), ChowLiu()])
    >>> [row.edges for row in found], found.agreement.share("HillClimbing()", "ChowLiu()")
    ([1, 1], 1.0)
    """
    check_whole("folds", folds, 2)
    check_whole("seed", seed, 0)
    check_flag("progress", progress)
    fitted = _estimators(estimators)
    known = checked_knowledge(knowledge)
    watch = Watch(Budget(seconds_of(time_limit)))
    if is_engine(data):
        refuse_reading(reading)
    table = Reading.from_dict(reading, compare).apply(rows_behind(data)).in_name_order()
    if folds > table.n_rows:
        msg = f"{folds} folds need at least as many rows, got {table.n_rows}"
        raise DataError(msg)
    named = _named(searches, engine_in_memory(table, 1), known)
    limits = known.limits(table.names, max_parents)
    place = row_folds(table, folds, seed)
    contest = _Contest(table, place, named, limits, fitted, known)
    tasks = [(title, k) for title in named for k in (-1, *range(folds))]
    with crew_of(threads, scheduler) as crew:
        runs = _all_runs(crew, contest, tasks, watch, progress=progress)
    sizes = [int((place == k).sum()) for k in range(folds)]
    rows = [
        _contender((title, named[title]), (k, estimator), runs, sizes, n_rows=table.n_rows)
        for title in named
        for k, estimator in enumerate(fitted)
    ]
    return Comparison(
        tuple(rows), table.names, folds, seed, table.n_rows, watch.why(Stop.COMPLETE), watch.seconds
    )


def _named(searches: object, engine: Engine, known: Knowledge) -> dict[str, Search]:
    """Return the searches by their titles, with the scores that go with the data."""

    def chosen_for(search: Any) -> Search:  # noqa: ANN401 - checked here
        check_search(search)
        return chosen_search(engine, search, known)

    if isinstance(searches, Mapping):
        named = {str(title): chosen_for(search) for title, search in searches.items()}
    elif isinstance(searches, Iterable) and not isinstance(searches, str):
        named = {}
        for search in searches:
            chosen = chosen_for(search)
            title = described(chosen)
            if title in named:
                msg = f"{title} is there twice; give a mapping of names to searches"
                raise OptionError(msg)
            named[title] = chosen
    else:
        wanted = "a list such as [GES(), ChowLiu()]"
        msg = f"searches must be {wanted}, got {shown(repr(searches))}"
        raise OptionError(msg)
    if not named:
        msg = "searches must name at least one search, such as [GES(), ChowLiu()]"
        raise OptionError(msg)
    return named


def _estimators(estimators: Sequence[Estimator] | None) -> tuple[Estimator, ...]:
    chosen = (BDeuMean(),) if estimators is None else tuple(estimators)
    for estimator in chosen:
        if not hasattr(estimator, "probabilities") or isinstance(estimator, type):
            msg = f"estimators must be values such as Laplace() or BDeuMean(), got {estimator!r}"
            raise OptionError(msg)
    if not chosen:
        msg = "estimators must name at least one estimator, such as [BDeuMean()]"
        raise OptionError(msg)
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class _Contest:
    """What all tasks have in common; it travels to the workers of a cluster."""

    table: Table
    place: npt.NDArray[np.intp]
    """The fold of every row."""
    searches: Mapping[str, Search]
    limits: Limits
    estimators: Sequence[Estimator]
    knowledge: Knowledge


def _ran(contest: _Contest, task: _Task, watch: Watch) -> _Run | None:
    """Learn from some rows and judge by others, if there are; whatever goes wrong is told.

    Nothing is returned if the watch has cut the search off.
    """
    (title, fold), table = task, contest.table
    search, started = contest.searches[title], time.thread_time()
    try:
        engine = engine_in_memory(table if fold < 0 else table.take(contest.place != fold), 1)
        own = contest.limits.over(engine)
        result = believing(search, contest.knowledge, own).search(engine, own, watch)
        seconds = time.thread_time() - started
        check_result(result, own, described(search))
        if result.stop in (Stop.TIME_LIMIT, Stop.INTERRUPTED):
            return None
        if fold < 0:
            return _Run(result, seconds=seconds)
        if result.dag is None:
            return _Run(failure="no DAG extends the graph, so it has no parameters")
        nets = (fit_usual(result.dag, engine, estimator)[0] for estimator in contest.estimators)
        rows = engine_in_memory(table.take(contest.place == fold), 1)
        return _Run(result, tuple(log_loss(net, rows) for net in nets), seconds)
    except Exception as error:  # noqa: BLE001 - one search must not end the others
        return _Run(failure=" ".join(f"{type(error).__name__}: {error}".split()))


def _all_runs(
    crew: Crew, contest: _Contest, tasks: Sequence[_Task], watch: Watch, *, progress: bool
) -> dict[_Task, _Run]:
    """Run the tasks side by side, showing progress and heeding Ctrl-C."""
    runs: dict[_Task, _Run] = {}
    with ExitStack() as stack:
        line = None
        if progress:
            from bayesloom.learning.progress import RoundsLine

            line = stack.enter_context(RoundsLine("compare", len(tasks), "runs"))
        stack.enter_context(interruptible(watch))
        for task, run in crew.results(_ran, contest, tasks, watch):
            if run is not None:
                runs[task] = run
            if line is not None:
                line.done = len(runs)
                line(watch)
    cut_off = _Run(failure=f"not done: {watch.why(Stop.INTERRUPTED).value}")
    return {task: runs.get(task, cut_off) for task in tasks}


def _contender(
    titled: tuple[str, Search],
    numbered: tuple[int, Estimator],
    runs: Mapping[_Task, _Run],
    sizes: Sequence[int],
    *,
    n_rows: int,
) -> Contender:
    """Make the row of a search with an estimator."""
    (title, search), (which, estimator) = titled, numbered
    whole = runs[title, -1]
    folds = [runs[title, k] for k in range(len(sizes))]
    failures = [each.failure for each in (whole, *folds) if each.failure]
    losses = tuple(each.losses[which] for each in folds) if not failures else ()
    result, goal = whole.result, facts_of(search).goal(n_rows)
    value = None
    if result is not None and result.score is not None:
        value = ScoreValue("score" if goal is None else SCORES.name_of(goal), result.score)
    return Contender(
        title,
        f"{estimator}",
        float(np.average(losses, weights=sizes)) if losses else None,
        losses,
        value,
        None if result is None else result.graph,
        whole.seconds,
        failures[0] if failures else "",
    )
