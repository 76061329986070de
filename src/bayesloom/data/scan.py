"""Read data that come in pieces once, and agree on the states of their columns.

The rules of data look at different values and their counts, so nothing of the rows has to be kept:
a scan numbers the values as they come, hands the numbers on to a sink, and says at the end which
state each number is. A category that is only in the last file is a state of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Longs
from bayesloom.data.assembly import settled_columns
from bayesloom.data.census import MOST_NUMBERS, MOST_VALUES, Census, CountedSource, ValueNumbers
from bayesloom.data.chunk import Chunk, chunks
from bayesloom.data.column import Column
from bayesloom.data.crossing import Crossing, codes_by_number
from bayesloom.data.cutting import cut_columns
from bayesloom.data.dataset import DataFile
from bayesloom.data.decimal_comma import with_points
from bayesloom.data.level import are_markers, settle_levels, without_markers
from bayesloom.data.missing import tell_missing, with_holes
from bayesloom.data.notes import note_on_cuts
from bayesloom.data.quantity import find_no_categories, quoted
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.stripped import stripped
from bayesloom.data.table import Table, code_type
from bayesloom.errors import DataError, OptionError, shown

Sink = Callable[[Sequence[ValueNumbers]], None]
"""Takes the numbers of the values of some rows, one array per column."""


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """What all the rows of a source have in common.

    Attributes
    ----------
    names, states : tuples
        The columns and the labels of their states.
    n_rows : int
        The number of rows; those that were dropped are not among them.
    notes : tuple of str
        What a user should know about the data.
    code_of : tuple of arrays
        For each column, the code of the state, or the number, that each value number stands for.
    counts : tuple of arrays
        For each column, how many rows hold each number.
    labels : tuple of dict
        For each column, the number of each label; None stands for missing cells.
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    n_rows: int
    notes: tuple[str, ...]
    code_of: tuple[npt.NDArray[Any], ...]
    counts: tuple[npt.NDArray[np.int64], ...]
    labels: tuple[dict[str | None, int], ...]
    reading: Reading

    def table(self, files: Iterable[DataFile]) -> Table:
        """Return the table of some of the files that were scanned, with the states of all.

        Raises
        ------
        DataError
            If a file holds what was not there when it was scanned, or no row is left.
        """
        return self.table_of(_all_chunks(files, self.reading))

    def table_of(self, pieces: Iterable[Chunk]) -> Table:
        """Return the table of some rows that were scanned, with the states of all; see `table`."""
        kept: list[Sequence[ValueNumbers]] = []
        censuses: list[Census] = [
            _Known(name, labels) for name, labels in zip(self.names, self.labels, strict=True)
        ]
        _run(self.reading, pieces, censuses, kept.append, crosses=False)
        return self.decoded(kept)

    def decoded(self, pieces: Sequence[Sequence[ValueNumbers]]) -> Table:
        """Return the table of rows that came to a sink."""
        if not pieces:
            msg = "there are no rows; a table needs at least one"
            raise DataError(msg)
        holes = self.reading.missing == "keep"
        return Table(
            self.names,
            self.states,
            tuple(
                np.concatenate([_smallest(code, states, holes=holes).take(x) for x in column])
                for code, states, column in zip(
                    self.code_of, self.states, zip(*pieces, strict=True), strict=True
                )
            ),
            notes=self.notes,
            holes=holes,
        )


def _smallest(code: npt.NDArray[Any], states: Sequence[str], *, holes: bool) -> npt.NDArray[Any]:
    """Return codes in the smallest type; numbers, which have no states, as they are."""
    return code.astype(code_type(len(states) + holes)) if states else code


class _Known(Census):
    """A census that is closed: a label that it does not know is an error."""

    def __init__(self, name: str, labels: dict[str | None, int]) -> None:
        super().__init__(name)
        self._code = dict(labels)
        self._n = len(labels)

    def _note_places(self, codes: ValueNumbers, known: int, source: Source, before: int) -> None:
        super()._note_places(codes, known, source, before)
        place = self._first[-1].place(0, self.name)
        msg = f"{place}: this value was not there before; the file has changed, so read all anew"
        raise DataError(msg)


def read_dataset(files: Iterable[DataFile], reading: Reading, title: str | None = None) -> Table:
    """Read several files into one table; messages call them together by the title.

    Raises
    ------
    FileFormatError, DataError, OptionError
        As `scan_files`.
    """
    kept: list[Sequence[ValueNumbers]] = []
    found = scan_files(files, reading, kept.append, title)
    return found.decoded(kept)


