"""The plan of a table: what every column is, what is missing in it, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar

import numpy as np

from bayesloom.data.column import Column
from bayesloom.data.discretization import OTHERS
from bayesloom.data.numbers_option import names_of, numbers_rule_of
from bayesloom.data.quantity import FEW, has_fractions, is_id, is_quantity, quoted
from bayesloom.data.reading import Reading, plain_options
from bayesloom.data.source import Source
from bayesloom.data.suspicion import Suspicion, suspected
from bayesloom.data.tally import Tally
from bayesloom.errors import DataError, listed, shown
from bayesloom.grid import Grid, NamedColumns, Tabular, label

_NAMED = 6  # columns that one sentence names
_WORDS = 3  # of a cell of free text, in the mean
_DATES = r"\d{4}-\d\d?-\d\d?([ T]\d\d?:.*)?|\d\d?\.\d\d?\.(\d\d)?\d\d|\d\d?/\d\d?/\d{2,4}"


class ColumnKind(Enum):
    """What a column is, as far as its looks say."""

    CATEGORY = "category"
    NUMBER = "number"
    DATE = "date"
    ID = "id"
    TEXT = "free text"
    CONSTANT = "constant"
    EMPTY = "empty"


_LEFT_OUT = (ColumnKind.DATE, ColumnKind.ID, ColumnKind.TEXT, ColumnKind.EMPTY)


@dataclass(frozen=True, slots=True)
class PlannedColumn:
    """What one column is and what becomes of it.

    Attributes
    ----------
    name : str
        What it is called.
    kind : ColumnKind
        What it is, with what means missing set aside.
    values : int
        How many different values it has then.
    missing : int
        How many cells are empty.
    markers : tuple of str
        Texts that mean missing.
    sentinels : tuple of str
        Numbers that probably mean missing.
    odd : tuple of str
        Texts among numbers of which nobody knows what they mean.
    action : str
        What becomes of the column: ``keep``, ``leave out`` or what an option says.
    is_number : bool
        Whether it is one of numbers, if it is kept.
    """

    name: str
    kind: ColumnKind
    values: int
    missing: int = 0
    markers: tuple[str, ...] = ()
    sentinels: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    action: str = "keep"
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class TablePlan(Tabular):
    """What every column of data is, and what becomes of it.

    Attributes
    ----------
    title : str
        What the data are called.
    n_rows : int
        How many rows there are.
    columns : tuple of PlannedColumn
        The columns, in their order.
    problems : tuple of str
        What is a guess that could change the result, one sentence each.
    notes : tuple of str
        What is done because it is safe, one sentence each.
    options : dict
        The options of reading that settle all of it.

    Examples
    --------
    >>> import bayesloom as bl
    >>> rows = {
    ...     "id": range(100, 160),
    ...     "age": [k % 30 + 20.5 for k in range(60)],
    ...     "sex": ["f", "m"] * 30,
    ... }
    >>> print(bl.inspect(rows))
    Plan of the frame: 60 rows x 3 columns
      column  kind      values  missing  what is done
      id      id            60        0  leave out
      age     number        30        0  keep
      sex     category       2        0  keep
      left out: id, which holds ids; name them in columns= (--column) to keep them
      kept as numbers: age
      bl.learn(data, numbers={'age': 'keep'}, drop=['id'])
    """

    title: str
    n_rows: int
    columns: tuple[PlannedColumn, ...]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    is_file: bool = False

    @property
    def call(self) -> str:
        """The call of `bayesloom.learn` that settles everything."""
        data = repr(self.title) if self.is_file else "data"
        return f"bl.learn({', '.join([data, *_spelled(self.options)])})"

    @property
    def command(self) -> str:
        """The command line that settles everything."""
        data = quoted(self.title) if self.is_file else "DATA"
        return " ".join(["bayesloom learn", data, *_flags(self.options)])

    def question(self) -> str:
        """Return the sentence that asks for everything that has to be settled."""
        some = [f"({k}) {problem}" for k, problem in enumerate(self.problems, 1)]
        asked = self.problems[0] if len(some) == 1 else "; ".join(some)
        return (
            f"{self.title}: {asked}; settle this with {self.call} or on the command line "
            f"{self.command}; auto=True (--auto) does the same, bayesloom.inspect shows the plan"
        )

    def __len__(self) -> int:
        return len(self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "title": self.title,
            "rows": self.n_rows,
            "columns": [
                {
                    "name": c.name,
                    "kind": c.kind.value,
                    "values": c.values,
                    "missing": c.missing,
                    "markers": list(c.markers),
                    "sentinels": list(c.sentinels),
                    "odd": list(c.odd),
                    "action": c.action,
                }
                for c in self.columns
            ],
            "problems": list(self.problems),
            "notes": list(self.notes),
            "call": self.call,
            "command": self.command,
        }

    def _columns(self) -> NamedColumns:
        return [
            ("column", [c.name for c in self.columns]),
            ("kind", [c.kind.value for c in self.columns]),
            ("values", [c.values for c in self.columns]),
            ("missing", [c.missing for c in self.columns]),
            ("markers", [", ".join((*c.markers, *c.sentinels, *c.odd)) for c in self.columns]),
            ("action", [c.action for c in self.columns]),
        ]

    def _grid(self, most: int | None) -> Grid:
        shown_columns = self.columns[:most]
        rows = [
            (label(c.name), c.kind.value, f"{c.values:,}", f"{c.missing:,}", _done(c))
            for c in shown_columns
        ]
        size = f"{self.n_rows:,} rows x {len(self.columns):,} columns"
        return Grid(
            f"Plan of {self.title}: {size}",
            ("column", "kind", "values", "missing", "what is done"),
            rows,
            keys=2,
            left=frozenset([4]),
            more=len(self.columns) - len(rows),
            noun="column",
            notes=(*self.problems, *self.notes, self.call),
        )


@dataclass(frozen=True, slots=True)
class SettledReading(Reading):
    """Reads what a plan has looked at."""

    asks: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and the columns and the reading that follow it."""

    plan: TablePlan
    columns: list[Column]
    reading: Reading


