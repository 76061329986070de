"""The everyday call: from data of any kind to a learned network."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from itertools import pairwise
from numbers import Integral, Real
from types import UnionType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from bayesloom.data.discretization import uses
from bayesloom.data.planned import PlannedReading
from bayesloom.data.reading import USUAL, Reading, ReadingOptions, plain_options
from bayesloom.engine import (
    Engine,
    NativeEngine,
    can_complete,
    heeding,
    is_engine,
    numeric_columns,
    told_of,
)
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
from bayesloom.graphs import DAG, skeleton
from bayesloom.learning.choice import ChangedDefault, chosen_search
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Kind, directed, undirected
from bayesloom.logs import log_notes
from bayesloom.model import BDeuMean, Estimator
from bayesloom.model.declaring import declared_by
from bayesloom.registry import described
from bayesloom.scores import Score, check_complete
from bayesloom.search import (
    Budget,
    Knowledge,
    Limits,
    Search,
    SearchResult,
    Step,
    Stop,
    Watch,
    facts_of,
)

if TYPE_CHECKING:
    from bayesloom.data import MissingCells
    from bayesloom.learning.progress import EncodingLine

_COUNTED_AROUND = (
    "rows with missing cells are counted around them (PNAL) and not completed by structural EM, "
    "which learn does for categories where rows are in memory"
)


def learn(
    data: Any,  # noqa: ANN401 - frames of whatever library
    search: Search | None = None,
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    time_limit: float | str | None = None,
    max_steps: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
    progress: bool | Callable[[Watch], object] = False,
    estimator: Estimator | None = None,
    fdr: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Network:
    """Learn a network from data.

    The result depends on the data and the options alone: not on the order of columns or rows, nor
    on the number of threads. Ctrl-C ends the search and returns the best network so far; a later
    one raises KeyboardInterrupt.

    Parameters
    ----------
    data : path, frame, Table or Engine
        A file (CSV, Parquet, Arrow), a folder or a glob of files, a frame of pandas or polars, an
        Arrow table, a dictionary of columns, a `Table`, a `DuckDBSource`, or an `Engine` with its
        variables in name order.
    search : Search, optional
        How to search and what to maximise, such as ``GES(score=BIC())``. Default: ``IXGES()``; for
        data with missing cells (``missing="keep"``) ``StructuralEM(IXGES())``. A search whose score
        is not named maximises ``PNAL()`` where cells are missing.
    knowledge : Knowledge, optional
        Edges and orders that the result must and must not have, and how likely arrows are: where
        beliefs differ by direction, the default is tabu search over DAGs in place of XGES.
    max_parents : int, optional
        The most parents a variable may have.
    time_limit : float or str, optional
        Seconds, or a text such as ``"60s"`` or ``"5m"``; the search then returns the best network
        so far.
    max_steps : int, optional
        The most moves the search may make.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    engine : {"auto", "memory", "disk", "dask"}
        Where the rows are while the search runs. ``disk`` encodes files into a cache and counts
        from there, see `bayesloom.open`; ``auto`` does so if they would take more than ``memory``.
        ``dask`` lets the workers of a cluster read and hold them, see `bayesloom.DaskEngine`.
    memory : int or str, optional
        A size such as ``"1GB"``: with ``disk`` what blocks and tables may take (default 1 GB), with
        ``auto`` what the data may take in memory (default: half of what the machine has).
    cache : path, optional
        The folder of caches of ``disk``.
    scheduler : str, optional
        The address of the scheduler of ``dask``, such as ``"tcp://host:8786"``.
    progress : bool or callable
        Show a line on standard error while the search runs; where that is no terminal, a new line
        now and then. Or a function that is called with the `Watch` of the search before its first
        step and after every step and trial; ``watch.interrupt()`` ends the search there, from any
        thread, and the best network so far is returned.
    estimator : Estimator, optional
        How the parameters of ``net`` are estimated: `MaximumLikelihood`, `Laplace` or `BDeuMean`.
        Default: ``BDeuMean(ess=10)``.
    fdr : float, optional
        Choose the ``sparsity`` of the score, from 0 to 4 in quarters: the lowest at which at most
        this share of the edges is expected to be chance (`Network.false_edges`); 0 for the lowest
        at which nothing is joined in permuted columns. It takes some 25 searches.
    **reading
        How to read the data: ``states``, ``missing``, ``missing_markers``, ``numbers``,
        ``discretize``, ``bins``, ``columns``, ``drop``, ``delimiter``, ``encoding``, ``target``,
        ``states_from``, ``header``, ``skip_lines``, ``strip``, ``dates``, ``auto``, ``strict``;
        see `bayesloom.Reading`. ``states`` may also be a network, or a file with one: the columns
        that it has get its states. A `Table` is already read: only ``columns`` and ``drop`` apply
        to it. Only CSV files have a ``delimiter`` and an ``encoding``.

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
    return learn_for(
        lambda _: None,
        data,
        search,
        knowledge=knowledge,
        max_parents=max_parents,
        time_limit=time_limit,
        max_steps=max_steps,
        threads=threads,
        engine=engine,
        memory=memory,
        cache=cache,
        scheduler=scheduler,
        progress=progress,
        estimator=estimator,
        fdr=fdr,
        **reading,
    )


