"""Turn encoded columns into a table: states, missing cells, ids and quantities, codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.data.binning import cut, is_to_be_cut
from bayesloom.data.column import Column
from bayesloom.data.level import settle_levels
from bayesloom.data.missing import fill_with_state, refuse_or_drop
from bayesloom.data.quantity import (
    is_quantity,
    refuse_ids_and_quantities,
    refuse_spoilt_numbers,
)
from bayesloom.data.reading import Reading
from bayesloom.data.source import Source
from bayesloom.data.table import Table, code_type


def build_table(columns: Sequence[Column], reading: Reading, source: Source) -> Table:
    """Apply the data contract to encoded columns and return their table.

    Raises
    ------
    DataError
        If the columns break the contract; the message names the source, the place and the value.
    """
    settled = [settle_levels(column, reading, source) for column in columns]
    kept = refuse_or_drop(settled, reading.missing, source)
    if kept[0].n_rows < settled[0].n_rows:  # a text that was dropped may leave numbers only
        kept = [settle_levels(column, reading, source) for column in kept]
    how, bins = reading.discretize, reading.bins
    tallies = [column.tally() for column in kept]
    refuse_spoilt_numbers(tallies, lambda c: is_quantity(c) or is_to_be_cut(c, how, bins), source)
    whole = [
        column.with_values(*cut(tally, how, bins, source))
        if is_to_be_cut(tally, how, bins)
        else column
        for column, tally in zip(kept, tallies, strict=True)
    ]
    refuse_ids_and_quantities([column.tally() for column in whole], how, source)
    final = [fill_with_state(c, source) for c in whole] if reading.missing == "state" else whole
    return Table(
        tuple(column.name for column in final),
        tuple(tuple(column.values) for column in final),
        tuple(column.recoded(_own_codes(len(column.values))) for column in final),
    )


def _own_codes(n_states: int) -> npt.NDArray[Any]:
    """Return 0, 1, 2, ... in the smallest type a table knows."""
    return np.arange(n_states, dtype=code_type(n_states))
