"""Turn encoded columns into a table: states, missing cells, ids and quantities, codes."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.data.binning import is_to_be_cut
from bayesloom.data.column import Column
from bayesloom.data.cutting import Crossed, crossed, cut_columns
from bayesloom.data.dated import with_dates
from bayesloom.data.decimal_comma import with_points
from bayesloom.data.kept import kept_numbers, refuse_no_numbers, stays_number
from bayesloom.data.level import are_markers, settle_levels, without_markers
from bayesloom.data.missing import drop_or_find_missing, fill_with_state, refuse_empty, with_holes
from bayesloom.data.notes import notes_on_categories, notes_on_spelling
from bayesloom.data.quantity import FEW, find_no_categories, is_quantity, refuse_spoilt_numbers
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.stripped import stripped
from bayesloom.data.table import Table
from bayesloom.errors import DataError


def build_table(columns: Sequence[Column], reading: Reading, source: Source) -> Table:
    """Apply the data contract to encoded columns and return their table, with notes on it.

    Raises
    ------
    DataError
        If the columns break the contract; the message names the source, the place and the value.
    """
    idle = [x for x in reading.all_markers if not are_markers(columns, x).any()]
    spaced = [stripped(column) for column in columns] if reading.strip else columns
    marked = [without_markers(column, reading.markers(column.name)) for column in spaced]
    marked = with_dates(marked, reading, source)
    kept, trouble, source = drop_or_find_missing(marked, reading.missing or "error", source)
    final, notes = settled_columns(kept, reading, source, trouble=trouble, idle=idle)
    return Table(
        tuple(column.name for column in final),
        tuple(() if column.kept else tuple(column.values) for column in final),
        tuple(with_holes(column, source) for column in final),
        notes=notes,
        holes=reading.missing == "keep",
    )


def settled_columns(
    columns: Sequence[Column],
    reading: Reading,
    source: Source,
    *,
    trouble: str | None,
    idle: Sequence[str],
    crossed: Crossed = crossed,
) -> tuple[list[Column], list[str]]:
    """Give columns their states by the data contract; return them with notes on them.

    Parameters
    ----------
    columns : sequence of Column
        The columns, in which missing markers are missing cells already.
    reading, source
        How and from where they are read.
    trouble : str or None
        What to say if missing cells are to be refused.
    idle : sequence of str
        The missing markers that do not occur.
    crossed : callable
        Counts the values of a column that is cut for a target together with its classes.

    Raises
    ------
    DataError
        If the columns break the contract.
    """
    pointed = [with_points(column, reading) for column in columns]
    try:
        settled = [settle_levels(column, reading, source) for column, _ in pointed]
    except DataError:
        if trouble is not None:  # what is unknown may be in rows that are left out
            raise DataError(trouble) from None
        raise
    if reading.missing == "keep":
        refuse_empty(settled, source)
    whole, notes = _whole(settled, reading, source, trouble, crossed)
    final = [fill_with_state(c, source) for c in whole] if reading.missing == "state" else whole
    tallies = [column.tally() for column in whole if not column.kept]
    told = [
        *source.notes,
        *(note for _, note in pointed if note),
        *notes,
        *notes_on_categories(tallies, reading),
        *notes_on_spelling(tallies, idle),
    ]
    return final, told


def _whole(
    columns: Sequence[Column],
    reading: Reading,
    source: Source,
    trouble: str | None,
    crossed: Crossed,
) -> tuple[list[Column], list[str]]:
    """Return columns that are categories, cut where they were none, or kept numbers, and notes.

    ``trouble`` with missing cells is told together with that of ids and quantities.
    """
    tallies = [column.tally() for column in columns if not stays_number(column, reading)]
    if trouble is not None:
        left = [tally for tally in tallies if not is_to_be_cut(tally, reading.rule(tally.name))]
        besides = find_no_categories(left, reading)
        raise DataError(trouble if besides is None else f"{trouble}; besides, {besides}")
    refuse_spoilt_numbers(
        tallies,
        lambda c: (
            is_quantity(c)
            or is_to_be_cut(c, reading.rule(c.name))
            or (reading.keeps(c.name) and len(c.values) > FEW)
        ),
        source,
    )
    refuse_no_numbers(columns, reading, source)
    kept, on_kept = kept_numbers(columns, reading, source)
    whole, notes = cut_columns(kept, reading, source, crossed)
    notes = [*on_kept, *notes]
    besides = find_no_categories([c.tally() for c in whole if not c.kept], reading)
    if besides is not None:
        msg = f"{source.title}: {besides}"
        raise DataError(msg)
    return whole, notes
