"""The search in a report: settings with their formulas, steps that can be replayed, tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bayesloom.data.plain import to_plain
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.registry import CONTROLS, FINDINGS, SCORES, TESTS, Registry, Told
from bayesloom.report.page.subject import Subject
from bayesloom.search import Finding, ReportColumn
from bayesloom.story import StoryStep
from bayesloom.story.summary import search_text, steps_text, tally_text


def course(subject: Subject) -> dict[str, object] | None:
    """Return how the search went; None if there was none."""
    record = subject.record
    if record is None:
        return None
    numbers = subject.numbers()
    changes = [(_pairs(s.joined, numbers), _pairs(s.parted, numbers)) for s in record.steps]
    start = _pairs(record.start, numbers)
    return {
        "start": start,
        "steps": [
            {
                "text": StoryStep(number, step, record.covered_by(step)).sentence(),
                "gain": step.gain,
                "joined": joined,
                "parted": parted,
                **({} if step.score is None else {"score": step.score}),
            }
            for number, (step, (joined, parted)) in enumerate(
                zip(record.steps, changes, strict=True), start=1
            )
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
    tests = record.tests
    return {
        "made": tests.made,
        "inconclusive": tests.inconclusive,
        "rejected": tests.rejected,
        "told": tally_text(record),
        "rule": [text for _, text in _setting(CONTROLS, record.control)],
        "level": record.level,
        "tables": _tables(subject, record),
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


def _pairs(pairs: Iterable[tuple[str, str]], numbers: Mapping[str, int]) -> list[list[int]]:
    return [sorted((numbers[x], numbers[y])) for x, y in pairs]


def _tables(subject: Subject, record: Record) -> dict[str, dict[str, object]]:
    """Return what the search found of pairs: a table for every kind of finding, by its name."""
    listed: dict[str, list[tuple[Finding[str], bool]]] = {"dependency": []}
    for findings, joined in ((record.weighed, True), (record.separations, False)):
        for finding in findings:
            listed.setdefault(FINDINGS.name_of(finding), []).append((finding, joined))
    listed["dependency"] = [(found, True) for found in record.dependencies]
    numbers = subject.numbers()
    return {name: _table(findings, numbers) for name, findings in listed.items() if findings}


def _table(
    findings: Sequence[tuple[Finding[str], bool]], numbers: Mapping[str, int]
) -> dict[str, object]:
    kind = type(findings[0][0])
    columns = kind.columns or (ReportColumn("finding", "text", "text"),)
    rows = [_row(finding, columns, numbers, joined=joined) for finding, joined in findings]
    if len({joined for _, joined in findings}) > 1 or kind.about:
        columns = (*columns, ReportColumn("joined", "joined", "flag"))
    return {
        "title": kind.title or kind.__name__,
        "about": kind.about,
        "columns": [column._asdict() for column in columns],
        "rows": rows,
    }


def _row(
    finding: Finding[str],
    columns: Sequence[ReportColumn],
    numbers: Mapping[str, int],
    *,
    joined: bool,
) -> dict[str, object]:
    members = to_plain(finding.renamed(numbers.__getitem__))
    members |= {"text": finding.sentence(joined=joined), "joined": joined}
    keys = ("x", "y", "joined", *(column.member for column in columns))
    return {key: members[key] for key in dict.fromkeys(keys)}


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
