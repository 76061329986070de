"""The state of a search over chordal graphs, and what adding links to it changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bayesloom.graphs import bits, components, is_clique, mask_of
from bayesloom.search.informations import Informations, Link


@dataclass(slots=True)
class ChordalState:
    """A chordal graph as masks: the neighbours of every node, and the component it is in."""

    adjacent: list[int]
    component: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.component = [0] * len(self.adjacent)
        for mask in components(self.adjacent):
            for v in bits(mask):
                self.component[v] = mask

    def separator(self, x: int, y: int) -> int | None:
        """Return the common neighbours of x and y if they separate them, else None.

        Two nodes that are not adjacent can be linked without losing chordality if and only if
        they do.
        """
        common = self.adjacent[x] & self.adjacent[y]
        if not self.component[x] >> y & 1:
            return common
        if not common:
            return None
        goal = 1 << y
        seen = common | 1 << x
        front = self.adjacent[x] & ~seen
        while front:
            if front & goal:
                return None
            seen |= front
            reached = 0
            while front:
                low = front & -front
                front ^= low
                reached |= self.adjacent[low.bit_length() - 1]
            front = reached & ~seen
        return common

    def link(self, x: int, y: int) -> None:
        """Add a link."""
        self.adjacent[x] |= 1 << y
        self.adjacent[y] |= 1 << x
        if not self.component[x] >> y & 1:
            joined = self.component[x] | self.component[y]
            for v in bits(joined):
                self.component[v] = joined

    def unlink(self, x: int, y: int) -> None:
        """Take a link away."""
        self.adjacent[x] &= ~(1 << y)
        self.adjacent[y] &= ~(1 << x)
        self.__post_init__()

    def is_removable(self, x: int, y: int) -> bool:
        """Say whether a link lies in one clique only, so that chordality survives its removal."""
        return is_clique(self.adjacent, self.adjacent[x] & self.adjacent[y])

    def chain(self, nodes: Sequence[int]) -> list[Link] | None:
        """Order the missing links among some nodes so that every step stays chordal.

        Returns
        -------
        list of Link, or None
            Each link with the separator of its step; None if completing the nodes would not leave
            the graph chordal. Any link that can be added first can be: a chordal graph grows into
            a larger one link by link.
        """
        missing = [
            (x, y)
            for i, x in enumerate(nodes)
            for y in nodes[i + 1 :]
            if not self.adjacent[x] >> y & 1
        ]
        if len(missing) == 1:
            x, y = missing[0]
            common = self.separator(x, y)
            return None if common is None else [Link(x, y, common)]
        trial = ChordalState.__new__(ChordalState)
        trial.adjacent, trial.component = self.adjacent[:], self.component[:]
        links: list[Link] = []
        while missing:
            for pair in missing:
                common = trial.separator(*pair)
                if common is not None:
                    links.append(Link(*pair, common))
                    trial.link(*pair)
                    missing.remove(pair)
                    break
            else:
                return None
        return links


def vertex_sets(
    adjacent: Sequence[int], level: int, *, triples: bool = True
) -> Iterator[tuple[int, ...]]:
    """Yield the sets of nodes with ``level`` missing links, every node in one of them, in order.

    Without ``triples`` the sets of three nodes without any link are left out.
    """
    n = len(adjacent)
    most = level + 1

    def grow(nodes: list[int], missing: int) -> Iterator[tuple[int, ...]]:
        for v in range(nodes[-1] + 1 if nodes else 0, n):
            lacks = len(nodes) - (adjacent[v] & mask_of(nodes)).bit_count()
            if missing + lacks > level:
                continue
            grown = [*nodes, v]
            if not triples and lacks == 2 == len(nodes) and missing:  # noqa: PLR2004 - a triple
                continue
            if missing + lacks == level and _all_lack(adjacent, grown):
                yield tuple(grown)
            if len(grown) < most:
                yield from grow(grown, missing + lacks)

    yield from grow([], 0)


def _all_lack(adjacent: Sequence[int], nodes: Sequence[int]) -> bool:
    mask = mask_of(nodes)
    return all(mask & ~adjacent[v] & ~(1 << v) for v in nodes)


def total_gain(
    links: Sequence[Link], known: Informations, alpha: float
) -> tuple[float, float, float]:
    """Return the gain, the fall of entropy and the further parameters of adding links in order."""
    entropy = sum(known[link] for link in links)
    cost = sum(known.parameters(link) for link in links)
    return entropy - alpha * cost, entropy, cost
