# The public names; __init__.py reads them here, and so do type checkers.
from bayesloom.graphs.amenability import open_path as open_path
from bayesloom.graphs.ancestry import ancestors as ancestors
from bayesloom.graphs.ancestry import find_cycle as find_cycle
from bayesloom.graphs.ancestry import topological_order as topological_order
from bayesloom.graphs.arrows import dag_from_text as dag_from_text
from bayesloom.graphs.cardinality_search import clique_forest as clique_forest
from bayesloom.graphs.cardinality_search import find_hole as find_hole
from bayesloom.graphs.cardinality_search import is_chordal as is_chordal
from bayesloom.graphs.cardinality_search import (
    maximum_cardinality_search as maximum_cardinality_search,
)
from bayesloom.graphs.chordal import ChordalGraph as ChordalGraph
from bayesloom.graphs.compare import Agreement as Agreement
from bayesloom.graphs.compare import adjacency_agreement as adjacency_agreement
from bayesloom.graphs.compare import arrowhead_agreement as arrowhead_agreement
from bayesloom.graphs.compare import structural_hamming_distance as structural_hamming_distance
from bayesloom.graphs.completion import collider_parents as collider_parents
from bayesloom.graphs.completion import consistent_extension as consistent_extension
from bayesloom.graphs.completion import cpdag_of_dag as cpdag_of_dag
from bayesloom.graphs.completion import equivalent as equivalent
from bayesloom.graphs.completion import pattern_of_dag as pattern_of_dag
from bayesloom.graphs.completion import remove_sinks as remove_sinks
from bayesloom.graphs.cpdag import CPDAG as CPDAG
from bayesloom.graphs.dag import DAG as DAG
from bayesloom.graphs.junction import JunctionForest as JunctionForest
from bayesloom.graphs.link_crux import Crux as Crux
from bayesloom.graphs.link_crux import CruxMasks as CruxMasks
from bayesloom.graphs.link_crux import crux as crux
from bayesloom.graphs.link_crux import crux_of_links as crux_of_links
from bayesloom.graphs.masks import bits as bits
from bayesloom.graphs.masks import components as components
from bayesloom.graphs.masks import is_clique as is_clique
from bayesloom.graphs.masks import mask_of as mask_of
from bayesloom.graphs.masks import moral_graph as moral_graph
from bayesloom.graphs.masks import reachable as reachable
from bayesloom.graphs.masks import relabelled as relabelled
from bayesloom.graphs.masks import skeleton as skeleton
from bayesloom.graphs.masks import transposed as transposed
from bayesloom.graphs.meek import close_under_meek as close_under_meek
from bayesloom.graphs.pdag import PDAG as PDAG
from bayesloom.graphs.separation import blanket_mask as blanket_mask
from bayesloom.graphs.separation import d_connected as d_connected
from bayesloom.graphs.separation import d_connections as d_connections
from bayesloom.graphs.triangulation import elimination_order as elimination_order
from bayesloom.graphs.triangulation import fill_in as fill_in
