"""The answers of exact inference, as values with names and states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.data.label import label_of
from bayesloom.errors import (
    OptionError,
    UnknownStateError,
    UnknownVariableError,
    checked_names,
    listed,
    shown,
)
from bayesloom.grid import Grid, NamedColumns, Tabular, chance, label, labels
from bayesloom.inference.case import Known

_SHOWN = 8  # states or variables listed on one line
_FEW = 4  # states of each of many variables
_GRID = 12  # states of the second of two variables that stand side by side


_NOTHING = Known()


def state_place(name: str, states: tuple[str, ...], state: object) -> int:
    """Return which state of a variable is meant by a label, or by a number as in evidence.

    Raises
    ------
    UnknownStateError
        If none is.

    Examples
    --------
    >>> state_place("sick", ("0", "1"), 1), state_place("age", ("(-inf,20]", "(20,inf)"), 39)
    (1, 1)
    """
    from bayesloom.data.interval import NOWHERE
    from bayesloom.data.level import code_of_labels

    with suppress(TypeError):  # what can be no label
        found = label_of(state)
        place = NOWHERE if found is None else int(code_of_labels([found], states)[0])
        if place != NOWHERE:
            return place
    raise UnknownStateError(name, state, states)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posterior(Tabular):
    """The distribution of one variable given the evidence.

    It prints as a table; as a frame it has a column of the states, called as the variable, and one
    called ``probability``.

    Parameters
    ----------
    variable : str
        The variable.
    states : tuple of str
        Its states.
    values : array
        The probability of each state; read-only.
    log_evidence : float
        The natural logarithm of the probability of the evidence.
    known : Known
        The evidence.

    Examples
    --------
    >>> chances = np.array([0.25, 0.75])
    >>> posterior = Posterior("rain", ("no", "yes"), chances, math.log(0.5), Known({"wet": "yes"}))
    >>> posterior
    P(rain | wet=yes): no 0.25, yes 0.75; probability of the evidence 0.5
    >>> print(posterior)
    P(rain | wet=yes)
      rain  probability
      no       0.250000
      yes      0.750000
      probability of the evidence 0.5
    >>> posterior.probabilities
    {'no': 0.25, 'yes': 0.75}
    >>> posterior["yes"], posterior.most_probable, posterior.evidence_probability
    (0.75, 'yes', 0.5)
    """

    variable: str
    states: tuple[str, ...]
    values: Floats
    log_evidence: float
    known: Known = _NOTHING

    @property
    def probabilities(self) -> dict[str, float]:
        """The probability of each state, by label."""
        return dict(zip(self.states, self.values.tolist(), strict=True))

    @property
    def evidence_probability(self) -> float:
        """The probability of the evidence; 0.0 if it is too small for a float."""
        return math.exp(self.log_evidence)

    @property
    def most_probable(self) -> str:
        """The most probable state; among equals the first."""
        return self.states[int(self.values.argmax())]

    def __getitem__(self, state: object) -> float:
        return float(self.values[state_place(self.variable, self.states, state)])

    def __iter__(self) -> Iterator[str]:
        return iter(self.states)

    def keys(self) -> tuple[str, ...]:
        """Return the states, so that ``dict(posterior)`` is what ``probabilities`` is."""
        return self.states

    def to_dict(self) -> dict[str, object]:
        """Return the answer in the form of ``bayesloom query --json``.

        Examples
        --------
        >>> Posterior("rain", ("no", "yes"), np.array([0.25, 0.75]), 0.0).to_dict()
        {'target': 'rain', 'posterior': {'no': 0.25, 'yes': 0.75}, 'evidence_probability': 1.0}
        """
        return {
            "target": self.variable,
            "posterior": self.probabilities,
            **evidence_entry(self.known, self.log_evidence),
        }

    def __repr__(self) -> str:
        chances = list(self.probabilities.items())
        if len(chances) > _SHOWN:  # what is left out must not be the answer
            chances.sort(key=lambda item: -item[1])
        items = [f"{shown(state)} {p:.6g}" for state, p in chances]
        told = f"{title_of([self.variable], self.known)}: {listed(items, _SHOWN)}"
        return "; ".join([told, *evidence_notes(self.known, self.log_evidence)])

    def _columns(self) -> NamedColumns:
        return [(self.variable, self.states), ("probability", self.values.tolist())]

    def _grid(self, most: int | None) -> Grid:
        order = range(len(self.states))
        if most is not None and most < len(order):  # what is left out must not be the answer
            order = np.argsort(-self.values, kind="stable")[:most].tolist()
        return Grid(
            title_of([self.variable], self.known),
            (label(self.variable), "probability"),
            [(label(self.states[k]), chance(float(self.values[k]))) for k in order],
            1,
            more=len(self.states) - len(order),
            noun="state",
            notes=evidence_notes(self.known, self.log_evidence),
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posteriors(Tabular, Mapping[str, Posterior]):
    """The posterior of each of several variables, by name.

    As a frame it has the columns ``variable``, ``state`` and ``probability``.

    Parameters
    ----------
    states : dict of str to tuple of str
        The states of each variable.
    arrays : dict of str to array
        The probabilities of each variable's states; read-only.
    log_evidence : float
        The natural logarithm of the probability of the evidence.
    known : Known
        The evidence.

    Examples
    --------
    >>> found = Posteriors({"rain": ("no", "yes")}, {"rain": np.array([0.25, 0.75])}, 0.0)
    >>> found["rain"]["yes"], len(found)
    (0.75, 1)
    >>> found
    Probabilities of 1 variable
      variable  probabilities
      rain      no 0.25, yes 0.75
    """

    states: dict[str, tuple[str, ...]]
    arrays: dict[str, Floats]
    log_evidence: float
    known: Known = _NOTHING

    @property
    def evidence_probability(self) -> float:
        """The probability of the evidence; 0.0 if it is too small for a float."""
        return math.exp(self.log_evidence)

    @property
    def probabilities(self) -> dict[str, dict[str, float]]:
        """The probability of each state of each variable."""
        return {name: posterior.probabilities for name, posterior in self.items()}

    def __getitem__(self, name: str) -> Posterior:
        if name not in self.states:
            raise UnknownVariableError(name, self.states)
        states, values = self.states[name], self.arrays[name]
        return Posterior(name, states, values, self.log_evidence, self.known)

    def __iter__(self) -> Iterator[str]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    __repr__ = Tabular.__str__

    def _columns(self) -> NamedColumns:
        cells = [
            (name, state, p)
            for name, states in self.states.items()
            for state, p in zip(states, self.arrays[name].tolist(), strict=True)
        ]
        heads = ("variable", "state", "probability")
        return [(head, [cell[k] for cell in cells]) for k, head in enumerate(heads)]

    def _grid(self, most: int | None) -> Grid:
        rows = []
        for name, states in list(self.states.items())[:most]:
            chances = list(zip(states, self.arrays[name].tolist(), strict=True))
            if len(chances) > _FEW:
                chances.sort(key=lambda item: -item[1])
            told = (f"{label(state)} {p:.4g}" for state, p in chances)
            rows.append((label(name), listed(told, _FEW)))
        given = f" given {self.known}" if self.known else ""
        return Grid(
            f"Probabilities of {len(self)} variable{'s' * (len(self) != 1)}{given}",
            ("variable", "probabilities"),
            rows,
            1,
            more=len(self) - len(rows),
            noun="variable",
            left=frozenset({1}),
            notes=evidence_notes(self.known, self.log_evidence),
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JointPosterior(Tabular):
    r"""The joint distribution of several variables given the evidence.

    Two variables print as a grid, more as a list whose most probable cells come first. As a frame
    it has a column for each variable and one called ``probability``, in the order of the states.

    Parameters
    ----------
    variables : tuple of str
        The variables.
    states : tuple of tuple of str
        The states of each.
    probabilities : array
        The probabilities, one axis per variable; read-only.
    log_evidence : float
        The natural logarithm of the probability of the evidence.
    known : Known
        The evidence.

    Examples
    --------
    >>> values = np.array([[0.5, 0.25], [0.0, 0.25]])
    >>> joint = JointPosterior(("a", "b"), (("n", "y"), ("n", "y")), values, 0.0)
    >>> joint
    P(a, b)
      a \ b         n         y
      n      0.500000  0.250000
      y             0  0.250000
    >>> joint.probability({"a": "n", "b": "y"}), joint.marginal("b").probabilities
    (0.25, {'n': 0.5, 'y': 0.5})
    """

    variables: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    probabilities: Floats
    log_evidence: float
    known: Known = _NOTHING

    @property
    def evidence_probability(self) -> float:
        """The probability of the evidence; 0.0 if it is too small for a float."""
        return math.exp(self.log_evidence)

    def probability(self, case: Mapping[str, object]) -> float:
        """Return the probability that the variables named have the states given.

        Raises
        ------
        UnknownVariableError, UnknownStateError
            If a variable is not among the joint variables or lacks the state.
        """
        for name in case:
            self._axis(name)
        cells: list[slice | int] = [slice(None)] * len(self.variables)
        for name, state in case.items():
            axis = self._axis(name)
            cells[axis] = state_place(name, self.states[axis], state)
        return float(self.probabilities[tuple(cells)].sum())

    def marginal(self, name: str) -> Posterior:
        """Return the posterior of one of the variables."""
        axis = self._axis(name)
        others = tuple(k for k in range(len(self.variables)) if k != axis)
        values: Floats = self.probabilities.sum(axis=others)
        values.flags.writeable = False
        return Posterior(name, self.states[axis], values, self.log_evidence, self.known)

    def _axis(self, name: str) -> int:
        if name not in self.variables:
            raise UnknownVariableError(name, self.variables)
        return self.variables.index(name)

    __repr__ = Tabular.__str__

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data: the cells in the order of the states."""
        columns = [values for _, values in self._columns()]
        return {
            "targets": list(self.variables),
            "posterior": [
                {"states": list(cell[:-1]), "probability": cell[-1]}
                for cell in zip(*columns, strict=True)
            ],
            **evidence_entry(self.known, self.log_evidence),
        }

    def _columns(self) -> NamedColumns:
        places = np.indices(self.probabilities.shape).reshape(len(self.variables), -1)
        columns: list[tuple[str, list[object]]] = [
            (name, [states[k] for k in place])
            for name, states, place in zip(self.variables, self.states, places, strict=True)
        ]
        return [*columns, ("probability", self.probabilities.ravel().tolist())]

    def _grid(self, most: int | None) -> Grid:
        title = title_of(self.variables, self.known)
        notes = evidence_notes(self.known, self.log_evidence)
        values = self.probabilities
        if values.ndim == 2 and values.shape[1] <= _GRID:  # noqa: PLR2004 - rows and columns
            (first, second), shown_rows = self.variables, values[:most].tolist()
            cells = [
                (label(state), *map(chance, row))
                for state, row in zip(self.states[0], shown_rows, strict=False)
            ]
            heads = (f"{label(first)} \\ {label(second)}", *labels(self.states[1]))
            return Grid(title, heads, cells, 1, more=len(values) - len(cells), notes=notes)
        flat = values.ravel()
        order = np.argsort(-flat, kind="stable")[:most]
        places = np.unravel_index(order, values.shape)
        cells = [
            (
                *(label(states[p[k]]) for states, p in zip(self.states, places, strict=True)),
                chance(float(flat[cell])),
            )
            for k, cell in enumerate(order.tolist())
        ]
        return Grid(
            title,
            (*labels(self.variables), "probability"),
            cells,
            len(self.variables),
            more=flat.size - len(cells),
            noun="cell",
            notes=notes,
        )


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Tabular):
    """The most probable states of variables together, given the evidence: MAP, or MPE if of all.

    It prints as a table; as a frame it has the columns ``variable`` and ``state``.

    Parameters
    ----------
    states : dict of str to str
        The state of every variable asked for, observed ones included.
    log_probability : float
        The natural logarithm of the probability of these states and the evidence.
    log_evidence : float
        The natural logarithm of the probability of the evidence.
    known : Known
        The evidence.
    values : dict of str to float
        The value of every number asked for; the logarithms are those of densities then.

    Examples
    --------
    >>> found = Explanation({"rain": "yes"}, math.log(0.25), math.log(0.5), Known({"wet": "yes"}))
    >>> found
    Explanation(rain=yes) with probability 0.5 given wet=yes
    >>> found["rain"], found.probability
    ('yes', 0.5)
    """

    states: dict[str, str]
    log_probability: float
    log_evidence: float
    known: Known = _NOTHING
    values: dict[str, float] = field(default_factory=dict)

    @property
    def probability(self) -> float:
        """The probability of the states given the evidence; with numbers their density."""
        log = self.log_probability - self.log_evidence
        return math.exp(min(709.0 if self.values else 0.0, log))

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a state, or a number's value
        if name in self.values:
            return self.values[name]
        if name not in self.states:
            raise UnknownVariableError(name, [*self.states, *self.values])
        return self.states[name]

    def to_dict(self) -> dict[str, object]:
        """Return the answer in the form of ``bayesloom most-probable --json``.

        Examples
        --------
        >>> Explanation({"rain": "yes"}, math.log(0.25), 0.0).to_dict()
        {'states': {'rain': 'yes'}, 'probability': 0.25, 'evidence_probability': 1.0}
        """
        told: dict[str, object] = {"states": dict(self.states)}
        if self.values:
            told["values"] = dict(self.values)
            told["log_density"] = self.log_probability - self.log_evidence
        else:
            told["probability"] = self.probability
        return told | evidence_entry(self.known, self.log_evidence)

    def __repr__(self) -> str:
        items = [f"{shown(name)}={shown(value)}" for name, value in self._items()]
        return f"Explanation({listed(items, _SHOWN)}) with {self._chance()}"

    def _chance(self) -> str:
        given = f" given {self.known}" if self.known else ""
        if self.values:
            return f"log density {self.log_probability - self.log_evidence:.6g}{given}"
        return f"probability {self.probability:.6g}{given}"

    def _items(self) -> list[tuple[str, str]]:
        """Return states and values as texts, by name."""
        values = [(name, f"{value:.6g}") for name, value in self.values.items()]
        return [*self.states.items(), *values]

    def _columns(self) -> NamedColumns:
        items = [*self.states.items(), *((name, repr(x)) for name, x in self.values.items())]
        return [("variable", [name for name, _ in items]), ("state", [text for _, text in items])]

    def _grid(self, most: int | None) -> Grid:
        rows = [labels(pair) for pair in self._items()[:most]]
        return Grid(
            f"Most probable states together, {self._chance()}",
            ("variable", "state"),
            rows,
            1,
            more=len(self.states) + len(self.values) - len(rows),
            noun="variable",
            left=frozenset({1}),
        )