def plan_columns(
    columns: Sequence[Column], reading: Reading, source: Source, *, text: bool
) -> Planned:
    """Look at all columns and say what becomes of them.

    Parameters
    ----------
    columns : sequence of Column
        The columns, without cells that an option says are missing.
    reading : Reading
        How they are read; what it says goes before the plan.
    source : Source
        Where they come from.
    text : bool
        Whether that is a text file.
    """
    looks = [suspected(column, reading, source, text=text) for column in columns]
    kinds = [column_kind(look.column.tally()) for look in looks]
    planned = [
        _planned(column, look, kind, reading)
        for column, look, kind in zip(columns, looks, kinds, strict=True)
    ]
    options = _options(planned, reading, columns)
    cuts = _cuts_of_many(planned, looks, reading)
    notes = [*(x.note for x in looks if x.note), *_notes(planned, keeps="missing" in options)]
    plan = TablePlan(
        source.title,
        columns[0].n_rows,
        tuple(planned),
        tuple(_problems(planned, source, columns)),
        tuple(notes),
        options,
        source.line_of is not None or source.title != "the frame",
    )
    gone = set(options.get("drop", ()))
    if gone.issuperset(column.name for column in columns):
        kinds_there = listed(f"{shown(c.name)} ({c.kind.value})" for c in planned)
        msg = (
            f"{source.title}: no column is left to learn from: {kinds_there}; name those to keep "
            "in columns= (--column)"
        )
        raise DataError(msg)
    settled = SettledReading(
        **{**plain_options(reading), **options, **cuts, "missing_markers": None, "drop": ()}
    )
    return Planned(plan, [look.column for look in looks if look.column.name not in gone], settled)


def column_kind(column: Tally) -> ColumnKind:
    """Return what a column is, whose markers of missing cells are set aside.

    Examples
    --------
    >>> ids = Tally("id", ["1", "2"], lambda: np.array([1, 1]), lambda k: k, np.array([1, 2]))
    >>> column_kind(ids)
    <ColumnKind.CATEGORY: 'category'>
    """
    d = len(column.values)
    if d <= 1:
        return ColumnKind.CONSTANT if d else ColumnKind.EMPTY
    if column.declared or (d <= FEW and not has_fractions(column)):
        return ColumnKind.CATEGORY
    if column.numbers is not None:
        return _kind_of_numbers(column)
    return _kind_of_texts(column)


