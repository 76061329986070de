"""Labelled rows and columns: as text, as HTML, and as frames of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bayesloom.errors import MissingExtraError, OptionError, shown

NamedColumns: TypeAlias = Sequence[tuple[str, Sequence[object]]]
"""Named columns of plain values, all of one length."""

ROWS = 20
"""Rows that a value shows when it prints; the rest is counted."""

_HTML_ROWS = 100
_HTML_COLUMNS = 40
_LONGEST = 32  # characters of a label
_GAP = "  "
_NARROW = 40  # columns of text that are used even if the terminal has fewer


@dataclass(frozen=True, slots=True)
class Grid:
    """A table ready to be printed.

    Parameters
    ----------
    title : str
        The line above; may be empty.
    heads : tuple of str
        The headings of the columns.
    rows : sequence of tuples of str
        The cells of the rows that are shown.
    keys : int
        How many columns at the left name the rows; they are flush left, and numbers flush right.
    more : int
        How many further rows there are.
    noun : str
        What a row is, for "and 7 more rows".
    notes : tuple of str
        Lines below.
    left : frozenset of int
        Further columns that are flush left.

    Examples
    --------
    >>> print(Grid("P(rain)", ("rain", "chance"), (("no", "0.9"),), 1, more=1).text())
    P(rain)
      rain  chance
      no       0.9
      and 1 more row
    """

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    keys: int = 0
    more: int = 0
    noun: str = "row"
    notes: tuple[str, ...] = ()
    left: frozenset[int] = frozenset()

    def text(self, width: int | None = None, *, wrap: bool = False) -> str:
        """Return the table as lines, none wider than the terminal where columns allow it.

        Parameters
        ----------
        width : int, optional
            How many characters a line may have; by default those of the terminal.
        wrap : bool
            Set the columns that do not fit below, with the keys again, instead of counting them.
        """
        room = max(_NARROW, terminal_width() if width is None else width)
        blocks, left_out = self._blocks(room - len(_GAP), wrap=wrap)
        lines = [folded(self.title, room)] if self.title else []
        for k, block in enumerate(blocks if self.rows else []):
            if k:
                lines.append("")
            rows = [tuple(row[c] for c in block) for row in (self.heads, *self.rows)]
            right = [k for k, c in enumerate(block) if c >= self.keys and c not in self.left]
            lines += [f"{_GAP}{line}" for line in tabulated(rows, right).split("\n")]
        lines += [folded(note, room, _GAP) for note in self._ends(left_out)]
        return "\n".join(lines)

    def html(self) -> str:
        """Return the table for notebooks; every label is escaped."""
        from html import escape

        n = min(len(self.heads), _HTML_COLUMNS)
        heads = "".join(f"<th>{escape(head)}</th>" for head in self.heads[:n])
        body = ""
        for row in self.rows:
            cells = (
                f"<{'th' if c < self.keys else 'td'} "
                f"style='text-align:{'left' if c < self.keys or c in self.left else 'right'}'>"
                f"{escape(cell)}</{'th' if c < self.keys else 'td'}>"
                for c, cell in enumerate(row[:n])
            )
            body += f"<tr>{''.join(cells)}</tr>"
        title = f"<p><b>{escape(self.title)}</b></p>" if self.title else ""
        ends = "<br>".join(map(escape, self._ends(len(self.heads) - n)))
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div>{title}{table if self.rows else ''}{f'<p>{ends}</p>' if ends else ''}</div>"

    def _ends(self, columns_left_out: int) -> list[str]:
        counts = ((columns_left_out, "column"), (self.more, self.noun))
        said = [f"{n:,} more {noun}{'s' * (n != 1)}" for n, noun in counts if n]
        return [*([f"and {' and '.join(said)}"] if said else []), *self.notes]

    def _blocks(self, room: int, *, wrap: bool) -> tuple[list[list[int]], int]:
        """Return the columns that stand side by side, and how many are left out."""
        widths = [max(len(row[c]) for row in (self.heads, *self.rows)) for c in range(self.n)]
        keys = list(range(self.keys))
        base = sum(widths[c] + len(_GAP) for c in keys)
        blocks, used = [keys[:]], base
        for c in range(self.keys, self.n):
            block, step = blocks[-1], widths[c] + len(_GAP)
            if used + widths[c] > room and len(block) > len(keys):
                if not wrap:
                    return blocks, self.n - c
                block, used = keys[:], base
                blocks.append(block)
            block.append(c)
            used += step
        return blocks, 0

    @property
    def n(self) -> int:
        """The number of columns."""
        return len(self.heads)


class Tabular:
    """What prints as a table and can be handed to pandas, polars and Arrow.

    A subclass says what its columns hold and how it is printed.
    """

    __slots__ = ()

    def _columns(self) -> NamedColumns:
        """Return the exact values, for frames."""
        raise NotImplementedError

    def _grid(self, most: int | None) -> Grid:
        """Return what is printed, with at most so many rows."""
        raise NotImplementedError

    def text(self, *, rows: int | None = None, width: int | None = None, wrap: bool = True) -> str:
        """Return the table as text.

        Parameters
        ----------
        rows : int, optional
            The most rows; by default all of them.
        width : int, optional
            How many characters a line may have; by default those of the terminal.
        wrap : bool
            Set columns that do not fit below the others, instead of counting them.
        """
        return self._grid(rows).text(width, wrap=wrap)

    def to_arrow(self) -> Any:  # noqa: ANN401
        """Return the table as an Arrow table."""
        import pyarrow as pa

        names = distinct([name for name, _ in self._columns()])
        return pa.table([pa.array(values) for _, values in self._columns()], names=names)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the table to any library that takes Arrow data."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:  # noqa: ANN401
        """Return the table as a pandas frame.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        pandas = imported("pandas", "to_pandas")
        columns = self._columns()
        names = distinct([name for name, _ in columns])
        frame = pandas.DataFrame({k: values for k, (_, values) in enumerate(columns)})
        frame.columns = names
        return frame

    def to_polars(self) -> Any:  # noqa: ANN401
        """Return the table as a polars frame.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        return imported("polars", "to_polars").from_arrow(self.to_arrow())

    def to_frame(self, library: Literal["pandas", "polars", "arrow"] | None = None) -> Any:  # noqa: ANN401
        """Return the table as a frame: of pandas, else of polars, whichever is installed.

        Parameters
        ----------
        library : "pandas", "polars" or "arrow", optional
            Whose frame; by default pandas, without it polars, without both Arrow.

        Raises
        ------
        OptionError
            If the library is another.
        MissingExtraError
            If it is not installed.
        """
        return frame_of(self, library)

    def __str__(self) -> str:
        return self._grid(ROWS).text()

    def _repr_html_(self) -> str:
        return self._grid(_HTML_ROWS).html()


def frame_of(table: Any, library: str | None) -> Any:  # noqa: ANN401 - whatever has to_arrow and so on
    """Return a frame of the library named, or of the first one that is installed.

    Examples
    --------
    >>> frame_of(None, "R")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: library must be "pandas", "polars" or "arrow", got 'R'
    """
    if library not in (None, "pandas", "polars", "arrow"):
        msg = f'library must be "pandas", "polars" or "arrow", got {library!r}'
        raise OptionError(msg)
    if library is not None:
        return getattr(table, f"to_{library}")()
    for name in ("pandas", "polars"):
        try:
            return getattr(table, f"to_{name}")()
        except MissingExtraError:
            continue
    return table.to_arrow()


def imported(package: str, what: str) -> Any:  # noqa: ANN401 - a module without types
    """Import an optional package.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError:
        msg = (
            f"{what} needs {package}, which is not installed; "
            f"install it with: pip install {package}"
        )
        raise MissingExtraError(msg) from None


