"""A Bayesian network as a value: a graph, the states of its variables and their families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
from bayesloom.model.family import (
    NodeFamily,
    check_parents,
    check_text,
    checked_regression,
    checked_table,
    in_node_order,
    regression_in_node_order,
    same_family,
    shaped_table,
    states_of_family,
)
from bayesloom.model.linear_gaussian import LinearGaussian

_SHOWN = 12  # variables listed by repr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BayesNet:
    """A Bayesian network: a graph with a family for every variable.

    A category has a table of probabilities, and categories alone as parents. A number has a linear
    regression on its number parents in every configuration of its category parents; it has no
    states. A network checks itself when it is made. Rows of tables whose sum is within 0.001 of 1
    are scaled to sum to 1; anything else is an error. The tables are read-only.

    Parameters
    ----------
    dag : DAG
        The graph; its names are the variables.
    states : sequence of sequences of str
        For each variable the labels of its states, all different; a number has none.
    families : sequence of arrays or LinearGaussian
        For each category its conditional probabilities: one axis per parent, the parents in node
        order, and the child's states on the last axis. For each number its regressions, the
        category parents and the number parents each in node order.

    Raises
    ------
    ModelError
        If the parts do not fit together, a category has a number among its parents, or a row is no
        distribution; the message names the variable, the parent configuration and the sum.

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
    >>> litres = LinearGaussian([0.5, 20.0], None, [0.1, 5.0])
    >>> BayesNet(DAG.from_edges([("rain", "litres")]), [["no", "yes"], []], [[0.8, 0.2], litres])
    BayesNet of 2 variables, 1 edge, 5 free parameters
      rain: no, yes
      litres: a number | rain
    """

    dag: DAG
    states: tuple[tuple[str, ...], ...]
    families: tuple[NodeFamily, ...]
    _index: dict[str, int] = field(init=False)
    _numbers: int = field(init=False)

    def __post_init__(self) -> None:
        names = self.dag.names
        if not names:
            msg = "a network needs at least one variable, got 0"
            raise ModelError(msg)
        if len(self.states) != len(names) or len(self.families) != len(names):
            msg = (
                f"a network of {len(names)} variables needs as many state lists and tables, "
                f"got {len(self.states)} state lists and {len(self.families)} tables"
            )
            raise ModelError(msg)
        for name in names:
            check_text(name, "variable name")
        states = tuple(map(states_of_family, names, self.states, self.families))
        numbers = sum(1 << v for v, known in enumerate(states) if not known)
        families = tuple(
            checked_regression(self.dag, states, v, family)
            if isinstance(family, LinearGaussian)
            else checked_table(self.dag, states, v, family)
            for v, family in enumerate(self.families)
        )
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "families", families)
        object.__setattr__(self, "_index", {name: v for v, name in enumerate(names)})
        object.__setattr__(self, "_numbers", numbers)

    @classmethod
    def from_tables(
        cls,
        variables: Mapping[
            str, tuple[Sequence[str], Sequence[str], npt.ArrayLike | LinearGaussian]
        ],
    ) -> BayesNet:
        """Build a network from (states, parents, table) per variable.

        Parameters
        ----------
        variables : mapping of str to (states, parents, table)
            The variables in the order wanted. The table has one axis per parent, in the order in
            which ``parents`` lists them, and the states of the variable on the last axis. A number
            has no states, and `LinearGaussian` regressions in place of a table; their category
            parents, and their number parents, are in the order of ``parents``.

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
        states = [
            states_of_family(name, known, family) for name, (known, _, family) in variables.items()
        ]
        index = {name: v for v, name in enumerate(names)}
        families: list[NodeFamily] = []
        for v, (name, (_, parents, family)) in enumerate(variables.items()):
            order = [index[parent] for parent in parents]
            if len(set(order)) < len(order):
                msg = f"variable {name!r} has a parent twice: {listed(parents)}"
                raise ModelError(msg)
            if isinstance(family, LinearGaussian):
                families.append(regression_in_node_order(name, family, order, states))
                continue
            check_parents(name, order, names, states)
            shape = tuple(len(states[u]) for u in (*order, v))
            families.append(in_node_order(shaped_table(name, family, shape), order))
        return cls(dag, tuple(states), tuple(families))

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
        self._check_category(name)
        shape = tuple(len(self.states_of(u)) for u in (*self.parents(name), name))
        return self._with_family(name, shaped_table(name, table, shape))

    def with_regression(self, name: str, family: LinearGaussian) -> BayesNet:
        """Return the network with other regressions of one number, the parents in node order.

        Examples
        --------
        >>> net = BayesNet.from_tables({"age": ((), [], LinearGaussian(40.0, None, 12.0))})
        >>> net.with_regression("age", LinearGaussian(35.0, None, 10.0)).family("age")
        LinearGaussian(35, sd 10)
        """
        v = self.index(name)
        if not self._numbers >> v & 1:
            msg = f"variable {name!r} is a category and has a table; with_table gives it another"
            raise ModelError(msg)
        return self._with_family(name, family)

    def _with_family(self, name: str, family: NodeFamily) -> BayesNet:
        v = self.index(name)
        families = (*self.families[:v], family, *self.families[v + 1 :])
        return BayesNet(self.dag, self.states, families)

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
    def tables(self) -> tuple[Floats, ...]:
        """The tables of a network of categories alone.

        Raises
        ------
        ModelError
            If the network has numbers.
        """
        self.check_categories("what was asked for")
        return self.families  # type: ignore[return-value]

    @property
    def numbers(self) -> tuple[str, ...]:
        """The variables that are numbers, in node order."""
        return tuple(self.names[v] for v in bits(self._numbers))

    @property
    def number_mask(self) -> int:
        """Which nodes are numbers, as a mask."""
        return self._numbers

    def check_categories(self, what: str) -> None:
        """Refuse a network with numbers, for what knows tables alone.

        Raises
        ------
        ModelError
            If the network has numbers; ``what`` says what does not know them.

        Examples
        --------
        >>> net = BayesNet.from_tables({"age": ((), [], LinearGaussian(40.0, None, 12.0))})
        >>> net.check_categories("the divergence of bins")
        Traceback (most recent call last):
        bayesloom.errors.ModelError: the network has numbers (age), and the divergence of bins \
needs one of categories alone; query, predict, sample, log_likelihood and files in JSON and Hugin \
NET take numbers
        """
        if self._numbers:
            msg = (
                f"the network has numbers ({listed(self.numbers, 4)}), and {what} needs one of "
                "categories alone; query, predict, sample, log_likelihood and files in JSON and "
                "Hugin NET take numbers"
            )
            raise ModelError(msg)

    def categories(self) -> BayesNet:
        """Return the network of the categories alone, whose distribution is theirs in this one.

        No category depends on a number, so nothing has to be summed out.

        Raises
        ------
        ModelError
            If all variables are numbers.
        """
        if not self._numbers:
            return self
        names = [name for v, name in enumerate(self.names) if not self._numbers >> v & 1]
        return BayesNet.from_tables(
            {name: (self.states_of(name), self.parents(name), self.table(name)) for name in names}
        )

    @property
    def cardinality(self) -> npt.NDArray[np.int32]:
        """The number of states of each variable; 0 for a number."""
        return np.array([len(labels) for labels in self.states], dtype=np.int32)

    @property
    def n_parameters(self) -> int:
        """The number of free parameters.

        A table has rows times (states - 1) of them, a regression an intercept, its coefficients and
        a standard deviation.
        """
        return sum(
            family.n_parameters
            if isinstance(family, LinearGaussian)
            else family.size - family.size // family.shape[-1]
            for family in self.families
        )

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
        """Return the labels of the states of a variable; a number has none."""
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
        """Return the table of a category: one axis per parent as in `parents`, then its states."""
        self._check_category(name)
        return self.families[self.index(name)]  # type: ignore[return-value]

    def family(self, name: str) -> NodeFamily:
        """Return how a variable depends on its parents: a table, or the regressions of a number."""
        return self.families[self.index(name)]

    def regression(self, name: str) -> LinearGaussian:
        """Return the regressions of a number, its parents in node order.

        Raises
        ------
        ModelError
            If the variable is a category.
        """
        family = self.family(name)
        if not isinstance(family, LinearGaussian):
            msg = f"variable {name!r} is a category and has a table, not regressions"
            raise ModelError(msg)
        return family

    def _check_category(self, name: str) -> None:
        if self._numbers >> self.index(name) & 1:
            msg = (
                f"variable {name!r} is a number and has regressions, not a table; see `regression`"
            )
            raise ModelError(msg.replace("`regression`", "net.regression"))

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
        families: list[NodeFamily] = []
        states = tuple(self.states[v] for v in old)
        for v in old:
            family = self.families[v]
            order = [place[self.names[u]] for u in bits(self.dag.parent_masks[v])]
            families.append(
                regression_in_node_order(self.names[v], family, order, states)
                if isinstance(family, LinearGaussian)
                else in_node_order(family, order)
            )
        return BayesNet(dag, states, tuple(families))

    def __eq__(self, other: object) -> bool:
        """Say whether two networks have the same variables, in whatever order, and families."""
        if not isinstance(other, BayesNet):
            return NotImplemented
        if self.dag != other.dag:
            return False
        twin = other if self.names == other.names else other.reordered(self.names)
        if self.states != twin.states:
            return False
        return all(map(same_family, self.families, twin.families))

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
            kind = listed(self.states_of(name), 8) or "a number"
            lines.append(f"  {name}: {kind}{given}")
        if self.n > _SHOWN:
            lines.append(f"  and {self.n - _SHOWN} more variables")
        return "\n".join(lines)
