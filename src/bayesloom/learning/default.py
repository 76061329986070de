"""Which search is run: the one a user gives, or the default."""

from __future__ import annotations

from bayesloom.errors import OptionError
from bayesloom.independence import AlphaSpending
from bayesloom.scores import BIC
from bayesloom.search import IGES, Search

DEFAULT_SEARCH: Search = IGES(score=BIC(), control=AlphaSpending(0.05))
"""What `bayesloom.learn` and ``bayesloom learn`` use when no search is named."""


def checked_search(search: object) -> Search:
    """Return a search that a user gives, or the default for None.

    Raises
    ------
    OptionError
        If it is not a search: a text, or a class instead of a value.

    Examples
    --------
    >>> checked_search(IGES)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: search must be a value, got the class IGES; write IGES()
    """
    if search is None:
        return DEFAULT_SEARCH
    if isinstance(search, type):
        msg = f"search must be a value, got the class {search.__name__}; write {search.__name__}()"
        raise OptionError(msg)
    if not callable(getattr(search, "search", None)):
        msg = f"search must be a search such as HillClimbing(score=BIC()), got {search!r}"
        raise OptionError(msg)
    return search  # type: ignore[return-value]
