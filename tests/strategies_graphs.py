"""Drawn graphs: masks for the kernel, values for the edge."""

from __future__ import annotations

from hypothesis import strategies as st

from bayesloom.graphs import CPDAG, DAG, PDAG, bits, relabelled


@st.composite
def dag_masks(draw: st.DrawFn, max_nodes: int = 9, min_nodes: int = 0) -> list[int]:
    """Draw parent masks: a subset of the earlier nodes for each node, then a shuffle."""
    n = draw(st.integers(min_nodes, max_nodes))
    parents = [draw(st.integers(0, (1 << v) - 1)) for v in range(n)]
    sparse = draw(st.booleans())
    if sparse:
        parents = [p & draw(st.integers(0, (1 << v) - 1)) for v, p in enumerate(parents)]
    return relabelled(parents, draw(st.permutations(range(n))))


@st.composite
def link_masks(draw: st.DrawFn, max_nodes: int = 9) -> list[int]:
    """Draw the adjacency masks of an undirected graph."""
    n = draw(st.integers(0, max_nodes))
    adjacency = [0] * n
    for v in range(n):
        for u in range(v):
            if draw(st.booleans()):
                adjacency[v] |= 1 << u
                adjacency[u] |= 1 << v
    return adjacency


@st.composite
def chordal_masks(draw: st.DrawFn, max_nodes: int = 9, least: int = 0) -> list[int]:
    """Draw a chordal graph: every node is joined to a clique of those before it, then a shuffle."""
    n = draw(st.integers(least, max_nodes))
    adjacency = [0] * n
    for v in range(n):
        rest, clique = (1 << v) - 1, 0
        for u in draw(st.permutations(range(v)))[: draw(st.integers(0, 3))]:
            if rest >> u & 1:
                clique |= 1 << u
                rest &= adjacency[u]
        adjacency[v] = clique
        for u in bits(clique):
            adjacency[u] |= 1 << v
    return relabelled(adjacency, draw(st.permutations(range(n))))


def node_names(n: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw different names, odd ones included."""
    return st.lists(st.text(max_size=5), min_size=n, max_size=n, unique=True).map(tuple)


@st.composite
def dags(draw: st.DrawFn, max_nodes: int = 7) -> DAG:
    """Draw a DAG with odd names."""
    parents = draw(dag_masks(max_nodes))
    return DAG(draw(node_names(len(parents))), tuple(parents))


@st.composite
def pdags(draw: st.DrawFn, max_nodes: int = 7) -> PDAG:
    """Draw a DAG and make some of its edges undirected."""
    dag = draw(dags(max_nodes))
    free = [mask & draw(st.integers(0, (1 << dag.n) - 1)) for mask in dag.parent_masks]
    arrows = tuple(mask & ~loose for mask, loose in zip(dag.parent_masks, free, strict=True))
    there = DAG(dag.names, tuple(free))
    both = tuple(a | b for a, b in zip(there.parent_masks, there.child_masks, strict=True))
    return PDAG(dag.names, arrows, both)


def cpdags(max_nodes: int = 7) -> st.SearchStrategy[CPDAG]:
    """Draw an equivalence class."""
    return dags(max_nodes).map(CPDAG.of)
