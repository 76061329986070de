"""The answers of exact inference, as values with names and states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bayesloom.arrays import Floats
from bayesloom.errors import (
    OptionError,
    UnknownStateError,
    UnknownVariableError,
    checked_names,
    listed,
    shown,
)

_SHOWN = 8  # states or variables listed by repr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posterior:
    """The distribution of one variable given the evidence.

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

    Examples
    --------
    >>> import numpy as np
    >>> posterior = Posterior("rain", ("no", "yes"), np.array([0.25, 0.75]), math.log(0.5))
    >>> posterior
    P(rain | evidence): no 0.25, yes 0.75; probability of the evidence 0.5
    >>> posterior.probabilities
    {'no': 0.25, 'yes': 0.75}
    >>> posterior["yes"], posterior.most_probable, posterior.evidence_probability
    (0.75, 'yes', 0.5)
    """

    variable: str
    states: tuple[str, ...]
    values: Floats
    log_evidence: float

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

    def __getitem__(self, state: str) -> float:
        if state not in self.states:
            raise UnknownStateError(self.variable, state, self.states)
        return float(self.values[self.states.index(state)])

    def to_dict(self) -> dict[str, object]:
        """Return the answer in the form of ``bayesloom query --json``.

        Examples
        --------
        >>> import numpy as np
        >>> Posterior("rain", ("no", "yes"), np.array([0.25, 0.75]), 0.0).to_dict()
        {'target': 'rain', 'posterior': {'no': 0.25, 'yes': 0.75}, 'evidence_probability': 1.0}
        """
        return {
            "target": self.variable,
            "posterior": self.probabilities,
            "evidence_probability": self.evidence_probability,
        }

    def __repr__(self) -> str:
        chances = list(self.probabilities.items())
        if len(chances) > _SHOWN:  # what is left out must not be the answer
            chances.sort(key=lambda item: -item[1])
        items = [f"{shown(state)} {p:.6g}" for state, p in chances]
        return (
            f"P({shown(self.variable)} | evidence): {listed(items, _SHOWN)}; "
            f"probability of the evidence {self.evidence_probability:.6g}"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Posteriors(Mapping[str, Posterior]):
    """The posterior of each of several variables, by name.

    Parameters
    ----------
    states : dict of str to tuple of str
        The states of each variable.
    arrays : dict of str to array
        The probabilities of each variable's states; read-only.
    log_evidence : float
        The natural logarithm of the probability of the evidence.

    Examples
    --------
    >>> import numpy as np
    >>> both = Posteriors({"rain": ("no", "yes")}, {"rain": np.array([0.25, 0.75])}, 0.0)
    >>> both["rain"]["yes"], len(both), both
    (0.75, 1, Posteriors of 1 variables: rain; probability of the evidence 1)
    """

    states: dict[str, tuple[str, ...]]
    arrays: dict[str, Floats]
    log_evidence: float

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
        return Posterior(name, self.states[name], self.arrays[name], self.log_evidence)

    def __iter__(self) -> Iterator[str]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        names = listed(map(shown, self.states), _SHOWN)
        return (
            f"Posteriors of {len(self)} variables: {names}; "
            f"probability of the evidence {self.evidence_probability:.6g}"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JointPosterior:
    """The joint distribution of several variables given the evidence.

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

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([[0.5, 0.25], [0.0, 0.25]])
    >>> joint = JointPosterior(("a", "b"), (("n", "y"), ("n", "y")), values, 0.0)
    >>> joint
    P(a, b | evidence): 4 cells; probability of the evidence 1
    >>> joint.probability({"a": "n", "b": "y"}), joint.marginal("b").probabilities
    (0.25, {'n': 0.5, 'y': 0.5})
    """

    variables: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    probabilities: Floats
    log_evidence: float

    @property
    def evidence_probability(self) -> float:
        """The probability of the evidence; 0.0 if it is too small for a float."""
        return math.exp(self.log_evidence)

    def probability(self, case: Mapping[str, str]) -> float:
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
            if state not in self.states[axis]:
                raise UnknownStateError(name, state, self.states[axis])
            cells[axis] = self.states[axis].index(state)
        return float(self.probabilities[tuple(cells)].sum())

    def marginal(self, name: str) -> Posterior:
        """Return the posterior of one of the variables."""
        axis = self._axis(name)
        others = tuple(k for k in range(len(self.variables)) if k != axis)
        values: Floats = self.probabilities.sum(axis=others)
        values.flags.writeable = False
        return Posterior(name, self.states[axis], values, self.log_evidence)

    def _axis(self, name: str) -> int:
        if name not in self.variables:
            raise UnknownVariableError(name, self.variables)
        return self.variables.index(name)

    def __repr__(self) -> str:
        names = listed(map(shown, self.variables), _SHOWN)
        return (
            f"P({names} | evidence): {self.probabilities.size} cells; "
            f"probability of the evidence {self.evidence_probability:.6g}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """The most probable states of variables together, given the evidence: MAP, or MPE if of all.

    Parameters
    ----------
    states : dict of str to str
        The state of every variable asked for, observed ones included.
    log_probability : float
        The natural logarithm of the probability of these states and the evidence.
    log_evidence : float
        The natural logarithm of the probability of the evidence.
    evidence : str
        The evidence in words; empty if there is none.

    Examples
    --------
    >>> found = Explanation({"rain": "yes"}, math.log(0.25), math.log(0.5), "wet=yes")
    >>> found
    Explanation(rain=yes) with probability 0.5 given wet=yes
    >>> found["rain"], found.probability
    ('yes', 0.5)
    """

    states: dict[str, str]
    log_probability: float
    log_evidence: float
    evidence: str = ""

    @property
    def probability(self) -> float:
        """The probability of the states given the evidence."""
        return math.exp(min(0.0, self.log_probability - self.log_evidence))

    def __getitem__(self, name: str) -> str:
        if name not in self.states:
            raise UnknownVariableError(name, self.states)
        return self.states[name]

    def __repr__(self) -> str:
        items = [f"{shown(name)}={shown(state)}" for name, state in self.states.items()]
        given = f" given {self.evidence}" if self.evidence else ""
        return (
            f"Explanation({listed(items, _SHOWN)}) with probability {self.probability:.6g}{given}"
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
