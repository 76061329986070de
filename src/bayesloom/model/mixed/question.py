"""A question about a network with numbers: what it takes, and its answer in many cases."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import CapacityError, listed
from bayesloom.graphs import ancestors, bits, mask_of
from bayesloom.graphs.ancestry import topological_order
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.mixed.cases import MixedCases
from bayesloom.model.mixed.elimination import (
    EliminationPlan,
    LogFactor,
    SummedOut,
    eliminated,
    log_sum,
    planned,
    traced_back,
)
from bayesloom.model.mixed.normal_group import NormalGroup, condition, scales
from bayesloom.model.mixed.number_group import NumberGroup, number_groups

_AT_ONCE = 1 << 21
"""Cells that cases are looked at together for, unless one case needs more."""


@dataclass(frozen=True, slots=True, eq=False)
class MixedAnswer:
    """The distribution of what was asked for, in every case.

    Parameters
    ----------
    scope : tuple of int
        The categories asked for, and those that the numbers asked for are a mixture over.
    log_weights : array
        The logarithms of their joint probabilities given the evidence, by case.
    log_evidence : array
        The log density of the evidence by case; only its changes mean something if parts of it that
        have no bearing on the answer were left out.
    normal : NormalGroup or None
        The distribution of the numbers asked for, by case and configuration.
    far : mapping of int to float
        How many standard deviations each observed number is from what is expected; see
        `NormalGroup`.
    """

    scope: tuple[int, ...]
    log_weights: Floats
    log_evidence: Floats
    normal: NormalGroup | None = None
    far: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A network with numbers and what all questions about it need.

    Parameters
    ----------
    net : BayesNet
        The network, its variables in name order.
    memory : float
        The bytes that an answer may take.
    """

    net: BayesNet
    memory: float
    order: tuple[int, ...] = field(init=False)
    scale: Mapping[int, float] = field(init=False)
    logs: Mapping[int, Floats] = field(init=False)

    def __post_init__(self) -> None:
        numbers = self.net.number_mask
        order = topological_order(self.net.dag.parent_masks)
        object.__setattr__(self, "order", tuple(v for v in order if numbers >> v & 1))
        object.__setattr__(self, "scale", scales(self.net))
        with np.errstate(divide="ignore"):
            tables = [(v, self.net.families[v]) for v in range(self.net.n) if not numbers >> v & 1]
            logs = {v: np.log(table) for v, table in tables if isinstance(table, np.ndarray)}
        object.__setattr__(self, "logs", logs)

    @property
    def sizes(self) -> dict[int, int]:
        """How many states each category has."""
        return {v: table.shape[-1] for v, table in self.logs.items()}


