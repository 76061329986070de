"""The search in a report: settings with their formulas, steps that can be replayed, tests."""

from __future__ import annotations

from bayesloom.learning.named_parting import NamedTriangle, NamedWeighing
from bayesloom.learning.named_separation import NamedSeparation
from bayesloom.learning.named_step import NamedDependency, NamedStep
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.registry import CONTROLS, SCORES, TESTS, Registry, Told
from bayesloom.report.page.subject import Subject
from bayesloom.story.summary import search_text, steps_text, tally_text


def course(subject: Subject) -> dict[str, object] | None:
    """Return how the search went; None if there was none."""
    record = subject.record
    if record is None:
        return None
    numbers = subject.numbers()
    changes = [_change(step, numbers) for step in record.steps]
    start = [sorted((numbers[x], numbers[y])) for x, y in record.start]
    return {
        "start": start,
        "steps": [
            {**_step(step, numbers), "joined": joined, "parted": parted}
            for step, (joined, parted) in zip(record.steps, changes, strict=True)
        ],
        "replays": _replays(subject.graph, start, changes),
        "score": None if record.score is None else record.score.name,
        "total": record.total,
        "stop": record.stop.value,
        "told": steps_text(record.steps, record.candidates),
        "averaged": 0 if record.confidence is None else record.confidence.networks,
    }


def settings(subject: Subject) -> list[list[str]]:
    """Return how the search, the score, the test and the rest were set, with formulas."""
    record = subject.record
    told = []
    if record is not None:
        told.append(["Search", search_text(record)])
        if record.confidence is None:
            told.append(["In Python", record.search])
        told += [*_setting(SCORES, record.score), *_setting(TESTS, record.test)]
        told += _setting(CONTROLS, record.control)
        if record.max_parents is not None:
            told.append(["Most parents", f"{record.max_parents}"])
        told += _knowledge(record)
    if subject.estimator:
        told.append(["Parameters", subject.estimator])
    return told


def control(subject: Subject) -> dict[str, object] | None:
    """Return what the search found of pairs; None if it neither tested nor weighed any."""
    record = subject.record
    if record is None or not (record.tests.made or record.separations or record.weighed):
        return None
    apart = record.separations
    tests, numbers = record.tests, subject.numbers()
    return {
        "made": tests.made,
        "inconclusive": tests.inconclusive,
        "rejected": tests.rejected,
        "told": tally_text(record),
        "rule": [text for _, text in _setting(CONTROLS, record.control)],
        "level": record.level,
        "dependencies": [
            _test(found, numbers, "covered", "information") for found in record.dependencies
        ],
        "separations": [
            _test(found, numbers, "conclusive")
            for found in apart
            if isinstance(found, NamedSeparation)
        ],
        "triangles": [
            _triangle(found, numbers) for found in apart if isinstance(found, NamedTriangle)
        ],
        "weighings": [
            *(_weighing(found, numbers, joined=True) for found in record.weighed),
            *(
                _weighing(found, numbers, joined=False)
                for found in apart
                if isinstance(found, NamedWeighing)
            ),
        ],
    }


def _setting(registry: Registry, told: Told | None) -> list[list[str]]:
    """Say what a score, test or control is: its name, its options, and its formula."""
    if told is None:
        return []
    kind = registry.kind.capitalize()
    options = ", ".join(
        f"{key} = {value:g}" if isinstance(value, int | float) else f"{key} = {value}"
        for key, value in told.settings.items()
        if value is not None
    )
    said = [[kind, told.name + (f" ({options})" if options else "")]]
    made = registry.made(told)
    if made is not None:
        said.append([f"{kind}, what it is", registry.help(told.name).replace("``", "")])
        if formula := getattr(made, "formula", ""):
            said.append([f"{kind}, local term", formula])
    return said


def _knowledge(record: Record) -> list[list[str]]:
    known = record.knowledge
    said = [
        [f"Knowledge: {what}", "; ".join(f"{p} -> {v}" for p, v in edges)]
        for what, edges in (("required", known.required), ("forbidden", known.forbidden))
        if edges
    ]
    said += [
        [f"Knowledge: {what}", ", ".join(names)]
        for what, names in (("roots", known.roots), ("leaves", known.leaves))
        if names
    ]
    if known.tiers:
        said.append(["Knowledge: tiers", " | ".join(", ".join(tier) for tier in known.tiers)])
    if known.arrows:
        told = "; ".join(f"{p} -> {v} {share:g}" for p, v, share in known.arrows)
        said.append(["Knowledge: belief", told])
    return said


def _step(step: NamedStep, numbers: dict[str, int]) -> dict[str, object]:
    return {
        "operator": step.operator,
        "x": numbers[step.x],
        "y": numbers[step.y],
        "with": [numbers[name] for name in step.others],
        "gain": step.gain,
        "reason": step.reason.value,
        "covered": list(step.covered),
        **({} if step.score is None else {"score": step.score}),
    }


def _test(
    found: NamedDependency | NamedSeparation, numbers: dict[str, int], *more: str
) -> dict[str, object]:
    return {
        "x": numbers[found.x],
        "y": numbers[found.y],
        "given": [numbers[name] for name in found.given],
        **{key: getattr(found, key) for key in ("statistic", "df", "log_p", *more)},
    }


def _triangle(found: NamedTriangle, numbers: dict[str, int]) -> dict[str, object]:
    return {
        "x": numbers[found.x],
        "y": numbers[found.y],
        "middle": numbers[found.middle],
        "information": found.information,
        "sides": list(found.sides),
    }


def _weighing(found: NamedWeighing, numbers: dict[str, int], *, joined: bool) -> dict[str, object]:
    return {
        "x": numbers[found.x],
        "y": numbers[found.y],
        "given": [numbers[name] for name in found.given],
        "information": found.information,
        "complexity": found.complexity,
        "joined": joined,
    }


def _change(step: NamedStep, numbers: dict[str, int]) -> tuple[list[list[int]], list[list[int]]]:
    """Return which pairs a step joined and which it parted; a reversal does neither."""
    pairs = [(step.x, step.y)] if step.change is None else list(step.change.links)
    told = [sorted((numbers[x], numbers[y])) for x, y in pairs]
    joined = told if step.operator in ("insert", "link") else []
    return joined, told if step.operator in ("delete", "unlink") else []


def _replays(
    graph: Structure, start: list[list[int]], changes: list[tuple[list[list[int]], list[list[int]]]]
) -> bool:
    """Say whether the steps lead from the start to what is joined in the network."""
    here: set[tuple[int, int]] = {(a, b) for a, b in start}
    for joined, parted in changes:
        here |= {(a, b) for a, b in joined}
        here -= {(a, b) for a, b in parted}
    place = {name: v for v, name in enumerate(graph.names)}
    ends = [*directed(graph), *undirected(graph)]
    return here == {(min(place[x], place[y]), max(place[x], place[y])) for x, y in ends}
