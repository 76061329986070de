"""Every error bayesloom raises: one sentence that says what, where and what to do."""

from __future__ import annotations

from collections.abc import Iterable


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


class CapacityError(BayesloomError, MemoryError):
    """An answer would need more memory than is sensible; refused before allocation."""


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
    """A variable was named that does not exist.

    Examples
    --------
    >>> str(UnknownVariableError("X", ["A", "B"]))
    "unknown variable 'X'; known are A, B"
    """

    def __init__(self, name: object, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(name)

    def __str__(self) -> str:
        return f"unknown variable {self.name!r}; known are {listed(self.known)}"


class UnknownStateError(BayesloomError, KeyError):
    """A state was named that its variable does not have.

    Examples
    --------
    >>> str(UnknownStateError("A", "maybe", ["no", "yes"]))
    "unknown state 'maybe' of variable 'A'; its states are no, yes"
    """

    def __init__(self, variable: str, state: object, known: Iterable[str]) -> None:
        self.variable, self.state, self.known = variable, state, tuple(known)
        super().__init__(variable, state)

    def __str__(self) -> str:
        what = f"unknown state {self.state!r} of variable {self.variable!r}"
        return f"{what}; its states are {listed(self.known)}"


def listed(names: Iterable[str], most: int = 12) -> str:
    r"""Join names for a sentence, cutting a long list or a long name short.

    The sentence stays on one line: names that do not print are shown as in Python.

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
    >>> print(shown("rain"), shown("line\nbreak"), shown("long" * 9, most=8))
    rain 'line\nbreak' longlong...
    """
    text = name if name.isprintable() else repr(name)
    return text if len(text) <= most else f"{text[:most]}..."


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
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        msg = f"{name} must be a whole number, got {value!r}"
        raise OptionError(msg)
    if value.__index__() < least:
        msg = f"{name} must be {f'at least {least}' if least else '0 or more'}, got {value}"
        raise OptionError(msg)
