"""A network while it is being read: every check that needs the place in the file.

The readers of all formats hand their variables and tables to a `Draft`; what it accepts becomes a
`BayesNet`. Sizes are compared with the numbers that are there before anything is allocated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import BayesloomError, FileFormatError, listed, shown
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import mask_of
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.family import (
    MOST_PARENTS,
    NodeFamily,
    checked_states,
    in_node_order,
    regression_in_node_order,
)
from bayesloom.model.linear_gaussian import LinearGaussian
from bayesloom.model.probabilities import ROW_TOLERANCE, describe_row, find_row_fault

_STRANGE = re.compile(r"[^0-9eE+\-. ]")
_TOKEN = re.compile(r"[^\s,()]+")
_LONGEST_PROBLEM = 1000


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file and the name the user gave it."""

    text: str
    path: str

    def error(self, problem: str, offset: int | None = None) -> FileFormatError:
        r"""Make the error for a problem at the first character from an offset that is not blank.

        Examples
        --------
        >>> str(FileText("a\nbc", "net.bif").error("expected ';'", 3))
        "net.bif, line 2, column 2: expected ';'"
        """
        problem = shown(problem, _LONGEST_PROBLEM)
        if offset is None:
            return FileFormatError(problem, self.path)
        while offset < len(self.text) and self.text[offset].isspace():
            offset += 1
        line = self.text.count("\n", 0, offset) + 1
        return FileFormatError(problem, self.path, line, offset - self.text.rfind("\n", 0, offset))

    def token_offset(self, start: int, position: int) -> int:
        """Return where the token at a position, counted from ``start``, begins.

        Tokens are separated by blanks, commas and parentheses.

        Examples
        --------
        >>> FileText("data = ((0.1 0.9)(0.2 0.8))", "net.net").token_offset(6, 2)
        18
        """
        for match in _TOKEN.finditer(self.text, start):
            if position == 0:
                return match.start()
            position -= 1
        return len(self.text)

    def numbers(self, tokens: Sequence[str], start: int) -> Floats:
        """Turn tokens that begin at ``start`` into numbers.

        Raises
        ------
        FileFormatError
            At the first token that is not a number.

        Examples
        --------
        >>> FileText("0.1, 0.9", "net.bif").numbers(["0.1", "0.9"], 0)
        array([0.1, 0.9])
        """
        numbers = as_numbers(tokens)
        if numbers is None:
            position, problem = wrong_number(tokens)
            raise self.error(problem, self.token_offset(start, position))
        return numbers


