"""The model of a report: tables, and the cliques on which the page computes posteriors."""

from __future__ import annotations

import math

from bayesloom.graphs import ChordalGraph, bits
from bayesloom.model import BayesNet
from bayesloom.report.page.subject import Subject

MOST_TABLE_CELLS = 100_000
"""Probabilities that a report carries; a network with more is shown without tables and queries."""

MOST_PAGE_CELLS = 1 << 20
"""Cells of all cliques together that the page computes posteriors on."""


def modelled(subject: Subject) -> dict[str, object]:
    """Return parents, tables and cliques; where they are left out, a sentence that says why."""
    dag, names = subject.dag, subject.names
    parents = None
    if dag is not None:
        dag = dag.reordered(names)
        parents = [bits(mask) for mask in dag.parent_masks]
    told: dict[str, object] = {
        "parents": parents,
        "tables": None,
        "cliques": None,
        "absent": "",
        "beyond": False,  # there are probabilities, but too many for the page
    }
    if subject.net is None:
        told["absent"] = subject.absent
        return told
    cells = sum(table.size for table in subject.net.tables)
    if cells > MOST_TABLE_CELLS:
        told["beyond"] = True
        told["absent"] = (
            f"The tables of this network have {cells:,} probabilities; a report carries at most "
            f"{MOST_TABLE_CELLS:,}. Ask with bayesloom query, or net.query in Python."
        )
        return told
    net = subject.net.reordered(names)
    told["tables"] = [table.ravel().tolist() for table in net.tables]
    cliques, above = _cliques(net)
    work = sum(math.prod(len(net.states[v]) for v in clique) for clique in cliques)
    if work > MOST_PAGE_CELLS:
        told["beyond"] = True
        told["absent"] = (
            f"Exact posteriors of this network need tables of {work:,} cells; the page "
            f"computes with at most {MOST_PAGE_CELLS:,}. Ask with bayesloom query, or net.query "
            "in Python."
        )
        return told
    told["cliques"], told["above"] = cliques, above
    return told


def _cliques(net: BayesNet) -> tuple[list[list[int]], list[int]]:
    """Return the cliques of a junction forest of the moral graph, and what each hangs below."""
    sizes = dict(zip(net.names, net.cardinality.tolist(), strict=True))
    forest = ChordalGraph.triangulating(net.dag, sizes).junction_forest()
    return [bits(clique) for clique in forest.cliques], list(forest.above)
