"""The normal distribution of a group of numbers given what was observed of it, per configuration.

Families are taken one after the other, parents first. A number that is not observed joins the
normal distribution of those before it; one that is observed conditions it at once. So nothing is
inverted but single variances, and a number without an error is no special case.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.graphs import bits
from bayesloom.graphs.ancestry import topological_order
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.mixed.cases import MixedCases
from bayesloom.model.mixed.number_group import NumberGroup

SMALLEST_SHARE = 1e-14
"""A number is known exactly if what is left of its variance is a smaller share of its scale."""

_LEAST = 1e-290
"""The least variance that is divided by."""


@dataclass(frozen=True, slots=True, eq=False)
class NormalGroup:
    """A normal distribution for each configuration of the categories around a group, and case.

    Parameters
    ----------
    scope : tuple of int
        The categories, one axis each.
    nodes : tuple of int
        The numbers that are not observed and were kept, as they stand on the last axes.
    log_density : array
        The log density of what was observed, by case and configuration.
    mean : array
        The means, by case, configuration and number.
    covariance : array
        The covariances, by distinct case, configuration and two numbers.
    case_of : array
        The distinct case of every case.
    far : dict of int to float
        How many standard deviations each observed number is from what is expected of it given those
        before it, in the first case and the configuration that expects it most.
    """

    scope: tuple[int, ...]
    nodes: tuple[int, ...]
    log_density: Floats
    mean: Floats
    covariance: Floats
    case_of: Longs
    far: Mapping[int, float]

    def log_peak(self, nodes: Sequence[int], scale: Mapping[int, float]) -> Floats:
        """Return the log density of some of the numbers at their mean, by case and configuration.

        A number that is known exactly counts as if a share of its scale were left.
        """
        at = [self.nodes.index(v) for v in nodes]
        least = np.diag([SMALLEST_SHARE * scale[v] + _LEAST for v in nodes])
        spread = self.covariance[..., at, :][..., at] + least
        peak: Floats = -0.5 * np.linalg.slogdet(2 * math.pi * spread)[1]
        return peak[self.case_of] if len(peak) > 1 else peak

    def covariance_of(self, case: int) -> Floats:
        """Return the covariances in one case."""
        found: Floats = self.covariance[int(self.case_of[case]) if len(self.covariance) > 1 else 0]
        return found

    def variance(self, position: int) -> Floats:
        """Return the variance of one of the numbers by case and configuration, never negative."""
        spread = np.maximum(self.covariance[..., position, position], 0.0)
        found: Floats = spread[self.case_of] if len(spread) > 1 else spread
        return found


def scales(net: BayesNet) -> dict[int, float]:
    """Return a bound of the variance of every number: with it rounding is told from variance.

    Examples
    --------
    >>> from bayesloom.model import LinearGaussian
    >>> age, income = LinearGaussian(40.0, None, 3.0), LinearGaussian(0.0, [2.0], 8.0)
    >>> scales(BayesNet.from_tables({"age": ((), [], age), "income": ((), ["age"], income)}))
    {0: 9.0, 1: 100.0}
    """
    found: dict[int, float] = {}
    for v in topological_order(net.dag.parent_masks):
        if not net.number_mask >> v & 1:
            continue
        family = net.regression(net.names[v])
        parents = [u for u in bits(net.dag.parent_masks[v]) if net.number_mask >> u & 1]
        roots = np.array([math.sqrt(found[u]) for u in parents])
        reach = np.abs(family.coefficients) @ roots if parents else np.zeros(family.shape)
        found[v] = float((family.sds**2 + reach**2).max())
    return found


def condition(
    net: BayesNet,
    group: NumberGroup,
    cases: MixedCases,
    scale: Mapping[int, float],
    keep: Collection[int] = (),
) -> NormalGroup:
    """Return the normal distribution of a group given what was observed.

    Parameters
    ----------
    net : BayesNet
        The network.
    group : NumberGroup
        The group.
    cases : MixedCases
        What was observed.
    scale : mapping of int to float
        What `scales` gives.
    keep : collection of int
        The numbers whose distribution is asked for; others are forgotten once they are not needed.
    """
    around = sorted({c for v in group.members for c in bits(net.dag.parent_masks[v])})
    first, case_of = cases.distinct(c for c in around if not net.number_mask >> c & 1)
    work = _Work(net, group, cases, first, case_of)
    needed = _last_needed(net, group, keep)
    for position, v in enumerate(group.members):
        if v in cases.values:
            work.observe(v, cases.values[v], scale[v])
        else:
            work.join(v)
        work.forget(u for u in tuple(work.slot) if needed[u] <= position)
    return work.finished()


def _last_needed(net: BayesNet, group: NumberGroup, keep: Collection[int]) -> dict[int, int]:
    """Return after which family every hidden number may be forgotten."""
    kept = set(keep)
    last = {v: len(group.members) if v in kept else k for k, v in enumerate(group.members)}
    for k, v in enumerate(group.members):
        for u in bits(net.dag.parent_masks[v] & net.number_mask):
            if u in last:
                last[u] = max(last[u], k)
    return last


class _Work:
    """The normal distribution while families are added to it.

    ``mean`` has an axis for the cases and ``covariance`` one for the distinct cases, then one axis
    per category of the scope, which is 1 long as long as nothing depends on that category.
    """

    def __init__(
        self, net: BayesNet, group: NumberGroup, cases: MixedCases, first: Longs, case_of: Longs
    ) -> None:
        self.net, self.group, self.cases = net, group, cases
        self.first, self.case_of = first, case_of
        self.axis = {c: k + 1 for k, c in enumerate(group.scope)}
        self.slot: dict[int, int] = {}
        self.free: list[int] = []
        lead = (1,) * (1 + len(group.scope))
        self.mean: Floats = np.zeros((*lead, 0))
        self.covariance: Floats = np.zeros((*lead, 0, 0))
        self.log_density: Floats = np.zeros(lead)
        self.far: dict[int, float] = {}

    def join(self, v: int) -> None:
        """Add a number that is not observed."""
        mean, variance, with_others = self._predicted(v)
        self._widen(np.shape(mean), np.shape(variance))
        k = self.slot[v] = self.free.pop()
        if with_others is not None:
            with_others = np.pad(
                with_others,
                [(0, 0)] * (with_others.ndim - 1)
                + [(0, self.covariance.shape[-1] - with_others.shape[-1])],
            )
            self.covariance[..., k, :] = with_others
            self.covariance[..., :, k] = with_others
        self.covariance[..., k, k] = variance
        self.mean[..., k] = mean

    def observe(self, v: int, values: Floats, scale: float) -> None:
        """Condition on a number that is observed."""
        mean, variance, with_others = self._predicted(v)
        lead = (slice(None), *(None,) * len(self.axis))
        difference = values[lead] - mean
        least = np.maximum(SMALLEST_SHARE * scale, (SMALLEST_SHARE * values[lead]) ** 2)
        spread = np.maximum(self._of_cases(variance), np.maximum(least, _LEAST))
        self.far[v] = float(np.abs(difference[:1] / np.sqrt(spread[:1])).min())
        self.log_density = self.log_density - 0.5 * (
            np.log(2 * math.pi * spread) + difference * (difference / spread)
        )
        if with_others is None:
            return
        certain = variance <= SMALLEST_SHARE * scale
        gain = (
            np.where(certain[..., None], 0.0, with_others)
            / np.where(certain, 1.0, variance)[..., None]
        )
        self.mean = self.mean + self._of_cases(gain) * difference[..., None]
        self.covariance = self.covariance - gain[..., :, None] * with_others[..., None, :]

    def forget(self, nodes: Iterable[int]) -> None:
        """Drop numbers that no later family asks for."""
        for v in list(nodes):
            k = self.slot.pop(v)
            self.free.append(k)
            self.mean[..., k] = 0.0
            self.covariance[..., k, :] = 0.0
            self.covariance[..., :, k] = 0.0

    def finished(self) -> NormalGroup:
        """Return the distribution of what was kept, with all axes as long as they are."""
        nodes = tuple(sorted(self.slot))
        place = [self.slot[v] for v in nodes]
        sizes = tuple(len(self.net.states[c]) for c in self.group.scope)
        n, m = self.cases.n, len(self.first)
        return NormalGroup(
            self.group.scope,
            nodes,
            np.broadcast_to(self.log_density, (n, *sizes)),
            np.broadcast_to(self.mean[..., place], (n, *sizes, len(nodes))),
            np.broadcast_to(
                self.covariance[..., place, :][..., place], (m, *sizes, len(nodes), len(nodes))
            ),
            self.case_of,
            self.far,
        )

    def _predicted(self, v: int) -> tuple[Floats, Floats, Floats | None]:
        """Return the mean of a number, its variance, and its covariances with the hidden ones."""
        family = self.net.regression(self.net.names[v])
        parents = bits(self.net.dag.parent_masks[v])
        numbers = self.net.number_mask
        index = tuple(self._codes(c) for c in parents if not numbers >> c & 1)
        lead = () if index else (1,) * (1 + len(self.axis))  # without categories one for all
        intercept = family.intercepts[index].reshape(lead or self._shape(index))
        spread = family.sds[index].reshape(intercept.shape) ** 2
        slopes = family.coefficients[index].reshape(*intercept.shape, family.n_numbers)
        mean = self._of_cases(intercept)
        covariances = None
        number_parents = [u for u in parents if numbers >> u & 1]
        for k, u in enumerate(number_parents):
            slope = slopes[..., k]
            if u in self.cases.values:
                known = self.cases.values[u][(slice(None), *(None,) * len(self.axis))]
                mean = mean + self._of_cases(slope) * known
                continue
            place = self.slot[u]
            mean = mean + self._of_cases(slope) * self.mean[..., place]
            part = slope[..., None] * self.covariance[..., place]
            covariances = part if covariances is None else covariances + part
        if covariances is not None:
            for k, u in enumerate(number_parents):
                if u not in self.cases.values:
                    spread = spread + slopes[..., k] * covariances[..., self.slot[u]]
        return mean, np.maximum(spread, 0.0), covariances

    @staticmethod
    def _shape(index: tuple[Longs, ...]) -> tuple[int, ...]:
        return np.broadcast_shapes(*(codes.shape for codes in index))

    def _codes(self, c: int) -> Longs:
        """Return the states of a category as an index with the axes of the work."""
        shape = [1] * (1 + len(self.axis))
        if c in self.axis:
            shape[self.axis[c]] = len(self.net.states[c])
            return np.arange(len(self.net.states[c])).reshape(shape)
        shape[0] = len(self.first)
        return self.cases.states[c][self.first].reshape(shape)

    def _of_cases(self, array: Floats) -> Floats:
        """Return what is known of the distinct cases for every case."""
        return array[self.case_of] if array.shape[0] > 1 else array

    def _widen(self, mean: tuple[int, ...], variance: tuple[int, ...]) -> None:
        """Make room for one more number, and the axes that it needs."""
        if not self.free:
            self.free.append(self.mean.shape[-1])
            room = [(0, 0)] * (self.mean.ndim - 1)
            self.mean = np.pad(self.mean, [*room, (0, 1)])
            self.covariance = np.pad(self.covariance, [*room, (0, 1), (0, 1)])
        self.mean = _spread(self.mean, mean, 1)
        self.covariance = _spread(self.covariance, variance, 2)


def _spread(array: Floats, lead: tuple[int, ...], inner: int) -> Floats:
    """Return an array repeated along the axes that are longer elsewhere; one's own to write to."""
    shape = np.broadcast_shapes(array.shape[:-inner], lead)
    wide = (*shape, *array.shape[-inner:])
    return array if array.shape == wide else np.broadcast_to(array, wide).copy()
