"""What a search did, told by names: the part of a result that files keep."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bayesloom.data import member
from bayesloom.errors import BayesloomError, DataError, FileFormatError
from bayesloom.learning.structure import Kind, Structure, class_of
from bayesloom.registry import CONTROLS, SCORES, TESTS, Registry, Told, described
from bayesloom.search import Knowledge, Limits, Search, SearchResult, Stop, TestTally, facts_of
from bayesloom.search.facts.finding import finding_from_dict
from bayesloom.search.facts.moves import Step
from bayesloom.search.facts.tested import Dependency

if TYPE_CHECKING:
    from bayesloom.data import MissingCells
    from bayesloom.graphs import DAG
    from bayesloom.learning.confidence import Confidence
    from bayesloom.learning.edge_strength import EdgeStrength
    from bayesloom.learning.false_edges import FalseEdges
    from bayesloom.search import Conflict, Finding, Proof
    from bayesloom.search.facts.fact import Fact

LEVEL = 0.05
"""At which stories read tests whose control has no fixed level."""


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
    score : Told or None
        What it maximised; None for a search without a score.
    total : float or None
        The score of the result, in nats.
    steps : tuple of Step
        Every move, in order; variables of this and of all facts below go by their names.
    stop : Stop
        Why it ended.
    candidates, n_rows : int
        How many families were scored, and how many rows of data there were.
    knowledge : Knowledge
        What was known before.
    max_parents : int, optional
        The most parents a variable could have.
    dependencies : tuple of Dependency
        What the tests of the search detected, in order.
    tests : TestTally
        How many tests it made.
    notes : tuple of str
        What the user should know besides, one sentence each.
    test : Told, optional
        The test of the search, if it tests.
    level : float
        The level at which stories read the test.
    start : tuple of pairs of str
        What the graph joined that the search started from.
    strengths : tuple of EdgeStrength
        What the data say of every edge, in files that keep it. It follows from the network and the
        data, so it does not tell records apart.
    control : Told, optional
        What decides which p-values of the test reject.
    separations : tuple of Finding
        What took pairs apart, in the order of pairs, where the search looks for independence.
    conflicts : tuple of Conflict
        Where its tests disagree on directions.
    proof : Proof, optional
        How far below the optimum the score is at most, if the search has proven that.
    missing : MissingCells, optional
        What was missing in the data and counted around; None if nothing was.
    confidence : Confidence, optional
        How often every pair was joined, if the network is the average of many.
    completed : bool
        Whether score, gains and tests are those of rows whose missing cells were filled in.
    weighed : tuple of Finding
        What kept pairs together, in the order of pairs, where the search weighs that.
    chance : FalseEdges, optional
        How many of the edges are expected to be chance, if that was counted.
    numbers : tuple of str
        The columns that are numbers; the model has no edge from them to a category.
    """

    search: str
    kind: Kind
    score: Told | None
    total: float | None
    steps: tuple[Step[str], ...]
    stop: Stop
    candidates: int
    n_rows: int
    knowledge: Knowledge
    max_parents: int | None
    dependencies: tuple[Dependency[str], ...] = ()
    tests: TestTally = field(default_factory=TestTally)
    notes: tuple[str, ...] = ()
    test: Told | None = None
    level: float = 0.05
    start: tuple[tuple[str, str], ...] = ()
    strengths: tuple[EdgeStrength, ...] = field(default=(), compare=False)
    control: Told | None = None
    separations: tuple[Finding[str], ...] = ()
    conflicts: tuple[Conflict[str], ...] = ()
    proof: Proof | None = None
    missing: MissingCells | None = None
    confidence: Confidence | None = None
    completed: bool = False
    weighed: tuple[Finding[str], ...] = ()
    chance: FalseEdges | None = None
    numbers: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        result: SearchResult,
        *,
        search: Search,
        n_rows: int,
        knowledge: Knowledge,
        max_parents: int | None,
        numbers: tuple[str, ...] = (),
    ) -> Record:
        """Tell a result by names."""
        names, facts = result.graph.names, facts_of(search)
        score, links, testing = facts.goal(n_rows), facts.link_goal(n_rows), facts.testing()
        link_score = None if links is None else SCORES.name_of(links)
        joined = [(names[x], names[y]) for x, y in result.start]
        name = names.__getitem__
        return cls(
            search=described(search),
            kind=Kind.of(result.graph),
            score=None if score is None else SCORES.told(score),
            total=result.score,
            steps=tuple(_named(step, name, link_score) for step in result.steps),
            stop=result.stop,
            candidates=result.candidates,
            n_rows=n_rows,
            knowledge=knowledge,
            max_parents=max_parents,
            dependencies=tuple(found.renamed(name) for found in result.dependencies),
            tests=result.tests,
            notes=result.notes,
            test=None if testing is None else TESTS.told(testing.test),
            level=LEVEL if testing is None else _fixed_level(testing.control),
            start=tuple(sorted((min(p), max(p)) for p in joined)),
            control=None if testing is None else CONTROLS.told(testing.control),
            separations=tuple(found.renamed(name) for found in result.separations),
            conflicts=tuple(conflict.renamed(name) for conflict in result.conflicts),
            proof=result.proof,
            completed=result.completed,
            weighed=tuple(found.renamed(name) for found in result.weighed),
            numbers=numbers,
        )

    def limits(self, names: tuple[str, ...]) -> Limits:
        """Return what the search had to keep to, over variables in some order."""
        limits = self.knowledge.limits(names, self.max_parents)
        if not self.numbers:
            return limits
        import numpy as np

        numbers = set(self.numbers)
        return limits.between_kinds(np.array([name in numbers for name in names]))

    def facts(self) -> Iterator[Fact[str]]:
        """Yield every fact of the search: steps, tests, what took pairs apart or kept them."""
        yield from (*self.steps, *self.dependencies, *self.separations)
        yield from (*self.weighed, *self.conflicts)

    def covered_by(self, step: Step[str]) -> tuple[Dependency[str], ...]:
        """Return the dependencies that a step covered."""
        return tuple(self.dependencies[k] for k in step.covered)

    @property
    def value(self) -> ScoreValue | None:
        """The name of the score and its value; None for a search without a score."""
        if self.total is None:
            return None
        return ScoreValue("score" if self.score is None else self.score.name, self.total)

    @property
    def loses_completed(self) -> bool:
        """Whether what edges are worth is told of completed rows: the score takes no holes."""
        made = None if self.score is None else SCORES.made(self.score)
        return self.missing is not None and made is not None and not made.takes_holes

    @property
    def unknown(self) -> tuple[str, ...]:
        """The score and the test of the search, if this program does not know them."""
        named = ((SCORES, self.score), (TESTS, self.test))
        return tuple(
            f"{registry.kind} {told.name}"
            for registry, told in named
            if told is not None and registry.made(told) is None
        )

    def structure(self, dag: DAG) -> Structure:
        """Return what the search was about, of which a file keeps a DAG.

        Examples
        --------
        >>> from bayesloom.facade import learn
        >>> from bayesloom.search import DMN
        >>> learned = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}, DMN())
        >>> learned.record.structure(learned.dag)
        ChordalGraph(2 nodes, 1 edge: rain - wet)
        """
        if self.kind is Kind.MARKOV_NETWORK:
            from bayesloom.graphs import ChordalGraph, skeleton

            return ChordalGraph(dag.names, tuple(skeleton(dag.parent_masks)))
        if self.kind is Kind.CLASS:
            return class_of(dag, self.limits(dag.names))
        return dag

    def to_dict(self) -> dict[str, object]:
        """Return the record as plain data that `from_dict` reads; the same for every run."""
        value, score, test = self.value, self.score, self.test
        return {
            "search": self.search,
            "graph": self.kind.value,
            "score": None
            if value is None
            else {**value._asdict(), **({"settings": {}} if score is None else _data(score))},
            "steps": [step.stored() for step in self.steps],
            "stop": stop_name(self.stop),
            "candidates": self.candidates,
            "rows": self.n_rows,
            "knowledge": self.knowledge.to_dict(),
            "max_parents": self.max_parents,
            "dependencies": [found.stored() for found in self.dependencies],
            "tests": asdict(self.tests),
            "notes": list(self.notes),
            "test": None
            if test is None
            else {"name": test.name, **_data(test), "level": self.level},
            "start": [list(pair) for pair in self.start],
            "strengths": [edge.to_list() for edge in self.strengths],
            "control": None
            if self.control is None
            else {"name": self.control.name, **_data(self.control)},
            **self.separated(),
            **({} if self.proof is None else {"proof": self.proof.to_dict()}),
            **({} if self.missing is None else {"missing": self.missing.to_dict()}),
            **({} if self.confidence is None else {"confidence": self.confidence.to_dict()}),
            **({"completed": True} if self.completed else {}),
            **({} if self.chance is None else {"chance": self.chance.to_dict()}),
            **({"numbers": list(self.numbers)} if self.numbers else {}),
        }

    def separated(self) -> dict[str, object]:
        """Return as plain data what took pairs apart, kept them, and where that disagrees."""
        apart = [each.payload() for each in self.separations]
        conflicts = [each.to_dict() for each in self.conflicts]
        weighed = [each.payload(joined=True) for each in self.weighed]
        told = {"separations": apart, "conflicts": conflicts, "weighed": weighed}
        return {key: found for key, found in told.items() if found}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], path: str) -> Record:
        """Build a record from the plain data of a file.

        Raises
        ------
        FileFormatError
            If the data are not a record.
        """
        from bayesloom.learning.edge_strength import EdgeStrength
        from bayesloom.search.facts.conflict import Conflict

        try:
            score, tests = member.optional(member.part, found, "score"), member.part(found, "tests")
            test = member.optional(member.part, found, "test") if "test" in found else None
            control = member.optional(member.part, found, "control")
            knowledge: Any = member.part(found, "knowledge")
            steps = tuple(map(Step[str].from_dict, member.many(member.part, found, "steps")))
            detected = member.many(member.part, found, "dependencies")
            _check_covered(steps, len(detected))
            return cls(
                search=member.text(found, "search"),
                kind=member.choice(found, "graph", Kind),
                score=None if score is None else _told(score, SCORES),
                total=None if score is None else member.number(score, "value"),
                steps=steps,
                stop=Stop[member.text(found, "stop").upper()],
                candidates=member.whole(found, "candidates"),
                n_rows=member.whole(found, "rows"),
                knowledge=Knowledge(**knowledge),
                max_parents=member.optional(member.whole, found, "max_parents"),
                dependencies=tuple(map(Dependency[str].from_dict, detected)),
                tests=TestTally(**{key: member.whole(tests, key) for key in tests}),
                notes=member.many(member.text, found, "notes"),
                test=None if test is None else _told(test, TESTS),
                level=LEVEL if test is None else member.number(test, "level"),
                start=member.many(member.pair, found, "start") if "start" in found else (),
                strengths=member.many(EdgeStrength.taken, found, "strengths")
                if "strengths" in found
                else (),
                control=None if control is None else _told(control, CONTROLS),
                separations=tuple(map(finding_from_dict, _parts(found, "separations"))),
                conflicts=tuple(map(Conflict[str].from_dict, _parts(found, "conflicts"))),
                proof=_proof(found),
                missing=_missing(found),
                confidence=_confidence(found),
                completed=bool(found.get("completed", False)),
                chance=_chance(found),
                weighed=tuple(map(finding_from_dict, _parts(found, "weighed"))),
                numbers=member.many(member.text, found, "numbers") if "numbers" in found else (),
            )
        except BayesloomError as error:
            problem = f'the member "learned" is damaged ({error}); learn again'
            raise FileFormatError(problem, path) from None
        except (KeyError, TypeError, ValueError, AttributeError):
            problem = 'the member "learned" is damaged; learn again'
            raise FileFormatError(problem, path) from None


