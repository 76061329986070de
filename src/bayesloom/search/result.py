"""What a search returns: the graph, its score, every step and why it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bayesloom.search.tally import TestTally

if TYPE_CHECKING:
    from bayesloom._native import OperatorKind
    from bayesloom.graphs import DAG, PDAG, ChordalGraph
    from bayesloom.search.facts.conflict import Conflict
    from bayesloom.search.facts.finding import Finding
    from bayesloom.search.facts.moves import Step
    from bayesloom.search.facts.tested import Dependency
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
    separations : tuple of Finding
        What took pairs apart, such as a `Separation`, for a search that looks whether they are
        independent; at most one for each pair that is not joined.
    conflicts : tuple of Conflict
        Where its tests disagree on directions.
    proof : Proof, optional
        How far below the optimum the score is at most, if the search has proven that.
    completed : bool
        Whether score, gains and tests are those of rows whose missing cells were filled in.
    weighed : tuple of Finding
        What kept pairs together, such as a `Weighing`, for a search that weighs what speaks for an
        edge: at most one for each pair that is joined.
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
    separations: tuple[Finding, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    proof: Proof | None = None
    completed: bool = False
    weighed: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredResult(SearchResult):
    """The outcome of a search with a score: there is a DAG, and its score is known."""

    dag: DAG
    score: float