def distinct(names: Sequence[str]) -> list[str]:
    """Return names of which none is there twice: later ones get a number.

    Examples
    --------
    >>> distinct(["a", "probability", "probability"])
    ['a', 'probability', 'probability (2)']
    """
    taken: set[str] = set()
    found = []
    for name in names:
        made, k = name, 2
        while made in taken or (made != name and made in names):
            made, k = f"{name} ({k})", k + 1
        taken.add(made)
        found.append(made)
    return found


def label(text: str) -> str:
    r"""Return a name or a state for a cell: on one line and not too long; blanks at ends quoted.

    Examples
    --------
    >>> label("rain"), label(" rain"), label("x\n")
    ('rain', "' rain'", "'x\\n'")
    """
    return shown(text if text == text.strip() else repr(text), _LONGEST)


def labels(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the cells of several names."""
    return tuple(map(label, texts))


def chance(p: float) -> str:
    """Write a probability: six decimals, and tiny ones so that they do not look like 0.

    Examples
    --------
    >>> chance(0.25), chance(1.0), chance(0.0), chance(3.21e-9)
    ('0.250000', '1.000000', '0', '3.21e-09')
    """
    if p == 0:
        return "0"
    return f"{p:.6f}" if p >= _TINY else f"{p:.3g}"


_TINY = 5e-7


def terminal_width() -> int:
    """Return how many characters a line may have; 100 where there is no terminal."""
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def folded(text: str, width: int, first: str = "", hang: int = 2) -> str:
    """Break a line that is too long at blanks; what follows is set in by ``hang`` more.

    Examples
    --------
    >>> print(folded("too long for one line", 14, "  "))
      too long for
        one line
    """
    if len(first) + len(text) <= width:
        return first + text
    import textwrap

    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * (len(first) + hang),
        break_long_words=False,
        break_on_hyphens=False,
    )


def tabulated(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Set rows of cells in columns, those of ``right`` flush right.

    Examples
    --------
    >>> print(tabulated([["state", "probability"], ["no", "0.9"]], right=[1]))
    state  probability
    no             0.9
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(_GAP.join(cells).rstrip())
    return "\n".join(lines)
