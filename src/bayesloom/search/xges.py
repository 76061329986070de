"""Extreme greedy equivalence search: delete before reverse before insert, then second thoughts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.errors import check_flag
from bayesloom.graphs import DAG, ChordalGraph
from bayesloom.scores import BIC, Score
from bayesloom.search.class_climb import ClassClimb, as_step, check_equivalent
from bayesloom.search.equivalence import Operator
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.start import Start, check_start, class_start
from bayesloom.search.watch import Watch
from bayesloom.search.within import chordal_graph, narrowed

KINDS = ("delete", "reverse", "insert")
THERE_AND_BACK = 2  # operators


@dataclass(frozen=True, slots=True)
class XGES:
    """Search over equivalence classes, deleting as soon as it helps, with second thoughts.

    The climb always prefers a deletion to a reversal and a reversal to an insertion. At its end
    every edge is taken away in turn, in every way a deletion can, and may not come back in its old
    direction while the climb goes on; if that leads to a better score, the search goes on from
    there.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    extended : bool
        Whether to have second thoughts; without them this is the plain climb (XGES-0).
    start : Start or DAG
        Where to start: at the class of the empty graph, the complete graph, the maximum-likelihood
        tree or a graph of your own.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.

    References
    ----------
    A. Nazaret, D. Blei: Extremely greedy equivalence search, UAI 2024.
    """

    score: Score = BIC()
    extended: bool = True
    start: Start | DAG = Start.EMPTY
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        check_equivalent(self.score, "XGES")
        check_flag("extended", self.extended)
        check_start(self.start)
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        limits = narrowed(limits, self.within)
        parents = class_start(self.start, engine, limits)
        climb = ClassClimb.start(engine, self.score, limits, KINDS, parents)
        greedy(climb, watch)
        if self.extended:
            climb = think_again(climb, watch)
        return climb.result(engine, self.score, watch, Stop.LOCAL_OPTIMUM)


def think_again(climb: ClassClimb, watch: Watch) -> ClassClimb:
    """Take away one edge after the other for a trial; return the climb from which none helps.

    What failed once is tried again only after a change has touched a node of that trial.
    """
    failed: dict[tuple[int, int, int], int] = {}
    while True:
        for op in deletions(climb):
            if (op.x, op.y, op.others) in failed:
                continue
            if not watch.may_go_on():
                return climb
            other = climb.copy(banned=frozenset({(op.x, op.y)}))
            taken = delete_and_climb(other, op, watch)
            if other.score > climb.score + climb.tie:
                record(taken, climb.score, watch)
                break
            failed[op.x, op.y, op.others] = other.reach
            if len(taken) == THERE_AND_BACK and other.state == climb.state:
                # The edge came back the other way round; with that banned it would come back too.
                failed[op.y, op.x, op.others] = other.reach
        else:
            return climb
        climb = other
        climb.lift_bans()
        greedy(climb, watch)
        failed = {trial: nodes for trial, nodes in failed.items() if not nodes & climb.reach}


def improve(climb: ClassClimb) -> Operator | None:
    """Take the best deletion, else the best reversal, else the best insertion that helps."""
    return next((op for kind in KINDS if (op := climb.step(kind)) is not None), None)


def greedy(climb: ClassClimb, watch: Watch) -> None:
    """Climb until nothing helps."""
    while watch.may_go_on() and (op := improve(climb)) is not None:
        watch.saw(as_step(op), climb.score)


def deletions(climb: ClassClimb) -> list[Operator]:
    """List all deletions, the one that costs least first."""
    agenda = climb.agendas["delete"].fresh(floor=-math.inf)
    agenda.renew(climb.state, (1 << len(climb.state.parents)) - 1)
    return agenda.operators()


def delete_and_climb(climb: ClassClimb, op: Operator, watch: Watch) -> list[Operator]:
    """Take an edge away and climb on for a trial; return the operators taken."""
    if not climb.limits.are_symmetric:
        after = climb.state.after(op)
        if climb.limits.extend(after.parents, after.neighbours) is None:
            return []
    before = climb.state
    climb.move(op)
    taken = [op]
    while watch.may_go_on(len(taken)) and (more := improve(climb)) is not None:
        taken.append(more)
        if climb.state == before:
            break
    return taken


def record(taken: list[Operator], score: float, watch: Watch) -> None:
    """Tell the watch of the operators of a trial that is kept; it began at ``score``."""
    for op in taken:
        score += op.gain
        watch.saw(as_step(op), score)
