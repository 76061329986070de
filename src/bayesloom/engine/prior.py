"""Earlier rows that a score starts from, as an engine takes them."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.data import Table
from bayesloom.errors import DataError, listed


def aligned_prior(prior: Table, names: Sequence[str], states: Sequence[Sequence[str]]) -> Table:
    """Return the earlier rows over the variables of an engine, in its order.

    Parameters
    ----------
    prior : Table
        Earlier rows; further columns are left out.
    names, states : sequences
        The variables of the engine and the labels of their declared states.

    Returns
    -------
    Table
        Rows whose codes mean the same as those of the engine.

    Raises
    ------
    UnknownVariableError
        If the prior table lacks a variable.
    DataError
        If a variable has other states, or the same in another order.

    Examples
    --------
    >>> prior = Table("AB", ["ny", "xz"], [[0, 1], [1, 1]])
    >>> aligned_prior(prior, ["B"], [("x", "z")]).column("B").tolist()
    [1, 1]
    """
    chosen = prior.select(names)
    for name, mine, theirs in zip(names, chosen.states, states, strict=True):
        if tuple(mine) != tuple(theirs):
            msg = (
                f"variable {name!r} has the states {listed(mine)} in the prior table "
                f"and {listed(theirs)} in the data; declare the same states for both"
            )
            raise DataError(msg)
    return chosen
