"""What the data say of every edge of a network, asked at once."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.engine import Engine
from bayesloom.graphs import DAG, ChordalGraph, bits, is_clique
from bayesloom.learning.edge_strength import EdgeStrength
from bayesloom.learning.structure import Structure
from bayesloom.scores import Score
from bayesloom.story.criterion import Criterion
from bayesloom.story.evidence import family_scores, pair_tests

_USUAL = Criterion()
_MOST_GIVEN = 1 << 22  # parents over all edges; 230 variables that are all joined have as many


def measure_edges(
    engine: Engine,
    score: Score | None,
    graph: Structure,
    dag: DAG | None = None,
    *,
    criterion: Criterion = _USUAL,
    completed: Engine | None = None,
) -> tuple[EdgeStrength, ...]:
    """Ask the data about every edge of a network: one batch of scores, one of tests.

    Parameters
    ----------
    engine, criterion, completed
        As for `gather_evidence`.
    score : Score, optional
        What losses are measured by.
    graph : DAG, PDAG or ChordalGraph
        The network.
    dag : DAG, optional
        The member of a class that is measured; by default ``graph``, if it is a DAG.

    Returns
    -------
    tuple of EdgeStrength
        In the order of names; empty for a class without a member, and for a graph so dense that
        asking would take longer than learning it.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> from bayesloom.scores import BIC
    >>> engine = NativeEngine(Table.from_frame({"A": ["n", "y"] * 20, "B": ["n", "y"] * 20}))
    >>> (edge,) = measure_edges(engine, BIC(), DAG.from_edges([("A", "B")]))
    >>> round(edge.loss, 2), round(edge.information, 4), edge.conclusive
    (25.88, 0.6931, True)
    """
    if isinstance(graph, ChordalGraph):
        asked = _asked_links(ChordalGraph.from_edges(graph.edges, engine.names))
    else:
        member = graph if isinstance(graph, DAG) else dag
        edges = () if member is None else member.edges
        asked = _asked_edges(DAG.from_edges(edges, engine.names))
    if not asked:
        return ()
    names = engine.names
    asked.sort(key=lambda edge: (names[edge[0]], names[edge[1]]))
    losses = _losses(engine, completed, score, asked)
    tests = pair_tests(engine, criterion, [(x, given, y) for x, y, given, _ in asked])
    return tuple(
        EdgeStrength(
            names[x],
            names[y],
            loss,
            test.mutual_information,
            test.log_p,
            test.conclusive,
            test.rows,
        )
        for (x, y, _, _), loss, test in zip(asked, losses, tests, strict=True)
    )


_Asked = tuple[int, int, list[int], bool]  # parent, child, what is given, whether it can go


def _asked_edges(dag: DAG) -> list[_Asked]:
    if sum(mask.bit_count() ** 2 for mask in dag.parent_masks) > _MOST_GIVEN:
        return []
    return [
        (p, v, bits(mask & ~(1 << p)), True)
        for v, mask in enumerate(dag.parent_masks)
        for p in bits(mask)
    ]


def _asked_links(graph: ChordalGraph) -> list[_Asked]:
    """Return every link; it can go if the common neighbours are linked, else a hole is left."""
    adjacency, names = graph.adjacency, graph.names
    if sum(mask.bit_count() ** 2 for mask in adjacency) > 2 * _MOST_GIVEN:
        return []
    asked = []
    for x, mask in enumerate(adjacency):
        for y in bits(mask):
            if names[x] < names[y]:
                common = mask & adjacency[y]
                asked.append((x, y, bits(common), is_clique(adjacency, common)))
    return asked


def _losses(
    engine: Engine, completed: Engine | None, score: Score | None, asked: Sequence[_Asked]
) -> list[float | None]:
    """Return by how much the score falls without each edge; None where it cannot go."""
    going = [(x, y, given) for x, y, given, can_go in asked if can_go]
    if score is None or not going:
        return [None] * len(asked)
    families = [(y, sorted([*given, x])) for x, y, given in going]
    families += [(y, given) for _, y, given in going]
    values = family_scores(score, engine, completed, families)
    falls = iter([have - lack for have, lack in zip(values, values[len(going) :], strict=False)])
    return [next(falls) if can_go else None for *_, can_go in asked]
