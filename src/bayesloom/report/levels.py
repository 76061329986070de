"""Which row of a layered drawing every node is in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bayesloom.graphs import bits, components, skeleton, topological_order, transposed

_FULL = 2.0
_FEW = 10


def levels(parents: Sequence[int]) -> list[int]:
    """Give every node a row below all its parents, such that the edges are short together.

    The sum of their lengths is least (network simplex), except that nodes with one edge leave a
    row that is far too full for the next one.

    References
    ----------
    E. R. Gansner, E. Koutsofios, S. C. North, K. Vo: A technique for drawing directed graphs, IEEE
    Transactions on Software Engineering 19, 1993.

    Examples
    --------
    >>> levels([0, 0b001, 0b010, 0, 0b1100])
    [0, 1, 2, 2, 3]
    """
    level = [0] * len(parents)
    for v in topological_order(parents):
        level[v] = max((level[p] + 1 for p in bits(parents[v])), default=0)
    for block in components(skeleton(parents)):
        _shorten(block, parents, level)
        _thin_out(block, parents, level)
        top = min(level[v] for v in bits(block))
        for v in bits(block):
            level[v] -= top
    return level


def _shorten(block: int, parents: Sequence[int], level: list[int]) -> None:
    """Make the edges of a component as short together as can be."""
    nodes = bits(block)
    edges = [(p, v) for v in nodes for p in bits(parents[v])]
    # Edges inside a set of nodes cancel: moving the set down by one changes the sum of all lengths
    # by minus the sum of its surpluses.
    surplus = Counter(p for p, _ in edges)
    surplus.subtract(v for _, v in edges)
    tree = _tight_tree(block, edges, level)
    for _ in range(20 * len(nodes)):
        leaving = _leaving(nodes[0], tree, surplus)
        if leaving is None:
            return
        edge, below = leaving
        into = [e for e in edges if below >> e[0] & 1 and not below >> e[1] & 1]
        entering = min(into, key=lambda e: (level[e[1]] - level[e[0]], e))
        slack = level[entering[1]] - level[entering[0]] - 1
        for v in bits(below):
            level[v] += slack
        tree.remove(edge)
        tree.append(entering)


def _tight_tree(
    block: int, edges: Sequence[tuple[int, int]], level: list[int]
) -> list[tuple[int, int]]:
    """Join all nodes by edges of length 1, moving parts of the component together."""
    tree: list[tuple[int, int]] = []
    reached = block & -block
    while reached != block:
        border = [e for e in edges if (reached >> e[0] ^ reached >> e[1]) & 1]
        p, v = min(border, key=lambda e: (level[e[1]] - level[e[0]], e))
        slack = level[v] - level[p] - 1
        way = 1 if reached >> p & 1 else -1
        for u in bits(reached) if slack else ():
            level[u] += way * slack
        tree.append((p, v))
        reached |= 1 << p | 1 << v
    return tree


def _leaving(
    root: int, tree: Sequence[tuple[int, int]], surplus: Counter[int]
) -> tuple[tuple[int, int], int] | None:
    """Find an edge of the tree that should become longer, and the nodes at its lower end."""
    joined: dict[int, list[tuple[int, tuple[int, int]]]] = {}
    for p, v in tree:
        joined.setdefault(p, []).append((v, (p, v)))
        joined.setdefault(v, []).append((p, (p, v)))
    order: list[tuple[int, int, tuple[int, int]]] = []  # node, the node before it, their edge
    stack = [(root, -1)]
    while stack:
        u, before = stack.pop()
        for w, edge in joined.get(u, ()):
            if w != before:
                order.append((w, u, edge))
                stack.append((w, u))
    weight = dict(surplus)
    mask = {u: 1 << u for u in joined}
    worst, found = 0, None
    for w, u, edge in reversed(order):
        # Negative: the end of the edge that points away from w gains by moving.
        value = weight[w] if edge[0] == w else -weight[w]
        if value < worst:
            worst, found = value, (edge, w)
        weight[u] += weight[w]
        mask[u] |= mask[w]
    if found is None:
        return None
    edge, w = found
    whole = mask[root]
    return edge, mask[w] if edge[1] == w else whole & ~mask[w]


def _thin_out(block: int, parents: Sequence[int], level: list[int]) -> None:
    """Move nodes with one edge from rows that are far too full one row on, and so on."""
    children = transposed(parents)
    nodes = bits(block)
    most = max(_FEW, round(_FULL * len(nodes) ** 0.5))
    for way, ahead, behind in ((1, children, parents), (-1, parents, children)):
        leaves = [v for v in nodes if not ahead[v] and behind[v].bit_count() == 1]
        count = Counter(level[v] for v in nodes)
        for row in sorted(count)[::way]:
            r = row
            while count[r] > most:
                movable = [v for v in leaves if level[v] == r]
                moving = movable[: min(count[r] - most, (count[r] - count[r + way]) // 2)]
                for v in moving:
                    level[v] += way
                count[r] -= len(moving)
                count[r + way] += len(moving)
                if not moving:
                    break
                r += way
