"""BOSS against XGES: scores and CPU seconds, one row per network, rows and score.

python benchmarks/boss_study.py alarm,hailfinder,win95pts,andes 1000,5000
"""

from __future__ import annotations

import sys
import time

import bayesloom as bl
import dataset

SCORES = {"BIC": bl.BIC(), "BDeu(10)": bl.BDeu(ess=10)}


def measured(table: bl.Table, search: bl.Search) -> tuple[float, float]:
    """Return the score a search reaches with one thread, and its CPU seconds."""
    engine = bl.NativeEngine(table, threads=1)
    start = time.process_time()
    found = search.search(engine, bl.Limits.none(engine.names), bl.Watch())
    used = time.process_time() - start
    assert found.score is not None
    return found.score, used


def main() -> None:
    networks, rows = (text.split(",") for text in sys.argv[1:3])
    print("| data | score | XGES | s | BOSS, 1 start | s | BOSS, 5 starts | s |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for network in networks:
        for n in map(int, rows):
            table = bl.read(dataset.csv_file(network, n)).in_name_order()
            for name, score in SCORES.items():
                best, used = measured(table, bl.XGES(score=score))
                cells = [f"{best:,.1f}", f"{used:.2f}"]
                for restarts in (0, 4):
                    value, used = measured(table, bl.BOSS(score=score, restarts=restarts))
                    cells += [f"{value - best:+,.1f}", f"{used:.2f}"]
                print(f"| {network} {n:,} | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
