"""Scores of public data against those of other programs, which print 12 digits or more."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.scores import (
    AIC,
    BIC,
    FNML,
    QNML,
    BDeu,
    BDs,
    K2Score,
    LogLikelihood,
    Score,
)
from bayesloom.scores.score import family_batch
from example_tables import FOLDER, read_example
from golden import disagreements

HERE = Path(__file__).parent
BNLEARN: dict[str, Any] = json.loads((HERE / "bnlearn_r.json").read_text())["data"]
OTHERS: dict[str, Any] = json.loads((HERE / "cross_check.json").read_text())["data"]
CAUSAL_LEARN: dict[str, Any] = json.loads((HERE / "causal_learn.json").read_text())["data"]

TWELVE_DIGITS = 1e-11
DOUBLE = 1e-12

SCORES: dict[str, Score] = {
    "loglik": LogLikelihood(),
    "aic": AIC(),
    "bic": BIC(),
    "bdeu1": BDeu(ess=1),
    "bdeu10": BDeu(ess=10),
    "k2": K2Score(),
    "bds1": BDs(ess=1),
    "bds10": BDs(ess=10),
    "fnml": FNML(),
    "qnml": QNML(),
}
GRAPHS = [(data, graph) for data, values in BNLEARN.items() for graph in values["graphs"]]
CROSS_CHECKED = [(data, graph) for data, values in OTHERS.items() for graph in values["graphs"]]


def graph_of(data: str, graph: str) -> DAG:
    arcs = BNLEARN[data]["graphs"][graph]["arcs"]
    return DAG.from_edges([(a, b) for a, b in arcs], read_example(data).names)


def families_of(dag: DAG) -> list[tuple[int, tuple[int, ...]]]:
    return [(v, tuple(bits(mask))) for v, mask in enumerate(dag.parent_masks)]


def total(score: Score, data: str, graph: str) -> float:
    return score.total(NativeEngine(read_example(data)), graph_of(data, graph).parent_masks)


@pytest.mark.parametrize("data", BNLEARN)
def test_the_data_are_those_the_other_programs_saw(data: str) -> None:
    raw = gzip.decompress((FOLDER / f"{data}.csv.gz").read_bytes())
    assert hashlib.sha256(raw).hexdigest() in (HERE / "README.md").read_text()
    table = read_example(data)
    assert table.n_rows == BNLEARN[data]["rows"]
    levels = {name: len(states) for name, states in zip(table.names, table.states, strict=True)}
    assert levels == BNLEARN[data]["levels"]


@pytest.mark.parametrize("file", ["bnlearn_r.json", "cross_check.json", "causal_learn.json"])
def test_the_numbers_are_those_that_were_recorded(file: str) -> None:
    digest = hashlib.sha256((HERE / file).read_bytes()).hexdigest()
    assert digest in (HERE / "README.md").read_text()


@pytest.mark.parametrize(("data", "graph"), GRAPHS)
@pytest.mark.parametrize("name", SCORES)
def test_scores_of_graphs_are_those_of_bnlearn(data: str, graph: str, name: str) -> None:
    expected = BNLEARN[data]["graphs"][graph]["scores"][name]
    tolerance = disagreements.BNLEARN_REGRET.get(name, TWELVE_DIGITS)
    assert total(SCORES[name], data, graph) == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize(("data", "graph"), GRAPHS)
def test_free_parameters_are_those_of_bnlearn(data: str, graph: str) -> None:
    batch = family_batch(families_of(graph_of(data, graph)))
    free = NativeEngine(read_example(data)).free_parameters(batch)
    assert free.sum() == BNLEARN[data]["graphs"][graph]["scores"]["nparams"]


@pytest.mark.parametrize(("data", "graph"), GRAPHS)
def test_local_terms_are_those_of_bnlearn(data: str, graph: str) -> None:
    table, dag = read_example(data), graph_of(data, graph)
    for name, expected in BNLEARN[data]["graphs"][graph]["by_node"].items():
        terms = {t.variable: t.value for t in SCORES[name].explain(table, dag).terms}
        # bnlearn's own likelihoods of 0 are exact zeros, so are ours.
        assert terms == pytest.approx(expected, rel=TWELVE_DIGITS, abs=0)


def cross_checks() -> Iterator[tuple[str, str, str, str]]:
    """Yield data, graph, program and the program's name for a score."""
    for data, graph in CROSS_CHECKED:
        for program, values in OTHERS[data]["graphs"][graph].items():
            for name in values:
                yield data, graph, program, name


