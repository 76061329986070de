"""The probability blocks of a BIF file: rows by parent states, ``table`` and ``default``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import listed, shown
from bayesloom.model.draft import Draft, FileText, as_numbers
from bayesloom.model.escape import QUOTED, unquote
from bayesloom.model.probabilities import describe_row

PROPERTY = re.compile(rf"\s*+property\b(?:[^\";]++|{QUOTED})*+;", re.DOTALL)
"""A statement that may stand in any block and is skipped."""

_FAMILY = re.compile(r"\s*+\((.*)\)\s*", re.DOTALL)
_NAME = re.compile(rf"\s*+(?:({QUOTED})|([^\",|]++))\s*+([,|]?)", re.DOTALL)
_LABEL = re.compile(
    rf"\s*+(?:({QUOTED})|([\[\](][^\[\]()\",]*+,[^\[\]()\",]*+[\[\])])(?=\s*+(?:,|\Z))|([^\",]++))"
    r"\s*+(,?)",
    re.DOTALL,
)
_PLAIN_ROW = re.compile(r"\s*+\(([^()\"\[\]{};]*+)\)([^;\"(){}]*+);")
_ROW = re.compile(rf"\s*+\(((?:{QUOTED}|[^\";])*?)\)([^;\"()\[\]{{}}]*+);", re.DOTALL)
_VALUES = re.compile(r"\s*+(table|default)\b([^;\"(){}]*+);")


@dataclass(frozen=True, slots=True)
class Block:
    """A header and a body: where they stand in the text."""

    header: str
    offset: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Values:
    """The numbers of one statement, not converted yet, and where they start."""

    tokens: list[str]
    offset: int


@dataclass(slots=True)
class _Table:
    """The statements of one probability block."""

    child: str
    parents: list[str]
    shape: tuple[int, ...]
    offset: int
    rows: dict[int, _Values] = field(default_factory=dict)
    default: _Values | None = None
    whole: _Values | None = None


def read_table(draft: Draft, block: Block, spare: int) -> int:
    """Add the table that a block holds to the draft.

    Parameters
    ----------
    draft : Draft
        Holds all variables of the file.
    block : Block
        The probability block.
    spare : int
        How many cells may be filled by a default row.

    Returns
    -------
    int
        How many cells the default row filled.
    """
    table = _read_family(draft, block)
    _read_statements(draft, block, table)
    if table.whole is not None:
        _add_whole(draft, table, table.whole)
        return 0
    return _add_rows(draft, table, spare)


def split_labels(text: str, *, one: bool) -> list[str]:
    """Split a list of labels at commas; at blanks if there is no comma and several are wanted.

    Examples
    --------
    >>> split_labels("a lot, none", one=False), split_labels("a lot", one=False)
    (['a lot', 'none'], ['a', 'lot'])
    >>> split_labels('(1,2], "x, y"', one=False)
    ['(1,2]', 'x, y']
    """
    if not any(mark in text for mark in '"([]'):
        labels = [label.strip() for label in text.split(",")]
        return text.split() if len(labels) == 1 and not one else labels
    found: list[tuple[str, bool]] = []
    commas = 0
    for match in _LABEL.finditer(text.rstrip()):
        quoted, interval, bare, comma = match.groups()
        found.append((unquote(quoted) if quoted else (interval or bare).strip(), bool(bare)))
        commas += bool(comma)
    if commas or (one and len(found) == 1):
        return [label for label, _ in found]
    return [part for label, bare in found for part in (label.split() if bare else [label])]


def _read_family(draft: Draft, block: Block) -> _Table:
    """Return the empty table of the child and the parents that a header names."""
    source = draft.source
    match = _FAMILY.fullmatch(block.header)
    if match is None:
        problem = "expected 'probability ( child | parents )'"
        raise source.error(problem, block.offset)
    names: list[str] = []
    bars = []
    for token in _NAME.finditer(match[1].rstrip()):
        quoted, bare, mark = token.groups()
        if quoted:
            names.append(unquote(quoted))
        else:
            name = bare.strip()
            names += [name] if name in draft.states else name.split()
        if mark == "|":
            bars.append(len(names))
    if not names or bars not in ([], [1]):
        problem = "expected one child, then '|' and its parents"
        raise source.error(problem, block.offset)
    shape = draft.shape(names[0], names[1:], block.offset)
    return _Table(names[0], names[1:], shape, block.offset)


def _read_statements(draft: Draft, block: Block, table: _Table) -> None:
    """Collect the statements of a block in its table."""
    source, text = draft.source, draft.source.text
    codes = [{label: k for k, label in enumerate(draft.states[p])} for p in table.parents]
    position, end = block.start, block.end
    while position < end:
        match = _PLAIN_ROW.match(text, position, end) or _ROW.match(text, position, end)
        if match is not None:
            row = _row_number(source, table, codes, match)
            if row in table.rows:
                problem = (
                    f"the table of {table.child!r} has a second row ({shown(match[1].strip())})"
                )
                raise source.error(problem, match.start(1))
            table.rows[row] = _row_values(source, table, match)
        elif (match := _VALUES.match(text, position, end)) is not None:
            _read_values(source, table, match)
        elif (match := PROPERTY.match(text, position, end)) is None:
            break
        position = match.end()
    if text[position:end].strip():
        problem = "expected '(states) numbers;', 'table numbers;' or 'default numbers;'"
        raise source.error(problem, position)


def _row_number(
    source: FileText, table: _Table, codes: Sequence[dict[str, int]], match: re.Match[str]
) -> int:
    """Return the number of the row whose parent states a match holds; the last varies fastest."""
    labels = split_labels(match[1], one=len(codes) == 1)
    if len(labels) != len(codes):
        problem = (
            f"the table of {table.child!r} has {len(codes)} parents, but the row names "
            f"{len(labels)} states"
        )
        raise source.error(problem, match.start(1))
    row = 0
    for label, code in zip(labels, codes, strict=True):
        if label not in code:
            parent = table.parents[codes.index(code)]
            problem = f"variable {parent!r} has no state {label!r}; its states are {listed(code)}"
            raise source.error(problem, match.start(1))
        row = row * len(code) + code[label]
    return row


def _row_values(source: FileText, table: _Table, match: re.Match[str]) -> _Values:
    """Return the numbers of one row if there are as many as the child has states."""
    tokens = match[2].replace(",", " ").split()
    if len(tokens) != table.shape[-1]:
        problem = f"a row of {table.child!r} needs {table.shape[-1]} numbers, got {len(tokens)}"
        raise source.error(problem, match.start(2))
    return _Values(tokens, match.start(2))


def _read_values(source: FileText, table: _Table, match: re.Match[str]) -> None:
    """Note a ``table`` or a ``default`` statement."""
    if match[1] == "default" and table.default is None:
        table.default = _row_values(source, table, match)
    elif match[1] == "table" and table.whole is None:
        table.whole = _Values(match[2].replace(",", " ").split(), match.start(2))
    else:
        problem = f"the table of {table.child!r} has a second '{match[1]}'"
        raise source.error(problem, match.start(1))


def _add_whole(draft: Draft, table: _Table, whole: _Values) -> None:
    """Add a table that is given as one list, in which the child varies slowest."""
    source, r = draft.source, table.shape[-1]
    q = math.prod(table.shape[:-1])
    if table.rows or table.default is not None:
        problem = f"the table of {table.child!r} has both 'table' and rows; only one is possible"
        raise source.error(problem, whole.offset)
    numbers = source.numbers(whole.tokens, whole.offset)
    if numbers.size == q * r:
        numbers = numbers.reshape(r, q).T.ravel()

    def locate(first: int) -> int:
        row, column = divmod(first, r)
        return source.token_offset(whole.offset, column * q + row)

    draft.add_table(table.child, table.parents, numbers, whole.offset, locate)


def _add_rows(draft: Draft, table: _Table, spare: int) -> int:
    """Put the rows in order and add them; return how many cells the default row filled."""
    source, r = draft.source, table.shape[-1]
    q = math.prod(table.shape[:-1])
    cells = (q - len(table.rows)) * r
    if cells and table.default is None:
        missing = next(row for row in range(q) if row not in table.rows)
        states = [draft.states[parent] for parent in table.parents]
        problem = f"there are no {describe_row(table.child, table.parents, states, missing)}"
        raise source.error(problem, table.offset)
    if cells > spare:
        problem = f"the default row of {table.child!r} stands for {cells} numbers, too many to read"
        raise source.error(problem, table.offset)
    ordered = np.empty((q, r))
    if table.default is not None:
        ordered[:] = source.numbers(table.default.tokens, table.default.offset)
    if table.rows:
        ordered[list(table.rows)] = _convert(source, list(table.rows.values()), r)

    def locate(first: int) -> int:
        row, column = divmod(first, r)
        values = table.rows.get(row, table.default)
        return source.token_offset(values.offset, column) if values else table.offset

    draft.add_table(table.child, table.parents, ordered.ravel(), table.offset, locate)
    return cells


def _convert(source: FileText, rows: list[_Values], r: int) -> Floats:
    """Turn rows of tokens into numbers, all at once."""
    numbers = as_numbers([token for values in rows for token in values.tokens])
    if numbers is None:  # a row has a wrong token: find its place
        numbers = np.concatenate([source.numbers(row.tokens, row.offset) for row in rows])
    return numbers.reshape(-1, r)
