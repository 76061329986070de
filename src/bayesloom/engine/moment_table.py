"""Moments of numbers in every configuration of some categories."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.arrays import Floats, Longs


@dataclass(frozen=True, slots=True, eq=False)
class MomentTable:
    """What the rows that know some variables say of the numbers among them.

    Parameters
    ----------
    categories, numbers : tuple of int
        The variables, each kind in the order of the question: given..., target, partner.
    rows : array of int64
        The rows of every configuration, one axis per category.
    means : array
        The means of the numbers, on one axis more; 0 where there is no row.
    products : array
        The sums of products about these means, on two axes more; 0 where there is no row.
    """

    categories: tuple[int, ...]
    numbers: tuple[int, ...]
    rows: Longs
    means: Floats
    products: Floats
