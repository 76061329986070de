"""The posterior over structures: how probable every edge is, by Markov chain Monte Carlo."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.averaging import StrengthTable
from bayesloom.averaging.parent_sets import ParentSetChoice
from bayesloom.averaging.sampling import METHODS, Sampled, Schedule, run_chains
from bayesloom.data import Reading
from bayesloom.engine import heeding
from bayesloom.errors import OptionError, Stopped, check_flag, check_number, check_whole
from bayesloom.facade.entry import check_known, checked_knowledge
from bayesloom.facade.resampling import averaged_graph, averaged_network, engine_and_names
from bayesloom.facade.whole import Network
from bayesloom.graphs.text import counted
from bayesloom.learning.confidence import Confidence, PairStrength
from bayesloom.learning.duration import seconds_of
from bayesloom.learning.interruption import interruptible
from bayesloom.learning.record import stop_name
from bayesloom.learning.structure import Kind
from bayesloom.registry import described
from bayesloom.scores import PNAL, BDeu, Score, check_score
from bayesloom.search import Budget, Knowledge, Stop, Watch
from bayesloom.search.believing import believed_score

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.report import Picture

_LEAST = 5e-4  # pairs of a lower probability are not listed
_CONVERGED, _APART = 1.05, 0.05


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class StructurePosterior:
    """How probable every edge is given the data, and whether the chains agree on it.

    Parameters
    ----------
    names : tuple of str
        The variables, in name order.
    sampled : Sampled
        What the chains have sampled.
    confidence : Confidence
        The probability and the direction of every pair above 0.0005.
    network : Network
        The network of the pairs that are joined with a probability above one half.
    method : str
        ``"order"`` or ``"partition"``.
    score : Score
        What graphs are weighed by.
    n_sets : int
        Over how many sets of parents was summed.
    seconds : float
        How long it took.
    """

    names: tuple[str, ...]
    sampled: Sampled
    confidence: Confidence
    network: Network
    method: str
    score: Score
    n_sets: int
    seed: int
    seconds: float

    @property
    def edges(self) -> StrengthTable:
        """The posterior probability of every pair, as a table."""
        return StrengthTable(self.confidence, names=self.names)

    @property
    def stop(self) -> Stop:
        """Why the chains ended."""
        return self.sampled.stop

    @property
    def converged(self) -> bool:
        """Whether R-hat is below 1.05 and no two chains differ by more than 0.05 on an edge.

        One chain alone cannot tell.
        """
        found = self.sampled
        if len(found.traces) == 1:
            return False
        hats = (found.score_r_hat, found.edge_r_hat)
        apart = max(found.spread, found.arrow_spread)
        return all(hat < _CONVERGED for hat in hats) and apart <= _APART

    def probability(self, parent: str, child: str) -> float:
        """Return the posterior probability of an edge."""
        from bayesloom.story.story import check_pair

        check_pair(parent, child, self.names)
        return float(self.sampled.mean[self.names.index(parent), self.names.index(child)])

    def plot(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """Draw ``network``; edges are as thick as they are probable."""
        return self.network.plot(path)

    def trace_plot(self, path: str | os.PathLike[str] | None = None) -> str:
        """Draw the scores of the chains' samples, as an SVG text or file."""
        from bayesloom.report.strength_chart import trace_chart

        return trace_chart(self.sampled.traces, path)

    def to_dict(self) -> dict[str, object]:
        """Return everything as plain data, as ``bayesloom posterior --json`` prints it."""
        found = self.sampled
        return {
            "edges": [pair._asdict() for pair in self.confidence.pairs],
            "method": self.method,
            "score": described(self.score),
            "chains": len(found.traces),
            "moves": found.moves,
            "samples": found.traces.shape[1],
            "sets": self.n_sets,
            "seed": self.seed,
            "acceptance": found.acceptance,
            "r_hat": {"score": found.score_r_hat, "edges": found.edge_r_hat},
            "effective_samples": found.score_samples,
            "largest_difference": found.spread,
            "largest_arrow_difference": found.arrow_spread,
            "converged": self.converged,
            "stop": stop_name(found.stop),
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        found = self.sampled
        told = "converged" if self.converged else "NOT converged: more moves, or more chains"
        number = len(found.traces)
        if number == 1:
            told = "one alone cannot tell whether it has converged: take three"
        chains = f"{counted(number, 'chain')} of {found.moves:,} moves, seed {self.seed}"
        if found.traces.shape[1] == 1:
            sure = ["one sample of each chain, too few to tell how sure they are"]
        else:
            hats = f"{found.score_r_hat:.3f}, of edges {found.edge_r_hat:.3f} at most"
            sure = [f"R-hat of the score {hats}", f"{found.score_samples:,.0f} effective samples"]
        pair, arrow = f"{found.spread:.3f} at most on a pair", f"{found.arrow_spread:.3f}"
        apart = f"two chains differ by {pair}, by {arrow} on an arrow"
        head = [
            f"Posterior over structures by {self.method} MCMC: {chains}, {self.seconds:.1f} s",
            f"  score     {described(self.score)}, summed over {self.n_sets:,} sets of parents",
            f"  chains    {told}",
            *(f"            {line}" for line in sure),
            *([f"            {apart}"] if number > 1 else []),
        ]
        if self.method == "order":
            head.append("  prior     a graph counts once for every order it fits; partition: once")
        if found.stop is not Stop.COMPLETE:
            head.append(f"  stopped   {found.stop.value}")
        return "\n".join([*head, str(self.edges)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        drawn = f'<div style="overflow-x: auto">{self.plot()}</div>'
        return f"{drawn}{self.edges._repr_html_()}"


def posterior(
    data: Any,  # noqa: ANN401 - frames of whatever library
    score: Score | None = None,
    *,
    method: Literal["order", "partition"] = "order",
    chains: int = 3,
    moves: int = 200_000,
    burn_in: float = 0.25,
    samples: int = 10_000,
    candidates: int = 10,
    max_parents: int = 3,
    seed: int = 0,
    knowledge: Knowledge | None = None,
    threads: int | None = None,
    time_limit: float | str | None = None,
    progress: bool = False,
    engine: Any = "auto",  # noqa: ANN401 - a name, then the engine itself
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    **reading: Unpack[ReadingOptions],
) -> StructurePosterior:
    """Sample structures from their posterior, and tell how probable every edge is.

    A chain goes over orders of the variables, or over ordered partitions of them, and sums over all
    graphs that fit where it stands. What is summed over: sets of at most ``max_parents`` parents
    among the ``candidates`` of a variable, with up to one parent from outside them. The same data,
    options and seed give the same result.

    Parameters
    ----------
    data : path, frame, Table or Engine
        As for `bayesloom.learn`.
    score : Score, optional
        The logarithm of what a graph is weighed by; by default ``BDeu()``, or ``PNAL()`` where
        cells are missing. Penalised likelihoods such as `BIC` approximate it.
    method : "order" or "partition"
        Orders count a graph once for every order that it fits. Partitions give every graph the
        same prior; their moves take longer.
    chains, moves : int
        How many chains, each from a random start, and moves of each.
    burn_in : float
        The share of moves at the start that is not sampled.
    samples : int
        Samples of each chain.
    candidates, max_parents : int
        What is summed over; see `bayesloom.averaging`.
    seed : int
        Seed of starts and moves.
    knowledge : Knowledge, optional
        What all graphs keep to.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    time_limit : float or str, optional
        Seconds, or a text such as ``"60s"``; what was sampled until then counts. Ctrl-C does the
        same.
    progress : bool
        Show a line on standard error.
    engine, memory, cache : str or int, optional
        Where the rows are counted, ``"auto"``, ``"memory"`` or ``"disk"``, and with how much
        memory; see `bayesloom.learn`.
    **reading
        How to read the data, such as ``missing="drop"``; see `bayesloom.Reading`.

    Returns
    -------
    StructurePosterior
        ``edges`` is a table; its text says whether the chains have converged.

    Raises
    ------
    DataError, FileFormatError, KnowledgeError, OptionError, UnknownVariableError
        As `bayesloom.learn`.
    CapacityError
        If there are too many sets of parents to sum over.

    References
    ----------
    N. Friedman, D. Koller: Being Bayesian about network structure, Machine Learning 50, 2003.
    J. Kuipers, G. Moffa: Partition MCMC for inference on acyclic digraphs, JASA 112, 2017.
    R. Goudie, S. Mukherjee: A Gibbs sampler for learning DAGs, JMLR 17, 2016.

    Examples
    --------
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> found = posterior(frame, moves=2000)
    >>> round(found.edges["rain", "wet"].strength, 3), round(found.probability("rain", "wet"), 1)
    (1.0, 0.5)
    """
    if score is not None:
        check_score(score)
    if method not in METHODS:
        msg = f'method must be "order" or "partition", got {method!r}'
        raise OptionError(msg)
    whole = {"chains": chains, "moves": moves, "samples": samples, "candidates": candidates}
    for name, value in whole.items():
        check_whole(name, value, 1)
    check_whole("max_parents", max_parents, 0)
    check_whole("seed", seed, 0)
    check_number("burn_in", burn_in, least=0, below=1)
    check_flag("progress", progress)
    if threads is not None:
        check_whole("threads", threads, 1)
    known, read = checked_knowledge(knowledge), Reading.from_dict(reading, posterior)
    schedule = Schedule(chains, moves, burn_in, samples)
    watch = Watch(Budget(seconds_of(time_limit)))
    where = {"engine": engine, "memory": memory, "cache": cache}
    engine, names, notes = engine_and_names(data, read, threads, where=where)
    usual = PNAL() if engine.missing.any() else BDeu()
    goal = usual if score is None else score
    check_known(goal, engine)
    limits = known.limits(engine.names, max_parents)
    apart = limits.over(engine)
    with ExitStack() as stack:
        tell = _teller(stack, moves, watch) if progress else lambda _moves: None
        stack.enter_context(interruptible(watch))
        choice = ParentSetChoice(candidates, max_parents)
        try:
            scored = believed_score(goal, known, apart)
            sets = choice.sums(heeding(engine, watch.signal), scored, apart, watch)
        except Stopped:
            if watch.interrupted:
                raise KeyboardInterrupt from None
            msg = (
                f"the time limit of {watch.budget.time_limit:g} s was reached before all sets of "
                "parents were scored; allow more, or lower candidates or max_parents"
            )
            raise OptionError(msg) from None
        found = run_chains(sets, apart, schedule, method=method, seed=seed, watch=watch, tell=tell)
    call = (
        f"posterior(data, {described(goal)}, method={method!r}, chains={chains}, moves={moves}, "
        f"burn_in={burn_in:g}, samples={samples}, candidates={candidates}, seed={seed})"
    )
    confidence = _confidence(found.mean, engine.names, found.traces.size, call)
    made = averaged_graph(confidence, limits, Kind.CLASS)
    net = averaged_network(
        made,
        confidence,
        Kind.CLASS,
        names,
        engine=engine,
        estimator=None,
        search=None,
        knowledge=known,
        max_parents=max_parents,
        title=f"average of {confidence.networks:,} samples by {method} MCMC",
        stop=found.stop,
        watch=watch,
        notes=notes,
        reading=read,
        goal=goal,
    )
    return StructurePosterior(
        engine.names, found, confidence, net, method, goal, sets.n_sets, seed, watch.seconds
    )


def _teller(stack: ExitStack, moves: int, watch: Watch) -> Any:  # noqa: ANN401 - a function
    from bayesloom.learning.progress import RoundsLine

    line = stack.enter_context(RoundsLine("posterior", moves, "moves of each chain"))

    def tell(done: int) -> None:
        line.done = done
        line(watch)

    return tell


def _confidence(mean: Floats, names: tuple[str, ...], samples: int, call: str) -> Confidence:
    """Tell the probabilities of edges by pairs."""
    pairs = []
    for x, y in np.argwhere(np.triu(mean + mean.T, 1) > _LEAST).tolist():
        a, b, forward, back = x, y, float(mean[x, y]), float(mean[y, x])
        if back > forward:
            a, b, forward, back = b, a, back, forward
        both = forward + back
        pairs.append(PairStrength(names[a], names[b], min(both, 1.0), forward / both))
    pairs.sort(key=lambda pair: (-pair.strength, pair.x, pair.y))
    return Confidence(samples, tuple(pairs), 0.5, "samples", call)
