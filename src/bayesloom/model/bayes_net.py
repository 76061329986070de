"""A Bayesian network as a value: a graph, the states of its variables and their tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.errors import (
    ModelError,
    UnknownStateError,
    UnknownVariableError,
    listed,
)
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.model.probabilities import ROW_TOLERANCE, describe_row, find_row_fault, scaled

MOST_PARENTS = 63
"""A table is an array with one axis per parent and one for the child; numpy has 64 axes."""

_SHOWN = 12  # variables listed by repr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BayesNet:
    """A Bayesian network over discrete variables.

    A network checks itself when it is made. Rows whose sum is within 0.001 of 1 are scaled to sum
    to 1; anything else is an error. The tables are read-only.

    Parameters
    ----------
    dag : DAG
        The graph; its names are the variables.
    states : sequence of sequences of str
        For each variable the labels of its states, all different and not empty.
    tables : sequence of arrays
        For each variable its conditional probabilities: one axis per parent, the parents in node
        order, and the child's states on the last axis.

    Raises
    ------
    ModelError
        If the parts do not fit together or a row is no distribution; the message names the
        variable, the parent configuration and the sum.

    Examples
    --------
    >>> dag = DAG.from_edges([("rain", "wet")])
    >>> states = [["no", "yes"], ["no", "yes"]]
    >>> net = BayesNet(dag, states, [[0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]])
    >>> net
    BayesNet of 2 variables, 1 edge, 3 free parameters
      rain: no, yes
      wet: no, yes | rain
    >>> net.table("wet")[1]
    array([0.2, 0.8])
    """

    dag: DAG
    states: tuple[tuple[str, ...], ...]
    tables: tuple[Floats, ...]
    _index: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        names = self.dag.names
        if not names:
            msg = "a network needs at least one variable, got 0"
            raise ModelError(msg)
        if len(self.states) != len(names) or len(self.tables) != len(names):
            msg = (
                f"a network of {len(names)} variables needs as many state lists and tables, "
                f"got {len(self.states)} state lists and {len(self.tables)} tables"
            )
            raise ModelError(msg)
        for name in names:
            _check_text(name, "variable name")
        states = tuple(map(checked_states, names, self.states))
        tables = tuple(
            _checked_table(self.dag, states, v, table) for v, table in enumerate(self.tables)
        )
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "tables", tables)
        object.__setattr__(self, "_index", {name: v for v, name in enumerate(names)})

    @classmethod
    def from_tables(
        cls, variables: Mapping[str, tuple[Sequence[str], Sequence[str], npt.ArrayLike]]
    ) -> BayesNet:
        """Build a network from (states, parents, table) per variable.

        Parameters
        ----------
        variables : mapping of str to (states, parents, table)
            The variables in the order wanted. The table has one axis per parent, in the order in
            which ``parents`` lists them, and the states of the variable on the last axis.

        Raises
        ------
        ModelError
            If a table does not fit or a row is no distribution.
        UnknownVariableError
            If a parent is not a variable.
        GraphError
            If the parents form a cycle.

        Examples
        --------
        >>> yes_no = ["no", "yes"]
        >>> net = BayesNet.from_tables(
        ...     {
        ...         "wet": (yes_no, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
        ...         "rain": (yes_no, [], [0.8, 0.2]),
        ...     }
        ... )
        >>> net.parents("wet"), net.n_parameters
        (('rain',), 3)
        """
        names = tuple(variables)
        for name, parts in variables.items():
            if not isinstance(parts, tuple) or len(parts) != 3 or isinstance(parts[1], str):  # noqa: PLR2004
                msg = f"variable {name!r} needs a tuple of states, a list of parents and a table"
                raise ModelError(msg)
        edges = [(p, name) for name, (_, parents, _) in variables.items() for p in parents]
        dag = DAG.from_edges(edges, names)
        states = [checked_states(name, given[0]) for name, given in variables.items()]
        index = {name: v for v, name in enumerate(names)}
        tables = []
        for v, (name, (_, parents, table)) in enumerate(variables.items()):
            order = [index[parent] for parent in parents]
            if len(set(order)) < len(order):
                msg = f"variable {name!r} has a parent twice: {listed(parents)}"
                raise ModelError(msg)
            shape = tuple(len(states[u]) for u in (*order, v))
            tables.append(in_node_order(_shaped(name, table, shape), order))
        return cls(dag, tuple(states), tuple(tables))

    def with_table(self, name: str, table: npt.ArrayLike) -> BayesNet:
        """Return the network with another table of one variable.

        The table has one axis per parent, in the order of ``parents(name)``, and one for the
        variable's own states.

        Examples
        --------
        >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
        >>> net.with_table("rain", [0.5, 0.5]).table("rain")
        array([0.5, 0.5])
        """
        v = self.index(name)
        shape = tuple(len(self.states_of(u)) for u in (*self.parents(name), name))
        other = _shaped(name, table, shape)
        return replace(self, tables=(*self.tables[:v], other, *self.tables[v + 1 :]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in node order."""
        return self.dag.names

    @property
    def n(self) -> int:
        """The number of variables."""
        return len(self.dag.names)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges as (parent, child), in a fixed order."""
        return self.dag.edges

    @property
    def cardinality(self) -> npt.NDArray[np.int32]:
        """The number of states of each variable."""
        return np.array([len(labels) for labels in self.states], dtype=np.int32)

    @property
    def n_parameters(self) -> int:
        """The number of free parameters: rows times (states - 1), summed over the tables."""
        return sum(table.size - table.size // table.shape[-1] for table in self.tables)

    def index(self, name: str) -> int:
        """Return the node index of a variable.

        Raises
        ------
        UnknownVariableError
            If the network has no such variable.
        """
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise UnknownVariableError(name, self.names) from None

    def states_of(self, name: str) -> tuple[str, ...]:
        """Return the labels of the states of a variable."""
        return self.states[self.index(name)]

    def state_index(self, name: str, label: object) -> int:
        """Return the position of a state among the states of a variable.

        A number, or the text of one, also with a decimal comma, stands for the state that is that
        number, or whose interval holds it, such as ``(20,28]``.

        Raises
        ------
        UnknownStateError
            If the variable has no such state.

        Examples
        --------
        >>> net = BayesNet.from_tables({"age": (["(-inf,28]", "(28,inf)"], [], [0.8, 0.2])})
        >>> net.state_index("age", "(28,inf)"), net.state_index("age", 28)
        (1, 0)
        """
        known = self.states_of(name)
        if isinstance(label, str) and label in known:
            return known.index(label)
        from bayesloom.data.decimal_comma import with_point
        from bayesloom.data.interval import number_in, scale_of, state_of
        from bayesloom.data.label import number_label

        if isinstance(label, str) and (spelling := number_label(label)) in known:
            return known.index(str(spelling))
        value = with_point(label) if isinstance(label, str) else label
        k = state_of(known, value)
        if k is None:
            outside = scale_of(known) is not None and number_in(value) is not None
            raise UnknownStateError(name, label, known, "no interval holds it" * outside)
        return k

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the parents of a variable, in node order."""
        return tuple(self.names[u] for u in bits(self.dag.parent_masks[self.index(name)]))

    def table(self, name: str) -> Floats:
        """Return the table of a variable: one axis per parent as in `parents`, then its states."""
        return self.tables[self.index(name)]

    def reordered(self, names: Sequence[str]) -> BayesNet:
        """Return the same network with its variables in another order.

        Raises
        ------
        GraphError
            If ``names`` does not hold exactly the variables of the network.

        Examples
        --------
        >>> yes_no = ["no", "yes"]
        >>> net = BayesNet.from_tables({"a": (yes_no, [], [0.8, 0.2]), "b": (yes_no, [], [0, 1])})
        >>> net.reordered(["b", "a"]).names
        ('b', 'a')
        """
        dag = self.dag.reordered(names)
        place = {name: v for v, name in enumerate(dag.names)}
        old = [self._index[name] for name in dag.names]
        tables = [
            in_node_order(
                self.tables[v], [place[self.names[u]] for u in bits(self.dag.parent_masks[v])]
            )
            for v in old
        ]
        return BayesNet(dag, tuple(self.states[v] for v in old), tuple(tables))

    def __eq__(self, other: object) -> bool:
        """Say whether two networks have the same variables, in whatever order, and tables."""
        if not isinstance(other, BayesNet):
            return NotImplemented
        if self.dag != other.dag:
            return False
        twin = other if self.names == other.names else other.reordered(self.names)
        same = zip(self.tables, twin.tables, strict=True)
        return self.states == twin.states and all(np.array_equal(a, b) for a, b in same)

    def __hash__(self) -> int:
        return hash(self.dag)

    def __repr__(self) -> str:
        n_edges, n_parameters = self.dag.n_edges, self.n_parameters
        counts = [
            f"{self.n} variable{'s' * (self.n != 1)}",
            f"{n_edges} edge{'s' * (n_edges != 1)}",
            f"{n_parameters} free parameter{'s' * (n_parameters != 1)}",
        ]
        lines = [f"BayesNet of {', '.join(counts)}"]
        for name in self.names[:_SHOWN]:
            parents = self.parents(name)
            given = f" | {listed(parents)}" if parents else ""
            lines.append(f"  {name}: {listed(self.states_of(name), 8)}{given}")
        if self.n > _SHOWN:
            lines.append(f"  and {self.n - _SHOWN} more variables")
        return "\n".join(lines)


def in_node_order(table: Floats, parents: Sequence[int]) -> Floats:
    """Return a table whose parent axes, given for ``parents``, stand in ascending node order.

    Examples
    --------
    >>> in_node_order(np.zeros((2, 3, 4)), parents=[7, 5]).shape
    (3, 2, 4)
    """
    axes = sorted(range(len(parents)), key=lambda axis: parents[axis])
    return np.ascontiguousarray(table.transpose(*axes, len(parents)))


def checked_states(name: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of one variable as a tuple if they are different non-empty texts.

    Examples
    --------
    >>> checked_states("rain", ["no", "yes"])
    ('no', 'yes')
    """
    if isinstance(labels, str) or len(labels) == 0:
        msg = f"variable {name!r} needs a list of at least one state, got {labels!r}"
        raise ModelError(msg)
    seen = set()
    for label in labels:
        _check_text(label, f"state of variable {name!r}")
        if label in seen:
            msg = f"variable {name!r} has the state {label!r} twice; states must differ"
            raise ModelError(msg)
        seen.add(label)
    return tuple(labels)


def _check_text(text: object, what: str) -> None:
    """Raise unless something is a text that any file can hold."""
    if not isinstance(text, str) or not text:
        msg = f"a {what} must be a text that is not empty, got {text!r}"
        raise ModelError(msg)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            msg = f"a {what} must be valid Unicode, got {text!r}"
            raise ModelError(msg) from None


def _shaped(name: str, table: npt.ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a table as an array of floats if it has the shape wanted."""
    if len(shape) > MOST_PARENTS + 1:
        msg = f"variable {name!r} has {len(shape) - 1} parents; at most {MOST_PARENTS} are possible"
        raise ModelError(msg)
    try:
        array = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"the table of variable {name!r} must hold numbers in rows of equal length"
        raise ModelError(msg) from None
    if array.shape != shape:
        msg = (
            f"the table of variable {name!r} must have the shape {shape} (its parents' numbers of "
            f"states, then its own), got {array.shape}"
        )
        raise ModelError(msg)
    return array


def _checked_table(
    dag: DAG, states: tuple[tuple[str, ...], ...], v: int, table: npt.ArrayLike
) -> Floats:
    """Return the table of one variable, scaled and read-only, if its rows are distributions."""
    parents = bits(dag.parent_masks[v])
    shape = tuple(len(states[u]) for u in (*parents, v))
    rows = _shaped(dag.names[v], table, shape).reshape(math.prod(shape[:-1]), shape[-1])
    if (fault := find_row_fault(rows)) is not None:
        names = [dag.names[u] for u in parents]
        where = describe_row(dag.names[v], names, [states[u] for u in parents], fault.row)
        msg = f"the {where} {fault.problem} (within {ROW_TOLERANCE})"
        raise ModelError(msg)
    result = scaled(rows).reshape(shape)
    result.flags.writeable = False
    return result
