"""The divergence of networks with numbers: normal distributions in every case of the categories."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import CapacityError, ModelError, listed, shown
from bayesloom.graphs import topological_order
from bayesloom.inference import compile_net
from bayesloom.model import BayesNet, LinearGaussian

MOST_CASES = 1 << 16
"""The largest number of configurations of the categories that numbers depend on."""

Measure = Callable[[BayesNet, BayesNet], tuple[float, tuple[str, ...]]]


def check_same_kinds(true: BayesNet, learned: BayesNet) -> None:
    """Refuse networks in which a variable is a number in one and a category in the other."""
    unlike = sorted(set(true.numbers) ^ set(learned.numbers))
    if unlike:
        msg = (
            f"{listed(map(shown, unlike))} hold{'s' * (len(unlike) == 1)} numbers in one network "
            "and states in the other, so there is no divergence; compare the graphs alone"
        )
        raise ModelError(msg)


def mixed_divergence(
    true: BayesNet, learned: BayesNet, measure: Measure, memory: float
) -> tuple[float, tuple[str, ...]]:
    """Return the divergence of networks with numbers, and what makes it infinite.

    It is that of the categories, which have no numbers among their parents, plus the expected
    divergence of the numbers given the categories: normal distributions in every configuration of
    the categories that are parents of numbers in either network, in closed form.

    Parameters
    ----------
    true, learned : BayesNet
        The networks, over the same variables.
    measure : callable
        Returns the same for networks of categories.
    memory : float
        The bytes that the tables of inference may take.

    Raises
    ------
    ModelError
        If a variable is a number in one network alone, or a category that numbers depend on has
        other states in the two.
    CapacityError
        If numbers depend on categories with more than 65,536 configurations together.
    """
    check_same_kinds(true, learned)
    categories = [name for name in true.names if name not in true.numbers]
    value: float = 0.0
    faults: tuple[str, ...] = ()
    if categories:
        parts = [_of_categories(net, categories) for net in (true, learned)]
        value, faults = measure(*parts)
    around = _categories_around(true, learned, categories)
    weights = _weights(parts[0], around, memory) if around else np.ones(1)
    cases = np.flatnonzero(weights)
    codes = np.unravel_index(cases, [len(true.states_of(name)) for name in around] or [1])
    case = dict(zip(around, codes, strict=False))
    ours, theirs = (_Regressions(net, true.numbers, case, len(cases)) for net in (true, learned))
    between = _between(ours, theirs)
    if np.isinf(between).any():
        faults = (*faults, _SINGULAR)
        return math.inf, faults
    return value + math.fsum((weights[cases] * between).tolist()), faults


_SINGULAR = "a number has no error in one of the networks, and another value in the other"


def _of_categories(net: BayesNet, categories: Sequence[str]) -> BayesNet:
    return BayesNet.from_tables(
        {name: (net.states_of(name), net.parents(name), net.table(name)) for name in categories}
    )


def _categories_around(
    true: BayesNet, learned: BayesNet, categories: Sequence[str]
) -> tuple[str, ...]:
    """Return the categories that numbers depend on, in the order of the true network."""
    parents = {p for net in (true, learned) for name in net.numbers for p in net.parents(name)}
    around = tuple(name for name in categories if name in parents)
    for name in around:
        if true.states_of(name) != learned.states_of(name):
            msg = (
                f"variable {shown(name)}, which numbers depend on, has other states in the two "
                "networks; give both the same, in the same order"
            )
            raise ModelError(msg)
    cases = math.prod(len(true.states_of(name)) for name in around)
    if cases > MOST_CASES:
        msg = (
            f"numbers depend on categories with {cases:.3g} configurations together, and the "
            f"divergence goes through at most {MOST_CASES:,}; compare the graphs alone"
        )
        raise CapacityError(msg)
    return around


def _weights(categories: BayesNet, around: tuple[str, ...], memory: float) -> Floats:
    """Return the probability of every configuration of some categories."""
    (joint,) = compile_net(categories, memory=memory).joints([around])
    order = [joint.variables.index(name) for name in around]
    found: Floats = joint.probabilities.transpose(order).ravel()
    return found


class _Regressions:
    """The regressions of all numbers in some cases: ``x = start + slopes x + sds noise``."""

    def __init__(
        self, net: BayesNet, names: Sequence[str], case: Mapping[str, object], n_cases: int
    ) -> None:
        d = len(names)
        place = {name: v for v, name in enumerate(names)}
        self.start, self.sds = np.zeros((n_cases, d)), np.zeros((n_cases, d))
        self.slopes = np.zeros((n_cases, d, d))
        masks = [0] * d
        for name in names:
            family, v = net.families[net.index(name)], place[name]
            assert isinstance(family, LinearGaussian)
            at = tuple(case[p] for p in net.parents(name) if p not in place)
            numbers = [place[p] for p in net.parents(name) if p in place]
            self.start[:, v], self.sds[:, v] = family.intercepts[at], family.sds[at]  # type: ignore[index]
            self.slopes[:, v, numbers] = family.coefficients[at]  # type: ignore[index]
            masks[v] = sum(1 << u for u in numbers)
        self.order = list(topological_order(masks))

    def moments(self) -> tuple[Floats, Floats]:
        """Return the mean and the covariance of all numbers in every case."""
        cases, d = self.start.shape
        mean, effect = np.zeros((cases, d)), np.zeros((cases, d, d))
        for v in self.order:
            mean[:, v] = self.start[:, v] + (self.slopes[:, v] * mean).sum(axis=1)
            effect[:, v] = np.einsum("ku,kuw->kw", self.slopes[:, v], effect)
            effect[:, v, v] += self.sds[:, v]
        return mean, effect @ effect.transpose(0, 2, 1)


def _between(ours: _Regressions, theirs: _Regressions) -> Floats:
    """Return the divergence of normal distributions in every case."""
    mean, covariance = ours.moments()
    d = mean.shape[1]
    rest = np.eye(d) - theirs.slopes
    bias = mean - theirs.start - (theirs.slopes * mean[:, None, :]).sum(axis=2)
    spread = np.einsum("kvu,kuw,kvw->kv", rest, covariance, rest) + bias**2
    same = (ours.sds == 0) & (theirs.sds == 0) & (spread <= 1e-18 * (1 + mean**2))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.log(theirs.sds / ours.sds) + (spread / theirs.sds**2 - 1) / 2
    terms = np.where(same, 0.0, np.where(np.isnan(terms), np.inf, terms))
    found: Floats = np.maximum(terms.sum(axis=1), 0.0)
    return found
