"""Exact search: the best network of all, and the proof."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from bayesloom.engine import Engine
from bayesloom.errors import OptionError, check_kind
from bayesloom.graphs import DAG, ChordalGraph, bits, cpdag_of_dag, topological_order
from bayesloom.scores import BIC, Score, check_score
from bayesloom.search.dag.tabu import Tabu
from bayesloom.search.equivalence.xges import XGES
from bayesloom.search.exact.candidate_file import check_candidates
from bayesloom.search.exact.candidates import Candidates
from bayesloom.search.exact.component import Component, components, order_of
from bayesloom.search.exact.dynamic import solve_dynamically
from bayesloom.search.exact.ilp import BranchAndCut
from bayesloom.search.exact.levels import CandidateSearch, check_required
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores
from bayesloom.search.proof import Proof
from bayesloom.search.restriction import chordal_graph, narrowed
from bayesloom.search.result import Reason, ScoredResult, Step, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import joined_pairs
from bayesloom.search.watch import Watch

_FEW = 20  # variables for which dynamic programming is faster than any program


class Method(Enum):
    """How exact learning finds the optimum among candidate sets of parents."""

    DYNAMIC = "dynamic"
    ILP = "ilp"


@dataclass(frozen=True, slots=True)
class Exact(BaseSearch):
    """Find the network with the highest score of all and prove it (globally optimal).

    Candidate sets of parents are found first: all that are better than their subsets. Among them
    the best network is found by dynamic programming over subsets if at most 20 variables can be on
    a common cycle, else by integer linear programming with cluster cuts (HiGHS, extra ``ilp``). A
    time limit or Ctrl-C gives the best network so far, with a bound on how far the best of all can
    be above it: ``proof`` of the result.

    Parameters
    ----------
    score : Score
        What is maximised.
    max_parents : int, optional
        The most parents a variable may have; the option of `bayesloom.learn` counts as well, the
        smaller one of both. Without it all sets are looked at that the score does not rule out.
    method : Method, optional
        Dynamic programming or integer linear programming, whatever the size.
    candidates : Candidates, optional
        Candidates found before with the same score and data; see `bayesloom.load_candidates`.
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
    method: Method | None = None
    candidates: Candidates | None = None
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        check_score(self.score)
        self._check_whole(max_parents=0)
        if self.method is not None:
            check_kind("method", self.method, Method, "Method.DYNAMIC or Method.ILP")
        if self.candidates is not None:
            check_kind("candidates", self.candidates, Candidates, "Candidates, as load_candidates reads")
        object.__setattr__(self, "within", chordal_graph(self.within))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.improve(None, engine, limits, watch)

    def improve(
        self, known: Sequence[int] | None, engine: Engine, limits: Limits, watch: Watch
    ) -> ScoredResult:
        """Run the search from a network that is known, as masks of parents, if there is one."""
        limits = self._limits(narrowed(limits, self.within))
        check_required(limits)
        best = list(limits.required) if known is None else list(known)
        warm = self._warm_start().search(engine, limits, watch)
        scores = LocalScores(engine, self.score)
        if warm.score > scores.total(best):
            best = list(warm.dag.parents)
        candidates = self._candidates(engine, limits, watch)
        bound = math.fsum(candidates.ceilings)
        if candidates.is_complete:
            best, bound = self._solved(best, candidates, watch)
        best = canonical(best, self.score, limits)
        return result_of(best, bound, scores, limits, watch, candidates.scored)

    def _limits(self, limits: Limits) -> Limits:
        given = [most for most in (self.max_parents, limits.max_parents) if most is not None]
        if self.candidates is not None and self.candidates.max_parents is not None:
            given.append(self.candidates.max_parents)
        return replace(limits, max_parents=min(given, default=None))

    def _warm_start(self) -> XGES | Tabu:
        return XGES(self.score) if self.score.equivalent else Tabu(self.score)

    def _candidates(self, engine: Engine, limits: Limits, watch: Watch) -> Candidates:
        if self.candidates is not None:
            return check_candidates(self.candidates, self.score, engine, limits)
        return CandidateSearch(engine, self.score, limits, watch).run()

    def _solved(
        self, parents: list[int], candidates: Candidates, watch: Watch
    ) -> tuple[list[int], float]:
        """Return the best network among candidates, and a bound for all of them."""
        ceiling = math.fsum(candidates.ceilings)
        best = within_order(topological_order(parents), candidates)
        total = score_of(best, candidates)
        watch.proved(total, ceiling)
        parts = components(candidates, ceiling - total)
        parts.sort(key=lambda part: len(part.members))
        bounds = [part.ceiling for part in parts]
        for k, part in enumerate(parts):
            start = part.chosen(order_of(part, best))
            found, bounds[k] = self._solved_part(part, start, k, bounds, best, candidates, watch)
            for place, mask in enumerate(found):
                best[part.members[place]] = part.origin[place][mask].parents
            if not watch.may_go_on():
                break
        return best, math.fsum(bounds)

    def _solved_part(
        self,
        part: Component,
        start: list[int],
        k: int,
        bounds: list[float],
        best: list[int],
        candidates: Candidates,
        watch: Watch,
    ) -> tuple[list[int], float]:
        n = len(part.members)
        if self.method is Method.DYNAMIC or (self.method is None and n <= _FEW) or n == 1:
            with watch.heeded():
                found = solve_dynamically(part, watch.signal)
                return found, part.score(found)
            return start, part.ceiling
        others = math.fsum(bounds[:k] + bounds[k + 1 :])
        elsewhere = math.fsum(
            candidates_score(candidates, v, best[v])
            for v in range(len(best))
            if v not in part.members
        )
        cut = BranchAndCut(
            part, start, watch, lambda s, b: watch.proved(elsewhere + s, others + b)
        )
        cut.run()
        return cut.parents, cut.bound


