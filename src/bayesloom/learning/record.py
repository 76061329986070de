"""What a search did, told by names: the part of a result that files keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from bayesloom.errors import FileFormatError
from bayesloom.graphs import DAG, ChordalGraph, skeleton
from bayesloom.learning.named_step import NamedDependency, NamedStep
from bayesloom.learning.searches import (
    Search,
    described,
    has_start,
    link_score,
    parts_of,
    score_of,
)
from bayesloom.learning.structure import Kind, Structure, class_of
from bayesloom.scores import Score
from bayesloom.search import Knowledge, SearchResult, Stop, TestTally

if TYPE_CHECKING:
    from bayesloom.learning.criterion import Criterion


class ScoreValue(NamedTuple):
    """The value of a score, in nats, and which score it is."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Record:
    """How a network was learned.

    Parameters
    ----------
    search : str
        The search with its options.
    kind : Kind
        What kind of graph it was about.
    score : Score or None
        What it maximised; None if a file cannot tell it in full.
    value : ScoreValue
        The score of the result.
    steps : tuple of NamedStep
        Every move, in order.
    stop : Stop
        Why it ended.
    candidates, n_rows : int
        How many graphs were looked at, and how many rows of data there were.
    knowledge : Knowledge
        What was known before.
    max_parents : int, optional
        The most parents a variable could have.
    dependencies : tuple of NamedDependency
        What the tests of the search detected, in order.
    tests : TestTally
        How many tests it made.
    notes : tuple of str
        What the user should know besides, one sentence each.
    criterion : Criterion, optional
        The test of the search and the level of its control, if it tests.
    start : tuple of pairs of str
        What the graph joined that the search started from.
    strengths : tuple of (str, str, float)
        For edges (parent, child) how much the score falls without them, in files that keep it. It
        follows from the network and the data, so it does not tell records apart.
    """

    search: str
    kind: Kind
    score: Score | None
    value: ScoreValue
    steps: tuple[NamedStep, ...]
    stop: Stop
    candidates: int
    n_rows: int
    knowledge: Knowledge
    max_parents: int | None
    dependencies: tuple[NamedDependency, ...] = ()
    tests: TestTally = field(default_factory=TestTally)
    notes: tuple[str, ...] = ()
    criterion: Criterion | None = None
    start: tuple[tuple[str, str], ...] = ()
    strengths: tuple[tuple[str, str, float], ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls,
        result: SearchResult,
        *,
        search: Search,
        n_rows: int,
        knowledge: Knowledge,
        max_parents: int | None,
    ) -> Record:
        """Tell a result by names."""
        names, score = result.dag.names, score_of(search, n_rows)
        links = link_score(search, n_rows)
        return cls(
            search=described(search),
            kind=Kind.of(result.graph),
            score=score,
            value=ScoreValue(score.name, result.score),
            steps=tuple(NamedStep.of(step, names, links) for step in result.steps),
            stop=result.stop,
            candidates=result.candidates,
            n_rows=n_rows,
            knowledge=knowledge,
            max_parents=max_parents,
            dependencies=tuple(NamedDependency.of(d, names) for d in result.dependencies),
            tests=result.tests,
            notes=result.notes,
            criterion=_criterion_of(search),
            start=_joined_at_start(result) if has_start(search) else (),
        )

    def structure(self, dag: DAG) -> Structure:
        """Return what the search was about, of which a file keeps a DAG.

        Examples
        --------
        >>> from bayesloom.network import learn
        >>> from bayesloom.search import DMN
        >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}, DMN())
        >>> learned.record.structure(learned.dag)
        ChordalGraph(2 nodes, 1 edge: rain - wet)
        """
        if self.kind is Kind.MARKOV_NETWORK:
            return ChordalGraph(dag.names, tuple(skeleton(dag.parents)))
        if self.kind is Kind.CLASS:
            return class_of(dag, self.knowledge.limits(dag.names, self.max_parents))
        return dag

    def to_dict(self) -> dict[str, object]:
        """Return the record as plain data that `from_dict` reads; the same for every run."""
        settings = self.score.settings() if self.score is not None else {}
        return {
            "search": self.search,
            "graph": self.kind.value,
            "score": {**self.value._asdict(), "settings": settings},
            "steps": [
                {**step.to_dict(), "covered": list(step.covered), **step.alternatives()}
                for step in self.steps
            ],
            "stop": stop_name(self.stop),
            "candidates": self.candidates,
            "rows": self.n_rows,
            "knowledge": asdict(self.knowledge),
            "max_parents": self.max_parents,
            "dependencies": [
                {**found.to_dict(), "information": found.information} for found in self.dependencies
            ],
            "tests": asdict(self.tests),
            "notes": list(self.notes),
            "criterion": None if self.criterion is None else self.criterion.to_dict(),
            "start": [list(pair) for pair in self.start],
            "strengths": [list(edge) for edge in self.strengths],
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], path: str) -> Record:
        """Build a record from the plain data of a file.

        Raises
        ------
        FileFormatError
            If the data are not a record.
        """
        try:
            return cls(
                search=str(found["search"]),
                kind=Kind(found["graph"]),
                score=_score_from(found["score"]),
                value=ScoreValue(str(found["score"]["name"]), float(found["score"]["value"])),
                steps=tuple(map(NamedStep.from_dict, found["steps"])),
                stop=Stop[str(found["stop"]).upper()],
                candidates=int(found["candidates"]),
                n_rows=int(found["rows"]),
                knowledge=Knowledge(**found["knowledge"]),
                max_parents=found["max_parents"],
                dependencies=tuple(map(NamedDependency.from_dict, found["dependencies"])),
                tests=TestTally(**found["tests"]),
                notes=tuple(map(str, found["notes"])),
                criterion=_criterion_from(found.get("criterion")),
                start=tuple((str(x), str(y)) for x, y in found.get("start", ())),
                strengths=tuple(
                    (str(x), str(y), float(loss)) for x, y, loss in found.get("strengths", ())
                ),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"{type(error).__name__}: {error}"
            problem = f'the member "learned" is damaged ({what}); learn again'
            raise FileFormatError(problem, path) from None


def stop_name(stop: Stop) -> str:
    """Return the name of a reason to stop as JSON gives it.

    Examples
    --------
    >>> stop_name(Stop.LOCAL_OPTIMUM)
    'local_optimum'
    """
    return stop.name.lower()


def _joined_at_start(result: SearchResult) -> tuple[tuple[str, str], ...]:
    """Return the pairs that were joined before the first step: undo the steps, last one first."""
    names = result.dag.names
    joined = {frozenset(edge) for edge in result.dag.edges}
    for step in reversed(result.steps):
        links = [(step.x, step.y)] if step.change is None else step.change.links
        pairs = {frozenset((names[x], names[y])) for x, y in links}
        if step.operator in ("insert", "link"):
            joined -= pairs
        elif step.operator in ("delete", "unlink"):
            joined |= pairs
    return tuple(sorted((min(pair), max(pair)) for pair in joined))


def _score_from(found: Mapping[str, Any]) -> Score | None:
    from bayesloom.scores import AIC, BIC, BDeu, K2Score, LogLikelihood

    # Those that their name and settings say all about.
    kinds: tuple[type[Score], ...] = (LogLikelihood, AIC, BIC, BDeu, K2Score)
    kind = {kind.name: kind for kind in kinds}.get(str(found["name"]))
    return None if kind is None else kind(**found["settings"])


def _criterion_of(search: Search) -> Criterion | None:
    """Return the criterion of a search that tests; what tests need is not loaded for the others."""
    if not any(hasattr(part, "test") for part in parts_of(search)):
        return None
    from bayesloom.learning.criterion import Criterion

    return Criterion.of(search)


def _criterion_from(found: Mapping[str, Any] | None) -> Criterion | None:
    if found is None:
        return None
    from bayesloom.learning.criterion import Criterion

    return Criterion.from_dict(found)
