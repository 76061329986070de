"""Graphs as values over node names, and the kernel over bitmasks that searches call directly."""

from bayesloom.graphs.ancestry import (
    ancestor_masks,
    ancestors,
    descendant_masks,
    find_cycle,
    topological_order,
)
from bayesloom.graphs.cardinality_search import (
    clique_forest,
    find_hole,
    is_chordal,
    maximum_cardinality_search,
)
from bayesloom.graphs.chordal import ChordalGraph
from bayesloom.graphs.compare import (
    Agreement,
    adjacency_agreement,
    arrowhead_agreement,
    structural_hamming_distance,
)
from bayesloom.graphs.completion import (
    collider_parents,
    consistent_extension,
    cpdag_of_dag,
    cpdag_of_pdag,
    equivalent,
    pattern_of_dag,
    remove_sinks,
)
from bayesloom.graphs.cpdag import CPDAG
from bayesloom.graphs.crux import Crux, CruxMasks, crux, crux_of_links
from bayesloom.graphs.dag import DAG
from bayesloom.graphs.junction import JunctionForest
from bayesloom.graphs.masks import (
    bits,
    components,
    is_clique,
    mask_of,
    moral_graph,
    reachable,
    relabelled,
    skeleton,
    transposed,
)
from bayesloom.graphs.meek import close_under_meek
from bayesloom.graphs.pdag import PDAG
from bayesloom.graphs.separation import d_connected, marginally_connected, markov_blanket
from bayesloom.graphs.triangulation import (
    Heuristic,
    elimination_cliques,
    elimination_order,
    fill_in,
    lightest_order,
)

__all__ = [
    "CPDAG",
    "DAG",
    "PDAG",
    "Agreement",
    "ChordalGraph",
    "Crux",
    "CruxMasks",
    "Heuristic",
    "JunctionForest",
    "adjacency_agreement",
    "ancestor_masks",
    "ancestors",
    "arrowhead_agreement",
    "bits",
    "clique_forest",
    "close_under_meek",
    "collider_parents",
    "components",
    "consistent_extension",
    "cpdag_of_dag",
    "cpdag_of_pdag",
    "crux",
    "crux_of_links",
    "d_connected",
    "descendant_masks",
    "elimination_cliques",
    "elimination_order",
    "equivalent",
    "fill_in",
    "find_cycle",
    "find_hole",
    "is_chordal",
    "is_clique",
    "lightest_order",
    "marginally_connected",
    "markov_blanket",
    "mask_of",
    "maximum_cardinality_search",
    "moral_graph",
    "pattern_of_dag",
    "reachable",
    "relabelled",
    "remove_sinks",
    "skeleton",
    "structural_hamming_distance",
    "topological_order",
    "transposed",
]
