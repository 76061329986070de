"""Greedy equivalence search: Insert, Delete and Turn operators over CPDAGs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom._native import OperatorKind
from bayesloom.engine import Engine
from bayesloom.errors import check_flag
from bayesloom.graphs import DAG
from bayesloom.scores import BIC, Score
from bayesloom.search.equivalence.climb import EquivalenceClimb, as_step, check_equivalent
from bayesloom.search.equivalence.joint_start import with_joint_sets, with_note
from bayesloom.search.equivalence.neighbourhood import EquivalenceNeighbourhood
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.neighbourhood import Neighbourhood
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import Start, check_start, class_start
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.graphs import ChordalGraph

PHASES = (OperatorKind.INSERT, OperatorKind.DELETE)


@dataclass(frozen=True, slots=True)
class GES(BaseSearch):
    """Search over equivalence classes: insert edges while the score rises, then delete them.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    turning : bool
        Turn edges after the deletions, and begin again as long as anything moves.
    start : Start or DAG
        Where to start: at the class of the empty graph, the complete graph, the maximum-likelihood
        tree or a graph of your own.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.
    lookahead : int
        How many edges may be joined at once before the first step: 3 joins triples that are
        dependent only together, such as a parity of three bits, 6 sets of four.

    References
    ----------
    D. M. Chickering: Optimal structure identification with greedy search, JMLR 3, 2002, theorems
    15 and 17. A. Hauser, P. Buehlmann: Characterization and greedy learning of interventional
    Markov equivalence classes, JMLR 13, 2012, for the turning phase.

    Examples
    --------
    >>> from bayesloom.scores import K2Score
    >>> GES(score=K2Score())
    Traceback (most recent call last):
    bayesloom.errors.OptionError: GES searches over equivalence classes and needs a score that is \
equal for equivalent graphs; K2Score is not: use BIC, BDeu or QNML, or a search over DAGs \
(HillClimbing, IHC)
    """

    score: Score = BIC()
    turning: bool = False
    start: Start | DAG = Start.EMPTY
    within: ChordalGraph | None = None
    lookahead: int = 1

    def __post_init__(self) -> None:
        check_equivalent(self.score, "GES")
        check_flag("turning", self.turning)
        check_start(self.start)
        self._check_whole(lookahead=1)
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.climb(
            LocalScores.audited(engine, self.score, watch.signal),
            narrowed(limits, self.within),
            watch,
        )

    def climb(self, scores: LocalScores, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search with scores that may be known already."""
        kinds = tuple(OperatorKind) if self.turning else PHASES
        plain = class_start(self.start, scores.engine, limits, watch)
        parents = self._looked_ahead(plain, scores, limits, watch)
        climb = EquivalenceClimb.at(parents, scores, limits, kinds, in_phases=not self.turning)
        moved = True
        with watch.heeded():
            while moved:
                moved = False
                for kind in kinds:
                    while watch.may_go_on() and (op := climb.step(kind)) is not None:
                        watch.saw(as_step(op), climb.score, climb.state)
                        moved = self.turning
        return with_note(climb.result(watch, Stop.LOCAL_OPTIMUM), plain, parents)

    def _looked_ahead(
        self, parents: list[int], scores: LocalScores, limits: Limits, watch: Watch
    ) -> list[int]:
        """Return a start with the sets in it that looking ahead finds."""
        with watch.heeded():
            return with_joint_sets(parents, scores, limits, self.lookahead)
        return parents

    def walk(self, engine: Engine, limits: Limits, watch: Watch) -> Neighbourhood:
        """Lend the neighbourhood, growing and shrinking, to a constrained search."""
        limits = narrowed(limits, self.within)
        scores = LocalScores.audited(engine, self.score, watch.signal)
        parents = class_start(self.start, engine, limits, watch)
        parents = self._looked_ahead(parents, scores, limits, watch)
        climb = EquivalenceNeighbourhood.at(parents, scores, limits, PHASES)
        climb.dag = parents
        return climb
