"""Graphs as values over node names, and the kernel over bitmasks that searches call directly."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "ancestry": "ancestor_masks ancestors descendant_masks find_cycle topological_order",
        "cardinality_search": "clique_forest find_hole is_chordal maximum_cardinality_search",
        "chordal": "ChordalGraph",
        "compare": "Agreement adjacency_agreement arrowhead_agreement structural_hamming_distance",
        "completion": (
            "collider_parents consistent_extension cpdag_of_dag cpdag_of_pdag equivalent"
            " pattern_of_dag remove_sinks"
        ),
        "cpdag": "CPDAG",
        "dag": "DAG",
        "junction": "JunctionForest",
        "link_crux": "Crux CruxMasks crux crux_of_links",
        "masks": (
            "bits components is_clique mask_of moral_graph reachable relabelled skeleton transposed"
        ),
        "meek": "close_under_meek",
        "pdag": "PDAG",
        "separation": "d_connected d_connections markov_blanket",
        "triangulation": "Heuristic elimination_cliques elimination_order fill_in lightest_order",
    },
)
