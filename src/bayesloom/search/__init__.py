"""Searches for graphs: frozen values with a ``search`` method that reads like its pseudo-code."""

from bayesloom.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "chow_liu": "ChowLiu SpanningTree",
        "covering": "Mode",
        "dependencies": "Dependency TestTally",
        "dmn": "DMN",
        "ges": "GES",
        "hill_climbing": "HillClimbing",
        "il": "IGES IHC IL",
        "k2": "K2",
        "knowledge": "Knowledge",
        "limits": "Limits",
        "order_search": "OrderSearch",
        "pseudo_independence": "PseudoIndependence find_pseudo_independence",
        "result": "LinkChange Reason SearchResult Step Stop",
        "start": "Start",
        "tabu": "Tabu",
        "through_dmn": "ThroughDMN",
        "watch": "Budget Watch",
        "xges": "XGES",
    },
)
