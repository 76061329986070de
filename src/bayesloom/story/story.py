"""The story of a pair of variables: why they are joined in a learned network, or why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bayesloom.errors import OptionError, UnknownVariableError
from bayesloom.graphs import CPDAG, DAG, ChordalGraph
from bayesloom.learning.confidence import PairStrength
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure, mark
from bayesloom.search import Conflict, Dependency, Finding, Limits, Proof, Step
from bayesloom.story.direction import Direction
from bayesloom.story.evidence import Evidence
from bayesloom.story.sentences import (
    change_sentence,
    completion_sentence,
    dependency_sentence,
    headline,
    start_sentence,
)


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A step that touched a pair: its number, counted from 1, and the dependencies it covered."""

    number: int
    step: Step[str]
    covered: tuple[Dependency[str], ...] = ()

    def sentence(self) -> str:
        """Say what the step did and why."""
        return self.step.sentence(self.number, self.covered)

    def to_dict(self) -> dict[str, object]:
        """Return the step as plain data."""
        return {
            "number": self.number,
            **self.step.to_dict(),
            "covered": [dependency.to_dict() for dependency in self.covered],
            **self.step.alternatives(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Story:
    """Everything there is to say about a pair; prints as sentences.

    Parameters
    ----------
    x, y : str
        The pair, as it was asked for.
    edge : str
        ``"->"``, ``"<-"`` or ``"-"`` between x and y; empty if they are not joined.
    direction : Direction, optional
        What settles the direction: the data alone (every graph of the equivalence class has it),
        knowledge, or nothing. None for a pair that is not joined and in a Markov network.
    steps : tuple of StoryStep, optional
        The steps of the search that touched the pair; None if no record of the search is there.
    dependencies : tuple of Dependency
        The dependencies of the two that tests of the search have detected.
    knowledge : tuple of str
        What knowledge and limits say of the pair, in sentences.
    evidence : Evidence, optional
        What the data say; None if there are no data.
    in_start : bool
        Whether the two were joined in the graph that the search started from.
    has_tests : bool
        Whether the search made tests.
    has_steps : bool
        Whether the search goes step by step: one that only tests does not.
    unknown : tuple of str
        The score or the test of the search, such as ``"score mine"``, where this program does not
        know it; what the data say is then told without it.
    notes : tuple of str
        What the reader should know besides, one sentence each.
    separation : Finding, optional
        What took the two apart: a test of the search, or what else it found of the pair.
    conflicts : tuple of Conflict
        Where tests of the search disagree on the direction of their edge.
    proof : Proof, optional
        How far below the optimum the network is at most, if the search has proven that.
    confidence : PairStrength, optional
        How often the two were joined, if the network is the average of many that did.
    averaged : str
        The same as a sentence; empty unless the network is such an average.
    completed : bool
        Whether the search saw rows whose missing cells were filled in.
    weighing : Finding, optional
        What kept the two together, if the search weighs that.
    """

    x: str
    y: str
    edge: str
    direction: Direction | None
    steps: tuple[StoryStep, ...] | None
    dependencies: tuple[Dependency[str], ...]
    knowledge: tuple[str, ...]
    evidence: Evidence | None
    in_start: bool = False
    has_tests: bool = False
    has_steps: bool = True
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    separation: Finding[str] | None = None
    conflicts: tuple[Conflict[str], ...] = ()
    proof: Proof | None = None
    confidence: PairStrength | None = None
    averaged: str = ""
    completed: bool = False
    weighing: Finding[str] | None = None

    @property
    def is_present(self) -> bool:
        """Whether the two are joined."""
        return bool(self.edge)

    def to_dict(self) -> dict[str, object]:
        """Return the story as plain data."""
        return {
            "x": self.x,
            "y": self.y,
            "present": self.is_present,
            "edge": self.edge,
            "direction": None if self.direction is None else self.direction.value,
            "in_start": self.in_start,
            "steps": None if self.steps is None else [told.to_dict() for told in self.steps],
            "dependencies": [dependency.to_dict() for dependency in self.dependencies],
            "knowledge": list(self.knowledge),
            "evidence": None if self.evidence is None else self.evidence.to_dict(),
            "unknown": list(self.unknown),
            "notes": list(self.notes),
            "separation": None if self.separation is None else self.separation.payload(),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            **({} if self.weighing is None else {"weighing": self.weighing.payload(joined=True)}),
            **({} if self.proof is None else {"proof": self.proof.to_dict()}),
            **({} if self.confidence is None else {"confidence": self.confidence._asdict()}),
            **({"completed": True} if self.completed else {}),
            "text": str(self),
        }

    def __str__(self) -> str:
        lines = [headline(self.x, self.y, self.edge)]
        if self.direction is not None:
            lines.append(_direction_sentence(self.x, self.y, self.edge, self.direction))
        if self.steps is not None:
            lines += self._past(self.steps)
        if self.evidence is not None:
            lines += self._present(self.evidence)
            if self.has_tests:
                lines.append("What is tested here stands outside the error control of the search.")
            lines += [f"The {what} of the search is not known here." for what in self.unknown]
        lines += self.knowledge
        lines += self.notes
        return "\n  ".join(lines)

    __repr__ = __str__

    def _past(self, steps: tuple[StoryStep, ...]) -> list[str]:
        """Say where the search started, what it did to the pair, and what its tests found."""
        said = [self.averaged] if self.averaged else []
        said += [start_sentence(was_touched=bool(steps))] if self.in_start else []
        said += [told.sentence() for told in steps]
        if self.separation is not None:
            said.append(self.separation.sentence())
        elif self.weighing is not None:
            said.append(self.weighing.sentence(joined=True))
        elif not said and self.has_steps:
            said.append("No step of the search touched the pair.")
        said += [found.sentence() for found in self.dependencies]
        if self.has_tests and not self.dependencies and self.separation is None:
            said.append("No test of the search found the two dependent.")
        if self.completed and (steps or self.dependencies or self.separation is not None):
            said.append(completion_sentence())
        said += [f"Conflict: {conflict}." for conflict in self.conflicts]
        if self.proof is not None:
            said.append(f"The network as a whole: {self.proof}.")
        return said

    def _present(self, evidence: Evidence) -> list[str]:
        """Say what changes would do to the score now, and how the two depend on each other."""
        whose = "their common neighbours"
        if evidence.child is not None:
            whose = f"{'the other parents' if self.edge else 'the parents'} of {evidence.child}"
        free = self.direction is Direction.FREE
        tests = (evidence.alone, evidence.given)
        return [
            *(
                change_sentence(change, evidence.score, free=free, completed=evidence.completed)
                for change in evidence.changes
            ),
            *(dependency_sentence(test, whose, evidence.criterion) for test in tests if test),
        ]


def tell_story(
    x: str,
    y: str,
    dag: DAG | None,
    *,
    graph: Structure | None = None,
    record: Record | None = None,
    evidence: Evidence | None = None,
    unknown: Sequence[str] = (),
    n_rows: int | None = None,
) -> Story:
    """Collect the story of a pair.

    Parameters
    ----------
    x, y : str
        The pair.
    dag : DAG, optional
        The network; None if no DAG extends ``graph``.
    graph : DAG, PDAG or ChordalGraph, optional
        What the search was about, if that is not the DAG.
    record : Record, optional
        How the network was learned.
    evidence : Evidence, optional
        What the data say.
    unknown : sequence of str
        The score or the test of the search, where it is not known.
    n_rows : int, optional
        How many rows the data of the evidence have; the story says if the search had others.

    Raises
    ------
    UnknownVariableError
        If a variable is not in the network.
    OptionError
        If the two are the same variable.

    Examples
    --------
    >>> print(tell_story("A", "B", DAG.from_edges([("B", "A")])))
    A <- B: the two are joined, B is a parent of A.
      Its direction is free: A -> B would explain any data equally well.
    """
    found = dag if graph is None else graph
    if found is None:
        msg = "a story needs a graph: give dag, graph or both"
        raise OptionError(msg)
    check_pair(x, y, found.names)
    limits = None if record is None else record.limits(found.names)
    said: tuple[str, ...] = ()
    if record is not None and limits is not None and dag is not None:
        said = _limits_on(dag, limits, record.numbers, x, y)
    edge = mark(found, x, y)
    has_direction = edge and not isinstance(graph, ChordalGraph)
    return Story(
        x,
        y,
        edge,
        _direction(dag, record, x, y) if has_direction and dag is not None else None,
        None if record is None else _steps_of(record, x, y),
        () if record is None else _detected(record, x, y),
        (*_beliefs(record, x, y), *said),
        evidence,
        in_start=record is not None and (min(x, y), max(x, y)) in record.start,
        has_tests=record is not None and record.tests.made > 0,
        has_steps=record is None
        or (record.confidence is None and (record.value is not None or bool(record.steps))),
        unknown=tuple(unknown),
        notes=() if record is None or n_rows is None else _other_data(record.n_rows, n_rows),
        separation=None if record is None else _of_pair(record.separations, x, y),
        weighing=None if record is None else _of_pair(record.weighed, x, y),
        conflicts=() if record is None else _conflicts(record, x, y),
        proof=None if record is None else record.proof,
        completed=record is not None and record.completed,
        **_averaged(record, x, y, links=isinstance(found, ChordalGraph)),
    )


def check_pair(x: str, y: str, names: Sequence[str]) -> None:
    """Raise unless x and y are two of the names."""
    for name in (x, y):
        if name not in names:
            raise UnknownVariableError(name, names)
    if x == y:
        msg = f"a story is about two variables, got {x!r} twice"
        raise OptionError(msg)


def _other_data(then: int, now: int) -> tuple[str, ...]:
    if then == now:
        return ()
    return (f"These are other data than the search had: {now:,} rows now, {then:,} then.",)


def _direction(dag: DAG, record: Record | None, x: str, y: str) -> Direction:
    found = CPDAG.of(dag)
    if y not in found.neighbours(x):
        return Direction.COMPELLED
    if record is not None:
        known = record.knowledge.limits(dag.names, record.max_parents)
        if _settles(known, found, x, y):
            return Direction.KNOWLEDGE
        if record.numbers and _settles(record.limits(dag.names), found, x, y):
            return Direction.MODEL
    return Direction.FREE


def _settles(limits: Limits, found: CPDAG, x: str, y: str) -> bool:
    """Say whether limits direct the edge of a pair that the class leaves open."""
    settled = limits.orient(found.parent_masks, found.neighbour_masks)
    a, b = found.names.index(x), found.names.index(y)
    return settled is not None and not settled[1][a] >> b & 1


def _direction_sentence(x: str, y: str, edge: str, direction: Direction) -> str:
    if direction is Direction.COMPELLED:
        return "Its direction is compelled: every graph of the equivalence class has it."
    if direction is Direction.KNOWLEDGE:
        return "Its direction comes from the knowledge; the data alone leave it open."
    if direction is Direction.MODEL:
        return (
            "Its direction follows from the model, which has no edge from a number to a category; "
            "the data leave it open."
        )
    other = f"{y} -> {x}" if edge == "->" else f"{x} -> {y}"
    if edge == "-":
        return f"Its direction is free: {x} -> {y} and {y} -> {x} explain any data equally well."
    return f"Its direction is free: {other} would explain any data equally well."


def _detected(record: Record, x: str, y: str) -> tuple[Dependency[str], ...]:
    return tuple(found for found in record.dependencies if {found.x, found.y} == {x, y})


def _of_pair(findings: Sequence[Finding[str]], x: str, y: str) -> Finding[str] | None:
    return next((found for found in findings if {found.x, found.y} == {x, y}), None)


def _conflicts(record: Record, x: str, y: str) -> tuple[Conflict[str], ...]:
    """Return the conflicts on colliders that the edge of a pair would be part of."""
    return tuple(
        found
        for found in record.conflicts
        if found.middle in (x, y) and {x, y} & {found.x, found.y}
    )


def _averaged(record: Record | None, x: str, y: str, *, links: bool) -> dict[str, Any]:
    if record is None or record.confidence is None:
        return {}
    known = record.confidence
    return {"confidence": known.pair(x, y), "averaged": known.sentence(x, y, links=links)}


def _steps_of(record: Record, x: str, y: str) -> tuple[StoryStep, ...]:
    return tuple(
        StoryStep(number, step, record.covered_by(step))
        for number, step in enumerate(record.steps, start=1)
        if step.touches(x, y)
    )


def _beliefs(record: Record | None, x: str, y: str) -> tuple[str, ...]:
    """Say what was believed of the arrows between x and y."""
    known = () if record is None else record.knowledge.beliefs
    return tuple(pair.sentence() for pair in known if {pair.first, pair.second} == {x, y})


def _limits_on(dag: DAG, limits: Limits, numbers: Sequence[str], x: str, y: str) -> tuple[str, ...]:
    said = []
    for parent, child in ((x, y), (y, x)):
        u, v = dag.names.index(parent), dag.names.index(child)
        if limits.required[v] >> u & 1:
            said.append(f"Knowledge requires {parent} -> {child}.")
        elif parent in numbers and child not in numbers:
            said.append(f"The model has no edge {parent} -> {child}: from a number to a category.")
        elif not limits.allowed[v] >> u & 1:
            said.append(f"Knowledge does not allow {parent} -> {child}.")
        elif not dag.parent_masks[v] >> u & 1 and dag.parent_masks[v].bit_count() >= limits.most:
            said.append(f"{child} has as many parents as max_parents = {limits.most} allows.")
    return tuple(said)