def learn_for(
    admit: Callable[[Engine], object],
    data: Any,  # noqa: ANN401 - frames of whatever library
    search: Search | None = None,
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    time_limit: float | str | None = None,
    max_steps: int | None = None,
    threads: int | None = None,
    engine: str = "auto",
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
    progress: bool | Callable[[Watch], object] = False,
    estimator: Estimator | None = None,
    fdr: float | None = None,
    **reading: Unpack[ReadingOptions],
) -> Network:
    """Learn a network as `learn` does, after ``admit`` has had a look at the data.

    It raises if the result could not be used, such as saved where the data have numbers.
    """
    if not callable(progress) or isinstance(progress, type):
        check_flag("progress", progress)
    check_search(search)
    usable = hasattr(estimator, "probabilities") and not isinstance(estimator, type)
    if estimator is not None and not usable:
        msg = f"estimator must be a value such as Laplace() or BDeuMean(), got {estimator!r}"
        raise OptionError(msg)
    budget = Budget(seconds_of(time_limit), max_steps)
    known = checked_knowledge(knowledge)
    options = {**reading, "states": declared_by(reading.get("states"))}
    how = Reading.from_dict(options, learn)
    how = how if how.strict else PlannedReading(**plain_options(how))
    is_far = is_engine(data) and data.round_trip > 0
    if fdr is not None and (is_far or uses(how.discretize, "network")):
        msg = "fdr runs many searches over rows that are near and cut already; leave it out"
        raise OptionError(msg)
    run = partial(run_search, search, known, max_parents, progress=progress)
    where: dict[str, Any] = {
        "engine": engine,
        "memory": memory,
        "cache": cache,
        "scheduler": scheduler,
    }
    if is_engine(data):
        rows = checked_engine(data, how, threads, where)
        names, notes = told_of(data)
        search = _priced(rows, search, known, max_parents, fdr, admit=admit)
        watch, result = run_search(search, known, max_parents, rows, budget, progress=progress)
        seconds = watch.seconds
    elif uses(how.discretize, "network"):
        from bayesloom.facade.cut_rounds import cut_and_learn

        if engine in ("disk", "dask"):
            msg = f"discretize='network' cuts rows in memory; leave out engine='{engine}'"
            raise OptionError(msg)
        if how.missing == "keep":
            msg = (
                "discretize='network' counts every row, and missing='keep' leaves cells open; take "
                "another way to cut, or missing='drop' or 'state'"
            )
            raise OptionError(msg)
        rows, names, notes, result, seconds = cut_and_learn(data, how, run, budget, threads)
    else:
        from bayesloom.engine.choice import engine_over

        with _encoding_line() if progress is True else nullcontext() as line:
            rows, names, notes = engine_over(data, how, threads=threads, report=line, **where)
        search = _priced(rows, search, known, max_parents, fdr, admit=admit)
        watch, result = run_search(search, known, max_parents, rows, budget, progress=progress)
        seconds = watch.seconds
    cells = missing_in(rows, names)
    chosen = chosen_search(rows, search, known)
    record = Record.of(
        result,
        search=chosen,
        n_rows=rows.n_rows,
        knowledge=known,
        max_parents=max_parents,
        numbers=_numbers_in(rows),
    )
    unnamed = search is None or isinstance(search, ChangedDefault)
    if unnamed and cells is not None and not can_complete(rows):
        notes = (*notes, _COUNTED_AROUND)
    notes = (*notes, *_notes_on_kinds(record, result.graph))
    record = replace(record, notes=(*notes, *record.notes), missing=cells)
    log_notes(record.notes)
    return Network(
        graph=result.graph.reordered(names),
        extension=None if result.dag is None else result.dag.reordered(names),
        engine=rows,
        estimator=BDeuMean() if estimator is None else estimator,
        record=record,
        search=chosen,
        seconds=seconds,
        reading=Reading.from_dict(how.memory()),
    )


