"""Extreme greedy equivalence search: delete before reverse before insert, then second thoughts."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.errors import check_flag
from bayesloom.graphs import DAG, ChordalGraph
from bayesloom.scores import BIC, Score
from bayesloom.search.class_climb import ClassClimb, check_equivalent
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.second_thoughts import KINDS, greedy, think_again
from bayesloom.search.start import Start, check_start, class_start
from bayesloom.search.watch import Watch
from bayesloom.search.within import chordal_graph, narrowed


@dataclass(frozen=True, slots=True)
class XGES:
    """Search over equivalence classes, deleting as soon as it helps, with second thoughts.

    The climb always prefers a deletion to a reversal and a reversal to an insertion. At its end
    every edge is taken away in turn, in every way a deletion can, and may not come back in its old
    direction while the climb goes on; if that leads to a better score, the search goes on from
    there. When no single edge helps any more, all edges among a node and the nodes adjacent to it
    are taken away together, for one node after the other, and the climb builds that region anew.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    extended : bool
        Whether to have second thoughts; without them this is the plain climb (XGES-0).
    regions : bool
        Whether second thoughts look at regions, too; without them this is the search of the
        reference.
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
    regions: bool = True
    start: Start | DAG = Start.EMPTY
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        check_equivalent(self.score, "XGES")
        check_flag("extended", self.extended)
        check_flag("regions", self.regions)
        check_start(self.start)
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        limits = narrowed(limits, self.within)
        parents = class_start(self.start, engine, limits)
        climb = ClassClimb.start(LocalScores(engine, self.score), limits, KINDS, parents)
        greedy(climb, watch)
        if self.extended:
            climb = think_again(climb, watch, regions=self.regions)
        return climb.result(watch, Stop.LOCAL_OPTIMUM)
