"""How far a learned structure is from the true one; nodes are matched by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom.errors import GraphError, listed
from bayesloom.graphs.completion import cpdag_of_dag
from bayesloom.graphs.dag import DAG
from bayesloom.graphs.masks import relabelled, skeleton
from bayesloom.graphs.naming import positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bayesloom.graphs.pdag import PDAG


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many marks two graphs share, and how many only one of them has.

    Parameters
    ----------
    true_positives : int
        Marks in both graphs.
    false_positives : int
        Marks of the learned graph only.
    false_negatives : int
        Marks of the true graph only.

    Examples
    --------
    >>> agreement = Agreement(true_positives=3, false_positives=1, false_negatives=3)
    >>> agreement.precision, agreement.recall, agreement.f
    (0.75, 0.5, 0.6)
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """The share of learned marks that are true; 1 if nothing was learned."""
        return _share(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        """The share of true marks that were learned; 1 if there are none."""
        return _share(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def f(self) -> float:
        """The F-measure ``2 TP / (2 TP + FP + FN)``; 1 if neither graph has a mark."""
        twice = 2 * self.true_positives
        return _share(twice, twice + self.false_positives + self.false_negatives)


def adjacency_agreement(true: DAG | PDAG, learned: DAG | PDAG) -> Agreement:
    """Compare which pairs of nodes are adjacent, whatever the direction.

    Raises
    ------
    GraphError
        If the graphs have different nodes.

    Examples
    --------
    >>> true = DAG.from_edges([("A", "B"), ("B", "C")])
    >>> learned = DAG.from_edges([("B", "A")], nodes=["C", "B", "A"])
    >>> adjacency_agreement(true, learned)
    Agreement(true_positives=1, false_positives=0, false_negatives=1)
    """
    both = _aligned(true, learned)
    ends = _agreement(*(_adjacency(parents, neighbours) for parents, neighbours in both))
    halves = (ends.true_positives, ends.false_positives, ends.false_negatives)
    return Agreement(*(count // 2 for count in halves))


def arrowhead_agreement(true: DAG | PDAG, learned: DAG | PDAG) -> Agreement:
    """Compare the arrows of the equivalence classes; reversible edges have none.

    A DAG stands for its class; a PDAG is taken as it is.

    Raises
    ------
    GraphError
        If the graphs have different nodes.

    Examples
    --------
    >>> true = DAG.from_edges([("A", "C"), ("B", "C")])
    >>> arrowhead_agreement(true, DAG.from_edges([("A", "C"), ("C", "B")]))
    Agreement(true_positives=0, false_positives=0, false_negatives=2)
    """
    (arrows, _), (others, _) = _aligned(true, learned)
    return _agreement(arrows, others)


def structural_hamming_distance(true: DAG | PDAG, learned: DAG | PDAG) -> int:
    """Count the pairs of nodes that the equivalence classes join differently.

    A missing edge, an extra edge and an edge marked otherwise (reversed, or directed in one
    class only) each count 1. A DAG stands for its class; a PDAG is taken as it is.

    Raises
    ------
    GraphError
        If the graphs have different nodes.

    Examples
    --------
    >>> true = DAG.from_edges([("A", "C"), ("B", "C")])
    >>> structural_hamming_distance(true, DAG.from_edges([("A", "C"), ("C", "B")]))
    2
    """
    (parents, neighbours), (other_parents, other_neighbours) = _aligned(true, learned)
    arrows = [a ^ b for a, b in zip(parents, other_parents, strict=True)]
    links = [a ^ b for a, b in zip(neighbours, other_neighbours, strict=True)]
    return sum(mask.bit_count() for mask in _adjacency(arrows, links)) // 2


def _aligned(
    true: DAG | PDAG, learned: DAG | PDAG
) -> tuple[tuple[list[int], list[int]], tuple[list[int], list[int]]]:
    """Return parents and neighbours of both graphs, in the node order of the true one."""
    ours, theirs = set(true.names), set(learned.names)
    missing = [name for name in true.names if name not in theirs]
    extra = [name for name in learned.names if name not in ours]
    if missing or extra:
        parts = [f"only the true graph has {listed(missing)}"] if missing else []
        parts += [f"only the learned graph has {listed(extra)}"] if extra else []
        msg = f"the graphs must have the same nodes: {' and '.join(parts)}"
        raise GraphError(msg)
    place = positions(learned.names, true.names)
    parents, neighbours = _class_masks(learned)
    return _class_masks(true), (relabelled(parents, place), relabelled(neighbours, place))


def _class_masks(graph: DAG | PDAG) -> tuple[list[int], list[int]]:
    if isinstance(graph, DAG):
        return cpdag_of_dag(graph.parent_masks)
    return list(graph.parent_masks), list(graph.neighbour_masks)


def _adjacency(parents: Sequence[int], neighbours: Sequence[int]) -> list[int]:
    return [a | b for a, b in zip(skeleton(parents), neighbours, strict=True)]


def _agreement(true: Sequence[int], learned: Sequence[int]) -> Agreement:
    pairs = list(zip(true, learned, strict=True))
    return Agreement(
        sum((a & b).bit_count() for a, b in pairs),
        sum((b & ~a).bit_count() for a, b in pairs),
        sum((a & ~b).bit_count() for a, b in pairs),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