AGREEING: dict[str, str] = {"ll": "loglik", **{name: name for name in SCORES}}
"""Our name of every score that another program computes as the textbook says."""

Expected = Callable[[Table, str, str], tuple[float, float]]


def by_its_own_rule(program: str, name: str, data: str, graph: str) -> tuple[float, float]:
    """Return what a program that leaves the textbook should give, and how exactly."""
    table, families = read_example(data), families_of(graph_of(data, graph))
    match program, name:
        case "pyagrum", "aic":
            return disagreements.pyagrum_aic(table, families), DOUBLE
        case "pyagrum", "bdeu1" | "bd+bdeu_prior(1)" | "bdeu, settings untouched":
            return total(SCORES["bdeu1"], data, graph), disagreements.PYAGRUM_LOG_GAMMA
        case "pyagrum", "bd+bdeu_prior(10)":
            return total(SCORES["bdeu10"], data, graph), disagreements.PYAGRUM_LOG_GAMMA
        case "pyagrum", "bic, settings untouched":
            return total(SCORES["bic"], data, graph), DOUBLE
        case "pyagrum", "k2":  # whole prior counts: the coarse table is exact to nine digits
            return total(SCORES["k2"], data, graph), 1e-9
        case "pgmpy", "k2":
            surplus = disagreements.pgmpy_k2_surplus(table, families)
            return total(SCORES["k2"], data, graph) + surplus, DOUBLE
    msg = f"no rule for {name} of {program}"
    raise KeyError(msg)


LEAVING = {("pyagrum", "aic"), ("pyagrum", "bdeu1"), ("pyagrum", "k2"), ("pgmpy", "k2")}


@pytest.mark.parametrize(("data", "graph", "program", "name"), cross_checks())
def test_scores_of_graphs_are_those_of_the_other_programs(
    data: str, graph: str, program: str, name: str
) -> None:
    value = OTHERS[data]["graphs"][graph][program][name]
    if program == "bnlearn_r":
        assert value == BNLEARN[data]["graphs"][graph]["scores"][name]
        return
    if name == "params":
        assert value == BNLEARN[data]["graphs"][graph]["scores"]["nparams"]
        return
    if (program, name) in LEAVING or name not in AGREEING:
        expected, tolerance = by_its_own_rule(program, name, data, graph)
    else:
        expected, tolerance = total(SCORES[AGREEING[name]], data, graph), DOUBLE
    assert value == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize(
    ("data", "entry"),
    [(data, i) for data, found in CAUSAL_LEARN.items() for i in range(len(found))],
)
def test_bdeu_with_a_prior_on_parents_is_that_of_causal_learn(data: str, entry: int) -> None:
    values = CAUSAL_LEARN[data][entry]
    score = BDeu(ess=values["ess"], per_parent=values["per_parent"])
    story = score.explain(read_example(data), graph_of(data, values["graph"]))
    assert story.value == pytest.approx(values["total"], rel=DOUBLE)
    assert {t.variable: t.value for t in story.terms} == pytest.approx(values["local"], rel=1e-11)


def test_bdeu_of_learning_test_has_its_known_local_terms(learning_test: Table) -> None:
    dag = DAG.from_edges(
        [("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")], list("ABCDEF")
    )
    terms = {t.variable: t.value for t in BDeu(ess=1).explain(learning_test, dag).terms}
    assert terms == pytest.approx(
        {
            "A": -5502.137377150637,
            "B": -3688.9395212202216,
            "C": -3501.5105385969146,
            "D": -3555.0144442365527,
            "E": -4310.3049564706525,
            "F": -3470.18794067853,
        },
        rel=DOUBLE,
    )
    assert BDeu(ess=10).explain(learning_test, dag).value == pytest.approx(
        -23967.64962540, abs=1e-8
    )
    assert BIC().explain(learning_test, dag).value == pytest.approx(-24006.73423250, abs=1e-8)