@dataclass(slots=True)
class Draft:
    """The variables and tables read so far.

    Examples
    --------
    >>> draft = Draft(FileText("", "net.bif"))
    >>> draft.add_variable("rain", ["no", "yes"], 0)
    >>> draft.add_table("rain", [], np.array([0.8, 0.2]), 0)
    >>> draft.finish()
    BayesNet of 1 variable, 0 edges, 1 free parameter
      rain: no, yes
    """

    source: FileText
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _families: dict[str, tuple[tuple[str, ...], NodeFamily]] = field(default_factory=dict)
    _offsets: dict[str, int | None] = field(default_factory=dict)

    def add_variable(self, name: str, labels: Sequence[str], offset: int | None) -> None:
        """Add a category that stands at an offset of the file."""
        self._check_new(name, offset)
        try:
            self.states[name] = checked_states(name, labels)
        except BayesloomError as error:
            raise self.source.error(str(error), offset) from None

    def add_number(self, name: str, offset: int | None) -> None:
        """Add a number that stands at an offset of the file."""
        self._check_new(name, offset)
        self.states[name] = ()

    def _check_new(self, name: str, offset: int | None) -> None:
        if name in self.states:
            problem = f"variable {name!r} is defined twice"
            raise self.source.error(problem, offset)
        if not name:
            problem = "a variable name must not be empty"
            raise self.source.error(problem, offset)
        self._offsets[name] = offset

    def shape(self, child: str, parents: Sequence[str], offset: int | None) -> tuple[int, ...]:
        """Check the names of a family and return the numbers of states of parents and child."""
        for name in (child, *parents):
            if name not in self.states:
                problem = f"unknown variable {name!r}; known are {listed(self.states)}"
                raise self.source.error(problem, offset)
        family = (child, *parents)
        if len(set(family)) < len(family):
            problem = f"the table of {child!r} names a variable twice: {listed(family)}"
            raise self.source.error(problem, offset)
        if len(parents) > MOST_PARENTS:
            problem = f"{child!r} has {len(parents)} parents; at most {MOST_PARENTS} are possible"
            raise self.source.error(problem, offset)
        if child in self._families:
            problem = f"variable {child!r} has a second table"
            raise self.source.error(problem, offset)
        return tuple(len(self.states[name]) for name in (*parents, child))

    def add_table(
        self,
        child: str,
        parents: Sequence[str],
        numbers: Floats,
        offset: int | None,
        locate: Callable[[int], int] | None = None,
    ) -> None:
        """Add the table of a child.

        Parameters
        ----------
        child : str
            The variable.
        parents : sequence of str
            Its parents in the order of the file.
        numbers : array
            The probabilities; the child varies fastest, the first parent slowest.
        offset : int, optional
            Where the table begins.
        locate : callable, optional
            Gives the offset of one of the numbers; default: ``offset`` for all.
        """
        shape = self.shape(child, parents, offset)
        for name in (child, *parents):
            if not self.states[name]:
                problem = (
                    f"the table of {child!r} is about the number {name!r}; a category has a table "
                    "and categories alone as parents"
                )
                raise self.source.error(problem, offset)
        if numbers.size != math.prod(shape):
            problem = (
                f"the table of {child!r} needs {' x '.join(map(str, shape))} = {math.prod(shape)} "
                f"numbers, got {numbers.size}"
            )
            raise self.source.error(problem, offset)
        rows = numbers.reshape(-1, shape[-1])
        if (fault := find_row_fault(rows)) is not None:
            where = describe_row(child, parents, [self.states[p] for p in parents], fault.row)
            problem = f"the {where} {fault.problem} (within {ROW_TOLERANCE})"
            first = fault.row * shape[-1] + fault.column
            raise self.source.error(problem, offset if locate is None else locate(first))
        self._families[child] = (tuple(parents), rows.reshape(shape))

    def add_regressions(
        self, child: str, parents: Sequence[str], family: LinearGaussian, offset: int | None
    ) -> None:
        """Add the regressions of a number, its parents in the order of the file."""
        self.shape(child, parents, offset)
        if self.states[child]:
            problem = f"variable {child!r} is a category and needs a table, not regressions"
            raise self.source.error(problem, offset)
        self._families[child] = (tuple(parents), family)

    def finish(self) -> BayesNet:
        """Return the network, or say which table is missing or which edges form a cycle."""
        if not self.states:
            problem = "the file holds no variable; a network needs at least one"
            raise self.source.error(problem)
        index = {name: v for v, name in enumerate(self.states)}
        masks: list[int] = []
        families: list[NodeFamily] = []
        states = tuple(self.states.values())
        for name in self.states:
            if name not in self._families:
                problem = f"variable {name!r} has no table"
                raise self.source.error(problem, self._offsets[name])
            parents, family = self._families[name]
            order = [index[parent] for parent in parents]
            masks.append(mask_of(order))
            if not isinstance(family, LinearGaussian):
                families.append(in_node_order(family, order))
                continue
            try:
                families.append(regression_in_node_order(name, family, order, states))
            except BayesloomError as error:
                raise self.source.error(str(error), self._offsets[name]) from None
        try:
            return BayesNet(DAG(tuple(self.states), tuple(masks)), states, tuple(families))
        except BayesloomError as error:
            raise self.source.error(str(error)) from None


def as_numbers(tokens: Sequence[str]) -> Floats | None:
    """Turn tokens into numbers; None if one of them is not a number.

    Examples
    --------
    >>> as_numbers(["1", ".5e-3"])
    array([1.e+00, 5.e-04])
    >>> as_numbers(["1", "nan"]) is None
    True
    """
    # float() alone would take "nan", "1_0" and digits of other scripts.
    if _STRANGE.search(" ".join(tokens)):
        return None
    try:
        return np.array([float(token) for token in tokens], dtype=np.float64)
    except ValueError:
        return None


def wrong_number(tokens: Sequence[str]) -> tuple[int, str]:
    """Return the position of the first token that is not a number, and a sentence about it.

    Examples
    --------
    >>> wrong_number(["0.1", "x"])
    (1, "expected a number, got 'x'")
    """
    position = next(i for i, token in enumerate(tokens) if as_numbers([token]) is None)
    return position, f"expected a number, got {shown(tokens[position])!r}"
