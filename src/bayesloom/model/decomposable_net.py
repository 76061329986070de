"""A decomposable Markov network as a value: a chordal graph and a distribution per clique."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, counting
from bayesloom.errors import (
    CapacityError,
    ModelError,
    UnknownVariableError,
    check_number,
    listed,
)
from bayesloom.graphs import ChordalGraph, JunctionForest, bits
from bayesloom.graphs.naming import names_in
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.family import checked_states
from bayesloom.model.likelihood import log_likelihood
from bayesloom.model.probabilities import find_row_fault, scaled
from bayesloom.model.sampling import draw_rows

AGREEMENT = 1e-6
"""How far two cliques may differ on the probabilities of what they share."""

MOST_JOINT_CELLS = 1 << 24
"""The largest joint table that is computed."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DecomposableNet:
    """A decomposable Markov network: the product of clique tables divided by separator tables.

    A network checks itself when it is made; its tables are read-only.

    Parameters
    ----------
    graph : ChordalGraph
        The graph; its names are the variables.
    states : sequence of sequences of str
        For each variable the labels of its states.
    tables : sequence of arrays
        The distribution of each clique, in the order of ``graph.junction_forest()``, with one axis
        per variable in node order.

    Raises
    ------
    ModelError
        If the parts do not fit together, a table is no distribution, or two neighbouring cliques
        disagree on what they share.

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001, section 2.

    Examples
    --------
    >>> graph = ChordalGraph.from_edges([("rain", "wet"), ("wet", "slip")])
    >>> no_yes = ("no", "yes")
    >>> net = DecomposableNet(
    ...     graph, [no_yes] * 3, [[[0.7, 0.1], [0.0, 0.2]], [[0.6, 0.1], [0.1, 0.2]]]
    ... )
    >>> net
    DecomposableNet of 3 variables, 2 cliques, 5 free parameters
      rain, wet
        wet, slip (shares wet)
    >>> net.conditional(1).round(3)
    array([[0.857, 0.143],
           [0.333, 0.667]])
    """

    graph: ChordalGraph
    states: tuple[tuple[str, ...], ...]
    tables: tuple[Floats, ...]
    forest: JunctionForest = field(init=False)
    _net: BayesNet | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if not self.graph.names or len(self.states) != self.graph.n:
            msg = (
                "a network needs at least one variable and one state list for each, got "
                f"{self.graph.n} variables and {len(self.states)} state lists"
            )
            raise ModelError(msg)
        object.__setattr__(
            self, "states", tuple(map(checked_states, self.graph.names, self.states))
        )
        object.__setattr__(self, "forest", self.graph.junction_forest())
        cliques = self.forest.cliques
        if len(self.tables) != len(cliques):
            msg = f"{len(cliques)} cliques need as many tables, got {len(self.tables)}"
            raise ModelError(msg)
        tables = tuple(map(self._checked, cliques, self.tables))
        object.__setattr__(self, "tables", tables)
        self._check_agreement()

    def _checked(self, clique: int, table: npt.ArrayLike) -> Floats:
        """Return a clique's table, scaled and read-only, if it is a distribution."""
        what = f"the table of the clique {listed(names_in(self.names, clique))}"
        shape = tuple(len(self.states[v]) for v in bits(clique))
        array = np.asarray(table, np.float64)
        if array.shape != shape:
            msg = f"{what} must have the shape {shape}, got {array.shape}"
            raise ModelError(msg)
        if (fault := find_row_fault(array.reshape(1, -1))) is not None:
            msg = f"{what} must be a distribution; its probabilities {fault.problem}"
            raise ModelError(msg)
        result = scaled(array.reshape(1, -1)).reshape(shape)
        result.flags.writeable = False
        return result

    def _check_agreement(self) -> None:
        for i, (separator, above) in enumerate(
            zip(self.forest.separators, self.forest.above, strict=True)
        ):
            if above < 0:
                continue
            apart = np.abs(self._marginal(i, separator) - self._marginal(above, separator)).max()
            if apart > AGREEMENT:
                here, there = (listed(self.forest.clique_names()[k]) for k in (i, above))
                shared = listed(names_in(self.names, separator))
                msg = f"the cliques {here} and {there} disagree on {shared} by {apart:.3g}"
                raise ModelError(msg)

    @classmethod
    def fit(cls, graph: ChordalGraph, engine: Engine, ess: float = 0.0) -> DecomposableNet:
        """Fit the tables to data, with the states that the data declare: one batch.

        Parameters
        ----------
        graph : ChordalGraph
            The graph; its nodes are variables of the engine, in any order.
        engine : Engine
            The data.
        ess : float, default 0
            The weight, in rows, of a uniform Dirichlet prior over all joint states; 0 gives the
            frequencies. Cliques agree on what they share for any weight.

        Raises
        ------
        UnknownVariableError
            If the graph has a node that the data do not have.
        CapacityError
            If the tables are too large.
        OptionError
            If ``ess`` is negative.

        Examples
        --------
        >>> from bayesloom.engine import NativeEngine
        >>> table = Table(["rain", "wet"], [["no", "yes"]] * 2, [[0, 0, 1, 1], [0, 0, 0, 1]])
        >>> graph = ChordalGraph.from_edges([("rain", "wet")])
        >>> DecomposableNet.fit(graph, NativeEngine(table)).tables[0]
        array([[0.5 , 0.  ],
               [0.25, 0.25]])
        """
        check_number("ess", ess, least=0)
        counted = counting(engine, "fitting the tables of cliques")
        place = {name: v for v, name in enumerate(engine.names)}
        for name in graph.names:
            if name not in place:
                raise UnknownVariableError(name, engine.names)
        nodes = [place[name] for name in graph.names]
        cliques = [[nodes[v] for v in bits(mask)] for mask in graph.junction_forest().cliques]
        total = engine.n_rows + ess
        tables: list[Floats] = [
            np.asarray((counts + ess / counts.size) / total, np.float64)
            for counts in counted.counts(Batch.sets(cliques))
        ]
        return cls(graph, tuple(counted.states[v] for v in nodes), tuple(tables))

    @classmethod
    def from_joint(
        cls, graph: ChordalGraph, states: Sequence[Sequence[str]], joint: npt.ArrayLike
    ) -> DecomposableNet:
        """Take the clique tables from a joint distribution with one axis per variable.

        The network equals the joint if that has the independences of the graph; else it is the
        closest network with these independences.
        """
        array = np.asarray(joint, np.float64)
        shape = tuple(map(len, states))
        if array.shape != shape:
            msg = f"the joint table must have the shape {shape}, got {array.shape}"
            raise ModelError(msg)
        everything = (1 << graph.n) - 1
        tables = [
            array.sum(axis=tuple(bits(everything & ~clique)))
            for clique in graph.junction_forest().cliques
        ]
        return cls(graph, tuple(map(tuple, states)), tuple(tables))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in node order."""
        return self.graph.names

    @property
    def n_parameters(self) -> int:
        """The number of free parameters: cells of cliques minus those of separators."""
        separators = self.forest.separators
        shared = sum(math.prod(len(self.states[v]) for v in bits(mask)) for mask in separators)
        return sum(table.size for table in self.tables) - shared

    @property
    def entropy(self) -> float:
        """The entropy of the network, in nats."""
        cliques = math.fsum(map(_entropy, self.tables))
        return cliques - math.fsum(
            _entropy(self.separator_table(i)) for i in range(len(self.tables))
        )

    def separator_table(self, i: int) -> Floats:
        """Return the distribution of what clique i shares with the clique above; 1.0 for a root."""
        return self._marginal(i, self.forest.separators[i])

    def conditional(self, i: int) -> Floats:
        """Return P(C | Q) of clique i given the clique above, or P(C) for a root.

        Given what it shares with the clique above, a clique does not depend on the rest of it; so
        the table has the axes of the clique alone. What is impossible above has probability 0.

        Examples
        --------
        >>> graph = ChordalGraph.from_edges([("A", "B")])
        >>> net = DecomposableNet(graph, [("n", "y")] * 2, [[[0.5, 0.0], [0.25, 0.25]]])
        >>> net.conditional(0)
        array([[0.5 , 0.  ],
               [0.25, 0.25]])
        """
        clique, separator = self.forest.cliques[i], self.forest.separators[i]
        kept = [axis for axis, v in enumerate(bits(clique)) if not separator >> v & 1]
        shared = np.expand_dims(self.separator_table(i), tuple(kept))
        return _divided(self.tables[i], shared)

    def joint(self) -> Floats:
        """Return the joint distribution, one axis per variable.

        Raises
        ------
        CapacityError
            If it has more than 16,777,216 cells.
        """
        shape = tuple(map(len, self.states))
        if math.prod(shape) > MOST_JOINT_CELLS:
            cells = f"{math.prod(shape):.3g} cells"
            msg = f"the joint table has {cells}; at most {MOST_JOINT_CELLS:,} fit"
            raise CapacityError(msg)
        result = np.ones(shape)
        for i, clique in enumerate(self.forest.cliques):
            outside = tuple(bits(((1 << self.graph.n) - 1) & ~clique))
            result = result * np.expand_dims(self.conditional(i), outside)
        return result

    def to_bayes_net(self) -> BayesNet:
        """Return a Bayesian network with the same joint distribution.

        Its edges follow a perfect elimination order backwards, so no parents are unmarried: it
        has the same independences, and inference in it makes no table larger than a clique's.
        """
        net = self._net
        if net is None:
            dag = self.graph.to_dag()
            tables = [self._family(v, parents) for v, parents in enumerate(dag.parent_masks)]
            net = BayesNet(dag, self.states, tuple(tables))
            object.__setattr__(self, "_net", net)
        return net

    def log_likelihood(self, table: Table) -> float:
        """Return the natural logarithm of the probability of all rows of a table.

        Columns are matched by name and states by label; see `bayesloom.log_likelihood`.
        """
        return log_likelihood(self.to_bayes_net(), table)

    def sample(self, n_rows: int, seed: np.random.Generator | int = 0) -> Table:
        """Draw rows; see `bayesloom.sample`."""
        return draw_rows(self.to_bayes_net(), n_rows, seed)

    def _marginal(self, i: int, nodes: int) -> Floats:
        """Sum the table of a clique over all but some of its nodes."""
        members = bits(self.forest.cliques[i])
        rest = tuple(axis for axis, v in enumerate(members) if not nodes >> v & 1)
        result: Floats = np.asarray(self.tables[i].sum(axis=rest))
        return result

    def _family(self, v: int, parents: int) -> Floats:
        """Return P(v | parents), uniform where the parents are impossible."""
        family = parents | 1 << v
        home = next(i for i, mask in enumerate(self.forest.cliques) if not family & ~mask)
        joint = np.moveaxis(self._marginal(home, family), bits(family).index(v), -1)
        sums = joint.sum(axis=-1, keepdims=True)
        return np.where(sums > 0, _divided(joint, sums), 1.0 / joint.shape[-1])

    def __repr__(self) -> str:
        lines = str(self.forest).split("\n")[1:]
        counts = [
            f"{self.graph.n} variable{'s' * (self.graph.n != 1)}",
            f"{len(self.tables)} clique{'s' * (len(self.tables) != 1)}",
            f"{self.n_parameters} free parameter{'s' * (self.n_parameters != 1)}",
        ]
        return "\n".join([f"DecomposableNet of {', '.join(counts)}", *lines])


def _divided(above: Floats, below: Floats) -> Floats:
    """Divide tables; 0 / 0 is 0."""
    possible = below > 0
    return np.where(possible, above / np.where(possible, below, 1.0), 0.0)


def _entropy(table: Floats) -> float:
    p = table[table > 0]
    return float(-(p * np.log(p)).sum())
