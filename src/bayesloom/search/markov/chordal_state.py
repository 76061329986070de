"""The state of a search over chordal graphs: which links may be added and taken away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bayesloom.graphs import bits, components, is_clique
from bayesloom.search.markov.informations import Link


@dataclass(slots=True)
class ChordalState:
    """A chordal graph as masks: the neighbours of every node, and the component it is in."""

    adjacent: list[int]
    _part: list[int] = field(init=False)
    """For every node the node that its component is called by."""
    _members: dict[int, int] = field(init=False)
    """The nodes of the component that a node gives its name."""

    def __post_init__(self) -> None:
        self._part, self._members = [0] * len(self.adjacent), {}
        self._find_components((1 << len(self.adjacent)) - 1)

    def _find_components(self, among: int) -> None:
        for mask in components(self.adjacent, among):
            name = (mask & -mask).bit_length() - 1
            self._members[name] = mask
            for v in bits(mask):
                self._part[v] = name

    def component(self, v: int) -> int:
        """Return the nodes of the component that a node is in."""
        return self._members[self._part[v]]

    def separator(self, x: int, y: int) -> int | None:
        """Return the common neighbours of x and y if they separate them, else None.

        Two nodes that are not adjacent can be linked without losing chordality if and only if
        they do.
        """
        common = self.adjacent[x] & self.adjacent[y]
        if not self.component(x) >> y & 1:
            return common
        if not common or meet(self.adjacent, 1 << x, 1 << y, common):
            return None
        return common

    def links_to(self, v: int, clique: int) -> list[Link] | None:
        """Order the links that join a node to a whole clique so that every step stays chordal.

        Parameters
        ----------
        v : int
            The node.
        clique : int
            Nodes that are taken for complete, whether they are or not.

        Returns
        -------
        list of Link, or None
            Each link with the common neighbours of its step; None if the result is not chordal.
            Any link that can be added first can be: between two chordal graphs, one inside the
            other, there is always a next link.
        """
        joined = clique & self.adjacent[v]
        apart = not self.component(v) & clique
        links = []
        left = bits(clique & ~joined)
        while left:
            for w in left:
                common = (self.adjacent[v] & self.adjacent[w]) | joined
                # What reaches any other node of the clique reaches w.
                if apart or not meet(self.adjacent, 1 << v, clique & ~joined, common):
                    break
            else:
                return None
            links.append(Link.of(v, w, common))
            left.remove(w)
            joined |= 1 << w
        return links

    def chain(self, nodes: Iterable[int]) -> list[Link] | None:
        """Order the missing links among nodes so that every step stays chordal.

        Returns
        -------
        list of Link, or None
            Each link with the common neighbours of its step; None if completing the nodes would
            not leave the graph chordal. Nodes are taken up one by one; one that fits now may come
            now, whatever follows.
        """
        left, clique = list(nodes), 0
        links: list[Link] = []
        while left:
            for v in left:
                more = self.links_to(v, clique)
                if more is not None:
                    break
            else:
                return None
            links += more
            left.remove(v)
            clique |= 1 << v
        return links

    def link(self, x: int, y: int) -> None:
        """Add a link."""
        self.adjacent[x] |= 1 << y
        self.adjacent[y] |= 1 << x
        large, small = self._part[x], self._part[y]
        if large != small:
            if self._members[large].bit_count() < self._members[small].bit_count():
                large, small = small, large
            moved = self._members.pop(small)
            self._members[large] |= moved
            for v in bits(moved):
                self._part[v] = large

    def unlink(self, x: int, y: int) -> None:
        """Take a link away."""
        self.adjacent[x] &= ~(1 << y)
        self.adjacent[y] &= ~(1 << x)
        whole = self._members.pop(self._part[x])
        self._find_components(whole)

    def is_removable(self, x: int, y: int) -> bool:
        """Say whether a link lies in one clique only, so that chordality survives its removal."""
        return is_clique(self.adjacent, self.adjacent[x] & self.adjacent[y])

    def crux(self, links: Sequence[Link]) -> int:
        """Return the crux of links that have just been added: the union of the cliques with one."""
        found = 0
        for x, y, _ in links:
            found |= (self.adjacent[x] & self.adjacent[y]) | 1 << x | 1 << y
        return found


def meet(adjacent: Sequence[int], sources: int, targets: int, blocked: int) -> bool:
    """Say whether a path that avoids the blocked nodes joins two sets of nodes.

    It is looked for from both ends, always on the side with the smaller front: most often one of
    the two sides is soon exhausted.
    """
    here, there = sources & ~blocked, targets & ~blocked
    seen_here, seen_there = here, there
    while here and there:
        if here & seen_there or there & seen_here:
            return True
        if here.bit_count() > there.bit_count():
            here, there, seen_here, seen_there = there, here, seen_there, seen_here
        reached = 0
        while here:
            low = here & -here
            here ^= low
            reached |= adjacent[low.bit_length() - 1]
        here = reached & ~(seen_here | blocked)
        seen_here |= here
    return bool(here & seen_there or there & seen_here)
