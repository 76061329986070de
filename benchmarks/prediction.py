"""Time `predict_proba` on rows of a known network, with and without empty cells.

python benchmarks/prediction.py [NETWORK] [ROWS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np

import bayesloom as bl
from bayesloom import inference

EMPTY = 0.2
"""The share of cells that are emptied at random."""

TARGETS = 4
"""Targets per network: evenly spaced among the variables in name order."""


def with_holes(table: bl.Table, rng: np.random.Generator) -> bl.Table:
    """Return the table with cells taken away at random."""
    states = [[*labels, "missing"] for labels in table.states]
    codes = [
        np.where(rng.random(table.n_rows) < EMPTY, len(labels), column)
        for labels, column in zip(table.states, table.codes, strict=True)
    ]
    return bl.Table(table.names, states, codes)


def timed(name: str, n_rows: int) -> Iterator[tuple[str, float, float]]:
    """Measure each target: its name, and the seconds without and with empty cells."""
    net, rng = bl.example(name), np.random.default_rng(1)
    table = bl.sample(net, n_rows, 1)
    for target in sorted(table.names)[:: -(-len(table.names) // TARGETS)]:
        rows = table.select([column for column in table.names if column != target])
        seconds = []
        for data in (rows, with_holes(rows, rng)):
            start = time.process_time()
            inference.predict_proba(net, data, target)
            seconds.append(time.process_time() - start)
        yield target, seconds[0], seconds[1]


def main() -> None:
    """Print one line per target."""
    name = sys.argv[1] if len(sys.argv) > 1 else "alarm"
    n_rows = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    print(f"{n_rows:,} rows of {name}: target, all known, {EMPTY:.0%} of the cells empty")
    for target, full, holes in timed(name, n_rows):
        print(f"{target:>16} {full:7.3f} s {holes:7.3f} s")


if __name__ == "__main__":
    main()
