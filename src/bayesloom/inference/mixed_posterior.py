"""The joint distribution of several variables of which some are numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import OptionError, UnknownVariableError, listed
from bayesloom.grid import Grid, NamedColumns, Tabular, chance, label, labels
from bayesloom.inference.case import Known
from bayesloom.inference.number_posterior import NumberPosterior, mixture
from bayesloom.inference.posterior import (
    Posterior,
    evidence_entry,
    evidence_notes,
    state_place,
    title_of,
)

_NOTHING = Known()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MixedPosterior(Tabular):
    """The joint distribution of numbers, and of categories with them, given the evidence.

    It is a mixture of components: in each the categories have their states and the numbers are
    jointly normal. As a frame it has a row per component, with the states, the mean of every number
    and ``weight``.

    Parameters
    ----------
    categories, numbers : tuple of str
        The variables.
    states : tuple of tuple of str
        The states of each category.
    weights : array
        The weight of each component; read-only, as all arrays here.
    codes : array
        The state of each category in each component.
    means : array
        The mean of each number in each component.
    covariances : array
        The covariance matrix of the numbers in each component.
    log_evidence : float
        The natural logarithm of the density of the evidence.
    known : Known
        The evidence.

    Examples
    --------
    >>> joint = MixedPosterior(
    ...     ("smoker",),
    ...     ("age",),
    ...     (("no", "yes"),),
    ...     np.array([0.75, 0.25]),
    ...     np.array([[0], [1]]),
    ...     np.array([[40.0], [60.0]]),
    ...     np.array([[[4.0]], [[9.0]]]),
    ...     0.0,
    ... )
    >>> joint.mean, joint.marginal("smoker")["yes"], joint.marginal("age").mean
    ({'age': 45.0}, 0.25, 45.0)
    >>> round(joint.density({"smoker": "yes", "age": 60.0}), 6)
    0.033245
    """

    categories: tuple[str, ...]
    numbers: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    weights: Floats
    codes: Longs
    means: Floats
    covariances: Floats
    log_evidence: float
    known: Known = _NOTHING

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables, the categories first."""
        return (*self.categories, *self.numbers)

    @property
    def mean(self) -> dict[str, float]:
        """The mean of every number."""
        return dict(zip(self.numbers, (self.weights @ self.means).tolist(), strict=True))

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of the numbers, in the order of ``numbers``."""
        away = self.means - self.weights @ self.means
        between = np.einsum("m,mi,mj->ij", self.weights, away, away)
        found: Floats = np.einsum("m,mij->ij", self.weights, self.covariances) + between
        return found

    def marginal(self, name: str) -> Posterior | NumberPosterior:
        """Return the posterior of one of the variables.

        Raises
        ------
        UnknownVariableError
            If it is none of them.
        """
        if name in self.numbers:
            k = self.numbers.index(name)
            parts = (self.weights, self.means[:, k], np.maximum(self.covariances[:, k, k], 0.0))
            return mixture(name, parts, self.log_evidence, self.known)
        if name not in self.categories:
            raise UnknownVariableError(name, self.variables)
        k = self.categories.index(name)
        values = np.bincount(self.codes[:, k], self.weights, len(self.states[k])).astype(float)
        values.flags.writeable = False
        return Posterior(name, self.states[k], values, self.log_evidence, self.known)

    def density(self, case: Mapping[str, object]) -> float:
        """Return the joint density of a state of every category and a value of every number.

        Raises
        ------
        OptionError
            If the case leaves a variable out.
        UnknownVariableError, UnknownStateError
            If it names what is not there.
        """
        for name in case:
            if name not in self.variables:
                raise UnknownVariableError(name, self.variables)
        missing = [name for name in self.variables if name not in case]
        if missing:
            msg = f"the case leaves out {listed(missing)}; give a value of every variable"
            raise OptionError(msg)
        there = np.ones(len(self.weights), bool)
        for k, name in enumerate(self.categories):
            there &= self.codes[:, k] == state_place(name, self.states[k], case[name])
        x = np.array([float(case[name]) for name in self.numbers])  # type: ignore[arg-type]
        total = 0.0
        for weight, mean, spread in zip(
            self.weights[there], self.means[there], self.covariances[there], strict=True
        ):
            sign, log_size = np.linalg.slogdet(2 * math.pi * spread)
            if sign <= 0:
                return math.inf if np.array_equal(x, mean) else total
            away = x - mean
            exponent = float(away @ np.linalg.solve(spread, away)) + float(log_size)
            total += float(weight) * math.exp(-0.5 * exponent)
        return total

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data, one object per component."""
        return {
            "targets": list(self.variables),
            "components": [
                {
                    "weight": weight,
                    "states": self._labels(codes),
                    "mean": dict(zip(self.numbers, mean, strict=True)),
                    "covariance": spread,
                }
                for weight, codes, mean, spread in zip(
                    self.weights.tolist(),
                    self.codes.tolist(),
                    self.means.tolist(),
                    self.covariances.tolist(),
                    strict=True,
                )
            ],
            **evidence_entry(self.known, self.log_evidence),
        }

    __repr__ = Tabular.__str__

    def _labels(self, codes: list[int]) -> dict[str, str]:
        pairs = zip(self.categories, self.states, codes, strict=True)
        return {name: states[k] for name, states, k in pairs}

    def _columns(self) -> NamedColumns:
        columns: list[tuple[str, list[object]]] = [
            (name, [states[k] for k in self.codes[:, c].tolist()])
            for c, (name, states) in enumerate(zip(self.categories, self.states, strict=True))
        ]
        columns += [(name, self.means[:, k].tolist()) for k, name in enumerate(self.numbers)]
        return [*columns, ("weight", self.weights.tolist())]

    def _grid(self, most: int | None) -> Grid:
        order = np.argsort(-self.weights, kind="stable")[:most].tolist()
        spreads = np.sqrt(np.maximum(np.diagonal(self.covariances, axis1=1, axis2=2), 0.0))
        rows = []
        for m in order:
            told = self._labels(self.codes[m].tolist()).values()
            normals = (
                f"{a:.6g} (sd {s:.4g})" for a, s in zip(self.means[m], spreads[m], strict=True)
            )
            rows.append((*labels(told), *normals, chance(float(self.weights[m]))))
        return Grid(
            title_of(self.variables, self.known),
            (*labels(self.categories), *map(label, self.numbers), "weight"),
            rows,
            len(self.categories),
            more=len(self.weights) - len(rows),
            noun="component",
            notes=evidence_notes(self.known, self.log_evidence),
        )
