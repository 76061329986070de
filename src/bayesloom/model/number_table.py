"""The regressions of a number as values that people can read: of one variable, and of all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bayesloom.errors import shown
from bayesloom.grid import Grid, NamedColumns, Tabular, label, labels
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.linear_gaussian import LinearGaussian

INTERCEPT = "(intercept)"
"""What stands in place of a parent for the constant of a regression."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RegressionTable(Tabular):
    """The regressions of a number given its parents, with standard errors where data stand behind.

    It prints with one row per configuration of the category parents. As a frame it has the states
    of these, the intercept, a coefficient per number parent, ``sd`` and, where they are known,
    ``rows`` and the standard errors (``age_error`` for the parent ``age``).

    Parameters
    ----------
    variable : str
        The number.
    categories, numbers : tuple of str
        Its category parents and its number parents.
    category_states : tuple of tuple of str
        The states of each category parent.
    family : LinearGaussian
        The regressions.

    Examples
    --------
    >>> family = LinearGaussian([1000, 900], [[412], [350]], 300, rows=[50, 20])
    >>> RegressionTable("income", ("smoker",), ("age",), (("no", "yes"),), family)
    income | smoker, age
      smoker  intercept  age   sd  rows
      no           1000  412  300    50
      yes           900  350  300    20
    """

    variable: str
    categories: tuple[str, ...]
    numbers: tuple[str, ...]
    category_states: tuple[tuple[str, ...], ...]
    family: LinearGaussian

    @property
    def n_rows(self) -> int:
        """The number of configurations of the category parents."""
        return int(self.family.sds.size)

    def to_dict(self) -> dict[str, object]:
        """Return the regressions as plain data, as ``bayesloom tables --json`` prints them."""
        return {
            "variable": self.variable,
            "parents": [*self.categories, *self.numbers],
            "regressions": [
                {
                    "given": dict(zip(self.categories, given, strict=True)),
                    "intercept": values[0],
                    "coefficients": dict(zip(self.numbers, values[1:], strict=True)),
                    "sd": sd,
                    **({} if rows is None else {"rows": rows}),
                    **({} if errors is None else {"errors": [*map(_plain, errors)]}),
                }
                for given, values, sd, rows, errors in self._rows()
            ],
        }

    def __len__(self) -> int:
        return self.n_rows

    __repr__ = Tabular.__str__

    def _rows(
        self,
    ) -> Iterator[tuple[tuple[str, ...], list[float], float, float | None, list[float] | None]]:
        family, n = self.family, self.n_rows
        values = np.concatenate([family.intercepts[..., None], family.coefficients], axis=-1)
        flat = values.reshape(n, -1).tolist()
        errors = None if family.errors is None else family.errors.reshape(n, -1).tolist()
        rows = None if family.rows is None else family.rows.ravel().tolist()
        for j, sd in enumerate(family.sds.ravel().tolist()):
            place = np.unravel_index(j, family.shape) if family.shape else ()
            pairs = zip(self.category_states, place, strict=True)
            given = tuple(states[int(k)] for states, k in pairs)
            yield (
                given,
                flat[j],
                sd,
                None if rows is None else rows[j],
                None if errors is None else errors[j],
            )

    def _columns(self) -> NamedColumns:
        rows = list(self._rows())
        columns: list[tuple[str, list[object]]] = [
            (name, [given[k] for given, *_ in rows]) for k, name in enumerate(self.categories)
        ]
        heads = ("intercept", *self.numbers)
        columns += [(name, [row[1][k] for row in rows]) for k, name in enumerate(heads)]
        columns.append(("sd", [row[2] for row in rows]))
        if self.family.rows is not None:
            columns.append(("rows", [row[3] for row in rows]))
        if self.family.errors is not None:
            columns += [
                (f"{name}_error", [row[4][k] for row in rows if row[4] is not None])
                for k, name in enumerate(heads)
            ]
        return columns

    def _grid(self, most: int | None) -> Grid:
        known = self.family.rows is not None
        lines = [
            (
                *labels(given),
                *(
                    _with_error(x, e)
                    for x, e in zip(values, errors or [math.nan] * len(values), strict=True)
                ),
                f"{sd:.6g}",
                *([f"{rows:g}"] if rows is not None else []),
            )
            for given, values, sd, rows, errors in list(self._rows())[:most]
        ]
        parents = ", ".join(map(shown, (*self.categories, *self.numbers)))
        heads = (*labels(self.categories), "intercept", *labels(self.numbers), "sd")
        note = ("+- standard error",) if self.family.errors is not None else ()
        return Grid(
            f"{shown(self.variable)}{f' | {parents}' if parents else ''}",
            (*heads, "rows") if known else heads,
            lines,
            len(self.categories),
            more=self.n_rows - len(lines),
            notes=note,
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CoefficientTable(Tabular):
    """The coefficients of all numbers of a network, one per row.

    As a frame it has the columns ``variable``, ``given`` (the configuration of the category
    parents), ``parent``, ``coefficient``, ``error`` and ``rows``.

    Parameters
    ----------
    tables : tuple of RegressionTable
        The regressions of every number.

    Examples
    --------
    >>> age = RegressionTable("age", (), (), (), LinearGaussian(40, None, 12))
    >>> CoefficientTable((age,))
    1 coefficient
      variable  given  parent       coefficient
      age              (intercept)           40
    """

    tables: tuple[RegressionTable, ...]

    __repr__ = Tabular.__str__

    def __len__(self) -> int:
        return len(self._lines())

    def _lines(self) -> list[tuple[str, str, str, float, float | None, float | None]]:
        found = []
        for table in self.tables:
            heads = (INTERCEPT, *table.numbers)
            for given, values, _, rows, errors in table._rows():  # noqa: SLF001 - two views of one
                pairs = zip(table.categories, given, strict=True)
                told = ", ".join(f"{name}={state}" for name, state in pairs)
                for k, parent in enumerate(heads):
                    error = None if errors is None else errors[k]
                    found.append((table.variable, told, parent, values[k], error, rows))
        return found

    def _columns(self) -> NamedColumns:
        heads = ("variable", "given", "parent", "coefficient", "error", "rows")
        lines = self._lines()
        return [(head, [line[k] for line in lines]) for k, head in enumerate(heads)]

    def _grid(self, most: int | None) -> Grid:
        lines = self._lines()
        rows = [
            (label(name), label(given) if given else "", label(parent), _with_error(value, error))
            for name, given, parent, value, error, _ in lines[:most]
        ]
        n = len(lines)
        return Grid(
            f"{n:,} coefficient{'s' * (n != 1)}",
            ("variable", "given", "parent", "coefficient"),
            rows,
            3,
            more=n - len(rows),
        )


def regression_table(net: BayesNet, name: str) -> RegressionTable:
    """Return the regressions of a number of a network as a labelled table.

    Raises
    ------
    ModelError
        If the variable is a category.
    """
    family, parents = net.regression(name), net.parents(name)
    categories = tuple(parent for parent in parents if net.states_of(parent))
    numbers = tuple(parent for parent in parents if not net.states_of(parent))
    return RegressionTable(name, categories, numbers, tuple(map(net.states_of, categories)), family)


def coefficient_table(net: BayesNet) -> CoefficientTable:
    """Return the coefficients of all numbers of a network."""
    return CoefficientTable(tuple(regression_table(net, name) for name in net.numbers))


def _with_error(value: float, error: float | None) -> str:
    told = f"{value:.6g}"
    return told if error is None or math.isnan(error) else f"{told} +- {error:.3g}"


def _plain(error: float) -> float | None:
    return None if math.isnan(error) else error