def _priced(
    engine: Engine,
    search: Search | None,
    knowledge: Knowledge,
    max_parents: int | None,
    fdr: float | None,
    *,
    admit: Callable[[Engine], object],
) -> Search | None:
    """Return the search at the price per edge that a share of chance edges asks for."""
    admit(engine)
    if fdr is None:
        return search
    from bayesloom.facade.chance import search_at

    chosen = chosen_search(engine, search, knowledge)
    check_holes(chosen, engine)
    return search_at(chosen, engine, knowledge, max_parents, fdr)


def _numbers_in(engine: Engine) -> tuple[str, ...]:
    """Return the columns of numbers beside columns of categories, or all if there are no others."""
    return tuple(engine.names[v] for v in np.flatnonzero(numeric_columns(engine)))


def _notes_on_kinds(record: Record, graph: Any) -> tuple[str, ...]:  # noqa: ANN401 - of any kind
    """Say what the model leaves open where there are numbers and categories."""
    numbers = set(record.numbers)
    if not numbers or len(numbers) == len(graph.names):
        return ()
    between = sum(
        (a in numbers) != (b in numbers) for a, b in (*directed(graph), *undirected(graph))
    )
    if not between:
        return ()
    note = (
        f"{between} edge{'s lead' if between > 1 else ' leads'} from a category to a number, as "
        "the model has none the other way round; that alone says nothing about causes"
    )
    return (note,)


def _encoding_line() -> EncodingLine:
    from bayesloom.learning.progress import EncodingLine

    return EncodingLine()


def missing_in(engine: Engine, names: tuple[str, ...]) -> MissingCells | None:
    """Return what is missing behind an engine; what is missing together if its rows are here."""
    if not engine.missing.any():
        return None
    if isinstance(engine, NativeEngine):
        return engine.table.reordered(names).missing_cells()
    from bayesloom.data import MissingCells

    return MissingCells.of_counts(engine.names, engine.missing.tolist(), engine.n_rows)


def run_search(
    given: Search | None,
    knowledge: Knowledge,
    max_parents: int | None,
    engine: Engine,
    budget: Budget,
    *,
    progress: bool | Callable[[Watch], object],
) -> tuple[Watch, SearchResult]:
    """Search within the limits and the budget, showing progress and heeding Ctrl-C."""
    search = chosen_search(engine, given, knowledge)
    check_holes(search, engine)
    limits = knowledge.limits(engine.names, max_parents).over(engine)
    if knowledge.belief:
        from bayesloom.search.believing import believing

        search = believing(search, knowledge, limits)
    watch = Watch(budget)
    with ExitStack() as stack:
        if callable(progress):
            watch.report = progress
            watch.tell()
        elif progress:
            from bayesloom.learning.progress import ProgressLine

            line = stack.enter_context(ProgressLine(type(search).__name__))
            watch.report = line
            if hasattr(engine, "reporting"):  # it goes through its rows so long that it tells
                engine = engine.reporting(lambda scan: line.scanned(watch, str(scan)))
        stack.enter_context(interruptible(watch))
        result = search.search(heeding(engine, watch.signal), limits, watch)
    check_result(result, limits, described(search))
    return watch, result


