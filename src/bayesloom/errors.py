"""Every error bayesloom raises: one sentence that says what, where and what to do."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from types import UnionType

_ALIKE = 0.7  # share of letters that two names have in common, from which on one may be meant
_LONGEST_GUESS = 60  # letters of names that are looked at


class BayesloomError(Exception):
    """Base of all errors that bayesloom raises on purpose."""


class OptionError(BayesloomError, ValueError):
    """An option has a value it cannot take."""


class DataError(BayesloomError, ValueError):
    """A table, or the file it comes from, breaks the data contract."""


class GraphError(BayesloomError, ValueError):
    """A graph is not what it has to be: cyclic, not chordal, without extension."""


class ModelError(BayesloomError, ValueError):
    """The tables of a network do not fit its graph or are not probabilities."""


class KnowledgeError(BayesloomError, ValueError):
    """Background knowledge contradicts itself or names what is not there."""


class EvidenceError(BayesloomError, ValueError):
    """Evidence is malformed or has probability zero."""


class IdentificationError(BayesloomError, ValueError):
    """An effect is asked for that the directions known do not determine."""


class CapacityError(BayesloomError, MemoryError):
    """An answer would need more memory than is sensible; refused before allocation."""


class AbsentError(BayesloomError, AttributeError):
    """A result does not have what is asked for: no DAG, no score, no cliques."""


class Stopped(BayesloomError):  # noqa: N818 - it reports no fault
    """Work was given up before it was done, because its stop signal had been given."""

    def __init__(self, message: str = "the work was stopped before it was done") -> None:
        super().__init__(message)


class ClusterError(BayesloomError):
    """A cluster cannot answer: it is gone, has no workers, or one of another version."""


class InterpreterError(BayesloomError, ImportError):
    """The package is used in a sub-interpreter of Python."""


class MissingExtraError(BayesloomError, ImportError):
    """A feature needs an optional package that is not installed."""


class FileFormatError(BayesloomError, ValueError):
    """A file cannot be read; the message names file, line and column.

    Parameters
    ----------
    problem : str
        What is wrong and what was expected.
    path : str
        The file, as the user named it.
    line, column : int, optional
        The place, counted from 1.

    Examples
    --------
    >>> str(FileFormatError("expected ';'", "net.bif", 3, 7))
    "net.bif, line 3, column 7: expected ';'"
    """

    def __init__(
        self, problem: str, path: str, line: int | None = None, column: int | None = None
    ) -> None:
        self.problem, self.path, self.line, self.column = problem, path, line, column
        super().__init__(problem, path, line, column)

    def __str__(self) -> str:
        place = self.path
        if self.line is not None:
            place += f", line {self.line}"
        if self.column is not None:
            place += f", column {self.column}"
        return f"{place}: {self.problem}"


class UnknownVariableError(BayesloomError, KeyError):
    """A variable was named that does not exist; ``where`` may say by what.

    Examples
    --------
    >>> str(UnknownVariableError("X", ["A", "B"], "in the order"))
    "unknown variable 'X' in the order; known are A, B"
    """

    def __init__(self, name: object, known: Iterable[str], where: str = "") -> None:
        self.name, self.known, self.where = name, tuple(known), where
        super().__init__(name, self.known, where)

    def __str__(self) -> str:
        what = f"unknown variable {shown(repr(self.name))} {self.where}".rstrip()
        return f"{what}{meant(self.name, self.known)}; known are {listed(self.known)}"


class UnknownStateError(BayesloomError, KeyError):
    """A state was named that its variable does not have; ``why`` may say more.

    Examples
    --------
    >>> str(UnknownStateError("A", "maybe", ["no", "yes"]))
    "unknown state 'maybe' of variable 'A'; its states are no, yes"
    """

    def __init__(self, variable: str, state: object, known: Iterable[str], why: str = "") -> None:
        self.variable, self.state, self.known, self.why = variable, state, tuple(known), why
        super().__init__(variable, state, self.known, why)

    def __str__(self) -> str:
        what = f"unknown state {shown(repr(self.state))} of variable {self.variable!r}"
        more = f" ({self.why})" if self.why else meant(self.state, self.known)
        return f"{what}{more}; its states are {listed(self.known)}"


def listed(names: Iterable[str], most: int = 12) -> str:
    r"""Join names for a sentence, cutting a long list or a long name short.

    The sentence stays on one line: names that do not print, or have blanks at their ends, are shown
    as in Python.

    Examples
    --------
    >>> listed(["a", "b"])
    'a, b'
    >>> listed([str(i) for i in range(20)], most=3)
    '0, 1, 2 and 17 more'
    >>> print(listed(["line\nbreak"]))
    'line\nbreak'
    """
    every = list(names)
    text = ", ".join(shown(name) for name in every[:most])
    return text if len(every) <= most else f"{text} and {len(every) - most} more"


def shown(name: str, most: int = 60) -> str:
    r"""Return a name for a sentence: on one line and not too long.

    Examples
    --------
    >>> print(shown("rain"), shown("line\nbreak"), shown(" wet"), shown("long" * 9, most=8))
    rain 'line\nbreak' ' wet' longlong...
    """
    text = name if name.isprintable() and name == name.strip() else repr(name)
    return text if len(text) <= most else f"{text[:most]}..."


def meant(name: object, known: Iterable[str]) -> str:
    """Ask in brackets whether the known name that is most alike was meant; empty if none is.

    Examples
    --------
    >>> meant("sex", ["Sex", "Age"]), meant("Husten", [" Husten"]), meant("x", ["Age"])
    (" (did you mean 'Sex'?)", " (did you mean ' Husten'?)", '')
    """
    if not isinstance(name, str) or len(name) > _LONGEST_GUESS:
        return ""
    from difflib import get_close_matches

    plain = {other.strip().casefold(): other for other in known if len(other) <= _LONGEST_GUESS}
    found = get_close_matches(name.strip().casefold(), plain, n=1, cutoff=_ALIKE)
    return f" (did you mean {shown(repr(plain[found[0]]))}?)" if found else ""


def check_whole(name: str, value: object, least: int) -> None:
    """Refuse an option that is not a whole number of at least ``least``.

    Raises
    ------
    OptionError
        With the option, what it has to be and what it is.

    Examples
    --------
    >>> check_whole("restarts", 1.5, 0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: restarts must be a whole number, got 1.5
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise _refused(name, "a whole number", value)
    if value < least:
        msg = f"{name} must be {f'at least {least}' if least else '0 or more'}, got {value}"
        raise OptionError(msg)


def check_number(
    name: str,
    value: object,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
) -> None:
    """Refuse an option that is not a finite number within some bounds.

    Parameters
    ----------
    name, value
        The option as the user knows it, and what it is.
    above, least, below, most : float, optional
        The bounds; ``above`` and ``below`` do not belong to the range themselves.

    Raises
    ------
    OptionError
        With the option, what it has to be and what it is.

    Examples
    --------
    >>> check_number("alpha", "0.05", above=0, most=1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: alpha must be a number, got '0.05'
    >>> check_number("alpha", 2, above=0, most=1)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: alpha must be above 0 and at most 1, got 2
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise _refused(name, "a number", value)
    try:
        number = float(value)
    except OverflowError:  # a whole number that no float can hold
        number = math.inf
    fits = (
        math.isfinite(number)
        and (above is None or number > above)
        and (least is None or number >= least)
        and (below is None or number < below)
        and (most is None or number <= most)
    )
    if not fits:
        wanted = _range_of(above, least, below, most) + " and finite" * math.isinf(number)
        msg = f"{name} must be {wanted}, got {shown(str(value))}"
        raise OptionError(msg)


def _range_of(
    above: float | None, least: float | None, below: float | None, most: float | None
) -> str:
    """Say in words which numbers lie within bounds."""
    if above is not None and below is not None:
        return f"between {above:g} and {below:g}"
    parts = [f"above {above:g}"] if above is not None else []
    if least is not None:
        parts.append("0 or more" if least == 0 else f"at least {least:g}")
    parts += [f"below {below:g}"] if below is not None else []
    parts += [f"at most {most:g}"] if most is not None else []
    return " and ".join(parts) or "a number"


def check_flag(name: str, value: object) -> None:
    """Refuse an option that is neither True nor False.

    Raises
    ------
    OptionError
        With the option and what it is.

    Examples
    --------
    >>> check_flag("turning", "no")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: turning must be True or False, got 'no'
    """
    if not isinstance(value, bool):
        raise _refused(name, "True or False", value)


def check_kind(name: str, value: object, kind: type | UnionType, wanted: str) -> None:
    """Refuse an option that is not a value of a kind; ``wanted`` says what it has to be.

    Raises
    ------
    OptionError
        With the option, what it has to be and what it is.

    Examples
    --------
    >>> check_kind("root", 5, str, "the name of a variable")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: root must be the name of a variable, got 5
    """
    if not isinstance(value, kind):
        raise _refused(name, wanted, value)


def checked_names(option: str, names: object) -> tuple[str, ...]:
    """Return the names that a user lists; a whole number is the name it spells, as in frames.

    Raises
    ------
    OptionError
        If they are no list, or one of them is no name.

    Examples
    --------
    >>> checked_names("drop", ["A", 1])
    ('A', '1')
    >>> checked_names("drop", "A")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: drop must be a list of names, got the text 'A'; write ['A']
    """
    if isinstance(names, str):
        msg = f"{option} must be a list of names, got the text {names!r}; write [{names!r}]"
        raise OptionError(msg)
    if not isinstance(names, Iterable):
        raise _refused(option, "a list of names", names)
    listed_names = tuple(names)
    for name in listed_names:
        if isinstance(name, bool) or not isinstance(name, str | Integral):
            msg = f"{option} must be a list of names, got one with {shown(repr(name))} in it"
            raise OptionError(msg)
    return tuple(str(name) for name in listed_names)


def _refused(name: str, wanted: str, value: object) -> OptionError:
    """Return the error for an option that is something else than was wanted."""
    got = f"the class {value.__name__}" if isinstance(value, type) else shown(repr(value))
    return OptionError(f"{name} must be {wanted}, got {got}")