def checked_targets(names: Iterable[str]) -> tuple[str, ...]:
    """Return the variables asked for if there is one and none is named twice.

    Examples
    --------
    >>> checked_targets(["rain", "rain"])
    Traceback (most recent call last):
    ...
    bayesloom.errors.OptionError: variable rain is asked for twice; name each variable once
    """
    if not isinstance(names, Iterable):
        msg = f"ask for a variable by its name or for several in a list, got {names!r}"
        raise OptionError(msg)
    targets = (names,) if isinstance(names, str) else checked_names("target", names)
    if not targets:
        msg = "ask for at least one variable, got none"
        raise OptionError(msg)
    seen = set()
    for name in targets:
        if name in seen:
            msg = f"variable {shown(name)} is asked for twice; name each variable once"
            raise OptionError(msg)
        seen.add(name)
    return targets


def title_of(variables: Iterable[str], known: Known, *, plain: bool = False) -> str:
    """Return what an answer is the probability of; of numbers plainly what it is about."""
    given = f" | {known}" if known else ""
    return f"{listed(variables)}{given}" if plain else f"P({listed(variables)}{given})"


def evidence_notes(known: Known, log_evidence: float) -> tuple[str, ...]:
    """Say how probable the evidence is, if there is any."""
    if not known:
        return ()
    if known.density:
        return (f"log density of the evidence {log_evidence:.6g}", *known.notes)
    return (f"probability of the evidence {math.exp(log_evidence):.6g}",)


def evidence_entry(known: Known, log_evidence: float) -> dict[str, float]:
    """Return how probable the evidence is as an entry of an answer in JSON."""
    if known.density:
        return {"evidence_log_density": log_evidence}
    return {"evidence_probability": math.exp(log_evidence)}
