"""Junction forests: the cliques of a chordal graph, joined so that shared nodes stay connected."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from bayesloom.errors import GraphError, listed
from bayesloom.graphs.masks import bits
from bayesloom.graphs.naming import check_names, mask_of_names, names_in
from bayesloom.graphs.text import counted, cut_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True, repr=False)
class JunctionForest:
    """The maximal cliques of a chordal graph as a forest with the running intersection property.

    Parameters
    ----------
    names : tuple of str
        The nodes; node v is ``names[v]``.
    cliques : tuple of int
        The cliques as bitmasks, each after the clique it hangs below.
    above : tuple of int
        For each clique the index of the clique it hangs below, -1 for the root of a tree.

    Raises
    ------
    GraphError
        If a node is in no clique, a clique lies inside another, or a clique shares nodes with
        earlier cliques that the clique above it does not have.

    Examples
    --------
    >>> forest = JunctionForest(("A", "B", "C", "D"), (0b0011, 0b0110, 0b1000), (-1, 0, -1))
    >>> forest
    JunctionForest(4 nodes, 3 cliques, 2 trees, largest clique 2)
    >>> forest.separators
    (0, 2, 0)
    >>> print(forest)
    JunctionForest with 4 nodes, 3 cliques and 2 trees
      A, B
        B, C (shares B)
      D
    """

    names: tuple[str, ...]
    cliques: tuple[int, ...]
    above: tuple[int, ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        if len(self.above) != len(self.cliques):
            msg = f"{len(self.cliques)} cliques need as many entries above, got {len(self.above)}"
            raise GraphError(msg)
        seen = 0
        for i, (clique, parent) in enumerate(zip(self.cliques, self.above, strict=True)):
            if clique <= 0 or clique >> len(self.names):
                msg = f"clique {i} is {clique!r}, not a mask of some of the {self.n} nodes"
                raise GraphError(msg)
            if not -1 <= parent < i:
                msg = f"clique {i} must hang below an earlier clique or below none, got {parent}"
                raise GraphError(msg)
            self._check_intersection(i, seen)
            seen |= clique
        missing = names_in(self.names, ((1 << self.n) - 1) & ~seen)
        if missing:
            msg = f"node {missing[0]!r} is in no clique; add the clique of that node alone"
            raise GraphError(msg)

    def _check_intersection(self, i: int, seen: int) -> None:
        clique, parent = self.cliques[i], self.above[i]
        over = self.cliques[parent] if parent >= 0 else 0
        lost = clique & seen & ~over
        if lost:
            name = names_in(self.names, lost)[0]
            msg = f"clique {i} shares {name!r} with an earlier clique but not with the one above"
            raise GraphError(msg)
        if not clique & ~over or (parent >= 0 and not over & ~clique):
            msg = f"cliques {i} and {parent} lie one inside the other; keep the larger one"
            raise GraphError(msg)

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.names)

    @property
    def separators(self) -> tuple[int, ...]:
        """For each clique the bitmask it shares with the clique above; 0 for a root."""
        pairs = zip(self.cliques, self.above, strict=True)
        return tuple(clique & self.cliques[up] if up >= 0 else 0 for clique, up in pairs)

    @property
    def n_trees(self) -> int:
        """The number of trees, which is the number of connected parts of the graph."""
        return self.above.count(-1)

    @property
    def largest(self) -> int:
        """The number of nodes of the largest clique; 0 without nodes."""
        return max((clique.bit_count() for clique in self.cliques), default=0)

    def clique_names(self) -> tuple[tuple[str, ...], ...]:
        """Return the names in each clique.

        Examples
        --------
        >>> JunctionForest(("A", "B"), (0b11,), (-1,)).clique_names()
        (('A', 'B'),)
        """
        return tuple(names_in(self.names, clique) for clique in self.cliques)

    def separator_names(self) -> tuple[tuple[str, ...], ...]:
        """Return the names each clique shares with the clique above; empty for a root."""
        return tuple(names_in(self.names, separator) for separator in self.separators)

    def home_of(self, names: str | Iterable[str]) -> int:
        """Return the index of the first clique that contains all the names.

        Raises
        ------
        GraphError
            If no clique does.

        Examples
        --------
        >>> JunctionForest(("A", "B", "C"), (0b011, 0b110), (-1, 0)).home_of(["C", "B"])
        1
        """
        wanted = mask_of_names(self.names, names)
        for i, clique in enumerate(self.cliques):
            if not wanted & ~clique:
                return i
        msg = f"no clique contains all of {', '.join(names_in(self.names, wanted))}"
        raise GraphError(msg)

    def n_states(self, cardinalities: Sequence[int]) -> int:
        """Return the number of joint states of all cliques together.

        Parameters
        ----------
        cardinalities : sequence of int
            The number of states of each node, in node order.

        Examples
        --------
        >>> JunctionForest(("A", "B", "C"), (0b011, 0b110), (-1, 0)).n_states([2, 3, 4])
        18
        """
        return sum(prod(cardinalities[v] for v in bits(clique)) for clique in self.cliques)

    def __repr__(self) -> str:
        sizes = f"{counted(self.n, 'node')}, {counted(len(self.cliques), 'clique')}"
        return (
            f"JunctionForest({sizes}, {counted(self.n_trees, 'tree')},"
            f" largest clique {self.largest})"
        )

    def __str__(self) -> str:
        below: list[list[int]] = [[] for _ in self.cliques]
        for i, up in enumerate(self.above):
            if up >= 0:
                below[up].append(i)
        cliques, separators = self.clique_names(), self.separator_names()
        lines = []
        stack = [(i, 1) for i, up in enumerate(self.above) if up < 0][::-1]
        while stack:
            i, depth = stack.pop()
            note = f" (shares {listed(separators[i])})" if separators[i] else ""
            lines.append("  " * depth + listed(cliques[i]) + note)
            stack += [(j, depth + 1) for j in reversed(below[i])]
        sizes = f"{counted(self.n, 'node')}, {counted(len(lines), 'clique')}"
        head = f"JunctionForest with {sizes} and {counted(self.n_trees, 'tree')}"
        return "\n".join([head, *cut_short(lines)])
