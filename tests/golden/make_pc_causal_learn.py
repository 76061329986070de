"""Write pc_causal_learn.json: PC (stable) of causal-learn 0.1.4.8 on the data of R bnlearn.

    python make_pc_causal_learn.py > pc_causal_learn.json

Needs causal-learn and pandas; not needed by the tests, which read the file.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

DATA = Path(__file__).parents[1] / "data" / "bnlearn"
CASES = (("asia", 5000), ("learning.test", 5000), ("alarm", 2000), ("alarm", 5000))
LEVELS = (0.05, 0.01)


def graph_of(name: str, rows: int, test: str, alpha: float) -> dict[str, object]:
    """Return the directed and undirected edges that causal-learn finds."""
    pc: Any = import_module("causallearn.search.ConstraintBased.PC").pc  # it has no types
    frame = pd.read_csv(DATA / f"{name}.csv.gz", dtype=str, keep_default_na=False).head(rows)
    frame = frame.loc[:, [len(set(frame[name])) > 1 for name in frame]]
    frame = frame[sorted(frame.columns)]
    codes = frame.apply(lambda column: pd.factorize(column, sort=True)[0]).to_numpy()
    found = pc(codes, alpha, test, stable=True, uc_rule=0, uc_priority=2, show_progress=False)
    graph, names = found.G.graph, list(frame.columns)
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    joined = [(i, j) for i, j in pairs if graph[i, j] or graph[j, i]]
    return {
        "data": name,
        "rows": rows,
        "test": test,
        "alpha": alpha,
        "skeleton": [[names[i], names[j]] for i, j in joined],
        "directed": sorted(
            [names[i], names[j]]
            for a, b in joined
            for i, j in ((a, b), (b, a))
            if graph[j, i] == 1 and graph[i, j] == -1
        ),
    }


def main() -> None:
    cases = [
        graph_of(name, rows, test, alpha)
        for name, rows in CASES
        for test in ("chisq", "gsq")
        for alpha in LEVELS
    ]
    told = {
        "system": f"causal-learn {version('causal-learn')}",
        "command": "causallearn.search.ConstraintBased.PC.pc(data, alpha, test, stable=True)",
        "note": "the first rows of each file, without constant columns; in name order",
        "cases": cases,
    }
    json.dump(told, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
