"""The everyday call: from data of any kind to a learned network."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bayesloom.data import Discretization, MissingPolicy, Reading
from bayesloom.data.declared import DeclaredStates
from bayesloom.data.reading import USUAL
from bayesloom.engine import Engine, NativeEngine, is_engine
from bayesloom.errors import (
    DataError,
    GraphError,
    OptionError,
    check_flag,
    check_kind,
    listed,
    shown,
)
from bayesloom.facade.whole import Network
from bayesloom.graphs import mask_of
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.learning.record import Record
from bayesloom.model import BDeuMean, Estimator
from bayesloom.model.declaring import declared_by
from bayesloom.registry import described
from bayesloom.scores import check_complete
from bayesloom.search import (
    Budget,
    Knowledge,
    Limits,
    Search,
    SearchResult,
    StructuralEM,
    Watch,
    facts_of,
)

if TYPE_CHECKING:
    from bayesloom.data import MissingCells


def learn(
    data: Any,  # noqa: ANN401 - frames of whatever library
    search: Search | None = None,
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    states: DeclaredStates | None = USUAL.states,
    missing: MissingPolicy = USUAL.missing,
    missing_markers: Collection[object] = USUAL.missing_markers,
    discretize: Discretization = USUAL.discretize,
    bins: int = USUAL.bins,
    columns: Iterable[str] | None = USUAL.columns,
    drop: Iterable[str] = USUAL.drop,
    delimiter: str | None = USUAL.delimiter,
    encoding: str | None = USUAL.encoding,
    target: str | None = USUAL.target,
    states_from: DeclaredStates | None = USUAL.states_from,
    time_limit: float | str | None = None,
    max_steps: int | None = None,
    threads: int | None = None,
    progress: bool = False,
    estimator: Estimator | None = None,
) -> Network:
    """Learn a network from data.

    The result depends on the data and the options alone: not on the order of columns or rows, nor
    on the number of threads. Ctrl-C ends the search and returns the best network so far; a later
    one raises KeyboardInterrupt.

    Parameters
    ----------
    data : path, frame, Table or Engine
        A file (CSV, Parquet, Arrow), a frame of pandas or polars, an Arrow table, a dictionary of
        columns, a `Table`, or an `Engine` with its variables in name order.
    search : Search, optional
        How to search and what to maximise, such as ``GES(score=BIC())``. Default: ``IXGES()``; for
        data with missing cells (``missing="keep"``) ``IXGES(score=PNAL())``.
    knowledge : Knowledge, optional
        Edges and orders that the result must and must not have.
    max_parents : int, optional
        The most parents a variable may have.
    states, missing, missing_markers, discretize, bins, columns, drop
    delimiter, encoding, target, states_from
        How to read the data; see `bayesloom.Reading`. ``states`` may also be a network, or a file
        with one: the columns that it has get its states. A `Table` is already read: only
        ``columns`` and ``drop`` apply to it. Only CSV files have a ``delimiter`` and an
        ``encoding``.
    time_limit : float or str, optional
        Seconds, or a text such as ``"60s"`` or ``"5m"``; the search then returns the best network
        so far.
    max_steps : int, optional
        The most moves the search may make.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    progress : bool
        Show a line on standard error while the search runs; where that is no terminal, a new line
        now and then.
    estimator : Estimator, optional
        How the parameters of ``net`` are estimated: `MaximumLikelihood`, `Laplace` or `BDeuMean`.
        Default: ``BDeuMean(ess=10)``.

    Returns
    -------
    Network
        The network, how it came about, and what can be asked of it.

    Raises
    ------
    DataError, FileFormatError
        If the data break the data contract.
    OptionError
        If an option has a value it cannot take.
    KnowledgeError, UnknownVariableError
        If the knowledge cannot be met or names what is not there.

    Examples
    --------
    >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20})
    >>> learned.undirected
    (('rain', 'wet'),)
    >>> learned.net.table("rain").round(2)
    array([[0.9, 0.1],
           [0.1, 0.9]])
    """
    check_flag("progress", progress)
    _check_search(search)
    usable = hasattr(estimator, "probabilities") and not isinstance(estimator, type)
    if estimator is not None and not usable:
        msg = f"estimator must be a value such as Laplace() or BDeuMean(), got {estimator!r}"
        raise OptionError(msg)
    budget = Budget(seconds_of(time_limit), max_steps)
    known = _checked_knowledge(knowledge)
    reading = Reading(
        states=declared_by(states),
        missing=missing,
        missing_markers=missing_markers,
        discretize=discretize,
        bins=bins,
        columns=columns,
        drop=drop,
        delimiter=delimiter,
        encoding=encoding,
        target=target,
        states_from=states_from,
    )
    notes: tuple[str, ...] = ()
    if is_engine(data):
        engine, names = checked_engine(data, reading, threads), data.names
        cells = _missing_in(engine)
    else:
        table = reading.apply(data)
        notes = table.notes
        engine, names = NativeEngine(table.in_name_order(), threads), table.names
        cells = None if not engine.missing.any() else table.missing_cells()
    chosen = search or _default_search(engine)
    _check_holes(chosen, engine)
    watch, result = _run(chosen, engine, known, max_parents, budget, progress=progress)
    record = Record.of(
        result,
        search=chosen,
        n_rows=engine.n_rows,
        knowledge=known,
        max_parents=max_parents,
    )
    record = replace(record, notes=(*notes, *record.notes), missing=cells)
    return Network(
        graph=result.graph.reordered(names),
        extension=None if result.dag is None else result.dag.reordered(names),
        engine=engine,
        estimator=BDeuMean() if estimator is None else estimator,
        record=record,
        search=chosen,
        seconds=watch.seconds,
        reading=Reading.from_dict(reading.memory()),
    )


def _missing_in(engine: Engine) -> MissingCells | None:
    """Return what is missing behind an engine, whose rows need not be here."""
    if not engine.missing.any():
        return None
    from bayesloom.data import MissingCells

    return MissingCells.of_counts(engine.names, engine.missing.tolist(), engine.n_rows)


def _run(
    search: Search,
    engine: Engine,
    knowledge: Knowledge,
    max_parents: int | None,
    budget: Budget,
    *,
    progress: bool,
) -> tuple[Watch, SearchResult]:
    """Search within the limits and the budget, showing progress and heeding Ctrl-C."""
    # A variable that never varies depends on nothing, whatever states are declared for it.
    constant = mask_of(v for v, seen in enumerate(engine.observed) if seen == 1)
    limits = knowledge.limits(engine.names, max_parents).setting_apart(constant)
    watch = Watch(budget)
    with ExitStack() as stack:
        if progress:
            from bayesloom.learning.progress import ProgressLine

            watch.report = stack.enter_context(ProgressLine(type(search).__name__))
        stack.enter_context(interruptible(watch))
        result = search.search(engine, limits, watch)
    _check_result(result, limits, described(search))
    return watch, result


def _check_result(result: object, limits: Limits, title: str) -> None:
    """Refuse what a search of somebody's own may return: no result, or one outside the limits."""
    if not isinstance(result, SearchResult):
        msg = f"{title} must return a SearchResult, got {shown(repr(result))}"
        raise OptionError(msg)
    for graph in (result.graph, result.dag):
        if graph is not None and graph.names != limits.names:
            msg = f"{title} returned a graph that does not have the variables of the engine"
            raise GraphError(msg)
    if result.dag is not None:
        limits.check(result.dag.parent_masks, f"the graph that {title} returned")


