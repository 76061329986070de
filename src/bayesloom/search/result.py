"""What a search returns: the graph, its score, every step and why it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bayesloom.search.tally import TestTally

if TYPE_CHECKING:
    from bayesloom._native import OperatorKind
    from bayesloom.graphs import DAG, PDAG, ChordalGraph
    from bayesloom.search.conflict import Conflict
    from bayesloom.search.dependency import Dependency, Parting, Weighing
    from bayesloom.search.proof import Proof

_TEXTS = "insert", "delete", "reverse"  # in the order of OperatorKind


class Stop(Enum):
    """Why a search ended."""

    OPTIMUM = "no network scores more, proven"
    LOCAL_OPTIMUM = "no move improves the score"
    COMPLETE = "the search came to its end"
    PATIENCE = "no better graph for as many steps as allowed"
    TIME_LIMIT = "the time limit was reached"
    STEP_LIMIT = "the step limit was reached"
    INTERRUPTED = "interrupted by the user"


def operator_text(kind: OperatorKind) -> str:
    """Return what steps call a kind of operator.

    Examples
    --------
    >>> from bayesloom._native import OperatorKind
    >>> operator_text(OperatorKind.INSERT)
    'insert'
    """
    return _TEXTS[kind]


class Reason(Enum):
    """Why a step was taken.

    SCORE: for its gain. DEPENDENCY: to cover a dependency. REQUIRED: because of knowledge. TRIAL:
    to see whether better steps follow; they did. RESTART: at random, to climb again from there.
    OPTIMUM: because the best network found by exact learning has the edge.
    """

    SCORE = "score"
    DEPENDENCY = "dependency"
    REQUIRED = "required"
    TRIAL = "trial"
    RESTART = "restart"
    OPTIMUM = "optimum"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A move that was possible and not made; its fields are those of `Step`."""

    operator: str
    x: int
    y: int
    gain: float
    others: tuple[int, ...] = ()

    @classmethod
    def of(cls, step: Step) -> Alternative:
        """Return what a step would have been."""
        return cls(step.operator, step.x, step.y, step.gain, step.others)


@dataclass(frozen=True, slots=True)
class LinkChange:
    """What a set of links does to a decomposable Markov network.

    Parameters
    ----------
    links : tuple of pairs of int
        The links that were added, or taken away.
    entropy : float
        By how much the entropy of the model fell, in nats; negative if it rose.
    parameters : float
        How many more parameters the model has; negative if fewer.
    crux : tuple of int
        The variables that were enough to compute both.
    """

    links: tuple[tuple[int, int], ...]
    entropy: float
    parameters: float
    crux: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a search.

    Parameters
    ----------
    operator : str
        What was done: ``"insert"``, ``"delete"``, ``"reverse"``, ``"link"`` or ``"unlink"``.
    x, y : int
        The edge, ``x -> y`` after an insertion; ``x -> y`` becomes ``y -> x`` in a reversal of x
        and y.
    others : tuple of int
        The further variables the operator directs (T or H of GES) or joins, if any.
    gain : float
        The change of the score.
    reason : Reason
        Why it was taken.
    covered : tuple of int
        Places, in the result's list, of the dependencies that it covered.
    passed_over : Alternative, optional
        The best move of a higher gain that was not taken because of dependencies: it would have
        uncovered one or, where the reason is a dependency, it may just cover nothing more.
    runner_up : Alternative, optional
        The next move on another pair of variables in the order of gains, if the search could have
        taken it for the same reason.
    change : LinkChange, optional
        What links of a Markov network did.
    """

    operator: str
    x: int
    y: int
    gain: float
    others: tuple[int, ...] = ()
    reason: Reason = Reason.SCORE
    covered: tuple[int, ...] = ()
    passed_over: Alternative | None = None
    runner_up: Alternative | None = None
    change: LinkChange | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search over the engine's variables, in the engine's order.

    Parameters
    ----------
    dag : DAG or None
        The graph found; for a search over equivalence classes a member of the class that keeps
        to the knowledge. None if ``graph`` is a partially directed graph without one, as a search
        that only tests may find it.
    graph : DAG, PDAG or ChordalGraph
        What the search is about: the DAG itself, the partially directed graph of its class, or
        the chordal graph of a Markov network.
    score : float or None
        The score of ``dag``, in nats; None for a search without a score.
    steps : tuple of Step
        Every move, in order.
    stop : Stop
        Why the search ended.
    candidates : int
        How many families were scored, or link informations asked for.
    dependencies : tuple of Dependency
        What the search's tests detected, in order.
    tests : TestTally
        How many tests were made.
    notes : tuple of str
        What the user should know besides, one sentence each.
    start : tuple of pairs of int
        The pairs x < y that were joined before the first step.
    separations : tuple of Separation, Triangle or Weighing
        What took pairs apart, for a search that looks whether they are independent; at most one for
        each pair that is not joined.
    conflicts : tuple of Conflict
        Where its tests disagree on directions.
    proof : Proof, optional
        How far below the optimum the score is at most, if the search has proven that.
    completed : bool
        Whether score, gains and tests are those of rows whose missing cells were filled in.
    weighed : tuple of Weighing
        What kept pairs together, for a search that weighs informations: one for every pair that is
        joined and was weighed.
    """

    dag: DAG | None
    graph: DAG | PDAG | ChordalGraph
    score: float | None
    steps: tuple[Step, ...]
    stop: Stop
    candidates: int
    dependencies: tuple[Dependency, ...] = ()
    tests: TestTally = TestTally()
    notes: tuple[str, ...] = ()
    start: tuple[tuple[int, int], ...] = ()
    separations: tuple[Parting, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    proof: Proof | None = None
    completed: bool = False
    weighed: tuple[Weighing, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredResult(SearchResult):
    """The outcome of a search with a score: there is a DAG, and its score is known."""

    dag: DAG
    score: float