def scan_files(
    files: Iterable[DataFile], reading: Reading, sink: Sink | None = None, title: str | None = None
) -> Scan:
    """Read files once and agree on the states of their columns.

    Parameters
    ----------
    files : iterable of DataFile
        The files, in order; see `bayesloom.data.dataset.data_files`.
    reading : Reading
        How to read them.
    sink : callable, optional
        Gets the numbers of the values of some rows after another, one array per column.
    title : str, optional
        How messages call the data as a whole; by default by the first file.

    Raises
    ------
    FileFormatError
        If a file is not there, is unsound or changes while it is read.
    DataError
        If the data break the contract, or a file has other columns than the first.
    """
    those = tuple(files)
    if title is None:
        title = those[0].path if len(those) == 1 else f"{those[0].path} and {len(those) - 1} more"
    return scan(_all_chunks(those, reading), reading, title, sink)


def scan(pieces: Iterable[Chunk], reading: Reading, title: str, sink: Sink | None = None) -> Scan:
    """Agree on the states of columns that come in pieces; see `scan_files`."""
    censuses: list[Census] = []
    run = _run(reading, pieces, censuses, sink)
    return _agreed(censuses, run, reading, title)


@dataclass(slots=True)
class _Run:
    """What is counted besides values."""

    n_rows: int = 0
    n_complete: int = 0
    notes: tuple[str, ...] = ()
    missing: dict[str, int] | None = None
    first_missing: tuple[int, str] | None = None
    markers_seen: frozenset[str] = frozenset()
    crossings: dict[str, Crossing] = field(default_factory=dict)

    def cross(self, censuses: Sequence[Census], codes: Sequence[ValueNumbers], r: Reading) -> None:
        """Count the values of columns that are cut for a target together with its classes."""
        names = [census.name for census in censuses]
        if r.target not in names:
            return
        classes = codes[names.index(r.target)]
        for name, some in zip(names, codes, strict=True):
            if name != r.target and r.rule(name).how == "mdl":
                self.crossings.setdefault(name, Crossing(name)).add(some, classes)

    def absorb(self, later: _Run) -> None:
        """Add what was counted in rows that come after these."""
        if self.first_missing is None and later.first_missing is not None:
            row, place = later.first_missing
            self.first_missing = self.n_rows + row, place
        self.n_rows += later.n_rows
        self.n_complete += later.n_complete
        self.notes += tuple(note for note in later.notes if note not in self.notes)
        self.missing = dict(Counter(self.missing) + Counter(later.missing))
        self.markers_seen |= later.markers_seen


def _all_chunks(files: Iterable[DataFile], reading: Reading) -> Iterator[Chunk]:
    for file in files:
        yield from chunks(file, reading)


def _run(
    reading: Reading,
    pieces: Iterable[Chunk],
    censuses: list[Census],
    sink: Sink | None,
    *,
    crosses: bool = True,
) -> _Run:
    """Go through all pieces; number and count their values."""
    if reading.auto:
        msg = (
            "auto (--auto) makes a plan of one file or frame; inspect one of the files "
            "(bayesloom.inspect, bayesloom inspect) and give the options that it names"
        )
        raise OptionError(msg)
    if reading.dates:
        msg = "dates are taken apart in one file or frame; read the files one by one, or drop them"
        raise OptionError(msg)
    run = _Run(missing={})
    for chunk in pieces:
        if not censuses:
            censuses += [Census(column.name) for column in chunk.columns]
        columns = _same_columns(chunk, censuses)
        columns = [stripped(column) for column in columns] if reading.strip else columns
        run.markers_seen |= _seen_markers(columns, reading, run.markers_seen)
        marked = [without_markers(column, reading.markers(column.name)) for column in columns]
        before, source = run.n_rows, chunk.source
        marked, source = _complete(marked, source, reading, run)
        run.notes += tuple(note for note in source.notes if note not in run.notes)
        if not marked[0].n_rows:
            continue
        known = [_known_states(column, reading, source) for column in marked]
        codes = [
            census.numbered(column, source, before)
            for census, column in zip(censuses, known, strict=True)
        ]
        for census, some in zip(censuses, codes, strict=True):
            census.count(_native.count_codes(some, census.n_values))
            _refuse_too_many(census, reading, source)
        if crosses:
            run.cross(censuses, codes, reading)
        if sink is not None:
            sink(codes)
    return run


