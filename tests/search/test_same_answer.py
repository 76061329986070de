"""The result of a search depends on the data and the options alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.search import Limits, Watch
from example_samples import sampled
from strategies_search import SEARCHES, searches

NETWORKS = ("asia", "child", "insurance", "alarm")
TESTS = Path(__file__).parents[1]


def answer(table: Table, name: str, threads: int = 1) -> list[str]:
    """Return the graph, the score and every step as text, by names."""
    engine = NativeEngine(table.in_name_order(), threads)
    order = tuple(sorted(table.names, reverse=True))
    found = searches(order)[name].search(engine, Limits.none(engine.names), Watch())
    steps = [f"{s.operator} {s.x} {s.y} {s.others} {s.gain:.12g}" for s in found.steps]
    return [f"{found.score:.12g}", str(found.dag.edges), str(found.graph), *steps]


def shuffled(table: Table, seed: int, *, rows: bool) -> Table:
    rng = np.random.default_rng(seed)
    columns = table.select([table.names[v] for v in rng.permutation(table.n_columns)])
    return columns.take(rng.permutation(table.n_rows)) if rows else columns


@pytest.mark.parametrize("name", SEARCHES)
class TestEverySearch:
    def test_gives_the_same_answer_for_any_order_of_columns_and_rows(self, name: str) -> None:
        table = sampled("asia", 500)
        first = answer(table, name)
        assert all(answer(shuffled(table, k, rows=k > 1), name) == first for k in range(4))

    def test_gives_the_same_answer_with_any_number_of_threads(self, name: str) -> None:
        table = sampled("child", 300)
        assert answer(table, name, threads=1) == answer(table, name, threads=2)

    @pytest.mark.slow
    @pytest.mark.parametrize("network", NETWORKS)
    def test_gives_the_same_answer_in_20_orders_of_the_columns(
        self, name: str, network: str
    ) -> None:
        if name == "hc-complete" and network != "asia":
            pytest.skip("a complete start is for few variables")
        table = sampled(network, 1000)
        first = answer(table, name)
        for seed in range(20):
            other = shuffled(table, seed, rows=seed % 2 == 1)
            assert answer(other, name, threads=1 + seed // 2 % 2) == first


PROGRAM = """
import sys
from test_same_answer import SEARCHES, answer, sampled
for network in sys.argv[1:]:
    for name in SEARCHES:
        print(network, name, answer(sampled(network, 500), name))
"""


def printed(hash_seed: int, *networks: str) -> str:
    places = [str(TESTS.parent / "src"), str(TESTS), str(TESTS / "search")]
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *networks],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        check=True,
        text=True,
    ).stdout


def test_the_hash_seed_changes_nothing() -> None:
    first, second = (printed(seed, "asia") for seed in (0, 1))
    assert first.count("\n") == len(SEARCHES)
    assert first == second


@pytest.mark.slow
def test_no_hash_seed_changes_anything_on_large_networks() -> None:
    first, *others = (printed(seed, *NETWORKS) for seed in range(5))
    assert first.count("\n") == len(SEARCHES) * len(NETWORKS)
    assert all(other == first for other in others)
