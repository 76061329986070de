"""What is known about a case: states that were observed, and likelihoods of states."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.data.label import label_of
from bayesloom.errors import EvidenceError, UnknownStateError, listed, shown
from bayesloom.model import BayesNet

Given: TypeAlias = Mapping[str, object] | Iterable[tuple[str, object]]
"""Observed states by variable, or numbers, of a category in their intervals: a mapping, or pairs
that may repeat but not contradict."""

Soft: TypeAlias = Mapping[str, Mapping[str, float] | Sequence[float]]
"""For each variable the likelihood of what was seen given each of its states, up to a factor."""


@dataclass(frozen=True, slots=True)
class Known:
    """What an answer was given: the evidence, by names.

    Parameters
    ----------
    states : dict of str to str
        The observed states.
    soft : tuple of str
        The variables of which likelihoods are known.
    density : bool
        Whether numbers were observed, so that the evidence has a density and no probability.
    notes : tuple of str
        What a user should know about the evidence, one sentence each.

    Examples
    --------
    >>> print(Known({"rain": "yes"}, ("wet",)), bool(Known()))
    rain=yes, likelihoods of wet False
    """

    states: dict[str, str] = field(default_factory=dict)
    soft: tuple[str, ...] = ()
    density: bool = False
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.states or self.soft)

    def __str__(self) -> str:
        parts = [f"{shown(name)}={shown(state)}" for name, state in self.states.items()]
        return listed([*parts, *(f"likelihoods of {shown(name)}" for name in self.soft)])


@dataclass(frozen=True, slots=True)
class Case:
    """Checked evidence, by node.

    Parameters
    ----------
    state : dict of int to int
        The observed state of each observed node.
    likelihood : dict of int to array
        The likelihoods of the states of a node, the largest 1.
    log_scale : float
        The logarithm of the factor taken out of the likelihoods.
    value : dict of int to float
        The value of each number that was observed.
    """

    state: dict[int, int]
    likelihood: dict[int, Floats]
    log_scale: float
    value: dict[int, float] = field(default_factory=dict)

    def describe(self, net: BayesNet) -> str:
        """Name the evidence in a sentence.

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
        >>> read_case(net, {"rain": "yes"}).describe(net)
        'rain=yes'
        """
        return str(self.known(net))

    def known(self, net: BayesNet) -> Known:
        """Return the evidence by names."""
        states = {net.names[v]: net.states[v][k] for v, k in self.state.items()}
        states |= {net.names[v]: f"{x:.6g}" for v, x in self.value.items()}
        soft = tuple(net.names[v] for v in self.likelihood)
        return Known(states, soft, density=bool(self.value))


def read_case(net: BayesNet, given: Given | None = None, soft: Soft | None = None) -> Case:
    """Check evidence against a network.

    Raises
    ------
    UnknownVariableError, UnknownStateError
        If the network has no such variable or state.
    EvidenceError
        If a variable is given two states, or likelihoods are no likelihoods.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> read_case(net, [("rain", "yes"), ("rain", "no")])
    Traceback (most recent call last):
    ...
    bayesloom.errors.EvidenceError: variable rain is given as yes and as no; it can be given once
    """
    state: dict[int, int] = {}
    value: dict[int, float] = {}
    for name, label in _pairs(given):
        v = net.index(name)
        if net.number_mask >> v & 1:
            x = number_given(name, label)
            if value.setdefault(v, x) != x:
                msg = (
                    f"variable {shown(name)} is given as {value[v]:g} and as {x:g}; it can be "
                    "given once"
                )
                raise EvidenceError(msg)
            continue
        k = net.state_index(name, _label(label))
        if state.setdefault(v, k) != k:
            first = net.states[v][state[v]]
            msg = (
                f"variable {shown(name)} is given as {shown(first)} and as {shown(str(label))}; "
                "it can be given once"
            )
            raise EvidenceError(msg)
    likelihood, log_scale = {}, 0.0
    if soft is not None and not isinstance(soft, Mapping):
        msg = (
            f"soft evidence must be a mapping of variables to likelihoods, got {shown(repr(soft))}"
        )
        raise EvidenceError(msg)
    for name, values in (soft or {}).items():
        v = net.index(name)
        if net.number_mask >> v & 1:
            msg = (
                f"variable {shown(name)} is a number, and likelihoods are given for the states of "
                "categories; give its value, or leave it out"
            )
            raise EvidenceError(msg)
        numbers = _likelihoods(net, name, values)
        likelihood[v] = numbers / numbers.max()
        log_scale += math.log(numbers.max())
    return Case(state, likelihood, log_scale, value)


def number_given(name: str, value: object) -> float:
    """Return the number that is given for a variable: a number or the text of one.

    Raises
    ------
    EvidenceError
        If it is none, or not finite.

    Examples
    --------
    >>> number_given("age", "39,5")
    39.5
    """
    from bayesloom.data.decimal_comma import with_point
    from bayesloom.data.interval import number_in

    found = number_in(with_point(value) if isinstance(value, str) else value)
    if found is None or not math.isfinite(found):
        msg = f"variable {shown(name)} is a number; it cannot be {shown(repr(value))}"
        raise EvidenceError(msg)
    return float(found)


def _pairs(given: Given | None) -> Iterator[tuple[str, object]]:
    if isinstance(given, Mapping):
        yield from given.items()
        return
    pairs: Any = () if given is None else given
    is_list = isinstance(pairs, Iterable) and not isinstance(pairs, str)
    for pair in pairs if is_list else [pairs]:  # which is no pair, and the message shows it
        if not isinstance(pair, tuple | list) or len(pair) != 2:  # noqa: PLR2004 - a pair
            got = shown(repr(pair))
            msg = f"evidence must be a mapping or pairs of a variable and a state, got {got}"
            raise EvidenceError(msg)
        yield pair[0], pair[1]


def _label(value: object) -> object:
    """Return the label of a state that is given; what cannot be one is left as it is."""
    try:
        return label_of(value) or value
    except TypeError:
        return value


def _likelihoods(net: BayesNet, name: str, values: Mapping[str, float] | Sequence[float]) -> Floats:
    """Return one finite number, not negative, per state of a variable; one is above 0."""
    known = net.states_of(name)
    if isinstance(values, Mapping):
        for label in values:
            if label not in known:
                raise UnknownStateError(name, label, known)
        missing = [label for label in known if label not in values]
        if missing:
            msg = f"likelihoods of variable {shown(name)} lack its states {listed(missing)}"
            raise EvidenceError(msg)
        values = [values[label] for label in known]
    try:
        numbers = np.array(values, np.float64)
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    good = numbers.shape == (len(known),) and np.isfinite(numbers).all() and (numbers >= 0).all()
    if not good or not numbers.any():
        msg = (
            f"likelihoods of variable {shown(name)} must be {len(known)} finite numbers that are "
            f"not negative and not all 0, one for each of its states; got {shown(repr(values))}"
        )
        raise EvidenceError(msg)
    return numbers
