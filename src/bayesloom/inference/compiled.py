"""A network made ready for many queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import (
    CapacityError,
    EvidenceError,
    OptionError,
    check_kind,
    check_number,
    listed,
)
from bayesloom.inference.case import Case, Given, Soft, read_case
from bayesloom.inference.flat_net import FlatNet, flatten, good_order
from bayesloom.inference.posterior import (
    Explanation,
    JointPosterior,
    Posterior,
    Posteriors,
    checked_targets,
)
from bayesloom.model import AnyNet, BayesNet, as_bayes_net

DEFAULT_MEMORY = 2 << 30
"""Bytes that the tables of a query may take unless the user says otherwise: 2 GiB."""

_MOST_MEMORY = 1e18
_MOST_AXES = 64  # of a numpy array
_EQUAL = 1e-11  # probabilities that differ by less, relatively, are equal


class Strategy(Enum):
    """How several posteriors are computed."""

    BEST = 0
    """Whichever of the others costs less."""

    TOGETHER = 1
    """One elimination of all that matters for any of them, there and back."""

    APART = 2
    """An elimination for each, of only what matters for it; equal steps are done once."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CompiledNet:
    """A network in the form that queries need; make it with `compile_net`.

    Every query drops what does not matter for it (variables below all that is asked or known, and
    parts that the evidence separates from it), cuts the tables to the evidence, and sums variables
    out of products of tables. What does not fit into ``memory`` is refused before it is computed.
    Case whose probability is below the range of floats is computed with logarithms. An answer
    depends neither on the order of the variables nor on the machine.

    Parameters
    ----------
    net : BayesNet
        The network.
    flat : FlatNet
        Its tables in native memory.
    memory : float
        The bytes that the tables of one query may take.
    strategy : Strategy
        How several posteriors are computed.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> compiled = compile_net(example("asia"))
    >>> compiled.posterior("smoke", {"lung": "yes"})
    P(smoke | lung=yes): yes 0.909091, no 0.0909091; probability of the evidence 0.055
    >>> compiled.posteriors()["lung"]
    P(lung): yes 0.055, no 0.945
    >>> compiled.most_probable(["smoke", "bronc"], given={"dysp": "yes"})
    Explanation(smoke=yes, bronc=yes) with probability 0.558021 given dysp=yes
    """

    net: BayesNet
    flat: FlatNet = field(repr=False)
    memory: float = DEFAULT_MEMORY
    strategy: Strategy = Strategy.BEST

    def __post_init__(self) -> None:
        check_number("memory", self.memory, above=0, most=_MOST_MEMORY)
        check_kind("strategy", self.strategy, Strategy, "a Strategy such as Strategy.BEST")

    def posterior(
        self, target: str, given: Given | None = None, *, soft: Soft | None = None
    ) -> Posterior:
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

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
        >>> compile_net(net).posterior("rain", soft={"rain": {"no": 1, "yes": 4}})["yes"]
        0.5
        """
        return self.posteriors([target], given, soft=soft)[target]

    def posteriors(
        self,
        targets: Iterable[str] | None = None,
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Posteriors:
        """Return the posteriors of several variables, by default of all.

        An observed variable has all its probability on the state observed. The other parameters
        and the errors are those of `posterior`.
        """
        names = self.net.names if targets is None else checked_targets(targets)
        case = read_case(self.net, given, soft)
        nodes = {name: self.net.index(name) for name in names}
        sets = [[v] for v in self.flat.in_order(list(nodes.values()))]
        tables, log_evidence = self._answer(sets, case, names)
        found = {v: table for (v,), table in zip(sets, tables, strict=True)}
        states = {name: self.net.states[v] for name, v in nodes.items()}
        arrays = {name: found[v] for name, v in nodes.items()}
        return Posteriors(states, arrays, log_evidence, case.known(self.net))

    def posterior_of_node(self, node: int, state: dict[int, int]) -> Floats | None:
        """Return the posterior of a node given states by node; None if they are impossible.

        This is the door for callers that have numbers in place of names.
        """
        case = Case(state, {}, 0.0)
        tables, log_evidence = self._answer(
            [[node]], case, self.net.names[node : node + 1], may_be_impossible=True
        )
        return None if log_evidence == -math.inf else tables[0]

    def joint(
        self, targets: Sequence[str], given: Given | None = None, *, soft: Soft | None = None
    ) -> JointPosterior:
        """Return the joint posterior of several variables, wherever they are in the network.

        The parameters and the errors are those of `posterior`.

        Examples
        --------
        >>> no_yes = ["no", "yes"]
        >>> net = BayesNet.from_tables(
        ...     {"a": (no_yes, [], [0.5, 0.5]), "b": (no_yes, ["a"], [[0.5, 0.5], [0.0, 1.0]])}
        ... )
        >>> compile_net(net).joint(["b", "a"]).probabilities
        array([[0.25, 0.  ],
               [0.25, 0.5 ]])
        """
        return self.joints([targets], given, soft=soft)[0]

    def joints(
        self,
        sets: Iterable[Sequence[str]],
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> list[JointPosterior]:
        """Return the joint posterior of each of several sets of variables, sharing the work.

        The other parameters and the errors are those of `posterior`.

        Raises
        ------
        OptionError
            If a set is empty, names a variable twice or has more than 64 variables.
        """
        case = read_case(self.net, given, soft)
        wanted = [checked_targets(names) for names in sets]
        for names in wanted:
            _check_axes(names)
        nodes = [[self.net.index(name) for name in names] for names in wanted]
        tables, log_evidence = self._answer(nodes, case, [name for part in wanted for name in part])
        known = case.known(self.net)
        return [
            JointPosterior(
                names, tuple(self.net.states[v] for v in part), table, log_evidence, known
            )
            for names, part, table in zip(wanted, nodes, tables, strict=True)
        ]

    def log_evidence(self, given: Given | None = None, *, soft: Soft | None = None) -> float:
        """Return the natural logarithm of the probability of evidence; minus infinity for 0.

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [1.0, 0.0])})
        >>> compile_net(net).log_evidence({"rain": "yes"})
        -inf
        """
        case = read_case(self.net, given, soft)
        return self._answer([], case, (), may_be_impossible=True)[1]

    def most_probable(
        self,
        targets: str | Iterable[str] | None = None,
        given: Given | None = None,
        *,
        soft: Soft | None = None,
    ) -> Explanation:
        """Return the most probable states of some variables (MAP), by default of all (MPE).

        The states are those that are most probable *together*, which need not be the most probable
        state of each. Variables that are not asked for are summed out, so the joint posterior of
        the others has to fit into memory; for all together it has not. Among equally probable
        answers the one with the lower states wins, variable by variable in a fixed order.

        Parameters
        ----------
        targets : str or iterable of str, optional
            The variables asked for. Default: all.
        given, soft
            Evidence, as for `posterior`.

        Raises
        ------
        OptionError
            If no variable or one twice is asked for, or evidence is given in place of variables.
        UnknownVariableError, UnknownStateError, EvidenceError, CapacityError
            As for `posterior`.

        Examples
        --------
        >>> no_yes = ["no", "yes"]
        >>> net = BayesNet.from_tables(
        ...     {"a": (no_yes, [], [0.4, 0.6]), "b": (no_yes, ["a"], [[0, 1.0], [0.5, 0.5]])}
        ... )
        >>> compile_net(net).most_probable()  # the most probable state of a alone is yes
        Explanation(a=no, b=yes) with probability 0.4
        >>> compile_net(net).most_probable("a")
        Explanation(a=yes) with probability 0.6
        """
        if isinstance(targets, Mapping):
            msg = "targets must be names of variables; give evidence as given={...}"
            raise OptionError(msg)
        case = read_case(self.net, given, soft)
        names = self.net.names if targets is None else checked_targets(targets)
        nodes = {self.net.index(name) for name in names}
        if len(nodes | case.state.keys()) == self.net.n:
            states, log_probability, log_evidence = self._most_probable_of_all(case)
        else:
            states, log_probability, log_evidence = self._most_probable_of(sorted(names), case)
        labels = {name: self.net.states_of(name)[states[self.net.index(name)]] for name in names}
        return Explanation(labels, log_probability, log_evidence, case.known(self.net))

    def _most_probable_of_all(self, case: Case) -> tuple[dict[int, int], float, float]:
        log_evidence = self._answer([], case, ())[1]
        states, log_probability, needed = self.flat.explain(case, self.memory)
        self._check_size(needed, "the most probable explanation")
        return dict(enumerate(states)), log_probability, log_evidence

    def _most_probable_of(
        self, names: Sequence[str], case: Case
    ) -> tuple[dict[int, int], float, float]:
        """Return the states of the largest entry of a joint posterior."""
        nodes = [self.net.index(name) for name in names if self.net.index(name) not in case.state]
        _check_axes(nodes)
        (table,), log_evidence = self._answer([nodes], case, names)
        flat = table.ravel()
        best = int(np.argmax(flat >= flat.max() * (1 - _EQUAL)))
        places = np.unravel_index(best, table.shape)
        states = case.state | dict(zip(nodes, map(int, places), strict=True))
        return states, log_evidence + math.log(flat[best]), log_evidence

    def _answer(
        self,
        sets: list[list[int]],
        case: Case,
        names: Sequence[str],
        *,
        may_be_impossible: bool = False,
    ) -> tuple[list[Floats], float]:
        """Return the joint table of each set of nodes, and the log-probability of the evidence."""
        unknown = [self.flat.in_order([v for v in part if v not in case.state]) for part in sets]
        tables, log_evidence, needed = self.flat.posteriors(
            [part for part in unknown if part],
            case,
            strategy=self.strategy.value,
            memory=self.memory,
        )
        what = f"posterior of {listed(names)}" if names else "probability of the evidence"
        self._check_size(needed, f"the {what}")
        if log_evidence == -math.inf and not may_be_impossible:
            text = case.describe(self.net)
            msg = f"the evidence {text} is impossible: the network gives it probability 0"
            raise EvidenceError(msg)
        rest = iter(tables)
        arranged = [
            self._arranged(next(rest) if part else np.ones(1), part, members, case)
            for part, members in zip(unknown, sets, strict=True)
        ]
        return arranged, log_evidence

    def _check_size(self, needed: float, what: str) -> None:
        if needed > self.memory:
            msg = (
                f"{what} needs tables of about {needed / 8:.3g} cells ({needed / 1e9:.3g} GB), "
                f"more than the limit of {self.memory / 1e9:.3g} GB; allow more memory, ask for "
                "fewer variables or give more evidence"
            )
            raise CapacityError(msg)

    def _arranged(self, table: Floats, part: list[int], members: list[int], case: Case) -> Floats:
        """Put a joint table into the order asked for, with axes for the observed variables."""
        inner = table.reshape([self.flat.n_states[v] for v in part])
        if part == members:
            return inner
        result = np.zeros([self.flat.n_states[v] for v in members])
        axes = [part.index(v) for v in members if v not in case.state]
        result[tuple(case.state.get(v, slice(None)) for v in members)] = inner.transpose(axes)
        result.flags.writeable = False
        return result

    def __repr__(self) -> str:
        return f"CompiledNet of {self.net.n} variables, at most {self.memory / 1e9:.3g} GB a query"


def _check_axes(variables: Sequence[object]) -> None:
    if len(variables) > _MOST_AXES:
        msg = f"a joint posterior has at most {_MOST_AXES} variables, got {len(variables)}"
        raise OptionError(msg)


def most_probable(
    net: AnyNet,
    targets: str | Iterable[str] | None = None,
    given: Given | None = None,
    *,
    soft: Soft | None = None,
    memory: float = DEFAULT_MEMORY,
) -> Explanation:
    """Return the most probable states of some variables (MAP), by default of all (MPE).

    See `CompiledNet.most_probable`, which answers many such questions of one network faster.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    targets : str or iterable of str, optional
        The variables asked for. Default: all.
    given, soft : optional
        Evidence and likelihoods, as for `query`.
    memory : float, default 2 GiB
        The bytes that tables may take.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> most_probable(example("asia"), ["lung", "bronc"], given={"dysp": "yes"})
    Explanation(lung=no, bronc=yes) with probability 0.76894 given dysp=yes
    """
    found: Explanation = compile_net(net, memory=memory).most_probable(targets, given, soft=soft)
    return found


def compile_net(
    net: AnyNet,
    *,
    memory: float = DEFAULT_MEMORY,
    strategy: Strategy = Strategy.BEST,
) -> CompiledNet | Any:  # noqa: ANN401 - a CompiledMixedNet where there are numbers
    """Make a network ready for many queries.

    The elimination order is the best of several heuristics, by the total size of the tables.

    Parameters
    ----------
    net : network or path
        The network.
    memory : float, default 2 GiB
        The bytes that the tables of one query may take; larger queries are refused.
    strategy : Strategy, default ``Strategy.BEST``
        How several posteriors are computed.

    Returns
    -------
    CompiledNet or CompiledMixedNet
        The latter, which has the same methods, if the network has numbers.

    Raises
    ------
    OptionError
        If ``memory`` is not a positive number.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> compile_net(net)
    CompiledNet of 1 variables, at most 2.15 GB a query
    """
    bayes = as_bayes_net(net)
    if bayes.numbers:
        from bayesloom.inference.compiled_mixed import CompiledMixedNet

        return CompiledMixedNet(bayes, memory)
    return CompiledNet(bayes, flatten(bayes, good_order(bayes)), memory, strategy)
