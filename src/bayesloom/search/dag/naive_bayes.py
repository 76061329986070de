"""Naive Bayes as a structure: the class is the one parent of every attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE
from bayesloom.errors import KnowledgeError, UnknownVariableError, check_kind
from bayesloom.graphs import bits
from bayesloom.scores import BIC, Score, check_score
from bayesloom.scores.score import checked_scores
from bayesloom.search.facts.moves import Step
from bayesloom.search.limits import Limits
from bayesloom.search.result import ScoredResult, Stop
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import scored_network
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class NaiveBayes(BaseSearch):
    """The star of naive Bayes: given the class, all attributes are independent.

    Nothing is searched: every variable but the class gets the class as its parent, unless it is
    constant, or the knowledge does not let it.

    Parameters
    ----------
    target : str
        The class.
    score : Score
        What is reported as the score of the result; it does not change the star.

    References
    ----------
    M. E. Maron, Automatic indexing, Journal of the ACM 8, 1961.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> frame = {"play": ["no", "yes"] * 9, "wind": ["no", "yes", "yes"] * 6, "sun": ["x", "y"] * 9}
    >>> learn(frame, NaiveBayes("play")).edges
    (('play', 'sun'), ('play', 'wind'))
    """

    target: str
    score: Score = BIC()

    def __post_init__(self) -> None:
        check_score(self.score)
        check_target(self.target)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        target = target_index(self.target, engine.names, limits)
        parents = insert_families(
            class_parents(target, engine, limits),
            target,
            self.score,
            engine=engine,
            limits=limits,
            watch=watch,
        )
        made = len(watch.steps)
        return scored_network(
            parents, self.score, engine, limits=limits, watch=watch, candidates=made
        )


def check_target(target: object) -> None:
    """Refuse a class that is no name."""
    check_kind("target", target, str, "the name of the class variable")


def target_index(target: str, names: Sequence[str], limits: Limits) -> int:
    """Return the place of the class, which must have no parents.

    Raises
    ------
    UnknownVariableError
        If no variable is called so.
    KnowledgeError
        If the knowledge gives the class a parent.
    """
    if target not in names:
        raise UnknownVariableError(target, names, "as the target")
    v = names.index(target)
    if limits.required[v]:
        parent = names[bits(limits.required[v])[0]]
        msg = f"the class {target} has no parents, but {parent} is required"
        raise KnowledgeError(msg)
    return v


def class_parents(target: int, engine: Engine, limits: Limits) -> list[int]:
    """Return what is required, and the class as a parent wherever that is allowed."""
    parents = list(limits.required)
    constant = engine.constant
    for v in range(engine.n_variables):
        joined = (parents[v] >> target | parents[target] >> v) & 1
        if v == target or joined or constant[v] or constant[target]:
            continue
        if limits.allowed[v] >> target & 1 and parents[v].bit_count() < limits.most:
            parents[v] |= 1 << target
    return parents


def insert_families(
    wanted: Sequence[int],
    target: int,
    score: Score,
    *,
    engine: Engine,
    limits: Limits,
    watch: Watch,
) -> list[int]:
    """Insert the edges of a graph one by one, the class first, each with what it does to the score.

    A step limit cuts the insertion short; the scores come from one batch.
    """
    parents = list(limits.required)
    edges = []
    for v, mask in enumerate(wanted):
        new = sorted(bits(mask & ~parents[v]), key=lambda p: (p != target, p))
        known = parents[v]
        for p in new:
            edges.append((v, p, known))
            known |= 1 << p
    batch = Batch.of((v, bits(known), (NONE, p)) for v, p, known in edges)
    scores = checked_scores(score, engine, batch).reshape(-1, 2)
    total = score.total(engine, parents)
    for (v, p, _), gain in zip(edges, (scores[:, 1] - scores[:, 0]).tolist(), strict=True):
        if not watch.may_go_on() and watch.stopped is Stop.STEP_LIMIT:
            break
        parents[v] |= 1 << p
        total += gain
        watch.saw(Step("insert", p, v, gain), total)
    return parents
