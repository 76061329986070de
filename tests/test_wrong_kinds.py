"""Whatever is handed to a public function, it answers or says in one sentence what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom import facade, graphs, inference, model
from bayesloom.errors import BayesloomError
from bayesloom.graphs import dag_from_text
from bayesloom.model import example_net

WRONG = [
    None,
    5,
    -1,
    1.5,
    float("nan"),
    10**30,
    "x",
    "",
    b"x",
    [],
    [1],
    [None],
    ["x", "x"],
    [("A", "B", "C")],
    {},
    {"A": 1},
    {"A": None},
    {1: 2},
    (1, 2, 3),
    object(),
    int,
    np.zeros(0),
    np.zeros((2, 2)),
    np.array(["x"]),
]

NO_YES = ["no", "yes"]
NET = bl.BayesNet.from_tables(
    {"A": (NO_YES, [], [0.8, 0.2]), "B": (NO_YES, ["A"], [[0.9, 0.1], [0.2, 0.8]])}
)
DAG = NET.dag
CHAIN = bl.ChordalGraph.from_edges([("A", "B"), ("B", "C")])
ROWS = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 25
TABLE = bl.Table(["A", "B", "C"], [["0", "1"]] * 3, list(zip(*ROWS, strict=True)))
ENGINE = bl.NativeEngine(TABLE)
OVER = bl.DAG.empty(TABLE.names)
CORE = model.full_pi([0.5, 0.5, 0.5])

CALLS: dict[str, Callable[[Any], object]] = {
    "crux(graph)": lambda x: graphs.crux(x, [("A", "C")]),
    "crux(links)": lambda x: graphs.crux(CHAIN, x),
    "fit(dag)": lambda x: bl.fit(x, ENGINE),
    "fit(engine)": lambda x: bl.fit(OVER, x),
    "fit(estimator)": lambda x: bl.fit(OVER, ENGINE, x),
    "fit(Laplace)": lambda x: bl.fit(OVER, ENGINE, bl.Laplace(x)),
    "fit(BDeuMean)": lambda x: bl.fit(OVER, ENGINE, bl.BDeuMean(x)),
    "full_pi(chances)": model.full_pi,
    "full_pi(strength)": lambda x: model.full_pi([0.5] * 3, x),
    "full_pi(names)": lambda x: model.full_pi([0.5] * 3, names=x),
    "partial_pi(blocks)": model.partial_pi,
    "partial_pi(block)": lambda x: model.partial_pi([x, [0.5, 0.5]]),
    "embedded_pi(core)": lambda x: model.embedded_pi(x, {"D": ("A", (0.2, 0.8))}),
    "embedded_pi(leaves)": lambda x: model.embedded_pi(CORE, x),
    "embedded_pi(leaf)": lambda x: model.embedded_pi(CORE, {"D": x}),
    "embedded_pi(chances)": lambda x: model.embedded_pi(CORE, {"D": ("x0", x)}),
    "find_pseudo_independence(data)": bl.find_pseudo_independence,
    "find_pseudo_independence(size)": lambda x: bl.find_pseudo_independence(TABLE, x),
    "find_pseudo_independence(independent)": lambda x: bl.find_pseudo_independence(
        TABLE, independent=x
    ),
    "find_pseudo_independence(control)": lambda x: bl.find_pseudo_independence(TABLE, control=x),
    "find_pseudo_independence(min_expected)": lambda x: bl.find_pseudo_independence(
        TABLE, min_expected=x
    ),
    "load": bl.load,
    "save(net)": lambda x: facade.save(x, "net.bif"),
    "save(path)": lambda x: facade.save(NET, x),
    "DAG.from_edges": bl.DAG.from_edges,
    "DAG.from_edges(edge)": lambda x: bl.DAG.from_edges([x]),
    "DAG.from_edges(nodes)": lambda x: bl.DAG.from_edges([("A", "B")], x),
    "DAG.empty": bl.DAG.empty,
    "DAG.from_matrix": lambda x: bl.DAG.from_matrix(x, ["A", "B"]),
    "DAG.from_networkx": bl.DAG.from_networkx,
    "DAG.reordered": DAG.reordered,
    "DAG.parents": DAG.parents,
    "DAG.ancestors_of": DAG.ancestors_of,
    "DAG.d_connected": lambda x: DAG.d_connected("A", x),
    "DAG.is_equivalent_to": DAG.is_equivalent_to,
    "PDAG.from_edges": bl.PDAG.from_edges,
    "PDAG.from_edges(undirected)": lambda x: bl.PDAG.from_edges([], x),
    "PDAG.pattern_of": bl.PDAG.pattern_of,
    "CPDAG.of": bl.CPDAG.of,
    "CPDAG.completing": bl.CPDAG.completing,
    "ChordalGraph.from_edges": bl.ChordalGraph.from_edges,
    "ChordalGraph.from_cliques": bl.ChordalGraph.from_cliques,
    "ChordalGraph.triangulating": bl.ChordalGraph.triangulating,
    "ChordalGraph.triangulating(cardinalities)": lambda x: bl.ChordalGraph.triangulating(DAG, x),
    "JunctionForest.home_of": CHAIN.junction_forest().home_of,
    "query(net)": lambda x: inference.query(x, "A"),
    "query(target)": lambda x: inference.query(NET, x),
    "query(given)": lambda x: inference.query(NET, "A", x),
    "query(soft)": lambda x: inference.query(NET, "A", soft=x),
    "query(likelihoods)": lambda x: inference.query(NET, "A", soft={"B": x}),
    "compile_net(net)": bl.compile_net,
    "compile_net(memory)": lambda x: bl.compile_net(NET, memory=x),
    "compile_net(strategy)": lambda x: bl.compile_net(NET, strategy=x),
    "sample(net)": lambda x: bl.sample(x, 5, 1),
    "sample(rows)": lambda x: bl.sample(NET, x, 1),
    "sample(seed)": lambda x: bl.sample(NET, 5, x),
    "sample(given)": lambda x: bl.sample(NET, 5, given=x),
    "most_probable(net)": inference.most_probable,
    "most_probable(targets)": lambda x: inference.most_probable(NET, x),
    "most_probable(given)": lambda x: inference.most_probable(NET, given=x),
    "predict_proba(net)": lambda x: inference.predict_proba(x, {"A": NO_YES}, "B"),
    "predict_proba(rows)": lambda x: inference.predict_proba(NET, x, "B"),
    "predict_proba(target)": lambda x: inference.predict_proba(NET, {"A": NO_YES}, x),
    "predict_proba(cells)": lambda x: inference.predict_proba(NET, {"A": [x]}, "B"),
    "predict(unseen)": lambda x: inference.predict(NET, {"A": NO_YES}, "B", unseen=x),
    "predict(memory)": lambda x: inference.predict(NET, {"A": NO_YES}, "B", memory=x),
    "predict(missing)": lambda x: inference.predict(NET, {"A": NO_YES}, "B", missing=x),
    "do(net)": lambda x: facade.do(x, {"A": "no"}),
    "do(states)": lambda x: facade.do(NET, x),
    "do(state)": lambda x: facade.do(NET, {"A": x}),
    "causal_effect(net)": lambda x: facade.causal_effect(x, "A", "B"),
    "causal_effect(treatment)": lambda x: facade.causal_effect(NET, x, "B"),
    "causal_effect(outcome)": lambda x: facade.causal_effect(NET, "A", x),
    "causal_effect(graph)": lambda x: facade.causal_effect(NET, "A", "B", graph=x),
    "test(data)": lambda x: bl.test(x, "A", "B"),
    "test(x)": lambda x: bl.test(TABLE, x, "B"),
    "test(given)": lambda x: bl.test(TABLE, "A", "B", given=x),
    "test(test)": lambda x: bl.test(TABLE, "A", "B", test=x),
    "test(alpha)": lambda x: bl.test(TABLE, "A", "B", alpha=x),
    "DAG.with_edge": lambda x: DAG.with_edge("A", x),
    "DAG.without_edge": lambda x: DAG.without_edge(x, "B"),
    "dag_from_text": dag_from_text,
    "example_net": example_net,
    "evaluate(true)": lambda x: bl.evaluate(x, NET),
    "evaluate(learned)": lambda x: bl.evaluate(NET, x),
    "kl_divergence": lambda x: bl.kl_divergence(NET, x),
    "log_likelihood(net)": lambda x: model.log_likelihood(x, TABLE),
    "log_likelihood(data)": lambda x: model.log_likelihood(NET, x),
    "random_dag(n)": lambda x: bl.random_dag(x, 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_value_of_a_wrong_kind_is_told_in_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = 0
    for value in WRONG:
        try:
            CALLS[name](value)
        except BayesloomError as error:
            told += 1
            said = str(error)
            assert said.isprintable(), value
            assert len(said) < 1000, value
        except Exception as error:  # noqa: BLE001 - what must not happen, with the value
            pytest.fail(f"{name} with {value!r}: {type(error).__name__}: {error}")
    assert told
