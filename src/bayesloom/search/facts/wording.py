"""Numbers of tests and steps as sentences have them."""

from __future__ import annotations

import math

_TINY = math.log(1e-300)
_LONG = 1000


def p_text(p: float, log_p: float) -> str:
    """Write a p-value, also one that is too small for a float.

    Examples
    --------
    >>> p_text(0.0455, -3.09), p_text(0.0, -2302.585)
    ('0.0455', '1.0e-1000')
    """
    if log_p > _TINY:
        return f"{p:.3g}"
    power = math.floor(log_p / math.log(10))
    return f"{math.exp(log_p - power * math.log(10)):.1f}e{power}"


def gain_text(value: float) -> str:
    """Write a change of a score with its sign.

    Examples
    --------
    >>> gain_text(1234.5), gain_text(-0.001)
    ('+1,234.50', '0.00')
    """
    rounded = round(value, 2)
    return f"{rounded:+,.2f}" if rounded else "0.00"


def short(value: float) -> str:
    """Write a number with four digits, a large one without fractions.

    Examples
    --------
    >>> short(0.123456), short(12345.6)
    ('0.1235', '12,346')
    """
    return f"{value:,.0f}" if value >= _LONG else f"{value:.4g}"


def freedom_text(df: float) -> str:
    """Write degrees of freedom.

    Examples
    --------
    >>> freedom_text(1.0), freedom_text(1200.0)
    ('1 degree of freedom', '1,200 degrees of freedom')
    """
    return f"{df:,.0f} degree{'s' * (df != 1)} of freedom"


def rows_text(rows: int | None) -> str:
    """Say on how many rows a test stands, if they are not all."""
    return "" if rows is None else f", on the {rows:,} row{'s' * (rows != 1)} that know all of them"


def some_rows(rows: float, n_rows: int) -> int | None:
    """Return how many rows a test stands on; None if these are all, or if nobody has counted them.

    Examples
    --------
    >>> some_rows(812.0, 1000), some_rows(1000.0, 1000), some_rows(math.nan, 1000)
    (812, None, None)
    """
    return None if math.isnan(rows) or rows >= n_rows else int(rows)
