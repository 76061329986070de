"""A network as flat arrays in an elimination order, and the native module that works on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.arrays import Floats, Ints
from bayesloom.graphs import bits, relabelled, topological_order
from bayesloom.inference.case import Case
from bayesloom.model import BayesNet


@dataclass(frozen=True, slots=True, eq=False)
class FlatNet:
    """The tables of a network in native memory; nodes are numbered in an elimination order.

    Parameters
    ----------
    n_states : tuple of int
        The number of states of each node.
    place : tuple of int
        The place of each node in the elimination order.
    native : Contractions
        The tables.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> nothing = Case({}, {}, 0.0)
    >>> flatten(net, good_order(net)).posteriors([[0]], nothing, strategy=0, memory=1e6)
    ([array([0.8, 0.2])], 0.0, 16.0)
    """

    n_states: tuple[int, ...]
    place: tuple[int, ...]
    native: _native.Contractions

    def posteriors(
        self, sets: list[list[int]], case: Case, *, strategy: int, memory: float
    ) -> tuple[list[Floats], float, float]:
        """Return the joint posterior of each set of nodes, and what it took.

        Parameters
        ----------
        sets : list of list of int
            Unobserved nodes; each set is in elimination order, and so are the axes of its table.
        case : Case
            What is known.
        strategy : int
            The value of a `Strategy`.
        memory : float
            The bytes that tables may take.

        Returns
        -------
        list of array
            The flat tables; none if they need more than ``memory``.
        float
            The log-probability of the evidence; minus infinity if it is impossible.
        float
            The bytes needed.
        """
        starts = np.array([0, *accumulate(map(len, sets))], np.int64)
        members = np.array([self.place[v] for part in sets for v in part], np.int32)
        values, log_evidence, needed = self.native.posteriors(
            *self._arrays(case), starts, members, strategy, memory
        )
        if needed > memory:
            return [], 0.0, needed
        values.flags.writeable = False
        sizes = [math.prod(self.n_states[v] for v in part) for part in sets]
        tables = [values[a:b] for a, b in pairwise(accumulate(sizes, initial=0))]
        if not case.likelihood:
            log_evidence = min(0.0, log_evidence) if case.state else 0.0
        return tables, log_evidence + case.log_scale, needed

    def explain(self, case: Case, memory: float) -> tuple[list[int], float, float]:
        """Return the most probable state of each node, its log-probability and the bytes needed."""
        states, log_probability, needed = self.native.explain(*self._arrays(case), memory)
        return [int(states[k]) for k in self.place], log_probability + case.log_scale, needed

    def in_order(self, nodes: Sequence[int]) -> list[int]:
        """Sort nodes by their place in the elimination order."""
        return sorted(nodes, key=self.place.__getitem__)

    def _arrays(self, case: Case) -> tuple[Ints, Ints, Floats]:
        state = np.full(len(self.place), -1, np.int32)
        for v, k in case.state.items():
            state[self.place[v]] = k
        soft = self.in_order(list(case.likelihood))
        places = np.array([self.place[v] for v in soft], np.int32)
        likelihoods = np.concatenate([np.zeros(0), *(case.likelihood[v] for v in soft)])
        return state, places, likelihoods


def flatten(net: BayesNet, order: Sequence[int]) -> FlatNet:
    """Copy the tables of a network into native memory, with axes in an elimination order."""
    place = _inverse(order)
    tables = []
    for v in order:
        family = [*bits(net.dag.parent_masks[v]), v]
        axes = sorted(range(len(family)), key=[place[u] for u in family].__getitem__)
        tables.append(net.tables[v].transpose(axes).ravel())
    native = _native.Contractions(
        *_scopes(net, order),
        np.array([0, *accumulate(table.size for table in tables)], np.int64),
        np.concatenate(tables),
    )
    return FlatNet(tuple(map(len, net.states)), tuple(place), native)


def good_order(net: BayesNet) -> list[int]:
    """Return an elimination order that makes small tables, the best of several heuristics.

    It does not depend on the order of the nodes.

    Examples
    --------
    >>> no_yes = ["no", "yes"]
    >>> good_order(
    ...     BayesNet.from_tables({"b": (no_yes, [], [0, 1]), "a": (no_yes, ["b"], [[0, 1]] * 2)})
    ... )
    [1, 0]
    """
    by_name = sorted(range(net.n), key=net.names.__getitem__)
    return [by_name[k] for k in _native.elimination_order(*_scopes(net, by_name))]


def quick_order(net: BayesNet) -> list[int]:
    """Return the nodes children first, whatever their order: enough for a single question.

    Examples
    --------
    >>> no_yes = ["no", "yes"]
    >>> quick_order(
    ...     BayesNet.from_tables({"a": (no_yes, [], [0, 1]), "b": (no_yes, ["a"], [[0, 1]] * 2)})
    ... )
    [1, 0]
    """
    by_name = sorted(range(net.n), key=net.names.__getitem__)
    order = topological_order(relabelled(net.dag.parent_masks, _inverse(by_name)))
    return [by_name[k] for k in reversed(order)]


def _scopes(net: BayesNet, order: Sequence[int]) -> tuple[Ints, npt.NDArray[np.int64], Ints]:
    """Return the numbers of states, and the places of the variables of each table, in an order."""
    place = _inverse(order)
    scopes = [sorted(place[u] for u in (*bits(net.dag.parent_masks[v]), v)) for v in order]
    return (
        np.array([len(net.states[v]) for v in order], np.int32),
        np.array([0, *accumulate(map(len, scopes))], np.int64),
        np.array([u for scope in scopes for u in scope], np.int32),
    )


def _inverse(order: Sequence[int]) -> list[int]:
    place = [0] * len(order)
    for k, v in enumerate(order):
        place[v] = k
    return place