def candidates_score(candidates: Candidates, v: int, parents: int) -> float:
    """Return the score of a candidate."""
    return next(s.score for s in candidates.sets[v] if s.parents == parents)


def score_of(parents: Sequence[int], candidates: Candidates) -> float:
    """Return the score of a network that consists of candidates."""
    return math.fsum(candidates_score(candidates, v, mask) for v, mask in enumerate(parents))


def within_order(order: Sequence[int], candidates: Candidates) -> list[int]:
    """Return the best network of candidates whose edges go forward in an order."""
    before, parents = 0, [0] * len(order)
    for v in order:
        found = candidates.best_within(v, before)
        if found is None:
            msg = f"the candidates of {candidates.names[v]!r} fit no order; find them again"
            raise OptionError(msg)
        parents[v] = found.parents
        before |= 1 << v
    return parents


def canonical(parents: Sequence[int], score: Score, limits: Limits) -> list[int]:
    """Return the network that stands for all equivalent ones, if the score cannot tell them apart."""
    if not score.equivalent:
        return list(parents)
    return limits.extend(*cpdag_of_dag(parents)) or list(parents)


def result_of(
    parents: Sequence[int],
    bound: float,
    scores: LocalScores,
    limits: Limits,
    watch: Watch,
    scored: int,
) -> ScoredResult:
    """Tell a network as a result: its edges one by one, after those required, in causal order."""
    total = scores.total(parents)
    steps = []
    wanted = []
    for v in topological_order(parents):
        mask = limits.required[v]
        wanted.append((v, mask))
        for p in bits(parents[v] & ~mask):
            mask |= 1 << p
            wanted.append((v, mask))
            steps.append((p, v, mask))
    local = dict(zip(wanted, scores.known(wanted), strict=True))
    told = tuple(
        Step("insert", p, v, local[v, mask] - local[v, mask & ~(1 << p)], reason=Reason.OPTIMUM)
        for p, v, mask in steps
    )
    dag = DAG(limits.names, tuple(parents))
    proof = Proof(total, max(bound, total), limits.max_parents)
    return ScoredResult(
        dag,
        dag,
        total,
        told,
        watch.why(Stop.OPTIMUM if proof.optimal else Stop.COMPLETE),
        scored,
        start=joined_pairs(limits.required),
        proof=proof,
    )