def _kind_of_texts(column: Tally) -> ColumnKind:
    """Return what many texts are."""
    if all(re.fullmatch(_DATES, text) for text in column.values):
        return ColumnKind.DATE
    if not is_id(column):
        return ColumnKind.CATEGORY
    words = sum(len(text.split()) for text in column.values) / len(column.values)
    return ColumnKind.TEXT if words >= _WORDS else ColumnKind.ID


def _kind_of_numbers(column: Tally) -> ColumnKind:
    """Return what many numbers, or fractions, are."""
    if has_fractions(column):
        return ColumnKind.NUMBER if is_quantity(column) else ColumnKind.CATEGORY
    numbers = np.asarray(column.numbers)
    d = len(numbers)
    follows = float(numbers[-1]) - float(numbers[0]) == d - 1
    return ColumnKind.ID if follows and column.n_present == d else ColumnKind.NUMBER


def _planned(column: Column, look: Suspicion, kind: ColumnKind, reading: Reading) -> PlannedColumn:
    missing = column.missing()
    return PlannedColumn(
        column.name,
        kind,
        len(look.column.values),
        0 if missing is None else int(missing.sum()),
        look.markers,
        look.sentinels,
        look.odd,
        _action(column.name, kind, reading),
        kind is ColumnKind.NUMBER or (kind is ColumnKind.ID and look.column.numbers is not None),
    )


def _action(name: str, kind: ColumnKind, reading: Reading) -> str:
    """Say what becomes of a column."""
    if reading.declared(name) is not None:
        return "states="
    if name in (reading.dates or {}):
        return "dates="
    if reading.rule(name).how != "none" and kind is ColumnKind.NUMBER:
        return "cut"
    named = reading.rule(name).named or name in (reading.columns or ())
    if kind is ColumnKind.EMPTY:
        return "keep" if reading.missing == "state" else "leave out"
    if kind in _LEFT_OUT and not named and not reading.keeps(name):
        return "leave out"
    return "keep"


def _options(
    planned: Sequence[PlannedColumn], reading: Reading, columns: Sequence[Column]
) -> dict[str, Any]:
    """Return the options that follow the plan, those given first."""
    found: dict[str, Any] = {}
    of = {c.name: (*c.markers, *c.sentinels, *c.odd) for c in planned}
    every = list(dict.fromkeys(x for some in of.values() for x in some))
    if every:
        values = {column.name: frozenset(column.values) for column in columns}
        clash = [
            name for name, labels in values.items() if labels.intersection(every) - set(of[name])
        ]
        said = list(reading.all_markers)
        found["missing_markers"] = (
            [*said, *every]
            if not clash
            else {**{n: [*said, *x] for n, x in of.items() if x}, OTHERS: said}
        )
    if reading.missing is None and (every or any(c.missing for c in planned)):
        found["missing"] = "keep"
    numbers = [
        c.name for c in planned if c.is_number and c.action == "keep" and _is_open(c.name, reading)
    ]
    if numbers:
        own = {name: numbers_rule_of(reading.numbers, name) for name in names_of(reading.numbers)}
        found["numbers"] = {**own, **dict.fromkeys(numbers, "keep")}
    gone = [c.name for c in planned if c.action == "leave out"]
    if gone:
        found["drop"] = [*reading.drop, *gone]
    return found


def _cuts_of_many(
    planned: Sequence[PlannedColumn], looks: Sequence[Suspicion], reading: Reading
) -> dict[str, Any]:
    """Return options that cut numbers which nearly all differ: by themselves they look like ids."""
    names = [
        c.name
        for c, look in zip(planned, looks, strict=True)
        if c.action == "cut" and is_id(look.column.tally()) and not reading.rule(c.name).named
    ]
    if not names:
        return {}
    if numbers_rule_of(reading.numbers, OTHERS) == "cut" and reading.discretize == "none":
        own = {name: numbers_rule_of(reading.numbers, name) for name in names_of(reading.numbers)}
        return {"numbers": {**own, **dict.fromkeys(names, "cut"), OTHERS: "cut"}}
    if reading.rule(OTHERS).how != "auto":
        return {}
    given = {} if isinstance(reading.discretize, str) else dict(reading.discretize)
    return {"discretize": {OTHERS: "auto", **given, **dict.fromkeys(names, "frequency")}}


