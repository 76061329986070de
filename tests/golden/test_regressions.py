"""Regressions of networks with numbers against those of R's ``bn.fit``, which print 15 digits."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.engine import MomentsEngine
from bayesloom.graphs import DAG
from bayesloom.model import BayesNet, MaximumLikelihood, fit_net
from example_tables import NUMBERS, read_example

HERE = Path(__file__).parent
BNLEARN: dict[str, Any] = json.loads((HERE / "bnlearn_r_gaussian.json").read_text())["data"]
NINE_DIGITS = 1e-9


def fitted(
    name: str, graph: dict[str, Any], estimator: MaximumLikelihood
) -> tuple[BayesNet, Table]:
    table = read_example(name).in_name_order()
    dag = DAG.from_edges([tuple(arc) for arc in graph["arcs"]], table.names)
    return fit_net(dag, MomentsEngine(table), estimator), table


def by_r(net: BayesNet, name: str, told: dict[str, Any]) -> tuple[list[list[float]], list[float]]:
    """Return coefficients and deviations of R, in the order of our configurations and parents."""
    parents = net.parents(name)
    numbers = [p for p in parents if p in net.numbers]
    if told["kind"] == "gaussian":
        values = told["coefficients"]
        return [[values["(Intercept)"], *(values[p] for p in numbers)]], [told["sd"]]
    order = [told["gparents"].index(p) + 1 for p in numbers]
    levels = [told["levels"][p] for p in told["dparents"]]
    # R varies the first parent fastest.
    configs = [cell[::-1] for cell in itertools.product(*levels[::-1])]
    place = {tuple(zip(told["dparents"], cell, strict=True)): k for k, cell in enumerate(configs)}
    place = {tuple(sorted(key)): k for key, k in place.items()}
    categories = [p for p in parents if p not in net.numbers]
    coefficients, deviations = [], []
    for cell in itertools.product(*map(net.states_of, categories)):
        k = place[tuple(sorted(zip(categories, cell, strict=True)))]
        row = told["coefficients"][k]
        coefficients.append([row[0], *(row[i] for i in order)])
        deviations.append(told["sd"][k])
    return coefficients, deviations


CASES = [(name, graph) for name in NUMBERS for graph in BNLEARN[name]["graphs"]]


@pytest.mark.parametrize(("name", "graph"), CASES)
def test_unbiased_maximum_likelihood_is_bn_fit_to_nine_digits(name: str, graph: str) -> None:
    found = BNLEARN[name]["graphs"][graph]
    net, table = fitted(name, found, MaximumLikelihood(unbiased=True))
    biased, _ = fitted(name, found, MaximumLikelihood())
    for variable, told in found["parameters"].items():
        if variable not in net.numbers:
            continue
        family = net.regression(variable)
        coefficients, deviations = by_r(net, variable, told)
        ours = np.concatenate([family.intercepts[..., None], family.coefficients], axis=-1)
        ours = ours.reshape(len(deviations), -1)
        assert ours == pytest.approx(np.array(coefficients), rel=NINE_DIGITS, abs=1e-9)
        assert family.sds.ravel() == pytest.approx(np.array(deviations), rel=NINE_DIGITS)
        assert family.rows is not None
        assert family.rows.sum() == table.n_rows
        share = (family.rows - family.n_numbers - 1) / family.rows
        wanted = family.sds * np.sqrt(share)
        assert biased.regression(variable).sds == pytest.approx(wanted, rel=1e-12)


def test_tables_beside_regressions_are_the_frequencies() -> None:
    net, table = fitted(
        "clgaussian.test", BNLEARN["clgaussian.test"]["graphs"]["true"], MaximumLikelihood()
    )
    counts = np.bincount(table.column("A"))
    assert net.table("A") == pytest.approx(counts / counts.sum(), rel=1e-15)