def _named(step: Step, name: Callable[[int], str], link_score: str | None) -> Step[str]:
    """Give a step of a search its names, and links the name of a score of their own."""
    named: Step[str] = step.renamed(name)
    return named if step.change is None else replace(named, score=link_score)


def stop_name(stop: Stop) -> str:
    """Return the name of a reason to stop as JSON gives it.

    Examples
    --------
    >>> stop_name(Stop.LOCAL_OPTIMUM)
    'local_optimum'
    """
    return stop.name.lower()


def _fixed_level(control: Any) -> float:  # noqa: ANN401 - of independence, not loaded for it
    return float(control.alpha) if CONTROLS.name_of(control) == "fixed" else LEVEL


def _check_covered(steps: tuple[Step[str], ...], n_dependencies: int) -> None:
    for step in steps:
        for k in step.covered:
            if k >= n_dependencies:
                problem = f"a step covers dependency {k}, and there are {n_dependencies}"
                raise DataError(problem)


def _data(told: Told) -> dict[str, object]:
    return {"settings": dict(told.settings), **({} if told.whole else {"whole": False})}


def _parts(found: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], ...]:
    """Return the parts of a member that is left out where there are none."""
    return member.many(member.part, found, key) if key in found else ()


def _proof(found: Mapping[str, Any]) -> Proof | None:
    if "proof" not in found:
        return None
    from bayesloom.search import Proof

    proof = member.part(found, "proof")
    bound = member.optional(member.number, proof, "bound")
    return Proof(
        member.number(proof, "best"),
        math.inf if bound is None else bound,
        member.optional(member.whole, proof, "max_parents"),
    )


def _missing(found: Mapping[str, Any]) -> MissingCells | None:
    if "missing" not in found:
        return None
    from bayesloom.data import MissingCells

    return MissingCells.from_dict(member.part(found, "missing"))


def _chance(found: Mapping[str, Any]) -> FalseEdges | None:
    if "chance" not in found:
        return None
    from bayesloom.learning.false_edges import FalseEdges

    return FalseEdges.from_dict(member.part(found, "chance"))


def _confidence(found: Mapping[str, Any]) -> Confidence | None:
    if "confidence" not in found:
        return None
    from bayesloom.learning.confidence import Confidence

    return Confidence.from_dict(member.part(found, "confidence"))


def _told(found: Mapping[str, Any], registry: Registry) -> Told:
    settings = dict(member.part(found, "settings"))
    for key, value in settings.items():
        if value is not None and not isinstance(value, str | bool):
            member.number(settings, key)
    told = Told(member.text(found, "name"), settings, bool(found.get("whole", True)))
    try:
        registry.made(told)
    except ValueError as error:
        problem = f"the {registry.kind} {told.name} cannot be made of its settings: {error}"
        raise DataError(problem) from None
    return told
