"""Batches of counting requests and the tables that answer them, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bayesloom.errors import CapacityError

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

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
        """Make a batch of requests ``(target, given, partners)``."""
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
        return cls(
            np.array(target, np.int32),
            np.array(given_start, np.int64),
            np.array(given, np.int32),
            np.array(partner_start, np.int64),
            np.array(partner, np.int32),
        )

    @classmethod
    def families(cls, families: Iterable[tuple[int, Sequence[int]]]) -> Batch:
        """Ask for one table per family ``(child, parents)``, parents slowest, child fastest."""
        return cls.of((child, parents, (NONE,)) for child, parents in families)

    @classmethod
    def sets(cls, sets: Iterable[Sequence[int]]) -> Batch:
        """Ask for the joint table of each non-empty set of variables."""
        return cls.of((members[-1], members[:-1], (NONE,)) for members in sets)

    @classmethod
    def pairs(cls, n: int) -> Batch:
        """Ask for the table of every pair ``x < y`` of ``n`` variables, in that order."""
        return cls.of((x, (), range(x + 1, n)) for x in range(n))

    def __len__(self) -> int:
        return len(self.partner)

    @property
    def arrays(self) -> tuple[Ints, Longs, Ints, Longs, Ints]:
        """The five arrays in the order of the fields, as the native module takes them."""
        return self.target, self.given_start, self.given, self.partner_start, self.partner

    @property
    def request_of(self) -> Longs:
        """The request each table belongs to."""
        return np.repeat(np.arange(len(self.target)), np.diff(self.partner_start))

    def base_product(
        self, target: npt.NDArray[np.generic], given: npt.NDArray[np.generic]
    ) -> Floats:
        """Multiply a value of the target with one of every given variable, per table."""
        product = target[self.target].astype(np.float64)
        sizes = np.diff(self.given_start)
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
        with np.errstate(over="ignore"):
            return self.base_product(states, states) * self.partner_value(states)

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


@dataclass(frozen=True, slots=True, eq=False)
class Tables(Sequence[Longs]):
    """The dense tables of a batch, packed into one array."""

    batch: Batch
    cardinality: Ints
    cells: Longs
    start: Longs

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