def _is_open(name: str, reading: Reading) -> bool:
    """Tell whether no option says what becomes of a column of numbers."""
    return (
        numbers_rule_of(reading.numbers, name) is None
        and not reading.rule(name).named
        and reading.rule(name).how == "none"
        and reading.declared(name) is None
    )


def _problems(
    planned: Sequence[PlannedColumn], source: Source, columns: Sequence[Column]
) -> list[str]:
    """Return what is asked for: guesses that could change the result."""
    found = []
    for c, column in zip(planned, columns, strict=True):
        if c.action == "leave out":
            continue
        name = shown(repr(c.name))
        for sentinel in c.sentinels:
            n = _count(column, sentinel)
            found.append(f"{sentinel} in column {name} ({n} cells) probably means missing")
        for text in c.odd[:_NAMED]:
            k = list(column.values).index(text) if text in column.values else -1
            place = "" if k < 0 else f" ({source.place(column.first_row(k), c.name)})"
            found.append(f"{shown(repr(text))} stands among the numbers of column {name}{place}")
    return found


def _count(column: Column, text: str) -> int:
    values = [str(x) for x in column.values]
    same = [k for k, x in enumerate(values) if x == text or _same_number(x, text)]
    return int(column.counts()[same].sum())


def _same_number(x: str, text: str) -> bool:
    from bayesloom.data.label import number_label

    return number_label(x) == text


def _notes(planned: Sequence[PlannedColumn], *, keeps: bool) -> list[str]:
    """Say what is done because it is safe."""
    found = []
    for kind in _LEFT_OUT:
        gone = [c.name for c in planned if c.action == "leave out" and c.kind is kind]
        if gone:
            how = {
                ColumnKind.DATE: "dates; dates={...: ['month', 'weekday']} (--date) keeps parts",
                ColumnKind.ID: "ids; name them in columns= (--column) to keep them",
                ColumnKind.TEXT: "free text; name them in columns= (--column) to keep them",
                ColumnKind.EMPTY: "empty",
            }[kind]
            found.append(f"left out: {listed(gone, _NAMED)}, which {_are(gone)} {how}")
    numbers = [c.name for c in planned if c.is_number and c.action == "keep"]
    if numbers:
        found.append(f"kept as numbers: {listed(numbers, _NAMED)}")
    hollow = {c.name: c.missing for c in planned if c.missing and c.action != "leave out"}
    if hollow and keeps:
        counts = listed((f"{shown(name)} {n:,}" for name, n in hollow.items()), _NAMED)
        found.append(
            f"empty cells are kept as missing: {counts}; missing='drop' (--missing drop) leaves "
            "their rows out"
        )
    marked = {c.name: c.markers for c in planned if c.markers and c.action != "leave out"}
    if marked:
        labels = sorted({x for some in marked.values() for x in some})
        where = listed(marked, _NAMED)
        found.append(
            f"taken as missing: {listed(map(repr, labels))} in {where}; missing_markers=() "
            "(--no-markers) makes states of them"
        )
    return found


def _are(names: Sequence[str]) -> str:
    return "holds" if len(names) == 1 else "hold"


def _done(column: PlannedColumn) -> str:
    gone = (*column.markers, *column.sentinels, *column.odd)
    return f"{column.action}; missing: {listed(gone, _NAMED)}" if gone else column.action


def _spelled(options: Mapping[str, Any]) -> list[str]:
    """Return options as keywords of a call."""
    return [f"{name}={value!r}" for name, value in options.items()]


def _flags(options: Mapping[str, Any]) -> list[str]:
    """Return options as flags of the command line."""
    markers = options.get("missing_markers", ())
    if isinstance(markers, Mapping) or options.get("auto"):  # which has no flags
        return ["--auto"]
    flags = [f"--missing-marker={quoted(x)}" for x in markers]
    for name, value in options.items():
        if name == "drop":
            flags += [f"--drop {quoted(x)}" for x in value]
        elif name == "numbers":
            flags += [f"--numbers {quoted(x)}={word}" for x, word in value.items()]
        elif name == "header":
            flags.append("--no-header")
        elif name == "strip":
            flags.append("--strip")
        elif name in ("missing", "skip_lines"):
            flags.append(f"--{name.replace('_', '-')} {value}")
    return flags
