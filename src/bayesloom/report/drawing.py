"""What is to be drawn: boxes, and between them arrows and lines of several kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from bayesloom.graphs import JunctionForest, bits, relabelled

DrawnEdge = tuple[int, int]
_T = TypeVar("_T")


class Line(Enum):
    """How an edge is drawn; the value names its style in the picture."""

    ARROW = "edge"
    """A solid arrow."""
    KNOWN = "edge known"
    """An arrow whose direction was known before: solid with a hollow head."""
    TURNABLE = "edge free"
    """An arrow that might as well point the other way: dashed."""
    OPEN = "edge free open"
    """An edge of a class whose direction is free: dashed, without a head."""
    LINK = "edge link"
    """An edge of a graph without directions: solid, without a head."""

    @property
    def has_head(self) -> bool:
        """Whether it is an arrow."""
        return self not in (Line.OPEN, Line.LINK)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn.

    Parameters
    ----------
    labels : tuple of str
        The text of every box.
    parents : tuple of int
        Parent masks of a DAG that gives the rows of the picture.
    lines : dict
        For edges (parent, child) how they are drawn; a solid arrow where it does not say.
    weights : dict
        A number from 0 to 1 for edges (parent, child): how strong they are drawn.
    notes : dict
        A text for edges, shown when the pointer rests on them.
    key : dict
        What kinds of lines mean; the picture explains those that occur in it.
    measure : str
        What the strength of edges means; empty if they are all drawn alike.
    title : str
        What the picture shows, for those who hear it read.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    lines: Mapping[DrawnEdge, Line] = field(default_factory=dict)
    weights: Mapping[DrawnEdge, float] = field(default_factory=dict)
    notes: Mapping[DrawnEdge, str] = field(default_factory=dict)
    key: Mapping[Line, str] = field(default_factory=dict)
    measure: str = ""
    title: str = "Graph"

    def line(self, edge: DrawnEdge) -> Line:
        """Return how an edge is drawn."""
        return self.lines.get(edge, Line.ARROW)

    def edges(self) -> list[DrawnEdge]:
        """Return the edges (parent, child)."""
        return [(p, v) for v, mask in enumerate(self.parents) for p in bits(mask)]

    def in_label_order(self) -> Drawing:
        """Return the same drawing with its boxes in the order of their labels.

        Examples
        --------
        >>> Drawing(("B", "A"), (0b10, 0)).in_label_order().edges()
        [(0, 1)]
        """
        order = sorted(range(len(self.labels)), key=lambda v: (self.labels[v], v))
        place = [0] * len(order)
        for k, v in enumerate(order):
            place[v] = k

        def moved(told: Mapping[DrawnEdge, _T]) -> dict[DrawnEdge, _T]:
            return {(place[p], place[v]): what for (p, v), what in told.items()}

        return Drawing(
            tuple(self.labels[v] for v in order),
            tuple(relabelled(self.parents, place)),
            moved(self.lines),
            moved(self.weights),
            moved(self.notes),
            self.key,
            self.measure,
            self.title,
        )


def forest_drawing(forest: JunctionForest) -> Drawing:
    """Return the drawing of a junction forest: its cliques, and what they share as notes."""
    labels = tuple(", ".join(names) for names in forest.clique_names())
    parents = tuple(0 if above < 0 else 1 << above for above in forest.above)
    shared = {
        (above, k): f"shares {', '.join(names)}"
        for k, (above, names) in enumerate(zip(forest.above, forest.separator_names(), strict=True))
        if above >= 0
    }
    lines = dict.fromkeys(shared, Line.LINK)
    return Drawing(labels, parents, lines, notes=shared, title="Junction forest")
