"""The posterior over structures, as users meet it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.errors import CapacityError, OptionError
from bayesloom.search import Stop


@pytest.fixture(scope="module")
def table() -> bl.Table:
    return bl.example("asia").sample(300, seed=3)


def test_chains_agree_on_a_small_network_and_with_each_other(table: bl.Table) -> None:
    found = bl.posterior(table, moves=6000, seed=1)
    assert found.sampled.spread < 0.05
    assert found.sampled.score_r_hat < 1.05
    assert found.edges["lung", "either"].strength > 0.99
    assert found.probability("asia", "smoke") < 0.2
    assert found.stop is Stop.COMPLETE


def test_the_result_depends_on_data_options_and_seed_alone(table: bl.Table) -> None:
    def edges(data: bl.Table, seed: int = 1, threads: int = 1) -> np.ndarray:
        return bl.posterior(data, moves=300, seed=seed, threads=threads).sampled.edges

    wanted = edges(table)
    assert (edges(table, threads=2) == wanted).all()
    assert (edges(table.select(table.names[::-1])) == wanted).all()
    rows = np.random.default_rng(1).permutation(table.n_rows)
    assert (edges(table.take(rows)) == wanted).all()
    assert (edges(table, seed=2) != wanted).any()


@pytest.mark.parametrize("method", ["order", "partition"])
def test_knowledge_holds_in_every_sample(table: bl.Table, method: Any) -> None:  # noqa: ANN401
    known = bl.Knowledge(
        required=[("asia", "smoke")], forbidden=[("lung", "smoke")], roots=["bronc"]
    )
    found = bl.posterior(table, method=method, moves=500, knowledge=known, max_parents=2)
    assert found.probability("asia", "smoke") == pytest.approx(1)
    assert found.probability("lung", "smoke") == 0
    assert all(found.probability(name, "bronc") == 0 for name in table.names if name != "bronc")
    assert ("asia", "smoke") in found.network.dag.edges


def test_one_chain_does_not_say_that_it_has_converged(table: bl.Table) -> None:
    found = bl.posterior(table, chains=1, moves=400, samples=50)
    assert not found.converged
    assert "1 chain of 400 moves" in str(found)
    assert "one alone cannot tell" in str(found)
    assert "two chains" not in str(found)


def test_everything_is_told(table: bl.Table, tmp_path: Path) -> None:
    found = bl.posterior(table, moves=400, samples=50)
    told = found.to_dict()
    assert told["chains"] == 3
    assert told["samples"] == 50
    assert "R-hat" in str(found)
    assert "converged" in str(found)
    pair = next(iter(found.edges))
    assert "posterior probability" in str(found.network.explain(pair.x, pair.y))
    assert found.trace_plot(tmp_path / "t.svg").startswith("<svg")
    found.plot(tmp_path / "n.svg")
    assert bl.load(found.network.save(tmp_path / "n.json")) == found.network
    assert "<table>" in found._repr_html_()


def test_a_time_limit_keeps_what_is_sampled(table: bl.Table) -> None:
    found = bl.posterior(table, moves=10_000_000, time_limit=1)
    assert found.stop is Stop.TIME_LIMIT
    assert 0 < found.sampled.moves < 10_000_000
    assert not found.converged


def test_too_many_sets_are_refused() -> None:
    rng = np.random.default_rng(1)
    codes = list(rng.integers(0, 2, (40, 20)).astype(np.uint8))
    wide = bl.Table([f"v{k:02}" for k in range(40)], ["ny"] * 40, codes)
    began = time.process_time()
    with pytest.raises(CapacityError, match="sets of parents"):
        bl.posterior(wide, candidates=39, max_parents=8)
    assert time.process_time() - began < 1  # nothing is searched or listed before


@pytest.mark.parametrize(
    "options",
    [
        {"score": "bic"},
        {"method": "gibbs"},
        {"chains": 0},
        {"moves": 1.5},
        {"burn_in": 1},
        {"burn_in": "x"},
        {"samples": 0},
        {"candidates": 0},
        {"max_parents": -1},
        {"seed": -1},
        {"threads": "2"},
        {"progress": "yes"},
        {"knowledge": 5},
    ],
    ids=str,
)
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        bl.posterior({"A": ["n", "y"] * 5, "B": ["n", "y"] * 5}, **options)


@pytest.mark.parametrize("method", ["order", "partition"])
def test_one_column_has_no_edges(method: Any) -> None:  # noqa: ANN401
    assert len(bl.posterior({"A": ["n", "y"] * 5}, method=method, moves=20).edges) == 0
