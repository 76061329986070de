"""Graphs as values over node names, and the kernel over bitmasks that searches call directly."""

from bayesloom.graphs.chordal import ChordalGraph
from bayesloom.graphs.compare import (
    Agreement,
    adjacency_agreement,
    arrowhead_agreement,
    structural_hamming_distance,
)
from bayesloom.graphs.cpdag import CPDAG
from bayesloom.graphs.dag import DAG
from bayesloom.graphs.junction import JunctionForest
from bayesloom.graphs.pdag import PDAG
from bayesloom.graphs.triangulation import Heuristic

__all__ = [
    "CPDAG",
    "DAG",
    "PDAG",
    "Agreement",
    "ChordalGraph",
    "Heuristic",
    "JunctionForest",
    "adjacency_agreement",
    "arrowhead_agreement",
    "structural_hamming_distance",
]
