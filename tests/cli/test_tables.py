"""tables and edges: what they print and how they fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom import facade
from failing import failed

Run = Callable[..., Result]
Told = Callable[..., Any]


def test_tables_are_printed_with_labels(run: Run) -> None:
    assert run("tables", "asia.bif.gz", "dysp", "asia").stdout.splitlines() == [
        "P(dysp | bronc, either)",
        "  bronc  either       yes        no",
        "  yes    yes     0.900000  0.100000",
        "  yes    no      0.800000  0.200000",
        "  no     yes     0.700000  0.300000",
        "  no     no      0.100000  0.900000",
        "",
        "P(asia)",
        "  asia  probability",
        "  yes      0.010000",
        "  no       0.990000",
    ]


def test_json_has_every_table_whole(told: Told, files: Path) -> None:
    net = bl.load(files / "asia.bif.gz")
    found = told("tables", "asia.bif.gz")["tables"]
    assert [table["variable"] for table in found] == list(net.names)
    assert found == [net.table(name).to_dict() for name in net.names]


def test_a_long_table_is_cut_unless_its_variable_is_named(run: Run, files: Path) -> None:
    states = [str(k) for k in range(30)]
    net = bl.BayesNet.from_tables(
        {"a": (states, [], np.full(30, 1 / 30)), "b": (["x", "y"], ["a"], np.full((30, 2), 0.5))}
    )
    facade.save(net, files / "long.json")
    assert "and 10 more rows" in run("tables", "long.json").stdout
    assert "more" not in run("tables", "long.json", "b").stdout


def test_edges_of_a_learned_file_need_no_data(run: Run, told: Told, files: Path) -> None:
    run("learn", "asia.csv", "-o", "net.json")
    found = told("edges", "net.json")
    assert found["score"] == "bdm"
    assert found["edges"] == bl.load(files / "net.json").edge_table().to_dict()["edges"]
    assert all(edge["p"] is not None and edge["reason"] for edge in found["edges"])
    again = told("edges", "net.json", "--data", "asia.csv")
    assert again == found
    text = run("edges", "net.json").stdout
    assert text.splitlines()[0].endswith(" edges, strongest first")
    assert "bdm loss" in text


def test_edges_of_another_file_are_told_and_measured_by_data(run: Run, told: Told) -> None:
    text = run("edges", "asia.bif.gz").stdout
    assert "compelled" in text
    assert "(Give --data for losses, mutual information and p-values.)" in text
    found = told("edges", "asia.bif.gz", "--data", "asia.csv", "--score", "bdeu", "--ess", "5")
    assert found["score"] == "bdeu"
    assert {edge["reason"] for edge in found["edges"]} == {None}
    losses = [edge["loss"] for edge in found["edges"]]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["tables", "asia.bif.gz", "dsyp"], 1, "unknown variable 'dsyp'"),
        (["tables", "nothing.bif"], 1, "the file cannot be read"),
        (["edges", "asia.bif.gz", "--score", "bic"], 2, "--score needs --data"),
        (["edges", "asia.bif.gz", "--data", "nothing.csv"], 1, "there is no such file"),
    ],
)
def test_wrong_usage_gets_a_sentence(run: Run, args: list[str], code: int, said: str) -> None:
    assert said in failed(run(*args), code)


def test_quiet_commands_print_nothing(run: Run) -> None:
    assert run("tables", "asia.bif.gz", "-q").stdout == ""
    assert run("edges", "asia.bif.gz", "-q").stdout == ""


def test_learning_tells_progress_in_lines_if_asked(run: Run) -> None:
    done = run("learn", "asia.csv", "--progress")
    assert done.stderr.splitlines()[0] == "IXGES: looking at the first graph"
    assert done.stderr.splitlines()[-1].startswith("IXGES: ended after ")
    assert run("learn", "asia.csv").stderr == ""


def test_an_infinite_divergence_names_variable_and_state(run: Run, told: Told, files: Path) -> None:
    states = ["yes", "no", "maybe"]
    net = bl.load(files / "asia.bif.gz").net
    true = bl.BayesNet.from_tables({"asia": (states, [], [0.01, 0.98, 0.01])})
    learned = bl.BayesNet.from_tables({"asia": (net.states_of("asia"), [], net.table("asia"))})
    facade.save(true, files / "true.json")
    facade.save(learned, files / "learned.json")
    found = told("evaluate", "true.json", "learned.json")
    assert found["kld"] is None
    assert found["infinite"][0].startswith("asia has no state maybe in the learned network")
    text = run("evaluate", "true.json", "learned.json").stdout
    assert found["infinite"][0] in " ".join(text.split())
