"""The sets of links that can be added to a chordal graph together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Batch
from bayesloom.engine.batch import NONE
from bayesloom.engine.set_scan import SetRule, dependent_sets
from bayesloom.graphs import bits
from bayesloom.search.markov.chordal_state import ChordalState
from bayesloom.search.markov.informations import Informations, Link
from bayesloom.search.watch import Watch

_TABLES = 1 << 20  # tables asked for in one batch
_JOINS_PARTS = 4  # links that join two parts of at least two nodes each


class LinkSet(NamedTuple):
    """Nodes and the links that make a clique of them, in an order that stays chordal."""

    nodes: int
    links: tuple[Link, ...]


@dataclass(slots=True)
class LinkSets:
    """Finds the sets of links that leave a graph chordal and have their ends in one new clique.

    Such a set consists of all the links that some nodes lack, so sets of nodes are looked for.
    Inside a component they are grown node by node: whatever can be completed can be reached that
    way, and a node that can be added is at most two steps from one that is there. Across
    components everything can be joined; there the last node, if it is a single one, is looked for
    in large batches, and only sets with a gain are handed out.

    As links are added, a set without an end of a new link keeps its gain and can only cease to be
    possible; so only sets with such an end have to be looked for again.

    Parameters
    ----------
    state : ChordalState
        The graph.
    known : Informations
        Where gains come from.
    forbidden : sequence of int
        For every node those it must not be linked with.
    epsilon : float
        Gains up to this much count as none.
    """

    state: ChordalState
    known: Informations
    forbidden: Sequence[int]
    epsilon: float
    looked: int = 0
    _single: Floats | None = field(init=False, default=None)

    def of(self, size: int, touched: int, watch: Watch) -> list[LinkSet]:
        """Return the sets of so many links that have changed since the last time.

        Parameters
        ----------
        size : int
            How many links.
        touched : int
            The ends of the links that were added since; all nodes for everything there is.
        watch : Watch
            When it runs out, sets across components are left out.
        """
        everything = (1 << len(self.forbidden)) - 1
        parts = self._parts(size, everything if size >= _JOINS_PARTS else touched)
        found = [part for part in parts if len(part.links) == size and self._all_lack(part.nodes)]
        found += self._across([part for part in parts if _is_large(part.nodes)], size, watch)
        if touched == everything:
            found += self._of_singles(size, watch)
        return found

    def _of_singles(self, size: int, watch: Watch) -> list[LinkSet]:
        """Return the sets with a gain whose nodes are all in different components."""
        n_nodes = next(k for k in range(size + 2) if k * (k - 1) // 2 >= size)
        if n_nodes * (n_nodes - 1) // 2 != size:
            return []
        known, everything = self.known, (1 << len(self.forbidden)) - 1
        n_rows = known.engine.n_rows
        rule = SetRule(
            n_nodes,
            [
                everything & ~(self.state.component(v) | barred)
                for v, barred in enumerate(self.forbidden)
            ],
            price=known.price * n_rows,
            least=(known.link_price * size + self.epsilon / 2) * n_rows,
        )
        scan = dependent_sets(known.engine, rule)
        if scan is None:
            return self._completed(self._with_singles(LinkSet(0, ()), size), watch)
        self.looked += scan.looked + scan.bases
        found = []
        for nodes in scan.sets.tolist():
            union = LinkSet(0, ())
            for v in nodes:
                union = self._union(union, LinkSet(1 << v, ())) or union
            found.append(union)
        return found

    def _parts(self, size: int, roots: int) -> list[LinkSet]:
        """Return the nodes of one component, a root among them, that up to ``size`` links complete.

        From any of its nodes whatever can be completed can be reached node by node.
        """
        near = self._two_steps()
        layer = [LinkSet(1 << v, ()) for v in bits(roots)]
        found: list[LinkSet] = []
        for _ in range(size + 1):
            found += layer
            grown: dict[int, LinkSet] = {}
            for part in layer:
                # A node that lacks too much if it lacks all must be linked with one.
                spare = size - len(part.links) - part.nodes.bit_count()
                steps = near if spare >= 0 else self.state.adjacent
                reach = 0
                for v in bits(part.nodes):
                    reach |= steps[v]
                for v in bits(reach & ~part.nodes):
                    nodes = part.nodes | 1 << v
                    if nodes not in grown and (more := self._grown(part, v, size)) is not None:
                        grown[nodes] = more
            layer = list(grown.values())
        return found

    def _two_steps(self) -> list[int]:
        """Return for every node those that one or two links lead to."""
        adjacent = self.state.adjacent
        near = []
        for mask in adjacent:
            reach = mask
            for u in bits(mask):
                reach |= adjacent[u]
            near.append(reach)
        return near

    def _grown(self, part: LinkSet, v: int, size: int) -> LinkSet | None:
        """Add a node; None if that takes too many links, forbidden ones or is not chordal."""
        nodes = part.nodes | 1 << v
        lacks = part.nodes & ~self.state.adjacent[v]
        links = len(part.links) + lacks.bit_count()
        # A node that lacks nothing so far needs a link of its own later.
        if links > size or links + self._complete(nodes) > size or lacks & self.forbidden[v]:
            return None
        more = self.state.links_to(v, part.nodes)
        return None if more is None else LinkSet(nodes, (*part.links, *more))

    def _complete(self, nodes: int) -> int:
        """Count the nodes that are linked with all the others."""
        adjacent = self.state.adjacent
        return sum(not nodes & ~adjacent[v] & ~(1 << v) for v in bits(nodes))

    def _all_lack(self, nodes: int) -> bool:
        return not self._complete(nodes)

    def _across(self, parts: list[LinkSet], size: int, watch: Watch) -> list[LinkSet]:
        """Return the sets that join parts of different components, and single nodes to them."""
        joined = list(self._joined(LinkSet(0, ()), parts, size))
        spanning = [base for base in joined if len(base.links) == size and self._spans(base.nodes)]
        bases = (found for base in joined for found in self._with_singles(base, size))
        return spanning + self._completed(bases, watch)

    def _joined(self, base: LinkSet, parts: list[LinkSet], size: int) -> Iterator[LinkSet]:
        """Yield every choice of parts in different components that takes up to ``size`` links."""
        for k, part in enumerate(parts):
            union = self._union(base, part)
            if union is not None and len(union.links) <= size:
                yield union
                if len(union.links) + 2 * union.nodes.bit_count() <= size:
                    yield from self._joined(union, parts[k + 1 :], size)

    def _union(self, base: LinkSet, part: LinkSet) -> LinkSet | None:
        """Join a part to nodes of other components; None if one is the same or it is forbidden."""
        if self.state.component(_lowest(part.nodes)) & base.nodes:
            return None
        links = [*base.links, *part.links]
        done = 0
        for v in bits(part.nodes):
            if self.forbidden[v] & base.nodes:
                return None
            given = done
            for w in bits(base.nodes):
                links.append(Link.of(v, w, given))
                given |= 1 << w
            done |= 1 << v
        return LinkSet(base.nodes | part.nodes, tuple(links))

    def _with_singles(
        self, base: LinkSet, size: int, after: int = -1
    ) -> Iterator[tuple[LinkSet, int]]:
        """Yield bases that one more node completes, each with the nodes that may do so.

        Single nodes come in ascending order, so that every set is found once.
        """
        links = len(base.links) + base.nodes.bit_count()
        if links > size:
            return
        outside = (1 << len(self.forbidden)) - 1
        for v in bits(base.nodes):
            outside &= ~(self.state.component(v) | self.forbidden[v])
        outside = outside >> (after + 1) << (after + 1)
        if links == size and base.nodes:
            yield base, outside
            return
        for v in bits(outside):
            union = self._union(base, LinkSet(1 << v, ()))
            if union is not None:
                yield from self._with_singles(union, size, v)

    def _completed(self, bases: Iterable[tuple[LinkSet, int]], watch: Watch) -> list[LinkSet]:
        """Return the bases with one more node that have a gain, from few batches."""
        found: list[LinkSet] = []
        block: list[tuple[LinkSet, list[int]]] = []
        tables = 0
        for base, outside in bases:
            block.append((base, bits(outside)))
            tables += outside.bit_count() + 1
            if tables >= _TABLES:
                if not watch.may_go_on():
                    return found
                found += self._gaining(block)
                block, tables = [], 0
        return found + self._gaining(block)

    def _gaining(self, block: list[tuple[LinkSet, list[int]]]) -> list[LinkSet]:
        """Return the bases and nodes with a gain: I(base; node) pays for the parameters."""
        self.known.ask(link for base, _ in block for link in base.links)
        members = [bits(base.nodes) for base, _ in block]
        batch = Batch.of(
            (nodes[-1], nodes[:-1], (NONE, *others))
            for nodes, (_, others) in zip(members, block, strict=True)
        )
        self.looked += len(batch)
        engine = self.known.engine
        entropies = engine.entropies(batch)
        if self._single is None:
            self._single = engine.entropies(Batch.sets([v] for v in range(len(self.forbidden))))
        single = self._single
        price = self.known.price * self._parameters_joined(members, block)
        found = []
        start = 0
        for base, others in block:
            whole = entropies[start]
            joint = entropies[start + 1 : start + 1 + len(others)]
            gains = whole + single[others] - joint - price[start + 1 : start + 1 + len(others)]
            start += 1 + len(others)
            gains += self.known.gain(base.links).gain
            gains -= self.known.link_price * base.nodes.bit_count()
            for k in np.flatnonzero(gains > self.epsilon):
                union = self._union(base, LinkSet(1 << others[k], ()))
                if union is not None:
                    found.append(union)
        return found

    def _parameters_joined(
        self, members: list[list[int]], block: list[tuple[LinkSet, list[int]]]
    ) -> Floats:
        """Return how many further parameters every base takes with every node, and with none.

        They are the sum over the base's nodes, each given the earlier ones: with the node given,
        too, minus without.
        """
        states = self.known.states
        if states is not None:
            free = np.array(states) - 1.0
            parts = [
                self.known.size(base.nodes) * np.append(0.0, free[others]) for base, others in block
            ]
            return np.concatenate([np.zeros(0), *parts])
        sizes = [1 + len(others) for _, others in block]
        total = np.zeros(sum(sizes))
        for k in range(max(map(len, members), default=0)):
            some = [i for i, nodes in enumerate(members) if k < len(nodes)]
            free = self.known.engine.free_parameters(
                Batch.of((members[i][k], members[i][:k], (NONE, *block[i][1])) for i in some)
            )
            ends = np.cumsum([0, *(sizes[i] for i in some)])
            starts = np.concatenate([[0], np.cumsum(sizes)])
            for i, first, end in zip(some, ends[:-1], ends[1:], strict=True):
                total[starts[i] : starts[i + 1]] += free[first:end] - free[first]
        return total

    def _spans(self, nodes: int) -> bool:
        return bool(nodes & ~self.state.component(_lowest(nodes)))


def _is_large(nodes: int) -> bool:
    return nodes & (nodes - 1) != 0


def _lowest(nodes: int) -> int:
    return (nodes & -nodes).bit_length() - 1
