"""Which columns are cut into bins, and how: the values that ``discretize`` can take.

One word is the rule of every column: ``none``, ``frequency``, ``width``, ``mdl``, ``auto`` or
``network``. A mapping gives columns rules of their own, and all others the rule under ``"*"``, or
none:

    {"age": 4, "fare": "width", "weight": ("width", 6), "dose": [0, 1, 5], "*": "auto"}

A number is that of bins of equal frequency; a list holds the cut points, which belong to the bin
below them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, TypeAlias, get_args

from bayesloom.data.label import MOST_STATES, told
from bayesloom.errors import OptionError, check_number, check_whole, listed, shown

CutMethod = Literal["none", "frequency", "width", "mdl", "auto", "network"]
"""How to cut quantities: not at all, into bins of equal frequency or equal width, where they tell
most about a target, into bins of equal frequency unless they look like ids, or where they tell most
about their neighbours in the network that is learned."""

ColumnRule: TypeAlias = str | int | tuple[str, int] | Sequence[float]
"""The rule of one column: a method, a number of bins, both, or cut points."""

Discretization: TypeAlias = CutMethod | Mapping[str, ColumnRule]
"""The rule of all columns, or the rules of some."""

OTHERS = "*"
"""Under which a mapping keeps the rule of the columns that it does not name."""

LEAST_BINS = 2
"""The smallest number of bins that cuts anything."""

_COUNTED = ("frequency", "width", "network")  # methods that a number of bins can follow
_PAIR = 2
_EXPECTED = (
    "a number of bins, one of none, frequency, width, mdl, network, a pair such as ('width', 4), "
    "or a list of cut points"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """How one column is cut.

    Parameters
    ----------
    how : str
        A method, or ``cuts``.
    bins : int
        The largest number of bins that equal frequency or width makes; for ``network`` those to
        start with.
    cuts : tuple of float
        The cut points, for ``cuts``.
    named : bool
        Whether it is about this column, which then is cut whatever its numbers are.
    """

    how: Literal["none", "frequency", "width", "mdl", "auto", "network", "cuts"]
    bins: int
    cuts: tuple[float, ...] = ()
    named: bool = False


def rule_of(discretize: Discretization, name: str, bins: int) -> Rule:
    """Return the rule of a column.

    Examples
    --------
    >>> rule_of({"age": ("width", 4), "*": "auto"}, "age", bins=5)
    Rule(how='width', bins=4, cuts=(), named=True)
    >>> rule_of({"age": 4}, "fare", bins=5).how
    'none'
    """
    if isinstance(discretize, str):
        return Rule(discretize, bins)
    if name == OTHERS or name not in discretize:
        others: CutMethod = discretize.get(OTHERS, "none")  # type: ignore[assignment]
        return Rule(others, bins)
    found = discretize[name]
    if isinstance(found, str):
        return Rule(found, bins, named=True)  # type: ignore[arg-type]
    if isinstance(found, tuple) and isinstance(found[0], str):
        return Rule(found[0], int(found[1]), named=True)  # type: ignore[arg-type]
    return Rule("cuts", bins, tuple(map(float, found)), named=True)  # type: ignore[arg-type]


def uses(discretize: Discretization, method: CutMethod) -> bool:
    """Tell whether some column may be cut by a method."""
    rules = [discretize] if isinstance(discretize, str) else discretize.values()
    return any(method in (rule, rule[0] if isinstance(rule, tuple) else None) for rule in rules)


def checked_discretization(given: object) -> Discretization:
    """Return what a user gives as ``discretize``, each rule in one form.

    Raises
    ------
    OptionError
        If it is neither a method nor a mapping of columns to rules.

    Examples
    --------
    >>> checked_discretization({"age": 4, "dose": [0, 1, 5], "fare": ["width", 6]})
    {'age': ('frequency', 4), 'dose': (0.0, 1.0, 5.0), 'fare': ('width', 6)}
    >>> checked_discretization({"dose": [0, 5, 1]})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: discretize of column 'dose' must be cut points that increase, \
and 1 follows 5
    """
    methods = get_args(CutMethod)
    if isinstance(given, Mapping):
        return {_checked_column(name): _checked_rule(name, rule) for name, rule in given.items()}
    if not isinstance(given, str) or given not in methods:
        which = f"one of {listed(methods)}, or a mapping of columns to rules"
        msg = f"discretize must be {which}, got {told(given)}"
        raise OptionError(msg)
    return given  # type: ignore[return-value]


def plain(discretize: Discretization) -> str | dict[str, object]:
    """Return a discretisation as plain data."""
    if isinstance(discretize, str):
        return discretize
    return {k: list(x) if isinstance(x, tuple) else x for k, x in discretize.items()}


def _checked_column(name: object) -> str:
    if not isinstance(name, str) and (isinstance(name, bool) or not isinstance(name, Integral)):
        msg = f"discretize must be a mapping of names of columns to rules, got {told(name)} in it"
        raise OptionError(msg)
    return str(name)


def _checked_rule(name: object, rule: object) -> ColumnRule:
    """Return the rule of one column: a method, a pair of method and bins, or cut points."""
    what = f"discretize of column {shown(repr(name))}"
    if isinstance(rule, str):
        known = [x for x in get_args(CutMethod) if x != "auto" or name == OTHERS]
        if rule not in known:
            msg = f"{what} must be {_EXPECTED}, got {told(rule)}"
            raise OptionError(msg)
        return rule
    if name == OTHERS:
        words = listed(get_args(CutMethod))
        msg = f"{what}, which is that of all others, must be one of {words}, got {told(rule)}"
        raise OptionError(msg)
    if isinstance(rule, Integral) and not isinstance(rule, bool):
        return "frequency", _checked_bins(what, rule)
    if isinstance(rule, Sequence) and len(rule) == _PAIR and rule[0] in _COUNTED:
        return str(rule[0]), _checked_bins(what, rule[1])
    return _checked_cuts(what, rule)


def _checked_bins(what: str, bins: object) -> int:
    name = f"the number of bins in {what}"
    check_whole(name, bins, LEAST_BINS)
    check_number(name, bins, most=MOST_STATES)
    return int(bins)  # type: ignore[call-overload, no-any-return]


def _checked_cuts(what: str, rule: object) -> tuple[float, ...]:
    listable: Any = rule if isinstance(rule, Sequence) or hasattr(rule, "tolist") else None
    points = None if listable is None else list(listable)
    if points is None or any(isinstance(x, bool) or not isinstance(x, Real) for x in points):
        msg = f"{what} must be {_EXPECTED}, got {told(rule)}"
        raise OptionError(msg)
    if not 1 <= len(points) < MOST_STATES:
        msg = f"{what} must be 1 to {MOST_STATES - 1:,} cut points, got {len(points)}"
        raise OptionError(msg)
    cuts = []
    for x in points:
        try:
            cuts.append(float(x))
        except OverflowError:
            cuts.append(math.inf)
        if not math.isfinite(cuts[-1]):
            msg = f"{what} must be cut points that are finite, got {told(x)}"
            raise OptionError(msg)
        if cuts[:-1] and cuts[-1] <= cuts[-2]:
            before, after = told(points[len(cuts) - 2]), told(x)
            msg = f"{what} must be cut points that increase, and {after} follows {before}"
            raise OptionError(msg)
    return tuple(cuts)
