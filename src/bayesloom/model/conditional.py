"""The conditional probability table (CPT) of one variable, as a value that people can read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import OptionError, UnknownStateError, UnknownVariableError, listed, shown
from bayesloom.grid import Grid, NamedColumns, Tabular, chance, label, labels
from bayesloom.model.bayes_net import BayesNet


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConditionalTable(Tabular):
    """The conditional probability table (CPT) of a variable given its parents.

    It prints with one row per configuration of the parents and one column per state; without
    parents, with one row per state. As a frame it has a row per configuration, and the columns of
    the states are called ``variable=state``.

    Parameters
    ----------
    variable : str
        The variable.
    states : tuple of str
        Its states.
    parents : tuple of str
        Its parents.
    parent_states : tuple of tuple of str
        The states of each parent.
    values : array
        The probabilities: one axis per parent and the states on the last; read-only.

    Examples
    --------
    >>> no_yes = ["no", "yes"]
    >>> net = BayesNet.from_tables(
    ...     {
    ...         "rain": (no_yes, [], [0.8, 0.2]),
    ...         "wet": (no_yes, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
    ...     }
    ... )
    >>> table = conditional_table(net, "wet")
    >>> table
    P(wet | rain)
      rain        no       yes
      no    0.900000  0.100000
      yes   0.200000  0.800000
    >>> table.probability({"wet": "yes", "rain": "no"})
    0.1
    >>> np.asarray(table)[1]
    array([0.2, 0.8])
    """

    variable: str
    states: tuple[str, ...]
    parents: tuple[str, ...]
    parent_states: tuple[tuple[str, ...], ...]
    values: Floats

    @property
    def n_rows(self) -> int:
        """The number of configurations of the parents."""
        return math.prod(map(len, self.parent_states))

    def probability(self, case: Mapping[str, str]) -> float:
        """Return the probability of a state of the variable given one of every parent.

        Parameters
        ----------
        case : mapping of str to str
            The state of the variable and of each of its parents.

        Raises
        ------
        UnknownVariableError, UnknownStateError
            If the case names what the table does not have.
        OptionError
            If the case leaves a variable out.
        """
        axes = dict(zip(self.parents, self.parent_states, strict=True))
        axes[self.variable] = self.states
        for name in case:
            if name not in axes:
                raise UnknownVariableError(name, axes)
        missing = [name for name in axes if name not in case]
        if missing:
            msg = (
                f"the case leaves out {listed(missing)}; give a state of {shown(self.variable)} "
                "and of each of its parents"
            )
            raise OptionError(msg)
        place = []
        for name, known in axes.items():
            if case[name] not in known:
                raise UnknownStateError(name, case[name], known)
            place.append(known.index(case[name]))
        return float(self.values[tuple(place)])

    def to_dict(self) -> dict[str, object]:
        """Return the table as plain data, as ``bayesloom tables --json`` prints it.

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
        >>> conditional_table(net, "rain").to_dict()["rows"]
        [{'given': {}, 'probabilities': {'no': 0.75, 'yes': 0.25}}]
        """
        return {
            "variable": self.variable,
            "states": list(self.states),
            "parents": list(self.parents),
            "rows": [
                {
                    "given": dict(zip(self.parents, given, strict=True)),
                    "probabilities": dict(zip(self.states, row, strict=True)),
                }
                for given, row in self._rows(None)
            ],
        }

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:  # noqa: ANN401, FBT001 - as numpy has it
        found: Floats = np.array(self.values, dtype=dtype, copy=copy)
        return found

    def __len__(self) -> int:
        return self.n_rows

    def _rows(self, most: int | None) -> list[tuple[tuple[str, ...], list[float]]]:
        """Return states of the parents and probabilities, row by row, the last parent fastest."""
        shape = tuple(map(len, self.parent_states))
        n = self.n_rows if most is None else min(most, self.n_rows)
        flat = self.values.reshape(self.n_rows, len(self.states))
        found = []
        for k in range(n):
            place = np.unravel_index(k, shape) if shape else ()
            given = (known[i] for known, i in zip(self.parent_states, place, strict=True))
            found.append((tuple(given), flat[k].tolist()))
        return found

    def _columns(self) -> NamedColumns:
        rows = self._rows(None)
        keys = [(name, [given[k] for given, _ in rows]) for k, name in enumerate(self.parents)]
        flat = self.values.reshape(self.n_rows, len(self.states))
        values = [
            (f"{self.variable}={state}", flat[:, k].tolist()) for k, state in enumerate(self.states)
        ]
        return [*keys, *values]

    def _grid(self, most: int | None) -> Grid:
        if not self.parents:
            return self._list(most)
        given = ", ".join(map(shown, self.parents))
        rows = self._rows(most)
        cells = [(*labels(given), *map(chance, row)) for given, row in rows]
        return Grid(
            f"P({shown(self.variable)} | {given})",
            (*labels(self.parents), *map(label, self.states)),
            cells,
            len(self.parents),
            more=self.n_rows - len(rows),
        )

    def _list(self, most: int | None) -> Grid:
        """Return the states below each other, for a variable without parents."""
        chances = self.values.tolist()[:most]
        return Grid(
            f"P({shown(self.variable)})",
            (label(self.variable), "probability"),
            [(label(state), chance(p)) for state, p in zip(self.states, chances, strict=False)],
            1,
            more=len(self.states) - len(chances),
            noun="state",
        )

    __repr__ = Tabular.__str__


def conditional_table(net: BayesNet, name: str) -> ConditionalTable:
    """Return the conditional probability table of a variable of a network.

    Parameters
    ----------
    net : BayesNet
        The network.
    name : str
        The variable.

    Raises
    ------
    UnknownVariableError
        If the network has no such variable.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> print(conditional_table(net, "rain"))
    P(rain)
      rain  probability
      no       0.800000
      yes      0.200000
    """
    parents = net.parents(name)
    return ConditionalTable(
        name,
        net.states_of(name),
        parents,
        tuple(map(net.states_of, parents)),
        net.table(name),
    )
