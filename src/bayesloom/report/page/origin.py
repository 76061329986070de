"""The data of a report, and how to do the same again."""

from __future__ import annotations

import platform
import re
from importlib.metadata import version

from bayesloom.data import Table
from bayesloom.engine import Batch, CountingEngine, Engine, counting
from bayesloom.learning.record import Record
from bayesloom.report.page.subject import Subject


def countable(engine: Engine) -> CountingEngine:
    """Return an engine whose tables a report can show, and refuse one over numbers."""
    return counting(engine, "a report", "plot the network (plot=, --plot), or")


def data_summary(subject: Subject) -> dict[str, object] | None:
    """Return how often every state occurs; None without data."""
    engine = subject.engine
    if engine is None:
        return None
    counts = countable(engine).counts(Batch.families((v, ()) for v in subject.columns()))
    table = _table_in_memory(engine)
    return {
        "rows": engine.n_rows,
        "counts": [table_of.ravel().tolist() for table_of in counts],
        "checksum": "" if table is None else table.checksum(),
        **_missing(subject, engine),
    }


def _table_in_memory(engine: Engine) -> Table | None:
    """Return the rows behind an engine; a method that would read them from a disk is not called."""
    found = getattr(engine, "table", None)
    return found if isinstance(found, Table) else None


def _missing(subject: Subject, engine: Engine) -> dict[str, object]:
    """Return the holes of every variable, and what is missing together; nothing if all is there."""
    if not engine.missing.any():
        return {}
    table = _table_in_memory(engine)
    cells = None if table is None else table.missing_cells()
    return {
        "missing": engine.missing[subject.columns()].tolist(),
        "complete": None if cells is None else cells.n_complete,
        "patterns": []
        if cells is None
        else [[list(pattern.columns), pattern.rows] for pattern in cells.patterns],
        "n_patterns": 0 if cells is None else cells.n_patterns,
    }


def reproduction(subject: Subject) -> dict[str, str]:
    """Return how to do the same again: command, Python, versions."""
    return {
        "version": version("bayesloom"),
        "python": platform.python_version(),
        "command": subject.command,
        "script": "" if subject.record is None else _script(subject.record),
    }


_AVERAGE = {"bootstrap": ".averaged", "posterior": ".network"}
"""Where the results of calls have the network."""


def _script(record: Record) -> str:
    """Write the call of Python that repeats a search; empty if it cannot be written in a line."""
    told = record.confidence
    call = f"learn(data, {record.search})" if told is None else told.call
    if not call or "(...)" in call:
        return ""
    # Values are written as they are made; names of this package get its prefix.
    options = [re.sub(r"(?<![\w.])([A-Z]\w*)(?=[(.])", r"bl.\1", call.removesuffix(")"))]
    known = record.knowledge
    facts = [
        f"{key}={value!r}"
        for key in ("required", "forbidden", "tiers", "roots", "leaves", "belief")
        if (value := getattr(known, key))
    ]
    if facts:
        options.append(f"knowledge=bl.Knowledge({', '.join(facts)})")
    if record.max_parents is not None:
        options.append(f"max_parents={record.max_parents}")
    return (
        "import bayesloom as bl\n\n"
        'data = bl.read("DATA")  # the file, with the options of reading\n'
        f"net = bl.{', '.join(options)}){_AVERAGE.get(call.partition('(')[0], '')}\n"
        'net.report("net.html")'
    )