def _check_search(search: object) -> None:
    """Refuse what is given as a search and is none."""
    if search is None:
        return
    if isinstance(search, type):
        msg = f"search must be a value, got the class {search.__name__}; write {search.__name__}()"
        raise OptionError(msg)
    if not callable(getattr(search, "search", None)):
        msg = f"search must be a search such as HillClimbing(score=BIC()), got {search!r}"
        raise OptionError(msg)


def _default_search(engine: Engine) -> Search:
    """Return the search for those who name none; it is imported only for them."""
    from bayesloom.learning.default import default_search

    return default_search(engine)


def _check_holes(search: Search, engine: Engine) -> None:
    """Refuse, before a search begins, holes that its score cannot compare families with.

    Raises
    ------
    DataError
        If there are any, or a column has no cell that is known.
    """
    if not engine.missing.any():
        return
    empty = [engine.names[v] for v, n in enumerate(engine.missing.tolist()) if n == engine.n_rows]
    if empty:
        have, them = ("column", "has", "it"), ("columns", "have", "them")
        what, has, it = have if len(empty) == 1 else them
        msg = (
            f"{what} {listed(shown(repr(x)) for x in empty)} {has} no cell that is known, so no "
            f"structure can be learned with {it}; drop {it} with drop={empty[:6]!r} (--drop)"
        )
        raise DataError(msg)
    if isinstance(search, StructuralEM):  # its score sees completed rows
        return
    facts = facts_of(search)
    for goal in (facts.goal(engine.n_rows), facts.link_goal(engine.n_rows)):
        if goal is not None:
            check_complete(goal, engine)


def _checked_knowledge(knowledge: Knowledge | None) -> Knowledge:
    if knowledge is None:
        return Knowledge()
    check_kind("knowledge", knowledge, Knowledge, "a Knowledge(required=..., forbidden=...)")
    return knowledge


def checked_engine(engine: Engine, reading: Reading, threads: int | None) -> Engine:
    """Return an engine that searches can ask: its variables are in name order."""
    given = {**reading.to_dict(), "threads": threads}
    usual = {**USUAL.to_dict(), "threads": None}
    for option, value in given.items():
        if value != usual[option]:
            msg = f"{option} is an option of reading, and an engine has its data; give it there"
            raise OptionError(msg)
    for name, following in pairwise(engine.names):
        if name > following:
            msg = (
                f"the variables of an engine must be in name order, and {following!r} comes after "
                f"{name!r}; make it of table.in_name_order()"
            )
            raise OptionError(msg)
    return engine
