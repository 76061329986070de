"""How sure is every edge: the bootstrap, and the network that its replicates average to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.averaging import (
    Averaged,
    Checkpoint,
    Joined,
    PairTally,
    Replicates,
    StrengthTable,
    average_arrows,
    average_links,
    run_replicates,
    significance_threshold,
)
from bayesloom.averaging.checkpoint import checkpoint_path, fingerprint
from bayesloom.averaging.replicate import replicate_seed, resampling
from bayesloom.data import Reading
from bayesloom.engine import Engine, NativeEngine, heeding, is_engine
from bayesloom.engine.data_engine import told_of
from bayesloom.errors import CapacityError, ClusterError, OptionError, check_flag, check_whole
from bayesloom.facade.entry import (
    check_holes,
    check_result,
    check_search,
    checked_engine,
    checked_knowledge,
    missing_in,
)
from bayesloom.facade.fitting import completed_engine
from bayesloom.facade.whole import Network
from bayesloom.graphs import DAG
from bayesloom.graphs.text import counted
from bayesloom.learning.choice import chosen_search
from bayesloom.learning.confidence import Confidence
from bayesloom.learning.crew import Crew, crew_of
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.learning.record import Record, stop_name
from bayesloom.learning.structure import Kind, class_of, directed, undirected
from bayesloom.model import BDeuMean, Estimator, fit_em
from bayesloom.registry import SCORES, described
from bayesloom.scores import Score
from bayesloom.search import Budget, Knowledge, Limits, Search, Stop, Watch, facts_of
from bayesloom.search.believing import believed_score, believing

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.report import Picture


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Bootstrap:
    """How often edges were found in resamples of the data, and the network they average to.

    Parameters
    ----------
    confidence : Confidence
        The strength and the direction of every pair, and the threshold.
    averaged : Network
        The network of the pairs above the threshold, fitted to the data; its stories, tables,
        pictures and files tell how often every edge was found.
    average : Averaged
        Its graph in the order of names, and which edges were turned round or dropped for it, or
        have no settled direction.
    wanted : int
        How many replicates were asked for.
    seed : int
        The seed of the draws.
    stop : Stop
        Why there are not more.
    seconds : float
        How long it took.
    """

    confidence: Confidence
    averaged: Network
    average: Averaged
    wanted: int
    seed: int
    stop: Stop
    seconds: float
    all_strengths: tuple[float, ...] = field(repr=False, default=())

    @property
    def edges(self) -> StrengthTable:
        """Strength and direction of every pair that was joined, as a table."""
        names = self.averaged.graph.names
        return StrengthTable(self.confidence, links=self._links, names=names)

    @property
    def threshold(self) -> float:
        """Pairs of a higher strength are joined in ``averaged``."""
        return self.confidence.threshold

    @property
    def replicates(self) -> int:
        """How many replicates were done."""
        return self.confidence.networks

    @property
    def _links(self) -> bool:
        return Kind.of(self.averaged.graph) is Kind.MARKOV_NETWORK

    def plot(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """Draw the averaged network; edges are as thick as they are strong."""
        return self.averaged.plot(path)

    def threshold_plot(self, path: str | os.PathLike[str] | None = None) -> str:
        """Draw the distribution of strengths and the threshold, as an SVG text or file."""
        from bayesloom.report.strength_chart import strength_chart

        return strength_chart(self.all_strengths, self.threshold, path)

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data, as ``bayesloom bootstrap --json`` prints it."""
        graph = self.averaged.graph
        return {
            "edges": [pair._asdict() for pair in self.confidence.pairs],
            "threshold": self.threshold,
            "averaged": {
                "directed": [list(edge) for edge in directed(graph)],
                "undirected": [list(edge) for edge in undirected(graph)],
            },
            "replicates": self.replicates,
            "wanted": self.wanted,
            "seed": self.seed,
            "turned": [list(edge) for edge in self.average.turned],
            "dropped": [list(edge) for edge in self.average.dropped],
            "unsettled": [list(edge) for edge in self.average.unsettled],
            "stop": stop_name(self.stop),
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        done = f"{self.replicates:,}"
        if self.replicates < self.wanted:
            done += f" of {self.wanted:,} replicates ({self.stop.value})"
        else:
            done += f" replicate{'s' * (self.replicates != 1)}"
        assert self.averaged.record is not None
        head = [
            (
                f"Bootstrap of {self.averaged.record.n_rows:,} rows: {done} with seed {self.seed}, "
                f"{self.seconds:.1f} s"
            ),
            f"  averaged  a network of {counted(len(self.average.graph.edges), 'edge')}",
            *(f"  note      {note}" for note in self.average.notes()),
        ]
        return "\n".join([*head, str(self.edges)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        drawn = f'<div style="overflow-x: auto">{self.plot()}</div>'
        return f"{drawn}{self.edges._repr_html_()}"


def bootstrap(
    data: Any,  # noqa: ANN401 - frames of whatever library
    search: Search | None = None,
    *,
    replicates: int = 200,
    seed: int = 0,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    classes: bool = True,
    estimator: Estimator | None = None,
    threads: int | None = None,
    scheduler: Any = None,  # noqa: ANN401 - an address or a client of Dask
    time_limit: float | str | None = None,
    progress: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    engine: Any = "auto",  # noqa: ANN401 - a name, then the engine itself
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    **reading: Unpack[ReadingOptions],
) -> Bootstrap:
    """Learn from many resamples of the rows, and tell how often every edge is found.

    Each replicate draws as many rows as there are, with replacement, and searches anew. The
    strength of a pair is the share of replicates that join it, its direction the share of these
    with x -> y. The same data, options and seed give the same result, whatever the number of
    threads, the engine or the order of columns; rows in another order are other draws.

    Parameters
    ----------
    data : path, frame, Table or Engine
        As for `bayesloom.learn`; an engine must have ``resampled`` (see `Resampling`).
    search : Search, optional
        What is run on every resample; by default the default search of `bayesloom.learn`.
    replicates : int
        How many resamples.
    seed : int
        Seed of the draws.
    knowledge, max_parents
        What every network, and the averaged one, keeps to.
    classes : bool
        Count a DAG by the graph of its equivalence class, in which an edge that might as well point
        the other way has no direction and counts half each way. False takes the arrows of a DAG as
        they are, which makes sense where an order was given.
    estimator : Estimator, optional
        How the parameters of the averaged network are estimated.
    threads : int, optional
        How many replicates run side by side; by default as many as there are processors.
    scheduler : str or distributed.Client, optional
        Run the replicates on the workers of a Dask cluster, given the address of its scheduler or
        a client; each worker gets all rows. Rows that no worker could hold alone are resampled
        where they are if ``data`` is a `DaskEngine`.
    time_limit : float or str, optional
        Seconds, or a text such as ``"60s"``; the replicates done until then count. Ctrl-C does the
        same.
    progress : bool
        Show a line on standard error.
    checkpoint : str or path, optional
        A file that keeps the replicates that are done; a later call with the same data and options
        goes on from there, also with a larger number of replicates.
    engine, memory, cache : str or int, optional
        Where the rows are, ``"auto"``, ``"memory"`` or ``"disk"``, and what each of the replicates
        side by side may take; see `bayesloom.learn`. On a disk a replicate needs as much room as
        the cache.
    **reading
        How to read the data, such as ``missing="drop"``; see `bayesloom.Reading`.

    Returns
    -------
    Bootstrap
        ``edges`` is a table; ``averaged`` is the network of the edges above the threshold.

    Raises
    ------
    DataError, FileFormatError, KnowledgeError, OptionError, UnknownVariableError
        As `bayesloom.learn`; a checkpoint of other data or options is a FileFormatError.
    ClusterError
        If the cluster is not there, or has workers with another version of bayesloom.

    References
    ----------
    N. Friedman, M. Goldszmidt, A. Wyner: Data analysis with Bayesian networks: a bootstrap
    approach, UAI 1999. M. Scutari, R. Nagarajan: Identifying significant edges in graphical models
    of molecular networks, Artificial Intelligence in Medicine 57, 2013.

    Examples
    --------
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> sure = bootstrap(frame, replicates=20)
    >>> sure.edges["rain", "wet"].strength, sure.averaged.undirected
    (1.0, (('rain', 'wet'),))
    """
    check_whole("replicates", replicates, 1)
    check_whole("seed", seed, 0)
    check_flag("classes", classes)
    check_flag("progress", progress)
    check_search(search)
    known = checked_knowledge(knowledge)
    budget = Budget(seconds_of(time_limit))
    place = None if checkpoint is None else checkpoint_path(checkpoint)
    read = Reading.from_dict(reading, bootstrap)
    where = {"engine": engine, "memory": memory, "cache": cache}
    engine, names, notes = engine_and_names(data, read, where=where)
    chosen = chosen_search(engine, search, known)
    check_holes(chosen, engine)
    limits = known.limits(engine.names, max_parents)
    resampling(engine)
    watch = Watch(budget)
    options = (repr(chosen), known, max_parents, seed, classes)
    if scheduler is not None:
        check_movable(engine)
    with crew_of(threads, scheduler) as crew:
        found = _replicates(
            SearchedReplicate(believing(chosen, known, limits), limits, classes),
            engine,
            replicates,
            seed=seed,
            watch=watch,
            crew=crew,
            kept=_opened(place, engine, options, seed),
            progress=progress,
        )
    joined = [found.done[k] for k in sorted(found.done) if k < replicates]
    tally = PairTally.of(joined, engine.n_variables)
    strengths = tuple(tally.all_strengths().tolist())
    shown = "" if classes else ", classes=False"
    call = f"bootstrap(data, {described(chosen)}, replicates={tally.graphs}, seed={seed}{shown})"
    confidence = Confidence(
        tally.graphs, tally.pairs(engine.names), significance_threshold(strengths), call=call
    )
    kind = Kind(joined[0].kind) if joined else Kind.DAG
    made = averaged_graph(confidence, limits, kind, tally.unsettled(engine.names))
    return Bootstrap(
        confidence,
        averaged_network(
            made,
            confidence,
            kind,
            names,
            engine=engine,
            estimator=estimator,
            search=chosen,
            knowledge=known,
            max_parents=max_parents,
            title=f"average of {tally.graphs:,} bootstrap replicates of {described(chosen)}",
            stop=found.stop,
            watch=watch,
            notes=notes,
            reading=read,
        ),
        made,
        replicates,
        seed,
        found.stop,
        watch.seconds,
        strengths,
    )


def engine_and_names(
    data: object, reading: Reading, threads: int | None = 1, *, where: Mapping[str, Any]
) -> tuple[Engine, tuple[str, ...], tuple[str, ...]]:
    """Return data behind an engine, the variables in the user's order, and notes on the data."""
    if is_engine(data):
        return checked_engine(data, reading, None, where), *told_of(data)
    from bayesloom.engine.choice import engine_here

    return engine_here(data, reading, threads=threads, **where)


def check_movable(engine: Engine) -> None:
    """Refuse rows that cannot be sent to every worker of a cluster.

    Raises
    ------
    OptionError
        If they are not in the memory of this process.
    """
    if not isinstance(engine, NativeEngine):
        kind = type(engine).__name__
        msg = (
            f"scheduler sends all rows to every worker of the cluster, and {kind} does not have "
            "them in memory; leave scheduler out, or give a table, a frame or a file"
        )
        raise OptionError(msg)


@dataclass(frozen=True, slots=True)
class SearchedReplicate:
    """What is done with one resample: a search, whose edges are counted by classes or as they are.

    It travels to the workers of a cluster.
    """

    search: Search
    limits: Limits
    classes: bool

    def __call__(self, engine: Engine, watch: Watch) -> tuple[Joined, Stop]:
        """Search the rows of an engine; return the edges found, and why the search ended."""
        own = self.limits.over(engine)
        result = self.search.search(engine, own, watch)
        check_result(result, own, described(self.search))
        graph, kind = result.graph, Kind.of(result.graph)
        if self.classes and isinstance(graph, DAG):
            return Joined.of(class_of(graph, self.limits), kind), result.stop
        return Joined.of(graph, kind), result.stop


def _opened(place: str | None, engine: Engine, options: object, seed: int) -> Checkpoint | None:
    if place is None:
        return None
    first = resampling(engine).resampled(replicate_seed(seed, 0))
    return Checkpoint(place, fingerprint(engine, first, options))


def _replicates(
    act: SearchedReplicate,
    engine: Engine,
    wanted: int,
    *,
    seed: int,
    watch: Watch,
    crew: Crew,
    kept: Checkpoint | None,
    progress: bool,
) -> Replicates:
    """Run what the checkpoint does not have, showing progress and heeding Ctrl-C."""
    known = {} if kept is None else kept.read()
    with ExitStack() as stack:
        line = None
        if progress:
            from bayesloom.learning.progress import RoundsLine

            line = stack.enter_context(RoundsLine("bootstrap", wanted, "replicates"))
            line.known = line.done = len(known)

        def tell(done: Any) -> None:  # noqa: ANN401 - the replicates
            if kept is not None:
                kept.keep(done)
            if line is not None:
                line.done = len(done)
                line(watch)

        stack.enter_context(interruptible(watch))
        found = run_replicates(
            engine, act, wanted, seed=seed, watch=watch, crew=crew, known=known, tell=tell
        )
        if kept is not None:
            kept.keep(found.done, now=True)
    return found


def averaged_graph(
    confidence: Confidence,
    limits: Limits,
    kind: Kind,
    unsettled: frozenset[tuple[str, str]] = frozenset(),
) -> Averaged:
    """Return the graph of the pairs above the threshold; ``unsettled`` have no sure direction."""
    table = StrengthTable(confidence)
    strong = [pair for pair in confidence.pairs if table.is_significant(pair)]
    if kind is Kind.MARKOV_NETWORK:
        return average_links(strong, limits)
    return average_arrows(strong, limits, unsettled)


def score_of_average(engine: Engine, score: Score, dag: DAG) -> float | None:
    """Return the score of a graph; for one that takes no holes, of rows completed by the graph.

    None if it is so dense that no rows can be completed by it, or the rows are with a cluster that
    does not count them any more.
    """
    try:
        if not score.takes_holes and engine.missing.any():
            engine = completed_engine(engine, fit_em(dag, engine)[0])
        return score.total(engine, dag.parent_masks)
    except (CapacityError, ClusterError):
        return None


def averaged_network(
    made: Averaged,
    confidence: Confidence,
    kind: Kind,
    names: tuple[str, ...],
    *,
    engine: Engine,
    estimator: Estimator | None,
    search: Search | None,
    knowledge: Knowledge,
    max_parents: int | None,
    title: str,
    stop: Stop,
    watch: Watch,
    notes: tuple[str, ...],
    reading: Reading,
    goal: Any = None,  # noqa: ANN401 - a Score
) -> Network:
    """Make a network of an averaged graph, with a record that tells how sure its edges are."""
    dag = made.graph if isinstance(made.graph, DAG) else made.graph.to_dag()
    limits = knowledge.limits(engine.names, max_parents)
    graph = class_of(dag, limits) if kind is Kind.CLASS else made.graph
    score = goal if search is None else facts_of(search).goal(engine.n_rows)
    scored = None if score is None else believed_score(score, knowledge, limits)
    rows = heeding(engine, watch.signal)
    record = Record(
        search=title,
        kind=kind,
        score=None if score is None else SCORES.told(score),
        total=None if scored is None else score_of_average(rows, scored, dag),
        steps=(),
        stop=stop,
        candidates=0,
        n_rows=engine.n_rows,
        knowledge=knowledge,
        max_parents=max_parents,
        notes=(*notes, *made.notes()),
        confidence=confidence,
        missing=missing_in(engine, names),
    )
    return Network(
        graph=graph.reordered(names),
        extension=dag.reordered(names),
        engine=engine,
        estimator=BDeuMean() if estimator is None else estimator,
        record=record,
        search=search,
        seconds=watch.seconds,
        reading=Reading.from_dict(reading.memory()),
    )
