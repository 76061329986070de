"""How the time of a search for a Markov network grows with the number of variables.

python benchmarks/dmn_growth.py docs/decomposable/growth.svg
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.model import draw_rows, random_dag, random_net
from bayesloom.report.chart import Curve, line_chart
from bayesloom.scores import BIC
from bayesloom.search import DMN, Limits, Watch

SIZES = (100, 200, 300, 500, 700, 1000)
ROWS = 10_000
REPEATS = 3


def chain(n: int) -> Table:
    """Return bits of which each equals the one before in four of five rows."""
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2, ROWS)]
    for _ in range(n - 1):
        columns.append(columns[-1] ^ (rng.random(ROWS) < 0.2))
    return Table([f"x{v:04}" for v in range(n)], [["0", "1"]] * n, columns)


def random_network(n: int) -> Table:
    """Return a sample of a random network with 1.2 edges per binary variable."""
    net = random_net(random_dag(n, 1, edges=round(1.2 * n)), 1)
    return draw_rows(net, ROWS, 1).in_name_order()


def measured(table: Table) -> tuple[int, float]:
    """Return the number of links and the least processor time of a few runs, one thread."""
    seconds = []
    for _ in range(REPEATS):
        engine = NativeEngine(table, 1)
        began = time.process_time()
        found = DMN(lookahead=1, score=BIC()).search(engine, Limits.none(engine.names), Watch())
        seconds.append(time.process_time() - began)
    return len(found.steps), min(seconds)


def main() -> None:
    lines = []
    print(f"{'':8} {'variables':>9} {'links':>6} {'CPU s':>7} {'ms per link':>12}")
    for name, make in (("chain", chain), ("random", random_network)):
        points = []
        for n in SIZES:
            links, seconds = measured(make(n))
            points.append((n, seconds))
            print(f"{name:8} {n:9} {links:6} {seconds:7.3f} {1e3 * seconds / links:12.3f}")
        lines.append(Curve(name, tuple(points)))
    if sys.argv[1:]:
        title = "Single links, binary variables, 10,000 rows"
        text = line_chart(lines, title=title, x="variables", y="processor seconds", ticks=SIZES)
        Path(sys.argv[1]).write_text(text)


if __name__ == "__main__":
    main()
