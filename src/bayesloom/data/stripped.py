"""Leave out the blanks at the ends of cells."""

from __future__ import annotations

import numpy as np

from bayesloom.data.column import MISSING, Column


def stripped(column: Column) -> Column:
    """Return a column of texts without blanks at their ends; a cell of blanks is missing.

    Levels that somebody declared, and numbers, stay as they are.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> Table.from_frame({"wet": [" no", "no ", "yes"]}, strip=True).states
    (('no', 'yes'),)
    """
    if column.declared or column.numbers is not None:
        return column
    texts = [text.strip() for text in column.values]
    if texts == list(column.values):
        return column
    code = {text: k for k, text in enumerate(dict.fromkeys(filter(None, texts)))}
    return column.with_values(
        list(code), np.array([code.get(text, MISSING) for text in texts], np.intp)
    )
