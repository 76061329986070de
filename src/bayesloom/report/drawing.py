"""What is to be drawn: boxes, and between them arrows and lines of several kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple, TypeVar

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


class Tint(Enum):
    """Why an edge has a colour of its own; the value names it in the picture."""

    DEPENDENCY = "dependency"
    """The search put it in to cover a dependency."""
    SHARED = "shared"
    """Both of two networks have it with the same mark."""
    EXTRA = "extra"
    """Of two networks only this one has it."""
    MISSING = "missing"
    """Only the other network has it: dotted."""
    TURNED = "turned"
    """Both have it, with different marks."""


class Mark(Enum):
    """What is special about a box; the value names its style in the picture."""

    FOCUS = "focus"
    """The one that the picture is about."""
    NEAR = "near"
    """In the Markov blanket of that one."""
    OBSERVED = "observed"
    """Its state is known."""
    FADED = "faded"
    """Not what the picture is about."""


class StateBar(NamedTuple):
    """A line in a box: a state and its probability."""

    label: str
    share: float


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
    tints : dict
        For edges that have a colour of their own, why.
    tint_key : dict
        What these colours mean.
    upward : frozenset
        Edges (parent, child) of the rows whose arrow points from the child to the parent.
    marks : dict
        What is special about boxes.
    bars : tuple of tuples of StateBar
        For every box the states in it with their probabilities; none if it is empty.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    lines: Mapping[DrawnEdge, Line] = field(default_factory=dict)
    weights: Mapping[DrawnEdge, float] = field(default_factory=dict)
    notes: Mapping[DrawnEdge, str] = field(default_factory=dict)
    key: Mapping[Line, str] = field(default_factory=dict)
    measure: str = ""
    title: str = "Graph"
    tints: Mapping[DrawnEdge, Tint] = field(default_factory=dict)
    tint_key: Mapping[Tint, str] = field(default_factory=dict)
    upward: frozenset[DrawnEdge] = frozenset()
    marks: Mapping[int, Mark] = field(default_factory=dict)
    bars: tuple[tuple[StateBar, ...], ...] = ()

    def line(self, edge: DrawnEdge) -> Line:
        """Return how an edge is drawn."""
        return self.lines.get(edge, Line.ARROW)

    def style(self, edge: DrawnEdge) -> str:
        """Return the names of an edge's styles."""
        tint = self.tints.get(edge)
        faded = Mark.FADED in (self.marks.get(v) for v in edge)
        return " ".join(
            [
                self.line(edge).value,
                *([] if tint is None else [tint.value]),
                *([Mark.FADED.value] if faded else []),
            ]
        )

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

        return replace(
            self,
            labels=tuple(self.labels[v] for v in order),
            parents=tuple(relabelled(self.parents, place)),
            lines=moved(self.lines),
            weights=moved(self.weights),
            notes=moved(self.notes),
            tints=moved(self.tints),
            upward=frozenset(moved(dict.fromkeys(self.upward))),
            marks={place[v]: mark for v, mark in self.marks.items()},
            bars=tuple(self.bars[v] for v in order) if self.bars else (),
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
