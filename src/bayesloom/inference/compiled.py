"""A network made ready for many queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.errors import CapacityError, EvidenceError, OptionError, listed, shown
from bayesloom.graphs import bits, lightest_order, moral_graph, relabelled, topological_order
from bayesloom.inference.evidence import Evidence, Floats, Given, Soft, read_evidence
from bayesloom.inference.posterior import (
    Explanation,
    JointPosterior,
    Posterior,
    Posteriors,
    checked_targets,
)
from bayesloom.model import BayesNet

Ints: TypeAlias = npt.NDArray[np.int32]

DEFAULT_MEMORY = 2 << 30
"""Bytes a query may hold in tables unless the user says otherwise: 2 GiB."""


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

    Every query first drops what the evidence makes irrelevant (variables below all that is asked
    or known, and parts that the evidence separates), cuts the tables to the evidence, and then
    sums variables out of products of tables. What does not fit into ``memory`` is refused before
    it is computed. Answers are the same on every machine and do not depend on the order of the
    variables. Probabilities of evidence below the range of floats are no problem: logarithms take
    over.

    Parameters
    ----------
    net : BayesNet
        The network.
    memory : float
        The bytes that the tables of one query may take.
    strategy : Strategy
        How several posteriors are computed.

    Examples
    --------
    >>> no_yes = ["no", "yes"]
    >>> net = BayesNet.from_tables(
    ...     {
    ...         "rain": (no_yes, [], [0.8, 0.2]),
    ...         "wet": (no_yes, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
    ...     }
    ... )
    >>> compiled = compile_net(net)
    >>> compiled.posterior("rain", {"wet": "yes"})
    P(rain | evidence): no 0.333333, yes 0.666667; probability of the evidence 0.24
    >>> compiled.posteriors()["wet"]
    P(wet | evidence): no 0.76, yes 0.24; probability of the evidence 1
    >>> compiled.most_probable({"wet": "yes"})
    Explanation(rain=yes, wet=yes) with probability 0.666667 given the evidence
    """

    net: BayesNet
    memory: float
    strategy: Strategy
    _place: tuple[int, ...] = field(repr=False)  # of each node in the elimination order
    _native: _native.Propagation = field(repr=False)

    def posterior(
        self, target: str, given: Given | None = None, *, soft: Soft | None = None
    ) -> Posterior:
        """Return the posterior of one variable.

        Parameters
        ----------
        target : str
            The variable asked for.
        given : mapping of str to str, or pairs, optional
            Observed states by variable.
        soft : mapping of str to mapping or sequence, optional
            Likelihoods by variable: for each state the probability of what was seen, up to a
            factor.

        Raises
        ------
        UnknownVariableError, UnknownStateError
            If the network has no such variable or state.
        EvidenceError
            If the evidence contradicts itself or has probability 0.
        CapacityError
            If the tables do not fit into the memory allowed.

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

        Parameters are those of `posterior`; an observed variable has all its probability on the
        state observed.
        """
        names = self.net.names if targets is None else checked_targets(list(targets))
        evidence = read_evidence(self.net, given, soft)
        nodes = [self.net.index(name) for name in names]
        open_nodes = sorted((v for v in nodes if v not in evidence.state), key=self._place.__getitem__)
        cells, log_evidence = self._run([[v] for v in open_nodes], evidence, f"of {listed(names)}")
        found = dict(zip(open_nodes, cells, strict=True))
        values = {self.net.names[v]: _read_only(found.get(v), self.net, v, evidence) for v in nodes}
        states = {self.net.names[v]: self.net.states[v] for v in nodes}
        return Posteriors(states, values, log_evidence)

    def joint(
        self, targets: Sequence[str], given: Given | None = None, *, soft: Soft | None = None
    ) -> JointPosterior:
        """Return the joint posterior of several variables, wherever they are in the network.

        Parameters are those of `posterior`.

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
        """Return the joint posterior of each of several sets of variables, sharing the work."""
        evidence = read_evidence(self.net, given, soft)
        wanted = [checked_targets(names) for names in sets]
        nodes = [[self.net.index(name) for name in names] for names in wanted]
        ascending = [
            sorted((v for v in members if v not in evidence.state), key=self._place.__getitem__)
            for members in nodes
        ]
        what = f"of {' and of '.join(listed(names) for names in wanted[:3])}"
        cells, log_evidence = self._run([part for part in ascending if part], evidence, what)
        rest = iter(cells)
        return [
            JointPosterior(
                names,
                tuple(self.net.states[v] for v in members),
                self._arranged(next(rest) if part else np.ones(1), part, members, evidence),
                log_evidence,
            )
            for names, members, part in zip(wanted, nodes, ascending, strict=True)
        ]

    def log_evidence(self, given: Given | None = None, *, soft: Soft | None = None) -> float:
        """Return the natural logarithm of the probability of evidence; minus infinity for 0.

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [1.0, 0.0])})
        >>> compile_net(net).log_evidence({"rain": "yes"})
        -inf
        """
        evidence = read_evidence(self.net, given, soft)
        return self._ask([], evidence, "of the evidence")[1]

    def most_probable(
        self, given: Given | None = None, *, soft: Soft | None = None
    ) -> Explanation:
        """Return the most probable state of all variables together.

        Among equally probable explanations the one with the lower states wins, variable by
        variable in a fixed order. Parameters and errors are those of `posterior`.
        """
        evidence = read_evidence(self.net, given, soft)
        log_evidence = self._run([], evidence, "of the evidence")[1]
        native_state, log_probability, needed = self._native.explain(
            *self._arrays(evidence), self.memory
        )
        self._check_size(needed, "the most probable explanation")
        states = {
            name: self.net.states[v][native_state[self._place[v]]]
            for v, name in enumerate(self.net.names)
        }
        return Explanation(states, log_probability + evidence.log_scale, log_evidence)

    def _run(
        self, sets: list[list[int]], evidence: Evidence, what: str
    ) -> tuple[list[Floats], float]:
        """Answer a request whose evidence must be possible."""
        cells, log_evidence = self._ask(sets, evidence, what)
        if log_evidence == -math.inf:
            text = evidence.describe(self.net)
            msg = f"the evidence {text} is impossible: the network gives it probability 0"
            raise EvidenceError(msg)
        return cells, log_evidence

    def _ask(
        self, sets: list[list[int]], evidence: Evidence, what: str
    ) -> tuple[list[Floats], float]:
        """Return the cells of each set (nodes in elimination order) and the log-probability."""
        starts = np.array([0, *accumulate(len(part) for part in sets)], np.int64)
        members = np.array([self._place[v] for part in sets for v in part], np.int32)
        values, log_evidence, needed = self._native.posteriors(
            *self._arrays(evidence), starts, members, self.strategy.value, self.memory
        )
        self._check_size(needed, f"the posterior {what}")
        sizes = [math.prod(len(self.net.states[v]) for v in part) for part in sets]
        ends = list(accumulate(sizes, initial=0))
        cells = [values[a:b] for a, b in zip(ends, ends[1:], strict=False)]
        if evidence.is_empty:
            return cells, 0.0
        return cells, (log_evidence if evidence.likelihood else min(0.0, log_evidence)) + evidence.log_scale

    def _arrays(self, evidence: Evidence) -> tuple[Ints, Ints, Floats]:
        state = np.full(self.net.n, -1, np.int32)
        for v, k in evidence.state.items():
            state[self._place[v]] = k
        soft = sorted(evidence.likelihood, key=self._place.__getitem__)
        likelihoods = [evidence.likelihood[v] for v in soft]
        places = np.array([self._place[v] for v in soft], np.int32)
        return state, places, np.concatenate([np.zeros(0), *likelihoods])

    def _check_size(self, needed: float, what: str) -> None:
        if needed > self.memory:
            msg = (
                f"{what} needs tables of about {needed / 8:.3g} cells ({needed / 1e9:.3g} GB), more "
                f"than the limit of {self.memory / 1e9:.3g} GB; allow more memory, ask for fewer "
                "variables or give more evidence"
            )
            raise CapacityError(msg)

    def _arranged(
        self, cells: Floats, part: list[int], members: list[int], evidence: Evidence
    ) -> Floats:
        """Put a joint table into the order asked for, with observed variables as axes."""
        shape = [len(self.net.states[v]) for v in members]
        table = np.zeros(shape)
        view = table[tuple(evidence.state.get(v, slice(None)) for v in members)]
        axes = [part.index(v) for v in members if v not in evidence.state]
        view[...] = cells.reshape([len(self.net.states[v]) for v in part]).transpose(axes)
        table.flags.writeable = False
        return table

    def __repr__(self) -> str:
        return f"CompiledNet of {self.net.n} variables, queries limited to {self.memory / 1e9:.3g} GB"


def compile_net(
    net: BayesNet, *, memory: float = DEFAULT_MEMORY, strategy: Strategy = Strategy.BEST
) -> CompiledNet:
    """Make a network ready for many queries.

    The elimination order is the best that the heuristics of `lightest_order` find.

    Parameters
    ----------
    net : BayesNet
        The network.
    memory : float, default 2 GiB
        The bytes that the tables of one query may take; larger queries are refused.
    strategy : Strategy, default ``Strategy.BEST``
        How several posteriors are computed.

    Raises
    ------
    OptionError
        If ``memory`` is not a positive number.
    """
    by_name = sorted(range(net.n), key=net.names.__getitem__)
    position = _inverse(by_name)
    moral = relabelled(moral_graph(net.dag.parents), position)
    order = lightest_order(moral, [len(net.states[v]) for v in by_name])
    return compiled_in_order(net, [by_name[k] for k in order], memory, strategy)


def compile_quickly(net: BayesNet, memory: float) -> CompiledNet:
    """Make a network ready for one query, without looking for a good order for all variables.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> compile_quickly(net, memory=1e6).posterior("rain")["yes"]
    0.2
    """
    by_name = sorted(range(net.n), key=net.names.__getitem__)
    order = topological_order(relabelled(net.dag.parents, _inverse(by_name)))
    return compiled_in_order(net, [by_name[k] for k in reversed(order)], memory, Strategy.APART)


def compiled_in_order(
    net: BayesNet, order: Sequence[int], memory: float, strategy: Strategy
) -> CompiledNet:
    """Lay the tables out for an elimination order."""
    if not 0 < memory <= 1e18:  # noqa: PLR2004 - an exabyte
        msg = f"memory must be a number of bytes above 0, got {memory}"
        raise OptionError(msg)
    place = _inverse(order)
    scopes, tables = [], []
    for v in order:
        family = [*bits(net.dag.parents[v]), v]
        axes = sorted(range(len(family)), key=lambda k: place[family[k]])
        scopes.append([place[family[k]] for k in axes])
        tables.append(net.tables[v].transpose(axes).ravel())
    native = _native.Propagation(
        np.array([len(net.states[v]) for v in order], np.int32),
        np.array([0, *accumulate(map(len, scopes))], np.int64),
        np.array([u for scope in scopes for u in scope], np.int32),
        np.array([0, *accumulate(table.size for table in tables)], np.int64),
        np.concatenate(tables),
    )
    return CompiledNet(net, float(memory), strategy, tuple(place), native)


def _inverse(order: Sequence[int]) -> list[int]:
    place = [0] * len(order)
    for k, v in enumerate(order):
        place[v] = k
    return place