@dataclass(frozen=True, slots=True, eq=False)
class MixedQuestion:
    """What is asked for and what is known of it, by node; ready for the cases themselves.

    Parameters
    ----------
    prepared : Prepared
        The network.
    states, values, soft : collection of int
        The categories and the numbers that are known, and the categories with likelihoods.
    categories, numbers : sequence of int
        What is asked for: not known.
    everything : bool
        Whether the evidence is weighed that has no bearing on the answer, too.
    extra : sequence of int
        Variables that are taken out like others, but must not be left out: for maxima and draws.
    """

    prepared: Prepared
    states: Collection[int]
    values: Collection[int]
    soft: Collection[int] = ()
    categories: Sequence[int] = ()
    numbers: Sequence[int] = ()
    everything: bool = True
    extra: Sequence[int] = ()
    groups: tuple[NumberGroup, ...] = field(init=False)
    asked: NumberGroup | None = field(init=False)
    families: tuple[int, ...] = field(init=False)
    scope: tuple[int, ...] = field(init=False)
    plan: EliminationPlan = field(init=False)

    def __post_init__(self) -> None:
        net = self.prepared.net
        parents, is_number = net.dag.parent_masks, net.number_mask
        only_numbers = [mask & is_number for mask in parents]
        extra = mask_of(self.extra)
        wanted = ancestors(only_numbers, mask_of([*self.values, *self.numbers]) | extra & is_number)
        order = [v for v in self.prepared.order if wanted >> v & 1]
        observed = {*self.states, *self.values}
        groups = number_groups(net, order, observed, self.numbers)
        asked = next((group for group in groups if set(self.numbers) & {*group.hidden}), None)
        above = mask_of([*self.states, *self.soft, *self.categories]) | extra & ~is_number
        for v in order:
            above |= parents[v] & ~is_number
        relevant = bits(ancestors(parents, above)) if above else []
        inner = asked.scope if asked else ()
        scope = (*self.categories, *(c for c in inner if c not in self.categories))
        families = [(v, self._hidden(v)) for v in relevant]
        if not self.everything:
            groups, families = _connected(groups, families, {*scope}, asked)
        scopes = [part for _, part in families] + [group.scope for group in groups]
        object.__setattr__(self, "groups", tuple(groups))
        object.__setattr__(self, "asked", asked)
        object.__setattr__(self, "families", tuple(v for v, _ in families))
        object.__setattr__(self, "scope", scope)
        object.__setattr__(self, "plan", planned(scopes, self.prepared.sizes, scope))

    @property
    def cells(self) -> float:
        """The cells of the largest array that a case needs."""
        sizes = self.prepared.sizes
        most = self.plan.cells
        for group in self.groups:
            around = math.prod((float(sizes[c]) for c in group.scope), start=1.0)
            most = max(most, around * (len(group.hidden) + 1) ** 2)
        return most

    def check_size(self) -> None:
        """Refuse what does not fit into the memory allowed, before it is computed.

        Raises
        ------
        CapacityError
            If one case does not fit.
        """
        needed = 8 * self.cells
        if needed <= self.prepared.memory:
            return
        net = self.prepared.net
        names = [net.names[v] for v in (*self.categories, *self.numbers)]
        what = f"posterior of {listed(names)}" if names else "density of the evidence"
        msg = (
            f"the {what} needs a table of about {self.cells:.3g} cells ({needed / 1e9:.3g} GB), "
            f"because the numbers in it hang together with so many categories; the limit is "
            f"{self.prepared.memory / 1e9:.3g} GB, so allow more memory or give more evidence"
        )
        raise CapacityError(msg)

    @property
    def at_once(self) -> int:
        """How many cases are looked at together."""
        return max(1, int(_AT_ONCE / self.cells))

    def answer(self, cases: MixedCases, keep: Iterable[int] | None = None) -> MixedAnswer:
        """Return the answer in each case.

        Parameters
        ----------
        cases : MixedCases
            What is known.
        keep : iterable of int, optional
            The numbers whose distribution is wanted; by default those asked for.
        """
        far: dict[int, float] = {}
        kept = self.numbers if keep is None else keep
        factors, constant, normal = self.factors(cases, kept, far=far)
        logs = eliminated(factors, self.plan, self.scope)
        logs = np.broadcast_to(logs, (cases.n, *logs.shape[1:]))
        total = log_sum(logs.reshape(cases.n, -1), 1)
        possible = np.where(np.isfinite(total), total, 0.0)
        weights = logs - possible.reshape(-1, *(1,) * (logs.ndim - 1))
        return MixedAnswer(self.scope, weights, total + constant, normal, far)

    def factors(
        self,
        cases: MixedCases,
        keep: Iterable[int],
        *,
        peaks: bool = False,
        far: dict[int, float] | None = None,
    ) -> tuple[list[LogFactor], Floats, NormalGroup | None]:
        """Return the factors over the categories that are not known, and a constant by case.

        With ``peaks`` the numbers kept count with their largest densities.
        """
        kept = tuple(keep)
        constant = np.zeros(cases.n)
        factors: list[LogFactor] = []
        normal = None
        for group in self.groups:
            own = condition(self.prepared.net, group, cases, self.prepared.scale, kept)
            if group is self.asked:
                normal = own
            if far is not None:
                far |= own.far
            peak = own.log_peak(own.nodes, self.prepared.scale) if peaks else 0.0
            factors.append(LogFactor(group.scope, own.log_density + peak))
        factors += [self._table_factor(v, cases) for v in self.families]
        factors += [
            LogFactor((), logs[cases.states[v]])
            if v in cases.states
            else LogFactor((v,), logs[None])
            for v, logs in cases.likelihood.items()
            if v in self.families
        ]
        for factor in factors:
            if not factor.scope:
                constant = constant + factor.values
        return [factor for factor in factors if factor.scope], constant, normal

    def means(self, group: NumberGroup, cases: MixedCases) -> dict[int, Floats]:
        """Return the means of the hidden numbers of a group where all categories are known."""
        own = condition(self.prepared.net, group, cases, self.prepared.scale, group.hidden)
        return {v: own.mean[..., k] for k, v in enumerate(own.nodes)}

    def drawn(self, cases: MixedCases, rng: np.random.Generator) -> dict[int, Longs]:
        """Draw a state of every category that matters and is not known, in each case."""
        factors, _, _ = self.factors(cases, ())
        noted: list[SummedOut] = []
        eliminated(factors, self.plan, (), steps=noted)
        return traced_back(noted, dict(cases.states), cases.n, rng)

    def largest(self, cases: MixedCases) -> tuple[dict[int, Longs], Floats]:
        """Return the most probable states of all that matters in each case, and their logarithms.

        The numbers of ``extra`` count with the largest density that they have in a configuration.
        """
        numbers = [v for v in self.extra if self.prepared.net.number_mask >> v & 1]
        factors, constant, _ = self.factors(cases, numbers, peaks=True)
        noted: list[SummedOut] = []
        logs = eliminated(factors, self.plan, (), steps=noted, maximum=True)
        return traced_back(noted, dict(cases.states), cases.n), logs + constant

    def _hidden(self, v: int) -> tuple[int, ...]:
        """Return the categories of a family that are not known."""
        family = bits(self.prepared.net.dag.parent_masks[v] | 1 << v)
        return tuple(c for c in family if c not in self.states)

    def _table_factor(self, v: int, cases: MixedCases) -> LogFactor:
        scope = self._hidden(v)
        axis = {c: k + 1 for k, c in enumerate(scope)}
        index = []
        known = False
        for c in (*bits(self.prepared.net.dag.parent_masks[v]), v):
            shape = [1] * (1 + len(scope))
            if c in axis:
                shape[axis[c]] = -1
                codes: Longs = np.arange(self.prepared.sizes[c])
            else:
                shape[0], known = -1, True
                codes = cases.states[c]
            index.append(codes.reshape(shape))
        values = self.prepared.logs[v][tuple(index)]
        return LogFactor(
            scope, values if known else values.reshape(1, *values.shape[-len(scope) :])
        )


def _connected(
    groups: Sequence[NumberGroup],
    families: Sequence[tuple[int, tuple[int, ...]]],
    reached: set[int],
    asked: NumberGroup | None,
) -> tuple[list[NumberGroup], list[tuple[int, tuple[int, ...]]]]:
    """Return what hangs together with what is asked for by categories that are not known."""
    scopes = [{*group.scope} for group in groups] + [{*scope} for _, scope in families]
    near = set()
    found = True
    while found:
        found = False
        for k, scope in enumerate(scopes):
            if k not in near and scope & reached:
                near.add(k)
                found = found or not scope <= reached
                reached |= scope
    return (
        [group for k, group in enumerate(groups) if k in near or group is asked],
        [family for k, family in enumerate(families, start=len(groups)) if k in near],
    )