def check_result(result: object, limits: Limits, title: str) -> None:
    """Refuse what a search of somebody's own may return: no result, or one outside the limits."""
    if not isinstance(result, SearchResult):
        msg = f"{title} must return a SearchResult, got {shown(repr(result))}"
        raise OptionError(msg)
    what = f"the graph that {title} returned"
    _check_members(result, title)
    for graph in (result.graph, result.dag):
        if graph is not None and graph.names != limits.names:
            msg = f"{title} returned a graph that does not have the variables of the engine"
            raise GraphError(msg)
    if result.dag is not None:
        limits.check(result.dag.parent_masks, what)
    graph, kind = result.graph, Kind.of(result.graph)
    if hasattr(graph, "parent_masks") and (kind is Kind.DAG or result.dag is None):
        limits.check(graph.parent_masks, what)
    near = tuple(skeleton(graph.parent_masks)) if isinstance(graph, DAG) else graph.adjacency
    limits.check_pairs(near, what)
    dag = None if kind is Kind.MARKOV_NETWORK else result.dag
    if dag is not None and tuple(skeleton(dag.parent_masks)) != near:
        msg = f"the dag that {title} returned does not join the variables that its graph joins"
        raise GraphError(msg)


def _check_members(result: SearchResult, title: str) -> None:
    """Refuse members of a result that are not what they are called."""
    told: dict[str, tuple[object, type | UnionType, str]] = {
        "graph": (result.graph, _kinds_like(result.graph), "a DAG, a PDAG or a ChordalGraph"),
        "dag": (result.dag, DAG | None, "a DAG or None"),
        "score": (result.score, Real | None, "a number or None"),
        "steps": (result.steps, tuple, "a tuple of steps"),
        "stop": (result.stop, Stop, "a Stop such as Stop.COMPLETE"),
        "candidates": (result.candidates, Integral, "a whole number"),
    }
    for member, (value, kind, wanted) in told.items():
        check_kind(f"the {member} that {title} returned", value, kind, wanted)
    for step in result.steps:
        check_kind(f"a step that {title} returned", step, Step, "a Step")
    if result.score is not None and not math.isfinite(result.score):
        msg = f"the score that {title} returned must be a finite number, got {result.score}"
        raise OptionError(msg)


def _kinds_like(graph: object) -> type | UnionType:
    """Return the kinds that a graph may be of; those of classes are not imported for a DAG."""
    if isinstance(graph, DAG):
        return DAG
    from bayesloom.graphs import PDAG, ChordalGraph

    return PDAG | ChordalGraph


def check_search(search: object) -> None:
    """Refuse what is given as a search and is none."""
    if search is None:
        return
    if isinstance(search, type):
        msg = f"search must be a value, got the class {search.__name__}; write {search.__name__}()"
        raise OptionError(msg)
    if not callable(getattr(search, "search", None)):
        msg = f"search must be a search such as HillClimbing(score=BIC()), got {search!r}"
        raise OptionError(msg)


def check_holes(search: Search, engine: Engine) -> None:
    """Refuse, before a search begins, holes that its score cannot compare families with.

    Raises
    ------
    DataError
        If there are any, or a column has no cell that is known.
    """
    if not engine.missing.any():
        return
    from bayesloom.search import DMN, StructuralEM

    check_known(None, engine)
    if isinstance(search, StructuralEM):  # which completes rows
        return
    facts = facts_of(search)
    if any(isinstance(part, DMN) for part in facts.parts()):
        msg = (
            "the score of a decomposable Markov network adds up over rows, and cells are missing; "
            f"complete them with StructuralEM({described(search)}), on the command line the same "
            "after --search, or read the data with missing='drop' or missing='state' (--missing)"
        )
        raise DataError(msg)
    check_known(facts.goal(engine.n_rows), engine)


def check_known(goal: Score | None, engine: Engine) -> None:
    """Refuse holes that a score cannot compare families with, and columns without a known cell.

    Raises
    ------
    DataError
        If there are any.
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
    if goal is not None:
        check_complete(goal, engine)


def checked_knowledge(knowledge: Knowledge | None) -> Knowledge:
    """Return what a user knows, nothing for None."""
    if knowledge is None:
        return Knowledge()
    check_kind("knowledge", knowledge, Knowledge, "a Knowledge(required=..., forbidden=...)")
    return knowledge


def checked_engine(
    engine: Engine, reading: Reading, threads: int | None, where: Mapping[str, object] | None = None
) -> Engine:
    """Return an engine that searches can ask: its variables are in name order.

    ``where`` are options on where rows are to be, which an engine has decided.
    """
    given = {**reading.to_dict(), "threads": threads, **(where or {})}
    usual = {**USUAL.to_dict(), "engine": "auto"}
    for option, value in given.items():
        if value != usual.get(option):
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
