"""The value every learner starts from: named columns of categories and of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from bayesloom.data.column import mark_seen
from bayesloom.data.label import MOST_STATES, is_label, label_fault, spelled
from bayesloom.data.number_column import checked_numbers, missing_mask, range_text
from bayesloom.data.reading import Reading, ReadingOptions
from bayesloom.errors import DataError, UnknownVariableError, check_kind, listed, shown
from bayesloom.graphs.text import counted

if TYPE_CHECKING:
    from bayesloom.data.missing_cells import MissingCells
    from bayesloom.grid import Grid

_SMALL = 256  # states that fit one byte
_SHOWN = 8  # columns and states shown by repr
_FIRST = 8  # rows shown when it is printed


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Table:
    """A table: for each variable one column of state codes, or of numbers.

    Code ``k`` in column ``v`` stands for the label ``states[v][k]``. The code one past the last
    state, ``len(states[v])``, stands for a cell that is missing. States may be declared that never
    occur. A column without states, ``states[v] == ()``, holds numbers: its codes are the numbers
    themselves, and NaN is a missing cell. A table may miss cells only if it is told so (``holes``).
    Columns keep the order in which they were given. A table checks itself when it is made; its
    arrays are read-only.

    Parameters
    ----------
    names : sequence of str
        The names of the columns, all different and not empty.
    states : sequence of sequences of str
        For each column the labels of its states, all different and not empty; at most 65,536, and
        none for a column of numbers.
    codes : sequence of arrays
        For each column one array of codes, all of the same length. They are kept as ``uint8`` (up
        to 256 codes) or ``uint16``, numbers as ``float64``.
    notes : sequence of str
        What a user should know about how the data were read, one sentence each.
    holes : bool
        Whether cells may be missing; otherwise their code is refused like any other stray one.

    Raises
    ------
    DataError
        If the parts do not fit together; the message names the column, the row and the value.

    Examples
    --------
    >>> table = Table(["rain", "wet"], [["no", "yes"], ["no", "yes"]], [[0, 1, 1], [0, 1, 0]])
    >>> table
    Table of 3 rows x 2 columns
      rain: no, yes
      wet: no, yes
    >>> table.column("wet")
    array([0, 1, 0], dtype=uint8)
    >>> len(table), table["wet"]
    (3, ['no', 'yes', 'no'])
    >>> print(table)
    Table of 3 rows x 2 columns
      rain  wet
      no    no
      yes   yes
      yes   no
    >>> table = Table(["wet"], [["no", "yes"]], [[0, 2, 1]], holes=True)
    >>> table["wet"], table.missing.tolist(), table.is_complete
    (['no', None, 'yes'], [1], False)
    >>> table = Table(["wet", "age"], [["no", "yes"], ()], [[0, 1], [39.5, 17]])
    >>> table["age"], table.numeric.tolist()
    ([39.5, 17.0], [False, True])
    >>> table
    Table of 2 rows x 2 columns
      wet: no, yes
      age: numbers from 17 to 39.5
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    codes: tuple[npt.NDArray[Any], ...]
    notes: tuple[str, ...]
    _observed: npt.NDArray[np.int32] | None
    _missing: npt.NDArray[np.int64] | None

    def __init__(
        self,
        names: Sequence[str],
        states: Sequence[Sequence[str]],
        codes: Sequence[npt.ArrayLike],
        notes: Sequence[str] = (),
        holes: bool = False,  # noqa: FBT001, FBT002 - copies come back by position
    ) -> None:
        for what, part in (("names", names), ("states", states), ("codes", codes)):
            _check_sequence(f"{what} of a table", part)
        if not len(names) == len(states) == len(codes):
            msg = (
                f"a table needs as many state lists and code arrays as names, got {len(names)} "
                f"names, {len(states)} state lists and {len(codes)} code arrays"
            )
            raise DataError(msg)
        kept_names = _checked_names(names)
        kept_states = tuple(map(_checked_states, kept_names, states))
        kept_codes = tuple(
            _checked_codes(name, labels, column, holes=holes)
            if labels
            else checked_numbers(name, column, holes=holes)
            for name, labels, column in zip(kept_names, kept_states, codes, strict=True)
        )
        _check_lengths(kept_names, kept_codes)
        self._keep(kept_names, kept_states, kept_codes, tuple(notes))

    def _keep(
        self,
        names: tuple[str, ...],
        states: tuple[tuple[str, ...], ...],
        codes: tuple[npt.NDArray[Any], ...],
        notes: tuple[str, ...],
    ) -> None:
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "notes", notes)
        object.__setattr__(self, "_observed", None)
        object.__setattr__(self, "_missing", None)

    def __reduce__(self) -> tuple[type[Table], tuple[object, ...]]:
        """Make copies, and what comes from another process, as a new table is made."""
        return Table, (self.names, self.states, self.codes, self.notes, True)

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401
        *,
        names: Iterable[str] | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> Table:
        """Make a table of a data frame, by the same rules as `bayesloom.data.read`.

        Categories keep their declared levels and the order of these: categoricals of pandas, enums
        of polars, dictionaries of Arrow. Categoricals of polars, text, numbers, truth values
        (``False``, ``True``) and dates become the values that occur. None, NaN and empty text are
        missing. The index of a pandas frame is ignored. Rows are counted from 0 in messages.

        Parameters
        ----------
        frame : object
            A frame of pandas or polars, an Arrow table or record batch, a dictionary of columns, a
            list of dictionaries, or a two-dimensional numpy array.
        names : iterable of str, optional
            The names of the columns of an array.
        **reading
            How to read it: ``states``, ``missing``, ``missing_markers``, ``numbers``,
            ``discretize``, ``bins``, ``columns``, ``drop``, ``target``, ``states_from``,
            ``strip``, ``dates``, ``auto``, ``strict``; see `bayesloom.Reading`, whose
            ``delimiter``, ``encoding``, ``header`` and ``skip_lines`` are options of files.

        Raises
        ------
        DataError
            If the frame breaks the data contract; the message names the column and the row.
        OptionError
            If an option has a value it cannot take.

        Examples
        --------
        >>> Table.from_frame({"smoke": ["no", "yes", "no"], "grade": [3.0, 1.0, 2.0]})
        Table of 3 rows x 2 columns
          smoke: no, yes
          grade: 1, 2, 3
        """
        from bayesloom.data.frame import frame_table

        return frame_table(frame, names, Reading.from_dict(reading, cls.from_frame))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.codes[0])

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.names)

    @property
    def cardinality(self) -> npt.NDArray[np.int32]:
        """The number of declared states of each column; 0 for numbers."""
        return np.array([len(labels) for labels in self.states], dtype=np.int32)

    @property
    def numeric(self) -> npt.NDArray[np.bool_]:
        """Which columns hold numbers."""
        return np.array([not labels for labels in self.states], dtype=np.bool_)

    @property
    def observed(self) -> npt.NDArray[np.int32]:
        """The number of states of each column that occur in at least one row; 0 for numbers."""
        if self._observed is None:
            pairs = zip(self.codes, self.states, strict=True)
            none = np.zeros(0, np.bool_)
            seen = (mark_seen(x, len(labels) + 1)[:-1] if labels else none for x, labels in pairs)
            object.__setattr__(self, "_observed", _counts(seen, np.int32))
        return self._observed  # type: ignore[return-value]  # it is there now

    @property
    def missing(self) -> npt.NDArray[np.int64]:
        """The number of missing cells of each column."""
        if self._missing is None:
            pairs = zip(self.codes, self.states, strict=True)
            holes = (missing_mask(column, labels) for column, labels in pairs)
            object.__setattr__(self, "_missing", _counts(holes, np.int64))
        return self._missing  # type: ignore[return-value]  # it is there now

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return not self.missing.any()

    def missing_cells(self) -> MissingCells:
        """Return how many cells of each column are missing, and what is missing together.

        Examples
        --------
        >>> Table("AB", ["ny", "xz"], [[0, 2, 1], [1, 2, 2]], holes=True).missing_cells().columns
        (('B', 2), ('A', 1))
        """
        from bayesloom.data.missing_cells import MissingCells

        return MissingCells.of(self)

    def index(self, name: str) -> int:
        """Return the position of the column called ``name``."""
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownVariableError(name, self.names) from None

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return the codes of the column called ``name``."""
        return self.codes[self.index(name)]

    def __len__(self) -> int:
        return self.n_rows

    def __getitem__(self, name: str) -> list[Any]:
        """Return the labels or numbers of a column, row by row; None for a missing cell."""
        return self._cells(self.index(name), slice(None))

    def _cells(self, v: int, rows: slice) -> list[Any]:
        cells = self.codes[v][rows].tolist()
        if not self.states[v]:
            return [None if math.isnan(number) else number for number in cells]
        labels = (*self.states[v], None)
        return [labels[code] for code in cells]

    def _texts(self, v: int, rows: slice) -> list[str]:
        cells = self._cells(v, rows)
        return ["" if x is None else x if self.states[v] else spelled(x) for x in cells]

    def select(self, names: Iterable[str]) -> Table:
        """Return the table with the columns called ``names``, in that order.

        Examples
        --------
        >>> Table("AB", ["01", "01"], [[0], [1]]).select(["B"]).names
        ('B',)
        """
        position = {name: v for v, name in enumerate(self.names)}
        chosen = [position[x] if x in position else self.index(x) for x in names]
        _checked_names([self.names[v] for v in chosen])  # one may be named twice
        table = object.__new__(Table)  # whose columns have been checked before
        table._keep(
            tuple(self.names[v] for v in chosen),
            tuple(self.states[v] for v in chosen),
            tuple(self.codes[v] for v in chosen),
            self.notes,
        )
        return table

    def reordered(self, names: Iterable[str]) -> Table:
        """Return the table with all its columns in the order of ``names``.

        Raises
        ------
        DataError
            If ``names`` leaves a column out.
        """
        order = tuple(names)
        there = set(order)
        left_out = [name for name in self.names if name not in there]
        if left_out:
            msg = f"the new order leaves out {listed(left_out)}; use select to drop columns"
            raise DataError(msg)
        return self.select(order)

    def in_name_order(self) -> Table:
        """Return the table with its columns sorted by name."""
        return self.select(sorted(self.names))

    def checksum(self) -> str:
        """Return the SHA-256 of names, states and rows, columns in the order of their names.

        Two tables have the same if they hold the same, whatever the order of their columns and the
        format of the file.

        Examples
        --------
        >>> table = Table.from_frame({"rain": ["no", "yes"], "wet": ["no", "yes"]})
        >>> table.checksum()[:8], table.checksum() == table.reordered(["wet", "rain"]).checksum()
        ('c92a47a3', True)
        """
        import hashlib

        found = hashlib.sha256()
        for name, labels, codes in sorted(
            zip(self.names, self.states, self.codes, strict=True), key=lambda column: column[0]
        ):
            found.update(f"{len(labels)} {len(codes)} ".encode())  # so that no two run together
            for text in (name, *labels):
                found.update(f"{len(text.encode())}:{text}".encode())
            found.update(_bytes_of(codes))
        return found.hexdigest()

    def take(self, rows: npt.ArrayLike | slice) -> Table:
        """Return the table with the chosen rows: positions, a mask or a slice.

        The declared states stay, also those that no longer occur.

        Examples
        --------
        >>> Table(["A"], [["no", "yes"]], [[0, 1, 1]]).take([2, 0]).column("A")
        array([1, 0], dtype=uint8)
        """
        chosen = rows if isinstance(rows, slice) else np.asarray(rows)
        try:
            codes = tuple(column[chosen] for column in self.codes)
        except IndexError as error:
            msg = f"cannot take these rows of a table of {self.n_rows} rows: {error}"
            raise DataError(msg) from None
        return Table(self.names, self.states, codes, self.notes, holes=True)

    def to_arrow(self) -> Any:  # noqa: ANN401
        """Return the table as an Arrow table of dictionaries, with all states, and doubles."""
        from bayesloom.data.writing import to_arrow

        return to_arrow(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the table to any library that takes Arrow data, such as polars."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:  # noqa: ANN401
        """Return the table as a pandas frame of categories, with all states, and of floats.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        from bayesloom.data.writing import to_pandas

        return to_pandas(self)

    def to_polars(self) -> Any:  # noqa: ANN401
        """Return the table as a polars frame of enums, with all states, and of floats.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        from bayesloom.grid import imported

        polars = imported("polars", "to_polars")
        columns = zip(self.names, self.states, self.codes, strict=True)
        return polars.DataFrame(
            [
                polars.Series(name, [*labels, None], dtype=polars.Enum(labels)).gather(codes)
                if labels
                else polars.Series(name, codes, nan_to_null=True)
                for name, labels, codes in columns
            ]
        )

    def to_frame(self, library: Literal["pandas", "polars", "arrow"] | None = None) -> Any:  # noqa: ANN401
        """Return the table as a frame: of pandas, else of polars, whichever is installed.

        Parameters
        ----------
        library : "pandas", "polars" or "arrow", optional
            Whose frame; by default pandas, without it polars, without both Arrow.
        """
        from bayesloom.grid import frame_of

        return frame_of(self, library)

    def _preview(self) -> Grid:
        """Return the first rows, ready to be printed."""
        from bayesloom.grid import Grid
        from bayesloom.grid import labels as cells_of

        first = slice(_FIRST)
        cells = [self._texts(v, first) for v in range(self.n_columns)]
        size = f"{counted(self.n_rows, 'row')} x {counted(self.n_columns, 'column')}"
        return Grid(
            f"Table of {size}",
            cells_of(self.names),
            [cells_of(row) for row in zip(*cells, strict=True)],
            more=max(0, self.n_rows - _FIRST),
            left=frozenset(np.flatnonzero(~self.numeric).tolist()),
        )

    def __str__(self) -> str:
        return self._preview().text()

    def _repr_html_(self) -> str:
        return self._preview().html()

    def __repr__(self) -> str:
        size = f"{counted(self.n_rows, 'row')} x {counted(self.n_columns, 'column')}"
        lines = [f"Table of {size}"]
        for v, name in enumerate(self.names[:_SHOWN]):
            n = int(self.missing[v])
            hollow = f" ({n} missing)" if n else ""
            labels, codes = self.states[v], self.codes[v]
            what = listed(labels, _SHOWN) if labels else range_text(codes)
            lines.append(f"  {name}: {what}{hollow}")
        if self.n_columns > _SHOWN:
            lines.append(f"  and {self.n_columns - _SHOWN} more columns")
        return "\n".join(lines)


def _bytes_of(codes: npt.NDArray[Any]) -> bytes:
    """Return the cells of a column as bytes, the same on every machine."""
    if codes.dtype.kind == "f":
        return np.where(np.isnan(codes), np.nan, codes).astype("<f8").tobytes()
    return codes.astype("<u2").tobytes()


def check_table(name: str, value: object) -> None:
    """Refuse what is no table, such as a frame that has not been read yet.

    Examples
    --------
    >>> check_table("prior", {"A": ["no"]})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: prior must be a Table, such as Table.from_frame(frame) makes it, \
