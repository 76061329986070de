"""pgmpy."""

from __future__ import annotations

import logging
import sys
import warnings
from typing import Any

import pandas as pd

from contenders import Prepared, total

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)


def _frame(csv: str, kind: str = "category") -> pd.DataFrame:
    """Read as categories, which it counts faster, or as text, since its searches refuse those."""
    return pd.read_csv(csv, dtype=kind, keep_default_na=False)


def pairwise_mi(csv: str) -> Prepared:
    """Time the weights of its Chow-Liu search: it has no public function for them."""
    import numpy as np
    from pgmpy.estimators import TreeSearch

    frame = _frame(csv)
    work = lambda: TreeSearch._get_weights(frame, n_jobs=1, show_progress=False)  # noqa: E731, SLF001
    return work, lambda weights: total(weights[np.triu_indices(len(weights), 1)])


def _score(frame: pd.DataFrame, score: str) -> Any:  # noqa: ANN401
    from pgmpy.structure_score import BIC, BDeu

    return BDeu(frame, equivalent_sample_size=10) if score == "bdeu" else BIC(frame)


def family_scores(csv: str, families: list[list[str]]) -> Prepared:
    local = _score(_frame(csv), "bdeu").local_score
    return lambda: [local(f[0], tuple(f[1:])) for f in families], total


def hill_climbing(csv: str, score: str) -> Prepared:
    from pgmpy.causal_discovery import HillClimbSearch

    frame = _frame(csv, "str")
    options = {"return_type": "dag", "show_progress": False}
    model = HillClimbSearch(scoring_method=_score(frame, score), **options)
    return lambda: model.fit(frame), lambda fitted: {"directed": list(fitted.causal_graph_.edges())}


def ges(csv: str, score: str) -> Prepared:
    from pgmpy.causal_discovery import GES

    frame = _frame(csv, "str")
    model = GES(scoring_method=_score(frame, score), return_type="dag")
    return lambda: model.fit(frame), lambda fitted: {"directed": list(fitted.causal_graph_.edges())}


def pc(csv: str) -> Prepared:
    from pgmpy.causal_discovery import PC

    frame = _frame(csv, "str")
    options = {"significance_level": 0.01, "return_type": "pdag", "show_progress": False}
    model = PC(variant="stable", ci_test="chi_square", **options)

    def tell(fitted: Any) -> dict[str, Any]:  # noqa: ANN401
        graph = fitted.causal_graph_
        return {
            "directed": [*map(list, graph.directed_edges)],
            "undirected": [*map(list, graph.undirected_edges)],
        }

    return lambda: model.fit(frame), tell


def exact(csv: str, score: str, max_parents: int) -> Prepared:  # noqa: ARG001 - it has no limit
    """Time its search through all graphs."""
    from pgmpy.estimators import ExhaustiveSearch

    frame = _frame(csv, "str")
    model = ExhaustiveSearch(frame, scoring_method={"bic": "bic-d"}[score])
    return model.estimate, lambda dag: {"directed": list(dag.edges())}


def chow_liu(csv: str) -> Prepared:
    from pgmpy.estimators import TreeSearch

    frame = _frame(csv)
    model = TreeSearch(frame, root_node=frame.columns[0], n_jobs=1)
    work = lambda: model.estimate("chow-liu", show_progress=False)  # noqa: E731
    return work, lambda tree: {"directed": list(tree.edges())}


def read_network(bif: str) -> Prepared:
    from pgmpy.readwrite import BIFReader

    return lambda: BIFReader(bif).get_model(), lambda net: {"nodes": len(net.nodes())}


def _network(bif: str) -> Any:  # noqa: ANN401
    from pgmpy.readwrite import BIFReader

    return BIFReader(bif).get_model()


def compile_network(bif: str) -> Prepared:
    from pgmpy.inference import VariableElimination

    net = _network(bif)
    return lambda: VariableElimination(net), lambda _: {}


def posteriors(bif: str, evidence: dict) -> Prepared:
    """Ask node by node: for many nodes at once it builds their joint table."""
    from pgmpy.inference import VariableElimination

    net = _network(bif)
    engine = VariableElimination(net)
    targets = [v for v in net.nodes() if v not in evidence]

    def work() -> dict[str, Any]:
        return {v: engine.query([v], evidence=evidence, show_progress=False) for v in targets}

    def tell(found: dict[str, Any]) -> dict[str, Any]:
        return {"marginals": {v: _in_order(p, v, net.states[v]) for v, p in found.items()}}

    return work, tell


def _in_order(factor: Any, name: str, states: list[str]) -> list[float]:  # noqa: ANN401
    return [float(factor.get_value(**{name: state})) for state in states]


def sample(bif: str, rows: int) -> Prepared:
    net = _network(bif)
    work = lambda: net.simulate(rows, show_progress=False, seed=1)  # noqa: E731
    return work, lambda frame: {"rows": len(frame)}


def learn_file(csv: str, bif: str) -> None:
    """Learn by hill climbing and BIC, fit the tables and write the network."""
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.readwrite import BIFWriter

    work, tell = hill_climbing(csv, "bic")
    frame = _frame(csv, "str")
    net = DiscreteBayesianNetwork(tell(work())["directed"])
    net.add_nodes_from(frame.columns)
    net.fit(frame)
    BIFWriter(net).write(bif)


if __name__ == "__main__":
    learn_file(*sys.argv[1:])


def tan_fit(csv: str, target: str) -> Prepared:
    """Time its tree and the tables of the network."""
    from pgmpy.estimators import TreeSearch
    from pgmpy.models import DiscreteBayesianNetwork

    frame = _frame(csv, "str")

    def work() -> Any:  # noqa: ANN401
        search = TreeSearch(frame, n_jobs=1)
        dag = search.estimate(estimator_type="tan", class_node=target, show_progress=False)
        net = DiscreteBayesianNetwork(dag.edges())
        net.fit(frame)
        return net

    return work, lambda net: {"edges": len(net.edges())}
