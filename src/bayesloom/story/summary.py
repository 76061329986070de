"""A learned network on one screen, as text and as HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bayesloom.learning.named_step import NamedStep
from bayesloom.learning.record import Record, ScoreValue
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.registry import Told

_MOST_ROWS = 200  # edges shown in a notebook


def summary_lines(record: Record, seconds: float) -> list[tuple[str, str]]:
    """Return what a search did as pairs of a heading and a text."""
    return [
        ("search", record.search),
        *([("score", score_text(record.value, record.score))] if record.value else []),
        *([("proof", str(record.proof))] if record.proof else []),
        ("steps", steps_text(record.steps, record.candidates)),
        *([("tests", tally_text(record))] if record.tests.made else []),
        ("stopped", f"{record.stop.value}, after {seconds:.3f} s"),
        *(("note", note) for note in record.notes),
    ]


def score_text(value: ScoreValue, told: Told | None) -> str:
    """Say what the score is, and which options of it are not 1.

    Examples
    --------
    >>> score_text(ScoreValue("bdeu", -12.5), Told("bdeu", {"ess": 10.0}))
    'bdeu -12.500000 (ess 10)'
    """
    settings = {} if told is None else told.settings
    given = {key: option for key, option in settings.items() if option not in (None, 1)}
    chosen = ", ".join(
        f"{key} {option:g}" if isinstance(option, int | float) else f"{key} {option}"
        for key, option in given.items()
    )
    return f"{value.name} {value.value:,.6f}" + (f" ({chosen})" if chosen else "")


def tally_text(record: Record) -> str:
    """Say how many tests were made and what came of them."""
    tests = record.tests
    open_ = sum(not dependency.covered for dependency in record.dependencies)
    return (
        f"{tests.made:,} made, {tests.inconclusive:,} inconclusive, {tests.rejected:,} rejected; "
        f"{open_ or 'no'} detected dependenc{'y' if open_ == 1 else 'ies'} left uncovered"
    )


def steps_text(steps: Sequence[NamedStep], families: int = 0) -> str:
    """Count the steps by what they did, and the families that were scored for them.

    Examples
    --------
    >>> from bayesloom.search import Reason
    >>> steps_text([NamedStep("insert", "A", "B", (), 1.0, Reason.SCORE)] * 3)
    '3 (3 insert)'
    """
    kinds = Counter(step.operator for step in steps)
    counted = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    said = f"{len(steps):,} ({counted})" if steps else "none"
    return f"{said}; {families:,} families scored" if families else said


def as_text(record: Record, graph: Structure, seconds: float) -> str:
    """Return the screen that a learned network prints as."""
    first, *edges = str(graph).split("\n")
    lines = [f"Learned from {_rows(record.n_rows)}: {first}"]
    lines += [f"  {heading:<8} {text}" for heading, text in summary_lines(record, seconds)]
    return "\n".join([*lines, *edges])


def as_html(record: Record, graph: Structure, seconds: float) -> str:
    """Return a table for notebooks; every name is escaped."""
    from html import escape

    first = str(graph).partition("\n")[0]
    told = "".join(
        f"<tr><th style='text-align:left'>{escape(heading)}</th>"
        f"<td style='text-align:left'>{escape(text)}</td></tr>"
        for heading, text in summary_lines(record, seconds)
    )
    edges = [(a, "&rarr;", b) for a, b in directed(graph)]
    edges += [(a, "&ndash;", b) for a, b in undirected(graph)]
    rows = "".join(
        f"<tr><td style='text-align:right'>{escape(a)}</td><td>{mark}</td>"
        f"<td style='text-align:left'>{escape(b)}</td></tr>"
        for a, mark, b in edges[:_MOST_ROWS]
    )
    more = f"<p>and {len(edges) - _MOST_ROWS:,} more edges</p>" if len(edges) > _MOST_ROWS else ""
    return (
        f"<div><p><b>Learned from {_rows(record.n_rows)}:</b> {escape(first)}</p>"
        f"<table>{told}</table><details><summary>edges</summary><table>{rows}</table>{more}"
        "</details></div>"
    )


def _rows(n: int) -> str:
    return f"{n:,} row{'s' * (n != 1)}"
