"""The report as one HTML file: styles, script and data inside, nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
from functools import cache
from html import escape
from pathlib import Path

from bayesloom.data.path import check_place, checked_path
from bayesloom.engine import is_counting
from bayesloom.errors import FileFormatError
from bayesloom.graphs.text import counted
from bayesloom.learning.structure import Kind, directed, undirected
from bayesloom.report.page.course import control, course, settings
from bayesloom.report.page.geometry import cycle_notes, drawn
from bayesloom.report.page.model import modelled
from bayesloom.report.page.modules import joined
from bayesloom.report.page.origin import data_summary, reproduction
from bayesloom.report.page.pairs import MOST_STORIES, pairs
from bayesloom.report.page.subject import Subject
from bayesloom.story.sentences import completion_sentence
from bayesloom.story.summary import headline_text, summary_lines

_FORMAT = 1
_WEB = Path(__file__).with_name("web")
_ENDINGS = (".html", ".htm")


def document(subject: Subject) -> str:
    """Return the text of the HTML file of a report.

    Everything is in the file, and its policy forbids the browser to load or send anything. Names
    and labels stand in one JSON element; the script shows them as text.
    """
    return page_of(content(subject))


def page_of(told: dict[str, object]) -> str:
    """Return the text of the HTML file that shows content."""
    script, style = _script(), _text("style.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    title, headline = escape(str(told["title"])), escape(str(told["headline"]))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header class="top"><h1>{title}</h1><p>{headline}</p></header>\n'
        '<main id="report"><noscript><p>The graph, the tables and the queries of this report need '
        "JavaScript, which this browser does not run.</p></noscript></main>\n"
        f'<script type="application/json" id="content">{as_json(told)}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def content(subject: Subject, most_stories: int = MOST_STORIES) -> dict[str, object]:
    """Return everything that the page shows, as plain data; variables go by their numbers.

    Pairs that are not joined have at most so many stories; without any they have no tables either.
    """
    record, graph = subject.record, subject.graph
    return {
        "format": _FORMAT,
        "title": "Network report",
        "headline": _headline(subject),
        "kind": Kind.of(graph).value,
        "names": list(subject.names),
        "states": _states(subject),
        "summary": []
        if record is None
        else [
            list(line)
            for line in summary_lines(record, graph, subject.seconds, em_run=subject.em_run)
        ],
        "notes": [*(() if record is None else record.notes), *cycle_notes(subject)],
        "data": data_summary(subject),
        "settings": settings(subject),
        "graph": drawn(subject),
        "model": modelled(subject),
        "edges": _edges(subject),
        "measured_by": subject.edges.score,
        "measured_completed": subject.edges.completed,
        "completed": completion_sentence() if record is not None and record.completed else "",
        "course": course(subject),
        "control": control(subject),
        "pairs": pairs(subject, most_stories),
        "reproduce": reproduction(subject),
    }


def as_json(told: object) -> str:
    r"""Write plain data as JSON that can stand in a script element of HTML.

    Examples
    --------
    >>> as_json({"name": "</script><!--&", "p": math.inf})
    '{"name":"\\u003c/script\\u003e\\u003c!--\\u0026","p":null}'
    """
    text = json.dumps(_finite(told), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def check_page_path(path: str | os.PathLike[str]) -> None:
    """Raise if a report cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not ``.html`` or a file cannot be written there.

    Examples
    --------
    >>> check_page_path("net.pdf")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: net.pdf: reports are written as .html, not '.pdf'; a browser \
shows and prints them
    """
    name = checked_path(path)
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        problem = f"reports are written as .html, not {ending!r}; a browser shows and prints them"
        raise FileFormatError(problem, name)
    check_place(path)


def _headline(subject: Subject) -> str:
    graph = subject.graph
    if subject.record is not None:
        return headline_text(subject.record, graph)
    number = len(directed(graph)) + len(undirected(graph))
    kind = "Markov network" if Kind.of(graph) is Kind.MARKOV_NETWORK else "Network"
    return f"{kind} with {counted(len(graph.names), 'variable')} and {counted(number, 'edge')}"


def _states(subject: Subject) -> list[list[str]] | None:
    if subject.net is not None:
        net = subject.net
        return [list(net.states_of(name)) for name in subject.names]
    if subject.engine is not None and is_counting(subject.engine):
        return [list(subject.engine.states[v]) for v in subject.columns()]
    return None


def _edges(subject: Subject) -> list[dict[str, object]]:
    numbers = subject.numbers()
    record, links = subject.record, Kind.of(subject.graph) is Kind.MARKOV_NETWORK
    sure = None if record is None or links else record.confidence
    return [
        {
            "x": numbers[row.source],
            "y": numbers[row.target],
            "mark": row.mark,
            "direction": row.direction,
            "loss": row.loss,
            "information": row.information,
            "log_p": row.log_p,
            "conclusive": row.conclusive,
            "reason": row.reason,
            "step": row.step,
            "strength": row.strength,
            "share": None if sure is None else sure.direction(row.source, row.target),
            **({} if row.rows is None else {"rows": row.rows}),
        }
        for row in subject.edges
    ]


def _finite(value: object) -> object:
    """Replace what JSON has no number for by null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


@cache
def _script() -> str:
    return joined("main", lambda name: _text(f"{name}.js"))


@cache
def _text(name: str) -> str:
    return f"\n{(_WEB / name).read_text(encoding='utf-8')}"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
