"""Markov networks from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import bayesloom as bl
from bayesloom import model

Run = Callable[..., Result]
Told = Callable[..., Any]


@pytest.fixture
def parity(files: Path) -> str:
    bl.write_csv(
        model.full_pi([0.5, 0.5, 0.5], 0.11, names="XYZ").sample(2000, 5), files / "xor.csv"
    )
    return "xor.csv"


def test_lookahead_finds_parity_and_cliques_are_told(told: Told, parity: str) -> None:
    found = told("learn", parity, "--search", "dmn", "--lookahead", 3)
    assert found["directed"] == []
    assert found["undirected"] == [["X", "Y"], ["X", "Z"], ["Y", "Z"]]
    assert (found["cliques"], found["separators"]) == ([["X", "Y", "Z"]], [])
    assert found["steps"][0]["crux"] == ["X", "Y", "Z"]
    assert told("learn", parity, "--search", "dmn", "--lookahead", 2)["undirected"] == []


def test_a_search_through_a_markov_network_finds_the_collider(told: Told, parity: str) -> None:
    assert told("learn", parity, "--search", "hc")["directed"] == []
    found = told("learn", parity, "--search", "hc", "--through-dmn")
    assert len(found["directed"]) == 2
    assert len({child for _, child in found["directed"]}) == 1
    blind = told("learn", parity, "--search", "hc", "--through-dmn", "--lookahead", 2)
    assert blind["directed"] == []


def test_a_search_that_cannot_go_through_is_refused(run: Run, parity: str) -> None:
    done = run("learn", parity, "--search", "chow-liu", "--through-dmn")
    assert done.exit_code == 2
    assert "--through-dmn has no meaning for the search chow-liu" in done.stderr
    done = run("learn", parity, "--search", "dmn", "--lookahead", 0)
    assert done.exit_code == 2
    assert "lookahead must be at least 1, got 0" in done.stderr


def test_explain_tells_the_link_set_from_a_file(run: Run, parity: str) -> None:
    assert run("learn", parity, "--search", "dmn", "-o", "net.json").exit_code == 0
    told = run("explain", "net.json", "X", "Z").stdout
    assert told.startswith("X - Z: the two are joined.")
    assert "Step 1 linked X - Y, X - Z, Y - Z: entropy fell by" in told
    with_data = run("explain", "net.json", "X", "Z", "--data", parity).stdout
    assert "unlinking X - Z would change the score (bic) by -" in with_data


def test_other_prices_are_scores_or_settings(told: Told, parity: str) -> None:
    by_score = told("learn", parity, "--search", "dmn", "--score", "aic")
    assert by_score["score"]["name"] == "aic"
    by_alpha = told("learn", parity, "--search", "DMN(alpha=0.0005)")
    assert by_alpha["score"]["value"] == pytest.approx(by_score["score"]["value"])


def test_a_markov_network_is_drawn_without_arrows_and_as_a_forest(
    run: Run, parity: str, files: Path
) -> None:
    assert run("learn", parity, "--search", "dmn", "-o", "net.json").exit_code == 0
    assert run("plot", "net.json", "-o", "net.svg").exit_code == 0
    assert 'class="head"' not in (files / "net.svg").read_text()
    assert run("plot", "net.json", "-o", "forest.svg", "--junction-forest").exit_code == 0
    assert "X, Y, Z" in (files / "forest.svg").read_text()
    done = run("plot", "asia.bif.gz", "-o", "other.svg", "--junction-forest")
    assert done.exit_code == 1
    assert "holds no Markov network" in done.stderr
