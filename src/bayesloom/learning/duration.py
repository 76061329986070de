"""Spans of time as people write them."""

from __future__ import annotations

import math
import re

from bayesloom.errors import OptionError

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_PART = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ms|min|s|m|h|d)\s*"
_MOST = 1e15  # seconds that fit into a float, and that nobody waits for
_NUMBER = r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"


def seconds_of(span: float | str | None) -> float:
    """Return a span of time in seconds; None is no limit.

    Parameters
    ----------
    span : float, str or None
        Seconds, or a text such as ``"60s"``, ``"5m"``, ``"1h30m"``, ``"500ms"``.

    Raises
    ------
    OptionError
        If it is not a span of time above 0.

    Examples
    --------
    >>> seconds_of("1h30m"), seconds_of("500ms"), seconds_of(2), seconds_of(None)
    (5400.0, 0.5, 2.0, inf)
    """
    if span is None:
        return math.inf
    seconds = _spelled(span) if isinstance(span, str) else span
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        msg = f"time_limit must be a time above 0, such as 60, '60s', '5m' or '1h30m', got {span!r}"
        raise OptionError(msg)
    return float(min(seconds, _MOST))


def _spelled(text: str) -> float:
    """Return the seconds that a text spells, NaN if it spells none."""
    rest = text.strip().lower()
    if re.fullmatch(_NUMBER, rest):
        return float(rest)
    total = 0.0
    while rest:
        part = re.match(_PART, rest)
        if part is None:
            return math.nan
        total += float(part[1]) * _UNITS[part[2]]
        rest = rest[part.end() :]
    return total
