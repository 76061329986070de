"""Training rows as codes: a class, attributes with holes, perhaps weights, and what is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Ints
from bayesloom.classification.attribute import Attribute
from bayesloom.data import Table
from bayesloom.data.table import code_type
from bayesloom.engine import Batch, NativeEngine
from bayesloom.errors import DataError

Family = tuple[int, tuple[int, ...]]
"""A child and its parents, by number: the attributes in order, and then the class."""

_HOLE = "missing"  # the state that missing cells are counted in, or a longer text


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Coded rows of attributes and class.

    Every table is counted over the rows in which all its cells are known (available cases).

    Parameters
    ----------
    attributes : tuple of Attribute
        The columns.
    codes : array of shape (attributes, rows)
        The state of each cell, -1 where it is missing.
    target : str
        The name of the class.
    classes : tuple of str
        The labels of the classes.
    y : array
        The class of each row.
    weights : array, optional
        What each row counts.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    """

    attributes: tuple[Attribute, ...]
    codes: Ints
    target: str
    classes: tuple[str, ...]
    y: Ints
    weights: Floats | None = None
    threads: int | None = None
    _engine: NativeEngine | None = field(init=False, default=None, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes and then the class."""
        return (*(attribute.name for attribute in self.attributes), self.target)

    @property
    def states(self) -> tuple[tuple[str, ...], ...]:
        """The states of attributes and class."""
        return (*(attribute.states for attribute in self.attributes), self.classes)

    @property
    def holes(self) -> list[bool]:
        """For attributes and class, whether cells are missing."""
        return [*(self.codes.min(axis=1, initial=0) < 0).tolist(), False]

    @property
    def total(self) -> float:
        """The number of rows, or their weight."""
        return float(len(self.y) if self.weights is None else self.weights.sum())

    def complete(self) -> Cases:
        """Return the rows without a hole, each as often as its weight says.

        Raises
        ------
        DataError
            If a weight has a fraction, or no row is left.
        """
        kept = (self.codes >= 0).all(axis=0)
        if not kept.any():
            msg = (
                "every row misses a cell, and a searched structure needs complete rows; drop the "
                "columns that miss most, or give missing cells a state"
            )
            raise DataError(msg)
        times = kept.astype(np.int64)
        if self.weights is not None:
            if (self.weights != np.floor(self.weights)).any():
                msg = (
                    "a searched structure takes whole numbers as sample weights, which repeat rows;"
                    " give such weights, or use naive Bayes or TAN"
                )
                raise DataError(msg)
            times *= self.weights.astype(np.int64)
        rows = np.repeat(np.arange(len(self.y)), times)
        codes = np.ascontiguousarray(self.codes[:, rows])
        made = (self.attributes, codes, self.target, self.classes, self.y[rows])
        return Cases(*made, threads=self.threads)

    def table(self) -> Table:
        """Return the rows as a table, in which holes are a last state."""
        labels, columns = [], []
        for states, codes, hole in zip(self.states, (*self.codes, self.y), self.holes, strict=True):
            r = len(states)
            labels.append((*states, _unlike(states)) if hole else states)
            filled = np.where(codes < 0, r, codes) if hole else codes
            columns.append(filled.astype(code_type(r + hole)))
        return Table(self.names, labels, columns)

    def engine(self) -> NativeEngine:
        """Return the engine over the table, which is made once."""
        made = self._engine or NativeEngine(self.table(), self.threads)
        object.__setattr__(self, "_engine", made)
        return made

    def counts(self, families: Sequence[Family]) -> list[npt.NDArray[np.generic]]:
        """Return the table (parents..., child) of each family, over the rows where it is known."""
        if self.weights is not None:
            return [self._weighted(child, parents) for child, parents in families]
        holes = self.holes
        tables = self.engine().counts(Batch.families(families))
        return [
            table[tuple(slice(-1 if holes[v] else None) for v in (*parents, child))]
            for (child, parents), table in zip(families, tables, strict=True)
        ]

    def _weighted(self, child: int, parents: tuple[int, ...]) -> Floats:
        scope = (*parents, child)
        columns = [self.y if v == len(self.attributes) else self.codes[v] for v in scope]
        shape = [len(self.states[v]) for v in scope]
        known = reduce(np.logical_and, [column >= 0 for column in columns])
        cells = np.ravel_multi_index([column[known] for column in columns], shape)
        weights = None if self.weights is None else self.weights[known]
        found = np.bincount(cells, weights, minlength=int(np.prod(shape)))
        return found.reshape(shape).astype(np.float64)


def _unlike(states: Sequence[str]) -> str:
    """Return a label that is none of the states."""
    label = _HOLE
    while label in states:
        label += "*"
    return label
