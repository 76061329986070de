"""The operators at every node of a class, best first, remembered by what the node sees."""

from __future__ import annotations

from bayesloom import _native
from bayesloom._native import CPDAGState, Menu
from bayesloom.graphs import transposed
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import LocalScores

KINDS = ("insert", "delete", "reverse")


class Menus:
    """The operators of one kind with a gain above ``floor``, node by node.

    Which operators there are at a node, and their gains, follow from what surrounds it: searches
    that come back to a place find its menu ready. Semi-directed paths are not looked at here.
    """

    __slots__ = ("_native", "floor", "kind", "limits", "scores", "tie")

    def __init__(
        self, kind: str, scores: LocalScores, limits: Limits, floor: float, tie: float
    ) -> None:
        self.kind = kind
        self.scores = scores
        self.limits = limits
        self.floor = floor
        self.tie = tie
        must = limits.required
        both = [into | out for into, out in zip(must, transposed(must), strict=True)]
        self._native = _native.Menus(KINDS.index(kind), limits.pairs, both, limits.most, floor, tie)

    def ask(self, state: CPDAGState, nodes: int) -> list[tuple[int, Menu]]:
        """Return the menus of some nodes; what is not known is scored in one batch."""
        self._native.want(self.scores.memory, state, nodes)
        self.scores.settle()
        return self._native.take(self.scores.memory)
