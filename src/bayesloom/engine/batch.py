"""Batches of counting requests and the tables that answer them, as flat arrays."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats, Ints, Longs
from bayesloom.errors import CapacityError, OptionError, shown

NONE = -1
"""The partner of a request that asks for the table of its base alone."""

LARGEST = float(np.finfo(np.float64).max)
"""Stands for more configurations than a float can count: infinity times 0 would be no number."""

_SAFE = 60  # given variables whose states multiply without overflow: 2^16 to the 60th

MOST_CELLS = 1 << 28
"""More cells than this (2 GiB of counts) are refused in one answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Questions about many tables, asked at once.

    Request ``i`` asks for the tables over ``(given_i..., target_i, partner)``, one for each of its
    partners; the first given variable varies slowest, the partner fastest. Partner -1 stands for
    none. Answers come in the order of ``partner``.

    Parameters
    ----------
    target : array of int32
        One variable per request: the child of a family, X in a test of X and Y given S.
    given_start, given : arrays of int64 and int32
        ``given[given_start[i]:given_start[i + 1]]`` are the given variables of request ``i``.
    partner_start, partner : arrays of int64 and int32
        The partners of the requests, in the same form.

    Examples
    --------
    >>> batch = Batch.of([(0, (1, 2), (3, 4)), (1, (), (0,))])
    >>> len(batch), batch.partner.tolist()
    (3, [3, 4, 0])
    """

    target: Ints
    given_start: Longs
    given: Ints
    partner_start: Longs
    partner: Ints

    @classmethod
    def of(cls, requests: Iterable[tuple[int, Sequence[int], Sequence[int]]]) -> Batch:
        """Make a batch of requests ``(target, given, partners)``.

        Raises
        ------
        OptionError
            If one names something that is no whole number of 32 bits; `check` looks further.
        """
        target: list[int] = []
        given: list[int] = []
        given_start = [0]
        partner: list[int] = []
        partner_start = [0]
        for x, base, others in requests:
            target.append(x)
            given.extend(base)
            given_start.append(len(given))
            partner.extend(others)
            partner_start.append(len(partner))
        try:  # an array that numpy makes of a list would round 0.5 to 0
            numbers = array("i", target)
            numbers.fromlist(given)
            numbers.fromlist(partner)
        except (TypeError, OverflowError):
            _refuse_no_numbers(target, range(len(target) + 1))
            _refuse_no_numbers(given, given_start)
            _refuse_no_numbers(partner, partner_start)
            raise
        variables = np.asarray(numbers)
        n, m = len(target), len(target) + len(given)
        return cls(
            variables[:n],
            np.array(given_start, np.int64),
            variables[n:m],
            np.array(partner_start, np.int64),
            variables[m:],
        )

    @classmethod
    def families(cls, families: Iterable[tuple[int, Sequence[int]]]) -> Batch:
        """Ask for one table per family ``(child, parents)``, parents slowest, child fastest."""
        return cls.of((child, parents, (NONE,)) for child, parents in families)

    @classmethod
    def sets(cls, sets: Iterable[Sequence[int]]) -> Batch:
        """Ask for the joint table of each non-empty set of variables.

        Raises
        ------
        OptionError
            If a set is empty.
        """
        try:
            return cls.of((members[-1], members[:-1], (NONE,)) for members in sets)
        except IndexError:
            msg = "a batch of sets needs at least one variable in each, got an empty set"
            raise OptionError(msg) from None

    @classmethod
    def pairs(cls, n: int) -> Batch:
        """Ask for the table of every pair ``x < y`` of ``n`` variables, in that order."""
        return cls.of((x, (), range(x + 1, n)) for x in range(n))

    def with_given(self, v: int) -> Batch:
        """Return the batch with one more given variable, the last, in every request.

        Examples
        --------
        >>> Batch.of([(0, (1, 2), (3,)), (1, (), (0,))]).with_given(7).given.tolist()
        [1, 2, 7, 7]
        """
        given = np.insert(self.given, self.given_start[1:], v)
        start = self.given_start + np.arange(len(self.given_start))
        return Batch(self.target, start, given, self.partner_start, self.partner)

    def renumbered(self, number: Ints) -> Batch:
        """Return the batch with other numbers for its variables.

        Examples
        --------
        >>> Batch.of([(0, (1,), (2, -1))]).renumbered(np.array([5, 6, 7], np.int32)).axes
        [[6, 5, 7], [6, 5]]
        """
        partner = np.where(self.partner < 0, self.partner, number[self.partner])
        return Batch(
            number[self.target],
            self.given_start,
            number[self.given],
            self.partner_start,
            partner.astype(np.int32),
        )

    def only(self, chosen: npt.NDArray[np.bool_]) -> Batch:
        """Return the batch of some of the tables.

        Examples
        --------
        >>> batch = Batch.of([(0, (1, 2), (3, 4)), (1, (), (0,)), (2, (0,), (5,))])
        >>> batch.only(np.array([False, True, False, True])).axes
        [[1, 2, 0, 4], [0, 2, 5]]
        """
        left = np.bincount(self.request_of[chosen], minlength=len(self.target))
        kept = left > 0
        n_given = np.diff(self.given_start)
        return Batch(
            self.target[kept],
            np.concatenate([[0], np.cumsum(n_given[kept])]).astype(np.int64),
            self.given[np.repeat(kept, n_given)],
            np.concatenate([[0], np.cumsum(left[kept])]).astype(np.int64),
            self.partner[chosen],
        )

    def check(self, n_variables: int) -> None:
        """Refuse a batch that no engine with so many variables can answer.

        Engines do so when an answer fails: looking at every batch first would cost searches time.

        Raises
        ------
        OptionError
            With the request and the variable that is wrong.

        Examples
        --------
        >>> Batch.of([(0, (1, 1), (2,))]).check(3)
        Traceback (most recent call last):
        bayesloom.errors.OptionError: request 0 of the batch names variable 1 twice; name it once
        """
        for field in fields(self):
            kind = np.int64 if field.name.endswith("start") else np.int32
            _check_array(field.name, getattr(self, field.name), kind)
        _check_starts("given_start", self.given_start, len(self.target), len(self.given))
        _check_starts("partner_start", self.partner_start, len(self.target), len(self.partner))
        for i, x in enumerate(self.target.tolist()):
            base = [x, *self.given[self.given_start[i] : self.given_start[i + 1]].tolist()]
            others = self.partner[self.partner_start[i] : self.partner_start[i + 1]].tolist()
            _check_request(i, base, [y for y in others if y != NONE], n_variables)

    def __len__(self) -> int:
        return len(self.partner)

    @property
    def arrays(self) -> tuple[Ints, Longs, Ints, Longs, Ints]:
        """The five arrays in the order of the fields, as the native module takes them."""
        return self.target, self.given_start, self.given, self.partner_start, self.partner

    @property
    def request_of(self) -> Longs:
        """The request each table belongs to."""
        if len(self.target) == 1:
            return np.zeros(len(self.partner), np.int64)
        sizes = self.partner_start[1:] - self.partner_start[:-1]
        return np.repeat(np.arange(len(self.target)), sizes)

    @property
    def axes(self) -> list[list[int]]:
        """The variables of each table: given..., target, partner (if any).

        Examples
        --------
        >>> Batch.of([(0, (1, 2), (3, -1)), (1, (), (0,))]).axes
        [[1, 2, 0, 3], [1, 2, 0], [1, 0]]
        """
        given, targets, partners = self.given.tolist(), self.target.tolist(), self.partner.tolist()
        starts, ends = self.given_start[:-1].tolist(), self.given_start[1:].tolist()
        bases = [[*given[a:b], x] for a, b, x in zip(starts, ends, targets, strict=True)]
        return [
            bases[r] if y == NONE else [*bases[r], y]
            for r, y in zip(self.request_of.tolist(), partners, strict=True)
        ]

    def base_product(
        self, target: npt.NDArray[np.generic], given: npt.NDArray[np.generic]
    ) -> Floats:
        """Multiply a value of the target with one of every given variable, per table."""
        product = target[self.target].astype(np.float64)
        sizes = self.n_given
        filled = np.flatnonzero(sizes)
        if len(filled):
            factors = given[self.given].astype(np.float64)
            with np.errstate(over="ignore") if sizes.max() > _SAFE else nullcontext():
                q = np.multiply.reduceat(factors, self.given_start[filled])
                product[filled] *= q if sizes.max() <= _SAFE else np.minimum(q, LARGEST)
        return product[self.request_of]

    def partner_value(self, values: npt.NDArray[np.generic]) -> Floats:
        """Return a value of the partner of every table, 1 where there is none."""
        return np.where(self.partner < 0, 1.0, values[self.partner].astype(np.float64))

    def n_cells(self, states: Ints) -> Floats:
        """Return the number of cells of every table, if its variables have these many states."""
        try:
            return _native.n_cells(*self.arrays, states)
        except (TypeError, ValueError):
            self.check(len(states))
            raise

    @property
    def n_given(self) -> Longs:
        """The number of given variables of every request."""
        return self.given_start[1:] - self.given_start[:-1]

    def table_starts(self, cardinality: Ints) -> Longs:
        """Place the tables one after the other and return where each starts, and the end.

        Raises
        ------
        CapacityError
            If the tables together have more than ``MOST_CELLS`` cells.
        """
        cells = self.n_cells(cardinality)
        if cells.sum() > MOST_CELLS:
            msg = (
                f"the {len(self)} tables asked for have {cells.sum():.3g} cells together, the "
                f"largest {cells.max():.3g}, and at most {MOST_CELLS} fit; ask for fewer or "
                f"smaller families"
            )
            raise CapacityError(msg)
        return np.concatenate([[0], np.cumsum(cells.astype(np.int64))]).astype(np.int64)


def _refuse_no_numbers(variables: Sequence[int], start: Sequence[int]) -> None:
    """Refuse variables that are no whole numbers of 32 bits, with the request they belong to."""
    for k, v in enumerate(variables):
        try:
            array("i", [v])
        except (TypeError, OverflowError):
            request = bisect_right(start, k) - 1
            msg = (
                f"request {request} of the batch asks for variable {shown(repr(v))}; variables are "
                "whole numbers from 0 on"
            )
            raise OptionError(msg) from None


def _check_array(name: str, kept: npt.NDArray[np.generic], kind: type[np.generic]) -> None:
    """Refuse an array that the native module does not take."""
    if not isinstance(kept, np.ndarray):
        got = f"a {type(kept).__name__}"
    elif kept.dtype != kind or kept.ndim != 1 or not kept.flags.c_contiguous:
        got = f"an array of {kept.dtype} with the shape {kept.shape}"
    elif not kept.flags.aligned:
        got = "an array that is not aligned"
    else:
        return
    msg = f"{name} of a batch must be one unbroken row of {kind.__name__}, got {got}"
    raise OptionError(msg)


def _check_starts(name: str, start: Longs, requests: int, size: int) -> None:
    """Refuse starts that do not divide an array among requests."""
    fits = len(start) == requests + 1 and start[0] == 0 and start[-1] == size
    if not fits or (np.diff(start) < 0).any():
        got = shown(str(start.tolist()))
        msg = f"{name} of a batch must rise from 0 to {size} in {requests} steps, got {got}"
        raise OptionError(msg)


def _check_request(i: int, base: list[int], partners: list[int], n_variables: int) -> None:
    for v in (*base, *partners):
        if not 0 <= v < n_variables:
            msg = (
                f"request {i} of the batch asks for variable {v}, but the variables are numbered "
                f"0 to {n_variables - 1}"
            )
            raise OptionError(msg)
    for k, v in enumerate((*base, *partners)):
        if v in base[:k]:
            msg = f"request {i} of the batch names variable {v} twice; name it once"
            raise OptionError(msg)


@dataclass(frozen=True, slots=True, eq=False)
class Tables(Sequence[Longs]):
    """The dense tables of a batch, packed into one array.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> table = Table("AB", ["ny", "xz"], [[0, 1, 2, 1], [0, 1, 1, 2]], holes=True)
    >>> tables = NativeEngine(table).counts(Batch.sets([[0], [0, 1]]))
    >>> tables[1].tolist(), tables.rows.tolist()
    ([[1, 0], [0, 1]], [3, 2])
    """

    batch: Batch
    cardinality: Ints
    cells: Longs
    start: Longs

    @property
    def rows(self) -> Longs:
        """The number of rows that each table holds: those in which all its variables are known."""
        total: Longs = np.concatenate([[0], np.cumsum(self.cells)]).astype(np.int64)
        return total[self.start[1:]] - total[self.start[:-1]]

    def __len__(self) -> int:
        return len(self.batch)

    def __getitem__(self, i: int | slice) -> Longs:  # type: ignore[override]
        """Return table ``i`` with one axis per variable: given..., target, partner (if any)."""
        if isinstance(i, slice):
            msg = "tables are taken one by one"
            raise TypeError(msg)
        if i < 0:
            i += len(self)
        if not 0 <= i < len(self):
            raise IndexError(i)
        request = int(np.searchsorted(self.batch.partner_start, i, side="right")) - 1
        given = self.batch.given[
            self.batch.given_start[request] : self.batch.given_start[request + 1]
        ]
        axes = [*given, self.batch.target[request]]
        if self.batch.partner[i] != NONE:
            axes.append(self.batch.partner[i])
        shape = self.cardinality[np.array(axes)]
        return self.cells[self.start[i] : self.start[i + 1]].reshape(shape)

    def __iter__(self) -> Iterator[Longs]:
        return (self[i] for i in range(len(self)))
