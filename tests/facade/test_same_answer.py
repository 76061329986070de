"""The result depends on the data and the options alone."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bayesloom.data import Table, write_csv
from bayesloom.facade import learn
from every_search import NAMES, made

TESTS = Path(__file__).parents[1]


def answer(table: Table, name: str, threads: int = 2) -> dict[str, Any]:
    """Return all that a search says of a table but the time it took."""
    found = learn(table, made(name, table.names), threads=threads)
    told = found.to_dict()
    assert told.pop("variables") == list(table.names)
    told.pop("seconds")
    if found.extension is None:
        return told
    return {**told, "net": {v: found.net.states_of(v) for v in sorted(table.names)}}


expected = functools.cache(answer)


def columns_shuffled(table: Table, seed: int) -> Table:
    order = np.random.default_rng(seed).permutation(table.n_columns)
    return table.select([table.names[v] for v in order])


def rows_shuffled(table: Table, seed: int) -> Table:
    return table.take(np.random.default_rng(seed).permutation(table.n_rows))


@pytest.mark.parametrize("name", NAMES)
class TestEverySearch:
    @pytest.mark.parametrize("seed", range(3))
    def test_gives_the_same_answer_for_any_order_of_columns(
        self, asia: Table, name: str, seed: int
    ) -> None:
        assert answer(columns_shuffled(asia, seed), name) == expected(asia, name)

    def test_gives_the_same_answer_for_any_order_of_many_columns(
        self, child: Table, name: str
    ) -> None:
        assert answer(columns_shuffled(child, 1), name) == expected(child, name)

    def test_gives_the_same_answer_for_any_order_of_rows(self, child: Table, name: str) -> None:
        assert answer(rows_shuffled(child, 1), name) == expected(child, name)

    def test_gives_the_same_answer_with_any_number_of_threads(
        self, child: Table, name: str
    ) -> None:
        assert answer(child, name, threads=1) == answer(child, name, threads=2)

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(20))
    def test_gives_the_same_answer_on_large_tables_in_any_order(
        self, large: Table, name: str, seed: int
    ) -> None:
        if name == "exact" and large.n_columns > 30:
            pytest.skip("exact search refuses so many variables without a limit of parents")
        shuffled = rows_shuffled(columns_shuffled(large, seed), seed)
        assert answer(shuffled, name, threads=1 + seed % 2) == expected(large, name)


PROGRAM = """
import json, sys
from bayesloom.facade import learn
from every_search import NAMES, made
from bayesloom.data import read
table = read(sys.argv[1])
for name in NAMES:
    found = learn(table, made(name, table.names)).to_dict()
    del found["seconds"]
    print(json.dumps(found))
"""


def printed(path: Path, hash_seed: int) -> list[Any]:
    places = [str(TESTS.parent / "src"), str(TESTS)]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        check=True,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_hash_seed_changes_nothing(asia: Table, tmp_path: Path) -> None:
    write_csv(asia, tmp_path / "asia.csv")
    first, second = (printed(tmp_path / "asia.csv", seed) for seed in (0, 1))
    assert len(first) == len(NAMES)
    assert first == second


@pytest.mark.slow
def test_no_hash_seed_changes_anything(large: Table, tmp_path: Path) -> None:
    write_csv(large, tmp_path / "large.csv")
    first, *others = (printed(tmp_path / "large.csv", seed) for seed in range(5))
    assert all(other == first for other in others)
