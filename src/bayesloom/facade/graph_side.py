"""What a network tells of its graph, by names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bayesloom.errors import AbsentError
from bayesloom.graphs import DAG
from bayesloom.learning.structure import Structure, directed, undirected

if TYPE_CHECKING:
    from bayesloom.graphs import CPDAG, PDAG, ChordalGraph, JunctionForest


class GraphSide:
    """The graph of a network: edges, classes, neighbours, separation."""

    __slots__ = ()
    graph: Structure
    extension: DAG | None

    @property
    def names(self) -> tuple[str, ...]:
        """The variables; those of a learned network in the order of the data's columns."""
        return self.graph.names

    @property
    def dag(self) -> DAG:
        """The network's graph; for a search over equivalence classes one member of the class.

        Raises
        ------
        AbsentError
            If the search found a partially directed graph that no DAG extends.
        """
        if self.extension is None:
            from bayesloom.model.graph_file import SCORED

            msg = (
                "no DAG extends the graph that the search found, so it has no parameters and no "
                f"class, but edges and undirected; {SCORED}"
            )
            raise AbsentError(msg)
        return self.extension

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The directed edges as (parent, child), in the order of names.

        A search for a DAG directs all of them; which of them an equivalent network has the other
        way round, `edge_table` tells as free and `cpdag` leaves open.
        """
        return directed(self.graph)

    @property
    def undirected(self) -> tuple[tuple[str, str], ...]:
        """The edges without direction: open ones of a class, the links of a Markov network."""
        return undirected(self.graph)

    @property
    def cpdag(self) -> CPDAG:
        """The equivalence class of the network: compelled arrows and reversible edges."""
        from bayesloom.graphs import CPDAG

        return CPDAG.of(self.dag)

    @property
    def skeleton(self) -> PDAG:
        """The network with every edge undirected."""
        from bayesloom.graphs import PDAG

        return (self.graph if isinstance(self.graph, PDAG) else self.cpdag).skeleton()

    @property
    def junction_forest(self) -> JunctionForest:
        """The cliques of a Markov network and how they hang together.

        Raises
        ------
        AbsentError
            If this is no Markov network.
        """
        return self._markov("a junction forest").junction_forest()

    def _markov(self, what: str) -> ChordalGraph:
        from bayesloom.graphs import ChordalGraph

        if isinstance(self.graph, ChordalGraph):
            return self.graph
        msg = f"only a Markov network has {what}; learn with DMN()"
        raise AbsentError(msg)

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the parents of a variable in ``dag``."""
        return self.dag.parents(name)

    def children(self, name: str) -> tuple[str, ...]:
        """Return the children of a variable in ``dag``."""
        return self.dag.children(name)

    def ancestors(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """Return the ancestors of one variable or of several in ``dag``, without these."""
        return self.dag.ancestors_of(names)

    def descendants(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """Return the descendants of one variable or of several in ``dag``, without these."""
        return self.dag.descendants_of(names)

    def markov_blanket(self, name: str) -> tuple[str, ...]:
        """Return a variable's Markov blanket: parents, children and the children's other parents.

        Given its blanket, a variable is independent of all others. It is the same in every
        equivalent network; in a Markov network it is the neighbours.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> network("rain -> wet <- sprinkler").markov_blanket("rain")
        ('wet', 'sprinkler')
        """
        return self.dag.markov_blanket(name)

    def d_separated(self, x: str, y: str, given: str | Iterable[str] = ()) -> bool:
        """Say whether two variables are d-separated given others: the network has them independent.

        Raises
        ------
        GraphError
            If the two are the same or one of them is given.

        Examples
        --------
        >>> from bayesloom.facade import network
        >>> collider = network("rain -> wet <- sprinkler")
        >>> collider.d_separated("rain", "sprinkler")
        True
        >>> collider.d_separated("rain", "sprinkler", given="wet")
        False
        """
        return self.dag.d_separated(x, y, given)

    def d_connected(self, name: str, given: str | Iterable[str] = ()) -> tuple[str, ...]:
        """Return all variables that are d-connected with one given others."""
        return self.dag.d_connected(name, given)
