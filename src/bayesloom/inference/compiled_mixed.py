"""A network with numbers made ready for many queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import EvidenceError, OptionError, check_number, listed, shown
from bayesloom.inference.case import Case, Given, Known, Soft, read_case
from bayesloom.inference.mixed_posterior import MixedPosterior
from bayesloom.inference.number_posterior import NumberPosterior, mixture
from bayesloom.inference.posterior import (
    Explanation,
    JointPosterior,
    Posterior,
    checked_targets,
)
from bayesloom.model import BayesNet
from bayesloom.model.mixed.cases import MixedCases
from bayesloom.model.mixed.normal_group import NormalGroup
from bayesloom.model.mixed.question import MixedAnswer, MixedQuestion, Prepared

_MOST_MEMORY = 1e18
_FAR = 10.0
"""Standard deviations from which evidence is told to be far out."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CompiledMixedNet:
    """A network with numbers in the form that queries need; make it with `compile_net`.

    Numbers are integrated out first and categories summed out after them, all in logarithms, so
    that evidence far out in the tails is no special case. Everything is exact: the posterior of a
    number is the mixture of normals that it is. What does not fit into ``memory`` is refused before
    it is computed.

    Parameters
    ----------
    net : BayesNet
        The network.
    memory : float
        The bytes that one query may take.

    Examples
    --------
    >>> from bayesloom.model import LinearGaussian
    >>> income = LinearGaussian([1000.0, 900.0], [[412.0], [350.0]], 300.0)
    >>> net = BayesNet.from_tables(
    ...     {
    ...         "smoker": (["no", "yes"], [], [0.75, 0.25]),
    ...         "age": ((), [], LinearGaussian(40.0, None, 12.0)),
    ...         "income": ((), ["smoker", "age"], income),
    ...     }
    ... )
    >>> compiled = CompiledMixedNet(net, 1e9)
    >>> compiled.posterior("income", {"age": 39, "smoker": "yes"})
    income | smoker=yes, age=39: mean 14550, sd 300; log density of the evidence -4.79361
    >>> compiled.posterior("smoker", {"age": 39, "income": 14700})
    P(smoker | age=39, income=14700): no 1.00487e-13, yes 1; log density of the evidence -11.5413
    """

    net: BayesNet
    memory: float
    prepared: Prepared = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_number("memory", self.memory, above=0, most=_MOST_MEMORY)
        by_name = self.net.reordered(sorted(self.net.names))
        object.__setattr__(self, "prepared", Prepared(by_name, self.memory))

    def posterior(
        self, target: str, given: Given | None = None, *, soft: Soft | None = None
    ) -> Posterior | NumberPosterior:
        """Return the posterior of one variable.

        Parameters
        ----------
        target : str
            The variable asked for.
        given, soft : optional
            Evidence and likelihoods, as for `query`.

        Raises
        ------
        UnknownVariableError, UnknownStateError, EvidenceError, CapacityError
            As for `query`.
        """
        return self._posterior(target, self._case(given, soft))

    def posteriors(
        self,
        targets: Iterable[str] | None = None,
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> dict[str, Posterior | NumberPosterior]:
        """Return the posteriors of several variables, by default of all, by name."""
        case = self._case(given, soft)
        names = self.net.names if targets is None else checked_targets(targets)
        return {name: self._posterior(name, case) for name in names}

    def joint(
        self, targets: Sequence[str], given: Given | None = None, *, soft: Soft | None = None
    ) -> JointPosterior | MixedPosterior:
        """Return the joint posterior of several variables, wherever they are in the network."""
        names, case = checked_targets(targets), self._case(given, soft)
        net = self.prepared.net
        nodes = [net.index(name) for name in names]
        categories = [v for v in nodes if not net.number_mask >> v & 1]
        numbers = [v for v in nodes if net.number_mask >> v & 1]
        answer, known = self._asked(case, categories, numbers)
        if not numbers:
            return self._joint_of_categories(categories, answer, known, case)
        return self._mixed(categories, numbers, answer, known, case)

    def joints(
        self,
        sets: Iterable[Sequence[str]],
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> list[JointPosterior | MixedPosterior]:
        """Return the joint posterior of each of several sets of variables."""
        return [self.joint(names, given, soft=soft) for names in sets]

    def log_evidence(self, given: Given | None = None, *, soft: Soft | None = None) -> float:
        """Return the natural logarithm of the density of evidence; minus infinity for 0."""
        case = self._case(given, soft)
        question = self._question(case, (), ())
        return float(question.answer(one_case(case)).log_evidence[0]) + case.log_scale

    def most_probable(
        self,
        targets: str | Iterable[str] | None = None,
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Explanation:
        """Return the most probable states and values of some variables, by default of all.

        With numbers it is the point of the largest joint density. Other categories are summed out;
        if there are any that a number asked for is a mixture over, there is no closed form, and it
        is refused.

        Parameters
        ----------
        targets : str or iterable of str, optional
            The variables asked for. Default: all.
        given, soft
            Evidence, as for `posterior`.
        """
        if isinstance(targets, Mapping):
            msg = "targets must be names of variables; give evidence as given={...}"
            raise OptionError(msg)
        case = self._case(given, soft)
        names = self.net.names if targets is None else checked_targets(targets)
        return _Maximum(self, case, names).explanation()

    def log_densities_of(self, cases: MixedCases) -> Floats:
        """Return the log density of what is known in each of many cases."""
        question = MixedQuestion(self.prepared, tuple(cases.states), tuple(cases.values))
        question.check_size()
        found = np.empty(cases.n)
        for start in range(0, cases.n, question.at_once):
            rows = slice(start, start + question.at_once)
            found[rows] = question.answer(cases.part(rows)).log_evidence
        return found

    def _case(self, given: Given | None, soft: Soft | None) -> Case:
        return read_case(self.prepared.net, given, soft)

    def _posterior(self, target: str, case: Case) -> Posterior | NumberPosterior:
        net = self.prepared.net
        v = net.index(target)
        if not net.number_mask >> v & 1:
            answer, known = self._asked(case, [v], [])
            joint = self._joint_of_categories([v], answer, known, case)
            return joint.marginal(target)
        answer, known = self._asked(case, [], [v])
        log_evidence = float(answer.log_evidence[0]) + case.log_scale
        if v in case.value:
            certain = (np.ones(1), np.array([case.value[v]]), np.zeros(1))
            return mixture(target, certain, log_evidence, known)
        normal = _normal(answer)
        k = normal.nodes.index(v)
        parts = (np.exp(answer.log_weights), normal.mean[..., k], normal.variance(k))
        return mixture(target, parts, log_evidence, known)

    def _question(
        self, case: Case, categories: Sequence[int], numbers: Sequence[int]
    ) -> MixedQuestion:
        question = MixedQuestion(
            self.prepared,
            tuple(case.state),
            tuple(case.value),
            tuple(case.likelihood),
            [v for v in categories if v not in case.state],
            [v for v in numbers if v not in case.value],
        )
        question.check_size()
        return question

    def _asked(
        self, case: Case, categories: Sequence[int], numbers: Sequence[int]
    ) -> tuple[MixedAnswer, Known]:
        """Return the answer to a question in one case, and the evidence by names."""
        question = self._question(case, categories, numbers)
        answer = question.answer(one_case(case))
        net = self.prepared.net
        known = case.known(net)
        if answer.log_evidence[0] == -math.inf:
            msg = (
                f"the evidence {case.describe(net)} is impossible: the network gives it "
                "probability 0"
            )
            raise EvidenceError(msg)
        far = {v: z for v, z in answer.far.items() if z > _FAR}
        notes = tuple(
            f"{shown(net.names[v])}={case.value[v]:.6g} is {far[v]:.3g} standard deviations from "
            "what the network expects, whatever the categories are: the answer rests on its tails"
            for v in sorted(far)
        )
        return answer, replace(known, notes=notes)

    def _joint_of_categories(
        self, nodes: Sequence[int], answer: MixedAnswer, known: Known, case: Case
    ) -> JointPosterior:
        net = self.prepared.net
        table = np.zeros([len(net.states[v]) for v in nodes])
        place = tuple(case.state.get(v, slice(None)) for v in nodes)
        table[place] = np.exp(answer.log_weights[0])
        table.flags.writeable = False
        names = tuple(net.names[v] for v in nodes)
        states = tuple(net.states[v] for v in nodes)
        log_evidence = float(answer.log_evidence[0]) + case.log_scale
        return JointPosterior(names, states, table, log_evidence, known)

    def _mixed(
        self,
        categories: Sequence[int],
        numbers: Sequence[int],
        answer: MixedAnswer,
        known: Known,
        case: Case,
    ) -> MixedPosterior:
        net = self.prepared.net
        weights = np.exp(answer.log_weights[0]).ravel()
        places = np.indices(answer.log_weights.shape[1:]).reshape(len(answer.scope), weights.size)
        there = weights > 0
        means = np.zeros((weights.size, len(numbers)))
        spreads = np.zeros((weights.size, len(numbers), len(numbers)))
        if answer.normal is not None:
            normal = answer.normal
            own = tuple(places[answer.scope.index(c)] for c in normal.scope)
            mean, spread = normal.mean[0][own], normal.covariance_of(0)[own]
            mean = np.broadcast_to(mean, (weights.size, *mean.shape[-1:]))
            spread = np.broadcast_to(spread, (weights.size, *spread.shape[-2:]))
            inner = [k for k, v in enumerate(numbers) if v in normal.nodes]
            at = [normal.nodes.index(numbers[k]) for k in inner]
            means[:, inner] = mean[:, at]
            spreads[:, np.array(inner)[:, None], inner] = spread[:, np.array(at)[:, None], at]
        for k, v in enumerate(numbers):
            if v in case.value:
                means[:, k] = case.value[v]
        codes = np.empty((weights.size, len(categories)), np.int64)
        for k, v in enumerate(categories):
            codes[:, k] = case.state[v] if v in case.state else places[answer.scope.index(v)]
        return MixedPosterior(
            tuple(net.names[v] for v in categories),
            tuple(net.names[v] for v in numbers),
            tuple(net.states[v] for v in categories),
            weights[there],
            codes[there],
            means[there],
            spreads[there],
            float(answer.log_evidence[0]) + case.log_scale,
            known,
        )

    def __repr__(self) -> str:
        n = len(self.net.numbers)
        return (
            f"CompiledMixedNet of {self.net.n} variables, {n} of them numbers, at most "
            f"{self.memory / 1e9:.3g} GB a query"
        )


class _Maximum:
    """Finds the most probable explanation of one case."""

    def __init__(self, compiled: CompiledMixedNet, case: Case, names: Sequence[str]) -> None:
        self.compiled, self.case, self.names = compiled, case, names
        self.prepared, self.net = compiled.prepared, compiled.prepared.net

    def explanation(self) -> Explanation:
        """Return the states and values."""
        net, case = self.net, self.case
        nodes = [net.index(name) for name in self.names]
        numbers = [v for v in nodes if net.number_mask >> v & 1 and v not in case.value]
        categories = [v for v in nodes if not net.number_mask >> v & 1 and v not in case.state]
        hidden = [v for v in range(net.n) if not net.number_mask >> v & 1 and v not in case.state]
        if set(hidden) <= set(categories):
            states, log = self._of_all(categories, numbers)
        else:
            states, log = self._of_some(categories, numbers)
        values = self._modes(states, numbers) | case.value
        answer, known = self.compiled._asked(case, (), ())  # noqa: SLF001 - one class in two parts
        return Explanation(
            {
                name: net.states[v][states[v]]
                for name, v in zip(self.names, nodes, strict=True)
                if v in states
            },
            log + case.log_scale,
            float(answer.log_evidence[0]) + case.log_scale,
            known,
            {name: values[v] for name, v in zip(self.names, nodes, strict=True) if v in values},
        )

    def _of_all(
        self, categories: Sequence[int], numbers: Sequence[int]
    ) -> tuple[dict[int, int], float]:
        """Maximise over all categories; numbers not asked for are integrated out."""
        case = self.case
        soft, extra = tuple(case.likelihood), (*categories, *numbers)
        question = MixedQuestion(
            self.prepared, tuple(case.state), tuple(case.value), soft, extra=extra
        )
        question.check_size()
        codes, log = question.largest(one_case(case))
        return {v: int(k[0]) for v, k in codes.items()}, float(log[0])

    def _of_some(
        self, categories: Sequence[int], numbers: Sequence[int]
    ) -> tuple[dict[int, int], float]:
        """Maximise over some categories, the others summed out."""
        question = self.compiled._question(self.case, categories, numbers)  # noqa: SLF001
        rest = [c for c in question.scope if c not in categories]
        if rest and numbers:
            msg = (
                f"the most probable value of {listed(self.net.names[v] for v in numbers)} has no "
                f"closed form, because it is a mixture over "
                f"{listed(self.net.names[c] for c in rest)}; ask for these, too, or query the "
                "mixture itself"
            )
            raise OptionError(msg)
        answer = question.answer(one_case(self.case))
        logs = answer.log_weights[0] + answer.log_evidence[0]
        if numbers:
            normal = _normal(answer)
            peak = normal.log_peak(numbers, self.prepared.scale)[0]
            logs = logs + _over(peak, normal.scope, question.scope)
        best = int(np.argmax(logs >= logs.max() - 1e-11))
        places = np.unravel_index(best, logs.shape) if logs.ndim else ()
        found = dict(zip(question.scope, map(int, places), strict=True))
        return found | self.case.state, float(np.reshape(logs, -1)[best])

    def _modes(self, states: Mapping[int, int], numbers: Sequence[int]) -> dict[int, float]:
        """Return the means of the numbers in a configuration: where the density is largest."""
        if not numbers:
            return {}
        case = self.case
        cases = MixedCases(
            1,
            {v: np.array([k]) for v, k in states.items()},
            {v: np.array([x]) for v, x in case.value.items()},
        )
        question = MixedQuestion(self.prepared, tuple(states), tuple(case.value), (), (), numbers)
        normal = _normal(question.answer(cases))
        means = normal.mean.reshape(-1, len(normal.nodes))[0]
        return {v: float(means[normal.nodes.index(v)]) for v in numbers}


def _over(values: Floats, own: Sequence[int], scope: Sequence[int]) -> Floats:
    """Return values over some categories with an axis for every category of a scope."""
    place = [list(scope).index(c) for c in own]
    shape = [1] * len(scope)
    for k, size in zip(place, values.shape, strict=True):
        shape[k] = size
    return values.transpose(np.argsort(place, kind="stable")).reshape(shape)


def one_case(case: Case, n: int = 1) -> MixedCases:
    """Return evidence as it is looked at, as often as it is wanted."""
    with np.errstate(divide="ignore"):
        likelihood = {v: np.log(values) for v, values in case.likelihood.items()}
    return MixedCases(
        n,
        {v: np.full(n, k) for v, k in case.state.items()},
        {v: np.full(n, x) for v, x in case.value.items()},
        likelihood,
    )


def _normal(answer: MixedAnswer) -> NormalGroup:
    if answer.normal is None:
        msg = "the numbers asked for are known"
        raise OptionError(msg)
    return answer.normal
