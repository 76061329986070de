"""How far any network is from the optimum, proven."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.data import Reading
from bayesloom.data.network_rows import reading_of_columns
from bayesloom.engine import Engine, engine_in_memory, heeding, is_engine
from bayesloom.engine.data_engine import refuse_reading
from bayesloom.errors import check_flag, check_kind, check_whole
from bayesloom.facade.construction import NetworkLike, network
from bayesloom.facade.entry import check_known, checked_engine
from bayesloom.facade.whole import Network
from bayesloom.graphs import DAG
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.model import table_for
from bayesloom.registry import SCORES
from bayesloom.scores import BIC, PNAL, Score, check_score
from bayesloom.search import Budget, Exact, Knowledge, Proof, Stop, Watch
from bayesloom.search.believing import believed_score

if TYPE_CHECKING:
    import os

    from bayesloom.data.reading import ReadingOptions


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """What is proven of a network: its score, the best known one, and a bound for all.

    Parameters
    ----------
    name : str
        The score.
    score : float
        What the network scores, in nats.
    best : float
        The highest score known.
    bound : float
        No network scores more than this; infinity if nothing has been proven.
    dag : DAG
        A network with the highest score known.
    stop : Stop
        Why the search for the optimum ended.
    max_parents : int, optional
        The most parents that a variable has in the networks that the proof is about.
    """

    name: str
    score: float
    best: float
    bound: float
    dag: DAG
    stop: Stop
    max_parents: int | None = None

    @property
    def proof(self) -> Proof:
        """What is proven of the network itself."""
        return Proof(self.score, self.bound, self.max_parents)

    @property
    def gap(self) -> float:
        """How far below the optimum the network is at most, in nats."""
        return self.proof.gap

    @property
    def optimal(self) -> bool:
        """Whether no network scores more."""
        return self.proof.optimal

    def to_dict(self) -> dict[str, object]:
        """Return the certificate as plain data, as ``bayesloom certify --json`` prints it."""
        told = Proof(self.best, self.bound).to_dict()
        return {
            "score": {"name": self.name, "value": self.score},
            "best": self.best,
            "bound": told["bound"],
            "gap": self.proof.to_dict()["gap"],
            "optimal": self.optimal,
            "max_parents": self.max_parents,
        }

    def __str__(self) -> str:
        said = str(self.proof)
        if not self.optimal and Proof(self.best, self.bound).optimal:
            said = said.removeprefix("at most ")  # the optimum itself is known
        lines = [f"{self.name} {self.score:,.6f}: {said}"]
        if not self.optimal and self.best > self.score:
            more = self.best - self.score
            lines.append(f"a network with {self.best:,.6f} is known, {more:,.6f} more")
        if self.stop is not Stop.OPTIMUM:
            lines.append(f"not settled: {self.stop.value}")
        return "\n  ".join(lines)

    __repr__ = __str__


def certify(
    net: NetworkLike,
    data: Any,  # noqa: ANN401 - frames of whatever library
    score: Score | None = None,
    *,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | str | None = None,
    threads: int | None = None,
    progress: bool = False,
    engine: Any = "auto",  # noqa: ANN401 - a name, then the engine itself
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    **reading: Unpack[ReadingOptions],
) -> Certificate:
    """Prove how far a network is from the highest score that any network has.

    Any: also those with edges at constant columns, which no search of ours draws.

    Parameters
    ----------
    net : network, graph, arrows or path
        The network, of whatever origin: all that `bayesloom.facade` takes.
    data : path, frame, Table or Engine
        The data. A network with states of its own lends them to data that are read here.
    score : Score, optional
        What is compared; by default ``BIC()``, or ``PNAL()`` where cells are missing.
    max_parents : int, optional
        Compare with networks in which no variable has more parents.
    knowledge : Knowledge, optional
        Compare with networks that keep to this.
    time_limit : float or str, optional
        Seconds, or a text such as ``"60s"``; what is proven until then is told.
    threads : int, optional
        How many threads count.
    progress : bool
        Show a line on standard error.
    engine, memory, cache : str or int, optional
        Where the rows are, ``"auto"``, ``"memory"`` or ``"disk"``; see `bayesloom.learn`.
    **reading
        How to read a file or frame, such as ``missing="drop"``; see `bayesloom.Reading`. What is
        not written out is read as the network's own data were, if it remembers.

    Returns
    -------
    Certificate
        Prints as a sentence.

    Raises
    ------
    KnowledgeError
        If the network itself has more parents, or breaks the knowledge.
    GraphError, UnknownVariableError
        If network and data have other variables.

    Examples
    --------
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> print(certify(DAG.empty(["rain", "wet"]), frame))
    bic -59.140654: 25.8814 nats below the optimum, proven
      a network with -33.259206 is known, 25.881447 more
    """
    if score is not None:
        check_score(score)
    check_flag("progress", progress)
    if max_parents is not None:
        check_whole("max_parents", max_parents, 0)
    if knowledge is not None:
        check_kind("knowledge", knowledge, Knowledge, "a Knowledge(required=..., forbidden=...)")
    budget = Budget(seconds_of(time_limit))
    whole = network(net)
    where = {"engine": engine, "memory": memory, "cache": cache}
    engine = _engine_of(whole, data, threads, reading, where)
    goal = score or (PNAL() if engine.missing.any() else BIC())
    check_known(goal, engine)
    dag = whole.dag.reordered(engine.names)
    known = knowledge or Knowledge()
    limits = known.limits(engine.names, max_parents)
    goal = believed_score(goal, known, limits)
    limits.check(dag.parent_masks, "the network")
    watch = Watch(budget)
    with ExitStack() as stack:
        if progress:
            from bayesloom.learning.progress import ProgressLine

            watch.report = stack.enter_context(ProgressLine("certify"))
        stack.enter_context(interruptible(watch))
        far = heeding(engine, watch.signal)
        found, proof = Exact(goal).proven(far, limits, watch, known=dag.parent_masks)
    return Certificate(
        SCORES.name_of(goal),
        goal.total(engine, dag.parent_masks),
        proof.best,
        proof.bound,
        found.dag,
        found.stop,
        max_parents,
    )


def _engine_of(
    net: Network,
    data: object,
    threads: int | None,
    given: Mapping[str, Any],
    where: Mapping[str, Any],
) -> Engine:
    """Return an engine over the columns of data that the network has, with its states."""
    from bayesloom.engine.choice import check_here, disk_engine_for, engine_here, goes_to_disk

    if is_engine(data):
        refuse_reading(given)
        return checked_engine(data, Reading(), threads, where)
    check_here(where["engine"])
    if net.parameters is None and net.engine is None:  # a graph has no states
        reading = reading_of_columns(net.names, given)
        return engine_here(data, reading, threads=threads, **where)[0]
    if goes_to_disk(data, where["engine"], where["memory"]):
        variables = net.net.names, net.net.states
        return disk_engine_for(variables, data, net.reading, given, threads=threads, where=where)
    return engine_in_memory(table_for(net.net, data, net.reading, given).in_name_order(), threads)
