"""Grow-shrink trees: the parents that growing and shrinking finds among any predecessors."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bayesloom.graphs import bits
from bayesloom.search.facts.moves import Step
from bayesloom.search.foresight import Foresight, Unforeseen
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import ForeseenScores, LocalScores, tolerance

Question = tuple[int, int]
"""A variable and the mask of its predecessors."""

_MOST_REMEMBERED = 1 << 20  # answers; after that they are found again from the trees
_MOST_BYTES = 1 << 29  # of the masks of questions that are remembered
_TABLES = 1 << 22  # asked for in one batch


@dataclass(slots=True, eq=False)
class _Node:
    """A set of parents that growing has reached."""

    child: int
    parents: int
    score: float
    branches: array[int] | None = None
    """Single parents that improve the score, best first."""
    values: array[float] = field(default_factory=lambda: array("d"))
    """The score with each of them."""
    reached: dict[int, _Node] = field(default_factory=dict)
    """Where those branches lead that have been followed: most of very many never are."""
    shrunk: tuple[int, float] | None = None
    """The set after parents are taken away as long as that helps, and its score."""
    taken: tuple[tuple[int, float], ...] = ()
    """The parents that are taken away, in order, and what each gains."""

    def reach(self, u: int) -> _Node:
        """Return where the branch of a parent leads."""
        assert self.branches is not None
        value = self.values[self.branches.index(u)]
        return self.reached.setdefault(u, _Node(self.child, self.parents | 1 << u, value))


@dataclass(slots=True)
class GrowShrinkTrees:
    """For every variable a tree of the sets that growing reaches (a cache of greedy parent sets).

    A node has a branch for every further parent that improves the score, best first; growing among
    some predecessors follows the first branch that leads to one of them. So a set is scored once,
    for whatever predecessors it is reached.

    Parameters
    ----------
    scores : LocalScores
        The memory of scores.
    limits : Limits
        What parents may be; required ones are there from the beginning.
    """

    scores: LocalScores
    limits: Limits
    epsilon: float = field(init=False)
    roots: list[_Node] = field(init=False)
    known: dict[Question, tuple[int, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        families = list(enumerate(self.limits.required))
        self.scores.ask([], families)
        self.roots = [_Node(v, mask, self.scores[v, mask]) for v, mask in families]
        self.epsilon = tolerance(sum(root.score for root in self.roots))

    def settle(self, questions: Iterable[Question]) -> None:
        """Find the parents for all questions, with one batch of scores for every depth."""
        self._make_room()
        left = [question for question in questions if question not in self.known]
        leaves: dict[Question, _Node] = {}
        while left:
            stuck: dict[int, _Node] = {}
            waiting = []
            for question in left:
                node = self._grown(*question)
                if node.branches is None:
                    stuck[id(node)] = node
                    waiting.append(question)
                else:
                    leaves[question] = node
            self._expand(stuck.values())
            left = waiting
        self._shrink({id(node): node for node in leaves.values() if node.shrunk is None}.values())
        for question, node in leaves.items():
            assert node.shrunk is not None
            self.known[question] = node.shrunk

    def _make_room(self) -> None:
        """Forget all answers once there are too many of them."""
        bytes_each = len(self.limits.names) // 4 + 1  # of the predecessors and the parents
        if len(self.known) > min(_MOST_REMEMBERED, _MOST_BYTES // bytes_each):
            self.known.clear()

    def _grown(self, v: int, before: int) -> _Node:
        """Follow the branches among some predecessors to the end, or to what is not known yet."""
        node = self.roots[v]
        while True:
            for u in node.branches or ():
                if before >> u & 1:
                    node = node.reached.get(u) or node.reach(u)
                    break
            else:
                return node

    def steps(self, v: int, before: int) -> Iterator[Step]:
        """Yield the steps from the required parents to those found among some predecessors."""
        node, end = self.roots[v], self._grown(v, before)
        while node is not end:
            new = next(u for u in node.branches or () if before >> u & 1)
            following = node.reached[new]
            yield Step("insert", new, v, following.score - node.score)
            node = following
        yield from (Step("delete", u, v, gain) for u, gain in node.taken)

    def _expand(self, nodes: Iterable[_Node]) -> None:
        """Find the branches of some nodes: one batch, or several of bounded size."""
        wanted = list(nodes)
        per_block = max(1, _TABLES // max(1, len(self.limits.names)))
        for first in range(0, len(wanted), per_block):
            block = [(node, self._free(node)) for node in wanted[first : first + per_block]]
            self.scores.ask([(node.child, node.parents, mask) for node, mask in block if mask])
            for node, mask in block:
                node.branches, node.values = self._branches(node, mask)

    def _free(self, node: _Node) -> int:
        """Return the parents that a node may be given."""
        has_room = node.parents.bit_count() < self.limits.most
        return self.limits.allowed[node.child] & ~node.parents if has_room else 0

    def _branches(self, node: _Node, mask: int) -> tuple[array[int], array[float]]:
        if not mask:
            return array("i"), array("d")
        values = self.scores.row(node.child, node.parents)
        better = (values > node.score + self.epsilon).nonzero()[0].tolist()
        found = sorted([(-float(values[u]), u) for u in better if mask >> u & 1])
        return array("i", [u for _, u in found]), array("d", [-value for value, _ in found])

    def _shrink(self, nodes: Iterable[_Node]) -> None:
        """Take parents away where that helps, of all nodes at once: one batch for every parent."""
        left = {id(node): (node, node.parents, node.score) for node in nodes}
        while left:
            options = {
                key: [parents ^ 1 << u for u in bits(parents & ~self.limits.required[node.child])]
                for key, (node, parents, _) in left.items()
            }
            self.scores.ask(
                [], [(left[key][0].child, mask) for key, masks in options.items() for mask in masks]
            )
            for key, masks in options.items():
                node, parents, score = left[key]
                best, value = parents, score
                for mask in masks:
                    other = self.scores[node.child, mask]
                    if other > value + self.epsilon:
                        best, value = mask, other
                if best == parents:
                    node.shrunk = parents, score
                    del left[key]
                else:
                    node.taken += (((parents ^ best).bit_length() - 1, value - score),)
                    left[key] = node, best, value


class ForeseenTrees(GrowShrinkTrees):
    """Trees of a guess: they grow as far as scores are known, and what is not is noted."""

    __slots__ = ("sight",)

    def __init__(self, trees: GrowShrinkTrees, sight: Foresight) -> None:
        self.scores, self.limits = ForeseenScores(trees.scores, sight), trees.limits
        self.epsilon, self.known, self.sight = trees.epsilon, {}, sight
        self.roots = [_Node(root.child, root.parents, root.score) for root in trees.roots]

    def settle(self, questions: Iterable[Question]) -> None:
        """Find the parents for the questions whose scores are known."""
        self._make_room()
        lacking: set[int] = set()
        for question in questions:
            if question in self.known:
                continue
            if not self.sight.has_room:
                return
            node = self._grown(*question)
            if id(node) in lacking:
                continue
            try:
                while node.branches is None:
                    self._expand([node])
                    node = self._grown(*question)
                if node.shrunk is None:
                    self._shrink([node])
            except Unforeseen:
                lacking.add(id(node))
            else:
                assert node.shrunk is not None
                self.known[question] = node.shrunk