got {'A': ['no']}
    """
    check_kind(name, value, Table, "a Table, such as Table.from_frame(frame) makes it")


def code_type(n_states: int) -> type[np.uint8 | np.uint16]:
    """Return the type of the codes of a column with so many states."""
    return np.uint8 if n_states <= _SMALL else np.uint16


def _check_sequence(what: str, part: object) -> None:
    """Refuse what has no length or no order."""
    if not hasattr(part, "__len__") or not hasattr(part, "__getitem__"):
        msg = f"the {what} must be a list, got {shown(repr(part))}"
        raise DataError(msg)


def _checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names as a tuple if they are different non-empty texts."""
    seen: set[str] = set()
    for position, name in enumerate(names):
        if not is_label(name):
            what = f"column {position + 1} has the name {shown(repr(name))}"
            msg = f"{what}, which can be no name: {label_fault(name)}; rename it"
            raise DataError(msg)
        if name in seen:
            msg = f"two columns have the name {name!r}; rename or drop one of them"
            raise DataError(msg)
        seen.add(name)
    if not seen:
        msg = "a table needs at least one column, got 0"
        raise DataError(msg)
    return tuple(names)


def _checked_states(name: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of one column as a tuple if they are different non-empty texts."""
    _check_sequence(f"states of column {name!r}", labels)
    if len(labels) > MOST_STATES:
        msg = f"column {name!r} has {len(labels)} states; a column has at most {MOST_STATES:,}"
        raise DataError(msg)
    for label in labels:
        if not is_label(label):
            what = f"column {name!r} has the state {shown(repr(label))}"
            msg = f"{what}, which can be no state: {label_fault(label)}; rename it"
            raise DataError(msg)
    if len(set(labels)) < len(labels):
        twice = next(label for k, label in enumerate(labels) if label in labels[:k])
        msg = f"column {name!r} has the state {twice!r} twice; states of a column must differ"
        raise DataError(msg)
    return tuple(labels)


def _checked_codes(
    name: str, labels: tuple[str, ...], codes: npt.ArrayLike, *, holes: bool
) -> npt.NDArray[Any]:
    """Return the codes of one column, read-only and in the smallest type, if they are in range."""
    given = np.asarray(codes)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        msg = (
            f"column {name!r} has codes of shape {given.shape} and type {given.dtype}; "
            "codes are one-dimensional integers"
        )
        raise DataError(msg)
    highest = int(given.max(initial=0))
    if highest > len(labels) - (not holes) or given.min(initial=0) < 0:
        row = int(np.flatnonzero((given > len(labels) - (not holes)) | (given < 0))[0])
        missing = f", and a missing cell {len(labels)}" if holes else ""
        msg = (
            f"column {name!r} has the code {given[row]} in row {row} (counted from 0), but its "
            f"{len(labels)} states have the codes 0 to {len(labels) - 1}{missing}"
        )
        raise DataError(msg)
    if highest == MOST_STATES:
        raise no_room_for_holes(name)
    # Aligned, too: what comes out of a message of Dask may start anywhere.
    kept = np.require(given, code_type(max(highest + 1, len(labels))), ["C", "A"])
    if kept.flags.writeable and np.may_share_memory(kept, given):
        kept = kept.copy()  # what a caller does to its own array changes no table
    kept.flags.writeable = False
    return kept.view()  # a view of what is read-only stays so


def no_room_for_holes(name: str) -> DataError:
    """Say that a column has so many states that no code is left for missing cells."""
    msg = (
        f"column {shown(repr(name))} has {MOST_STATES:,} states, the most there can be, so none of "
        "its cells can be missing; leave their rows out with missing='drop' (--missing drop), or "
        f"drop the column with drop={[name]!r}"
    )
    return DataError(msg)


def _counts(
    marks: Iterable[npt.NDArray[np.bool_]], kind: type[np.integer[Any]]
) -> npt.NDArray[Any]:
    """Return for each column how many are marked, read-only."""
    counts = np.array([np.count_nonzero(column) for column in marks], kind)
    counts.flags.writeable = False
    return counts


def _check_lengths(names: Sequence[str], codes: Sequence[npt.NDArray[Any]]) -> None:
    """Check that all columns have the same number of rows, and at least one."""
    for name, column in zip(names, codes, strict=True):
        if len(column) != len(codes[0]):
            msg = (
                f"column {name!r} has {len(column)} rows but column {names[0]!r} has "
                f"{len(codes[0])}; all columns need the same number of rows"
            )
            raise DataError(msg)
    if len(codes[0]) == 0:
        msg = "a table needs at least one row, got 0"
        raise DataError(msg)
