"""Two networks in one picture: what they share, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayesloom.errors import GraphError, listed
from bayesloom.graphs import CPDAG, DAG, ChordalGraph, bits, topological_order
from bayesloom.learning.structure import Structure
from bayesloom.report.drawing import Drawing, DrawnEdge, Line, Tint
from bayesloom.report.network_drawing import member_for_rows

_Pair = tuple[int, int]
"""Two places in the order of names, the smaller first."""


@dataclass(frozen=True, slots=True)
class _Marked:
    """The marks ``"->"``, ``"<-"`` and ``"-"`` of joined pairs, and an order for the rows."""

    marks: dict[_Pair, str]
    order: list[int]

    @classmethod
    def of(cls, graph: Structure, dag: DAG | None, names: tuple[str, ...]) -> _Marked:
        """Take a DAG as its class, so that differences are those that the SHD counts."""
        if isinstance(graph, ChordalGraph):
            rows = graph.reordered(names).to_dag()
            marks = {_pair(*edge): "-" for edge in _edges(rows.parent_masks)}
            return cls(marks, topological_order(rows.parent_masks))
        found = (CPDAG.of(graph) if isinstance(graph, DAG) else graph).reordered(names)
        rows = graph if isinstance(graph, DAG) else dag or member_for_rows(graph)
        marks = {
            (p, v) if p < v else (v, p): "->" if p < v else "<-"
            for p, v in _edges(found.parent_masks)
        }
        marks |= {_pair(*edge): "-" for edge in _edges(found.neighbour_masks)}
        return cls(marks, topological_order(rows.reordered(names).parent_masks))


def _edges(masks: Sequence[int]) -> list[tuple[int, int]]:
    return [(p, v) for v, mask in enumerate(masks) for p in bits(mask)]


def _pair(u: int, v: int) -> _Pair:
    return (u, v) if u < v else (v, u)


def difference_drawing(
    graph: Structure, dag: DAG | None, other: Structure, other_dag: DAG | None
) -> Drawing:
    """Return the drawing of two networks over the same variables.

    Networks are compared by their classes: shared edges have the same mark in both, turned ones
    are in both with different marks. Extra, missing and turned edges together are the structural
    Hamming distance (SHD).

    Raises
    ------
    GraphError
        If the networks have different variables, or one has links and the other arrows.
    """
    names = tuple(sorted(graph.names))
    if strange := sorted(set(names) ^ set(other.names)):
        msg = f"the networks differ in their variables: only one has {listed(strange)}"
        raise GraphError(msg)
    if isinstance(graph, ChordalGraph) is not isinstance(other, ChordalGraph):
        msg = "a Markov network has links and the other arrows; compare two of a kind"
        raise GraphError(msg)
    here, there = _Marked.of(graph, dag, names), _Marked.of(other, other_dag, names)
    place = {v: k for k, v in enumerate(here.order)}
    parents = [0] * len(names)
    lines: dict[DrawnEdge, Line] = {}
    tints: dict[DrawnEdge, Tint] = {}
    notes: dict[DrawnEdge, str] = {}
    upward = set()
    for pair in sorted({*here.marks, *there.marks}):
        marks = here.marks.get(pair), there.marks.get(pair)
        mark = marks[0] or marks[1]
        top, low = sorted(pair, key=place.__getitem__)
        parents[low] |= 1 << top
        edge = top, low
        lines[edge] = Line.LINK if mark == "-" else Line.ARROW
        if mark == ("<-" if pair == edge else "->"):
            upward.add(edge)
        tints[edge] = _tint(*marks)
        notes[edge] = _note(names, pair, *marks)
    return Drawing(
        names,
        tuple(parents),
        lines,
        notes=notes,
        title="Difference of two networks",
        tints=tints,
        tint_key=_key(list(tints.values())),
        upward=frozenset(upward),
    )


def _tint(here: str | None, there: str | None) -> Tint:
    if here is None or there is None:
        return Tint.MISSING if here is None else Tint.EXTRA
    return Tint.SHARED if here == there else Tint.TURNED


def _key(tints: list[Tint]) -> dict[Tint, str]:
    told = {
        Tint.SHARED: "the same in both",
        Tint.EXTRA: "only here",
        Tint.MISSING: "only in the other",
        Tint.TURNED: "directed otherwise in the other",
    }
    return {tint: f"{tint.value}: {tints.count(tint)} {what}" for tint, what in told.items()}


def _note(names: tuple[str, ...], pair: _Pair, here: str | None, there: str | None) -> str:
    x, y = (names[v] for v in pair)
    told = (("here", here), ("in the other", there))
    return "; ".join(f"{where} {x} {mark} {y}" if mark else f"{where} none" for where, mark in told)
