"""bootstrap, posterior and compare: what they print, what they write and how they fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl

Run = Callable[..., Result]
Told = Callable[..., Any]


def test_bootstrap_prints_the_object_of_the_product(told: Told, files: Path) -> None:
    found = told("bootstrap", "asia.csv", "--search", "ges", "--replicates", 10, "--seed", 1)
    expected = bl.bootstrap(files / "asia.csv", bl.GES(), replicates=10, seed=1)
    assert {"edges", "threshold", "averaged", "replicates"} <= set(found)
    assert found["replicates"] == 10
    assert found["edges"] == [pair._asdict() for pair in expected.edges]
    assert set(found["edges"][0]) == {"x", "y", "strength", "direction"}
    assert set(found["averaged"]) == {"directed", "undirected"}
    assert found["averaged"]["directed"] == [list(e) for e in expected.averaged.edges]
    assert found["threshold"] == expected.threshold


def test_bootstrap_writes_what_is_asked_for(run: Run, files: Path) -> None:
    files_ = ("-o", "n.json", "--plot", "n.svg", "--report", "n.html", "--threshold-plot", "t.svg")
    done = run("bootstrap", "asia.csv", "--search", "hc", "--replicates", 4, *files_)
    assert done.exit_code == 0
    assert all((files / name).exists() for name in ("n.json", "n.svg", "n.html", "t.svg"))
    told = run("explain", "n.json", "lung", "either").stdout
    assert "4 of 4 resamples" in told


def test_bootstrap_goes_on_from_a_checkpoint(told: Told) -> None:
    first = told("bootstrap", "asia.csv", "--search", "ges", "--replicates", 3, "--checkpoint", "c")
    again = told("bootstrap", "asia.csv", "--search", "ges", "--replicates", 3, "--checkpoint", "c")
    assert first["edges"] == again["edges"]


def test_the_seed_of_the_search_is_an_option_of_its_own(told: Told) -> None:
    args = ("bootstrap", "asia.csv", "--search", "order", "--search-seed", 3, "--replicates", 2)
    assert told(*args)["seed"] == 0


def test_posterior_prints_one_object(told: Told) -> None:
    found = told("posterior", "asia.csv", "--moves", 500, "--score", "bdeu", "--ess", 1)
    assert found["method"] == "order"
    assert {"edges", "r_hat", "converged", "largest_difference"} <= set(found)


def test_posterior_writes_what_is_asked_for(run: Run, files: Path) -> None:
    done = run("posterior", "asia.csv", "--moves", 200, "-o", "p.json", "--trace-plot", "t.svg")
    assert done.exit_code == 0
    assert "Posterior over structures by order MCMC" in done.stdout
    assert (files / "p.json").exists()
    assert (files / "t.svg").exists()


def test_compare_prints_one_object_and_a_page(told: Told, files: Path) -> None:
    args = ("--search", "ges,chow-liu", "--folds", 2, "--html", "c.html")
    found = told("compare", "asia.csv", *args)
    assert [row["search"] for row in found["searches"]] == ["ges", "chow-liu"]
    assert (files / "c.html").read_text().startswith("<!doctype html>")
    expected = bl.compare(files / "asia.csv", {"ges": bl.GES(), "chow-liu": bl.ChowLiu()}, folds=2)
    losses = [row["log_loss"] for row in found["searches"]]
    assert losses == [row.log_loss for row in expected]


def test_scores_and_estimators_make_further_rows(told: Told) -> None:
    args = ("--search", "hc,pc", "--score", "bic,bdeu", "--estimator", "bdeu,laplace")
    found = told("compare", "asia.csv", *args, "--folds", 2)
    assert [row["search"] for row in found["searches"]][::2] == ["hc bic", "hc bdeu", "pc"]
    assert len(found["searches"]) == 6
    apart = told("compare", "asia.csv", "--search", "hc", "--search", "pc", "--folds", 2)
    assert [row["search"] for row in apart["searches"]] == ["hc", "pc"]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("bootstrap", "asia.csv", "--replicates", "0"), 2, "replicates"),
        (("bootstrap", "nix.csv"), 1, "nix.csv"),
        (("bootstrap", "asia.csv", "--plot", "x.pdf"), 1, "svg"),
        (("bootstrap", "asia.csv", "-o", "asia.csv"), 2, "would replace"),
        (("bootstrap", "asia.csv", "--checkpoint", "asia.csv"), 2, "would replace"),
        (("posterior", "asia.csv", "--burn-in", "1.5"), 2, "burn_in"),
        (("posterior", "asia.csv", "--method", "x"), 2, "method"),
        (("compare", "asia.csv", "--search", "gess"), 2, "'gess' is not one of"),
        (("compare", "asia.csv", "--search", "k2"), 2, "needs order: write K2(order=...)"),
        (("compare", "asia.csv", "--search", ","), 2, "at least one"),
        (("compare", "asia.csv", "--score", "bde"), 2, "earlier rows"),
        (("compare", "asia.csv", "--html", "x.pdf"), 1, "html"),
    ],
    ids=str,
)
def test_wrong_usage_is_one_line(run: Run, args: tuple[str, ...], code: int, said: str) -> None:
    done = run(*args)
    assert done.exit_code == code
    assert said in done.stderr
