"""Following a search: where it stands, and whether it shall pause, go on or stop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesloom.graphs import bits, cpdag_of_dag
from bayesloom.search import Step, Watch

if TYPE_CHECKING:
    from bayesloom._native import CPDAGState

_MOST_MOVES = 50  # of a search, told at once

MarkedEdge = tuple[int, int, str]
"""Two nodes and what is between them: "arrow", "free" (it may be turned) or "link"."""


class Telling:
    """Follow a search: where it stands, and whether it shall pause, go on or stop."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._stopped = self._paused = False
        self.phase = "search"
        self._told = 0
        self._last: Step | None = None
        self._joined: dict[tuple[int, int], None] = {}
        self._graph: list[int] | CPDAGState | None = None
        self._n_seen = 0

    def __call__(self, watch: Watch) -> None:
        """Hear, in the search's own thread, of a beginning, a step or a trial."""
        graph, n = watch.graph, len(watch.steps)
        if n != self._n_seen:
            self._n_seen = n
            self._graph = None if graph is None else graph.copy()  # the search goes on
        if self._watch is None:
            self._watch = watch
            if self._paused:
                watch.pause()
            if self._stopped:
                watch.interrupt()

    def pause(self) -> None:
        """Hold the search at its next step."""
        self._paused = True
        if self._watch is not None:
            self._watch.pause()

    def resume(self) -> None:
        """Let the search go on."""
        self._paused = False
        if self._watch is not None:
            self._watch.resume()

    def stop(self) -> None:
        """End the search; what it has is kept."""
        self._stopped = True
        if self._watch is not None:
            self._watch.interrupt()

    def news(self) -> dict[str, Any] | None:
        """Return where the search stands; None before it has begun.

        The moves are those since it was asked last, the latest ones if there were many. The edges
        are those of the graph that the last step led to, with the directions of its class; where
        the search does not tell it, the links that steps have made and not taken away again.
        """
        watch = self._watch
        if watch is None:
            return None
        fresh = self._fresh(watch.steps)
        return {
            "phase": self.phase,
            "step": self._told,
            "moves": [_move(step) for step in fresh[-_MOST_MOVES:]],
            "edges": self._edges(),
            "score": watch.score if math.isfinite(watch.score) else None,
            "bound": watch.bound,
            "trials": watch.trials,
            "seconds": round(watch.seconds, 2),
            "stopping": watch.interrupted,
        }

    def _edges(self) -> list[MarkedEdge]:
        graph = self._graph
        if graph is None:
            return [(x, y, "link") for x, y in self._joined]
        if isinstance(graph, list):
            return class_edges(cpdag_of_dag(graph)[1], graph)
        return class_edges(graph.neighbours, graph.member())

    def _fresh(self, steps: list[Step]) -> list[Step]:
        """Return the steps since the last time, and bring what is joined up to date."""
        start = min(self._told, len(steps))
        if start and steps[start - 1] is not self._last:
            start = 0  # the search tells other steps than before
        if start < self._told and start == 0:
            self._joined.clear()
        fresh = steps[start:]
        for step in fresh:
            for x, y in _pairs(step):
                if step.operator in ("insert", "link"):
                    self._joined[min(x, y), max(x, y)] = None
                elif step.operator in ("delete", "unlink"):
                    self._joined.pop((min(x, y), max(x, y)), None)
        self._told = start + len(fresh)
        self._last = steps[self._told - 1] if self._told else None
        return fresh


def class_edges(neighbours: Sequence[int], member: Sequence[int]) -> list[MarkedEdge]:
    """Return the edges of a class, those that are free in the direction of one of its DAGs.

    Examples
    --------
    >>> class_edges([0, 0, 0], [0, 0, 0b011])
    [(0, 2, 'arrow'), (1, 2, 'arrow')]
    >>> class_edges([0b10, 0b01], [0b10, 0])
    [(1, 0, 'free')]
    """
    return [
        (p, v, "free" if neighbours[v] >> p & 1 else "arrow")
        for v, mask in enumerate(member)
        for p in bits(mask)
    ]


def _pairs(step: Step) -> list[tuple[int, int]]:
    return [(step.x, step.y)] if step.change is None else list(step.change.links)


def _move(step: Step) -> list[Any]:
    """Tell a step: operator, ends, gain, reason, and the pairs it joins or parts."""
    gain = step.gain if math.isfinite(step.gain) else None
    return [step.operator, step.x, step.y, gain, step.reason.value, _pairs(step)]
