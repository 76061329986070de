"""How much processor time and memory searches take over many variables.

python benchmarks/wide.py SEARCH[,SEARCH...] DATA[,DATA...] [ROWS]

A search is hc, ges, default, or xges: the search inside of the default. Data are those of the
benchmark: syn1000 is drawn from a random network of 1,000 variables with 1.5 edges each, items100
are items with one hidden cause. Each pair runs in a process of its own, with one thread; the time
is that of engine and search. Equal marks stand for equal graphs, scores and numbers of steps.
"""

from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
import time

import bayesloom as bl
import dataset
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.search import Limits, Watch

SEARCHES = {
    "hc": bl.HillClimbing(),
    "ges": bl.GES(),
    "default": bl.IXGES(),
    "xges": bl.XGES(score=bl.IXGES().score, tries=50),
}


def measured(key: str, name: str, rows: int) -> str:
    """Run one search and tell what it took."""
    codes = dataset.load_codes(dataset.csv_file(name, rows))
    table = Table(codes.names, codes.states, list(codes.columns))
    began = time.process_time()
    engine = NativeEngine(table, threads=1)
    watch = Watch()
    found = SEARCHES[key].search(engine, Limits.none(engine.names), watch)
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = repr((found.graph, found.score, len(watch.steps))).encode()
    mark = hashlib.sha256(told).hexdigest()[:8]
    return f"{key:8} {name:9} {rows:6} {seconds:8.2f} {peak:7.0f} {len(watch.steps):6}  {mark}"


def main() -> None:
    keys, names, *more = sys.argv[1:]
    rows = more[0] if more else "5000"
    if "," in keys + names:
        print(f"{'search':8} {'data':9} {'rows':>6} {'CPU s':>8} {'peak MB':>7} {'steps':>6}  mark")
        for name in names.split(","):
            for key in keys.split(","):
                dataset.csv_file(name, int(rows))  # drawn here: drawing takes memory, too
                subprocess.run([sys.executable, __file__, key, name, rows], check=True)
    else:
        print(measured(keys, names, int(rows)), flush=True)


if __name__ == "__main__":
    main()
