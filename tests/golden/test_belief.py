"""Beliefs in arrows against R bnlearn, whose scores take Castelo and Siebes' prior."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from bayesloom.engine import NativeEngine
from bayesloom.graphs import DAG
from bayesloom.scores import BDeu
from bayesloom.search import Exact, Knowledge, Limits, Tabu, Watch
from bayesloom.search.believing import believing
from example_tables import read_example

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "bnlearn_r_cs.json").read_text())["cases"]
SCORE = BDeu(ess=1)


def known(case: dict[str, Any]) -> Knowledge:
    return Knowledge(belief={(a, b): share for a, b, share in case["beta"]})


def test_the_file_is_what_it_says() -> None:
    raw = (HERE / "bnlearn_r_cs.json").read_bytes()
    assert hashlib.sha256(raw).hexdigest() in (HERE / "README.md").read_text()


@pytest.mark.parametrize("case", CASES)
def test_scores_with_the_prior_and_without_are_those_of_r(case: dict[str, Any]) -> None:
    table = read_example(case["data"])
    for graph in case["graphs"].values():
        dag = DAG.from_edges([(a, b) for a, b in graph["arcs"]], table.names)
        alone = SCORE.explain(table, dag).value
        both = SCORE.explain(table, dag, knowledge=known(case)).value
        assert alone == pytest.approx(graph["uniform"], abs=1e-9)
        assert both == pytest.approx(graph["total"], abs=1e-9)
        assert both - alone == pytest.approx(graph["prior"], abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_what_is_found_is_never_worse_than_what_tabu_of_r_finds(case: dict[str, Any]) -> None:
    table = read_example(case["data"]).in_name_order()
    dag = DAG.from_edges([(a, b) for a, b in case["tabu"]], table.names)
    theirs = SCORE.explain(table, dag, knowledge=known(case)).value
    engine, limits = NativeEngine(table), Limits.none(table.names)
    for search in (Tabu(score=SCORE), Exact(score=SCORE)):
        result = believing(search, known(case), limits).search(engine, limits, Watch())
        assert result.score is not None
        assert result.score >= theirs - 1e-9