def _same_columns(chunk: Chunk, censuses: Sequence[Census]) -> list[Column]:
    """Return the columns of a piece in the order of the first; refuse others and other kinds."""
    title = chunk.source.title
    found = {column.name: column for column in chunk.columns}
    kinds = dict(zip(found, chunk.kinds, strict=True))
    names = [census.name for census in censuses]
    for name in names:
        if name not in found:
            first = next(c.kind_from for c in censuses if c.name == name)
            msg = (
                f"{title}: column {shown(repr(name))} is not there, but {first} has it; give all "
                "files the same columns, or choose those to read (columns=, --column)"
            )
            raise DataError(msg)
    for name in found:
        if name not in set(names):
            msg = (
                f"{title}: column {shown(repr(name))} is here, but not in {censuses[0].kind_from}; "
                f"give all files the same columns, or choose those to read (columns=, --column)"
            )
            raise DataError(msg)
    for census in censuses:
        kind = kinds[census.name]
        if census.kind and kind and kind != census.kind:
            msg = (
                f"{title}: column {shown(repr(census.name))} holds values of the kind {kind}, but "
                f"{census.kind} in {census.kind_from}; write all files with the same type, or "
                f"leave it out with drop={[census.name]!r} (--drop {quoted(census.name)})"
            )
            raise DataError(msg)
        if not census.kind_from or (kind and not census.kind):
            census.kind, census.kind_from = kind, title
    return [found[name] for name in names]


def _seen_markers(
    columns: Sequence[Column], reading: Reading, seen: frozenset[str]
) -> frozenset[str]:
    left = [x for x in reading.all_markers if x not in seen]
    return frozenset(x for x in left if are_markers(columns, x).any())


def _complete(
    columns: list[Column], source: Source, reading: Reading, run: _Run
) -> tuple[list[Column], Source]:
    """Count missing cells and complete rows; drop the others if that is wanted."""
    n = columns[0].n_rows
    masks = {c.name: mask for c in columns if (mask := c.missing()) is not None}
    before, run.n_rows = run.n_rows, run.n_rows + n
    if not masks:
        run.n_complete += n
        return columns, source
    complete = ~np.logical_or.reduce(list(masks.values()))
    run.n_complete += int(complete.sum())
    missing = {} if run.missing is None else run.missing
    for name, mask in masks.items():
        missing[name] = missing.get(name, 0) + int(mask.sum())
    if run.first_missing is None:
        name = min(masks, key=lambda x: int(masks[x].argmax()))
        row = int(masks[name].argmax())
        run.first_missing = before + row, source.place(row, name)
    if reading.missing != "drop":
        return columns, source
    return [column.only(complete) for column in columns], source.only(complete)


def _known_states(column: Column, reading: Reading, source: Source) -> Column:
    """Give a column its states at once if they do not depend on other rows."""
    if reading.declared(column.name) is not None and column.values:
        return settle_levels(with_points(column, reading)[0], reading, source)
    if reading.rule(column.name).how == "cuts" and column.values:
        settled = settle_levels(with_points(column, reading)[0], reading, source)
        return cut_columns([settled], reading, source)[0][0]
    return column


def _refuse_too_many(census: Census, reading: Reading, source: Source) -> None:
    """Refuse a column with more values than a column may have, before they fill the memory."""
    no_states = reading.rule(census.name).how != "none" or reading.keeps(census.name)
    if census.n_values <= (MOST_NUMBERS if no_states else MOST_VALUES):
        return
    column = settle_levels(census.column()[0], Reading(), source)
    besides = find_no_categories([column.tally()], reading)
    msg = f"{source.title}: column {shown(repr(census.name))} has too many different values"
    raise DataError(msg if besides is None else f"{source.title}: {besides}")


