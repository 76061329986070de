"""Exact search: the best network of all, and the proof."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bayesloom.engine import Engine
from bayesloom.errors import check_kind
from bayesloom.graphs import DAG, bits, cpdag_of_dag, mask_of, topological_order
from bayesloom.scores import BIC, Score, check_score
from bayesloom.scores.score import are_of_package
from bayesloom.search.dag.tabu import Tabu
from bayesloom.search.equivalence.xges import XGES
from bayesloom.search.exact.candidates import CandidateSets
from bayesloom.search.exact.given import fitted_candidates
from bayesloom.search.exact.levels import CandidateSearch, check_required
from bayesloom.search.exact.solving import ExactMethod, Solving
from bayesloom.search.exact.tie_break import MARGIN, tie_broken
from bayesloom.search.facts.moves import Reason, Step
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores, tolerance
from bayesloom.search.proof import Proof
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.graphs import ChordalGraph

_GIVEN = "what is proven is proven for networks of the candidate sets that were given"
_CUT_OFF = "larger sets of parents are not looked at: {}"
_LIMITED = "what is proven is proven for networks that keep to the limits: knowledge, and which \
pairs may be joined"


@dataclass(frozen=True, slots=True)
class Exact(BaseSearch):
    """Find the network with the highest score of all and prove it (globally optimal).

    Candidate sets of parents are found first: all that are better than their subsets. Among them
    the best network is found by dynamic programming over subsets if at most 18 variables can be on
    a common cycle, or up to 26 with many candidates, else by integer linear programming with
    cluster cuts (HiGHS, extra ``ilp``). A time limit or Ctrl-C gives the best network so far, with
    a bound on how far the best of all can be above it: ``proof`` of the result. So do more sets of
    parents than memory holds: the network is then the best of those with fewer parents.

    Parameters
    ----------
    score : Score
        What is maximised.
    max_parents : int, optional
        The most parents a variable may have; the option of `bayesloom.learn` counts as well, the
        smaller one of both. Without it all sets are looked at that the score does not rule out.
    method : ExactMethod, optional
        Dynamic programming or integer linear programming, whatever the size.
    candidates : CandidateSets, optional
        CandidateSets found before with the same score and data; see `bayesloom.load_candidates`.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges.

    References
    ----------
    M. Bartlett, J. Cussens: Integer linear programming for the Bayesian network structure learning
    problem, Artificial Intelligence 244, 2017.

    Examples
    --------
    >>> import bayesloom as bl
    >>> frame = {"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}
    >>> print(bl.learn(frame, bl.Exact()).proof)
    optimal, proven
    """

    score: Score = BIC()
    max_parents: int | None = None
    method: ExactMethod | None = None
    candidates: CandidateSets | None = None
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        check_score(self.score)
        self._check_whole(max_parents=0)
        if self.method is not None:
            check_kind("method", self.method, ExactMethod, "ExactMethod.DYNAMIC or ExactMethod.ILP")
        if self.candidates is not None:
            wanted = "CandidateSets, such as load_candidates reads"
            check_kind("candidates", self.candidates, CandidateSets, wanted)
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.proven(engine, limits, watch)[0]

    def proven(
        self, engine: Engine, limits: Limits, watch: Watch, *, known: Sequence[int] | None = None
    ) -> tuple[ScoredResult, Proof]:
        """Run the search, from the parents of a known network if there is one; give the proof."""
        limits = self._limits(narrowed(limits, self.within))
        check_required(limits)
        best = list(limits.required) if known is None else list(known)
        warm = self._warm_start(engine).search(engine, limits, watch)
        scores, equivalent = LocalScores(engine, self.score), self.score.is_equivalent(engine)
        if warm.score > scores.total(best):
            best = list(warm.dag.parent_masks)
        candidates, bound, notes = self._candidates(engine, limits, watch, scores.total(best))
        if candidates.is_complete or notes:  # all candidates, or all up to a number of parents
            distinct = tie_broken(candidates, equivalent=equivalent)
            solving = Solving(distinct, watch, self.method, topological_order(best))
            solving.run()
            best = solving.parents
            if candidates.is_complete:
                bound = solving.bound + MARGIN
        if equivalent:
            best = standing_for(best, limits, scores)
        total = scores.total(best)
        proof = Proof(total, max(bound, total), limits.max_parents)
        stop = watch.why(Stop.OPTIMUM if proof.optimal else Stop.COMPLETE)
        dag = DAG(limits.names, tuple(best))
        found = ScoredResult(
            dag,
            dag,
            total,
            told_steps(best, scores, limits),
            stop,
            candidates.scored,
            notes=(*self._notes(engine, limits), *notes),
            start=joined_pairs(limits.required),
            proof=proof,
        )
        return found, proof

    def _limits(self, limits: Limits) -> Limits:
        given = [most for most in (self.max_parents, limits.max_parents) if most is not None]
        if self.candidates is not None and self.candidates.max_parents is not None:
            given.append(self.candidates.max_parents)
        return replace(limits, max_parents=min(given, default=None))

    def _notes(self, engine: Engine, limits: Limits) -> tuple[str, ...]:
        """Say which networks the proof is about; that constant columns have no edges is known."""
        varied = mask_of(np.flatnonzero(~engine.constant).tolist())
        limited = any(limits.required) or any(
            varied & ~(limits.allowed[v] | 1 << v) for v in bits(varied)
        )
        return (_LIMITED,) * limited + (_GIVEN,) * (self.candidates is not None)

    def _warm_start(self, engine: Engine) -> XGES | Tabu:
        return XGES(self.score) if self.score.is_equivalent(engine) else Tabu(self.score)

    def _candidates(
        self, engine: Engine, limits: Limits, watch: Watch, best: float
    ) -> tuple[CandidateSets, float, tuple[str, ...]]:
        """Return the candidates, a bound on the score of every network, and notes on them."""
        if self.candidates is not None:
            candidates = fitted_candidates(self.candidates, self.score, engine, limits)
            return candidates, math.fsum(candidates.ceilings), ()
        looking = CandidateSearch(engine, self.score, limits, watch, best)
        candidates = looking.run()
        bound = min(looking.bound, math.fsum(candidates.ceilings))
        notes = () if looking.refusal is None else (_CUT_OFF.format(looking.refusal),)
        return candidates, bound, notes


def standing_for(parents: Sequence[int], limits: Limits, scores: LocalScores) -> list[int]:
    """Return the network that stands for all that an equivalent score cannot tell from it.

    It is the network itself if a score of somebody's own does tell them apart.
    """
    found = limits.extend(*cpdag_of_dag(parents)) or list(parents)
    if are_of_package(scores.score, scores.engine):
        return found
    best = scores.total(parents)
    return found if scores.total(found) > best - tolerance(best) else list(parents)


def told_steps(parents: Sequence[int], scores: LocalScores, limits: Limits) -> tuple[Step, ...]:
    """Tell a network edge by edge, in causal order, from the required edges on."""
    added = []
    for v in topological_order(parents):
        mask = limits.required[v]
        for p in bits(parents[v] & ~mask):
            added.append((p, v, mask))
            mask |= 1 << p
    wanted = [(v, mask | more << p) for p, v, mask in added for more in (0, 1)]
    local = dict(zip(wanted, scores.known(wanted), strict=True))
    return tuple(
        Step("insert", p, v, local[v, mask | 1 << p] - local[v, mask], reason=Reason.OPTIMUM)
        for p, v, mask in added
    )
