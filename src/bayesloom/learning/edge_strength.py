"""How strong the edges of a network are, as files keep it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bayesloom.data import member
from bayesloom.errors import DataError


class EdgeStrength(NamedTuple):
    """What the data say of one edge of a network.

    Parameters
    ----------
    parent, child : str
        The edge; the two ends of a link of a Markov network in the order of names.
    loss : float, optional
        By how much the score falls without the edge; None without a score, and for a link without
        which the graph is not chordal.
    information : float, optional
        The mutual information of the two, in nats, given the other parents of the child or, in a
        Markov network, their common neighbours; None in files that do not keep it.
    log_p : float, optional
        The logarithm of the p-value of the same dependency, by the test of the search.
    conclusive : bool, optional
        Whether the rows suffice for that test.
    rows : int, optional
        How many rows know all variables of that test, if cells are missing and they are not all.
    """

    parent: str
    child: str
    loss: float | None
    information: float | None = None
    log_p: float | None = None
    conclusive: bool | None = None
    rows: int | None = None

    def to_list(self) -> list[object]:
        """Return it as plain data; the rows only where they are not all."""
        return list(self) if self.rows is not None else list(self[:-1])

    @property
    def p(self) -> float | None:
        """The p-value; 0.0 if it is too small for a float."""
        return None if self.log_p is None else float(np.exp(self.log_p))

    @classmethod
    def taken(cls, found: Mapping[str, Any], key: str) -> EdgeStrength:
        """Take one out of the plain data of a file; older files have the loss alone.

        Raises
        ------
        DataError
            If it is something else.

        Examples
        --------
        >>> EdgeStrength.taken({"edge": ["A", "B", 1.5]}, "edge").loss
        1.5
        """
        match found[key]:
            case [str(parent), str(child), loss]:
                return cls(parent, child, _number(loss, key))
            case [str(parent), str(child), loss, shared, log_p, bool() | None as sure, *rows]:
                worth, nats, log = (_number(x, key) for x in (loss, shared, log_p))
                match rows:
                    case []:
                        return cls(parent, child, worth, nats, log, sure)
                    case [int(known)]:
                        return cls(parent, child, worth, nats, log, sure, known)
        problem = f"{key!r} must hold two names and what is known of their edge"
        raise DataError(problem)


def _number(value: object, key: str) -> float | None:
    return member.optional(member.number, {key: value}, key)
