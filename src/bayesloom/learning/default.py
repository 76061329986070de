"""The search that is run when none is named."""

from __future__ import annotations

from bayesloom.data import Table
from bayesloom.engine import Engine
from bayesloom.search import IXGES, Search

DEFAULT_SEARCH: Search = IXGES()
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named.

It is what ``--search ixges`` stands for, too.
"""


def default_search(rows: Engine | Table) -> Search:
    """Return the search for some data: the usual one, with a score for holes where there are some.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> rows = {"A": ["n", "y", None], "B": ["n", "y", "y"]}
    >>> default_search(Table.from_frame(rows, missing="keep")).score.name
    'pnal'
    """
    if not rows.missing.any():
        return DEFAULT_SEARCH
    from bayesloom.scores import PNAL

    return IXGES(score=PNAL())