def _agreed(censuses: Sequence[Census], run: _Run, reading: Reading, title: str) -> Scan:
    """Apply the data contract to all values together."""
    if run.n_rows == 0:
        msg = f"{title}: there are no rows; a table needs at least one"
        raise DataError(msg)
    places: dict[str, list[Source]] = {}
    columns, rows = [], []
    for census in censuses:
        column, places[census.name], numbers = census.column()
        columns.append(column)
        rows.append(numbers)
    source = CountedSource(title, notes=run.notes, places=places)
    idle = [x for x in reading.all_markers if x not in run.markers_seen]
    names = [column.name for column in columns]
    rest, notes = _without_cuts(reading, names)
    trouble = _missing_trouble(run, reading, source)

    def crossed(column: Column, target: Column) -> Longs:
        codes = []
        for one in (column, target):
            v = names.index(one.name)
            codes.append(codes_by_number(rows[v], one.codes(), censuses[v].n_values))
        sizes = len(column.values), len(target.values)
        return run.crossings[column.name].table(codes[0], sizes[0], codes[1], sizes[1])

    final, told = settled_columns(
        columns, rest, source, trouble=trouble, idle=idle, crossed=crossed
    )
    code_of = []
    for census, settled, numbers in zip(censuses, final, rows, strict=True):
        code = np.zeros(census.n_values, np.float64 if settled.kept else np.uint16)
        code[numbers] = with_holes(settled, source)
        code_of.append(code)
    return Scan(
        tuple(column.name for column in final),
        tuple(() if column.kept else tuple(column.values) for column in final),
        run.n_complete if reading.missing == "drop" else run.n_rows,
        (*notes, *told),
        tuple(code_of),
        tuple(
            np.append(c.counts, np.zeros(c.n_values - len(c.counts), np.int64)) for c in censuses
        ),
        tuple(census.labels for census in censuses),
        reading,
    )


def _missing_trouble(run: _Run, reading: Reading, source: Source) -> str | None:
    """Say what to do about missing cells, if they are refused or no complete row is left."""
    if not run.missing or run.first_missing is None or reading.missing in ("state", "keep"):
        return None
    if reading.missing == "drop" and run.n_complete:
        return None
    return tell_missing(
        run.missing,
        run.n_rows,
        run.n_complete,
        policy=reading.missing or "error",
        place=run.first_missing[1],
        source=source,
    )


def _without_cuts(reading: Reading, names: Sequence[str]) -> tuple[Reading, list[str]]:
    """Return the reading without the columns that are cut already, and a note on them."""
    if isinstance(reading.discretize, str):
        return reading, []
    done = [name for name in names if reading.rule(name).how == "cuts"]
    left = {name: rule for name, rule in reading.discretize.items() if name not in set(done)}
    notes = note_on_cuts({name: reading.rule(name).cuts for name in done})
    return replace(reading, discretize=left or "none"), notes


@dataclass(frozen=True, slots=True, eq=False)
class ScannedPart:
    """What was counted in a part of the data; parts are made apart from each other and joined."""

    title: str
    censuses: list[Census]
    run: _Run

    def n_kept(self, reading: Reading) -> int:
        """Return how many of its rows a table gets."""
        return self.run.n_complete if reading.missing == "drop" else self.run.n_rows


def scan_part(pieces: Iterable[Chunk], reading: Reading, title: str) -> ScannedPart:
    """Count the values of a part of the data, so that `agreed` can find the states of all.

    Raises
    ------
    FileFormatError, DataError
        As `scan_files`.
    """
    censuses: list[Census] = []
    run = _run(reading, pieces, censuses, None)
    return ScannedPart(title, censuses, run)


def agreed(parts: Iterable[ScannedPart], reading: Reading, title: str) -> Scan:
    """Agree on the states of columns whose parts were scanned apart.

    The parts come in their order, and the result is that of one scan over all of them.

    Raises
    ------
    DataError
        If the data break the contract, or a part has other columns than the first.
    """
    whole, run = list[Census](), _Run(missing={})
    for part in parts:
        if not part.censuses:
            continue
        if not whole:
            whole += [Census(census.name) for census in part.censuses]
        kinds = tuple(census.kind for census in part.censuses)
        columns = [Column(census.name, (), ()) for census in part.censuses]
        _same_columns(Chunk(columns, kinds, Source(part.title)), whole)
        known = {census.name: census for census in part.censuses}
        number = {c.name: c.absorb(known[c.name], run.n_rows) for c in whole}
        for census in whole:
            _refuse_too_many(census, reading, Source(part.title))
        for name, crossing in part.run.crossings.items():
            mine = run.crossings.setdefault(name, Crossing(name))
            mine.absorb(crossing, number[name], number[str(reading.target)])
        run.absorb(part.run)
    return _agreed(whole, run, reading, title)
