"""Write miic_pyagrum.json: MIIC of pyAgrum 3.3.1 on the data of R bnlearn.

    python make_miic_pyagrum.py > miic_pyagrum.json

Needs pyAgrum and pandas; not needed by the tests, which read the file.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

DATA = Path(__file__).parents[1] / "data" / "bnlearn"
CASES = (
    ("asia", 1000),
    ("asia", 5000),
    ("learning.test", 1000),
    ("learning.test", 5000),
    ("alarm", 500),
    ("alarm", 1000),
)


def graph_of(name: str, rows: int, correction: str) -> dict[str, object]:
    """Return the directed and undirected edges that pyAgrum finds."""
    gum: Any = import_module("pyagrum")
    frame = pd.read_csv(DATA / f"{name}.csv.gz", dtype=str, keep_default_na=False).head(rows)
    frame = frame.loc[:, [len(set(frame[name])) > 1 for name in frame]]
    frame = frame[sorted(frame.columns)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        frame.to_csv(path, index=False)
        checksum = sha256(path.read_bytes()).hexdigest()
        learner = gum.BNLearner(str(path))
        learner.useMIIC()
        getattr(learner, f"use{correction}Correction")()
        found = learner.learnPDAG()
        names = learner.names()
    directed = sorted([names[a], names[b]] for a, b in found.arcs())
    undirected = [[names[a], names[b]] for a, b in found.edges()]
    return {
        "data": name,
        "rows": rows,
        "correction": correction,
        "sha256": checksum,
        "skeleton": sorted(sorted(edge) for edge in (*directed, *undirected)),
        "directed": directed,
    }


def main() -> None:
    told = {
        "system": f"pyAgrum {version('pyagrum')}",
        "command": "BNLearner(csv).useMIIC().use...Correction().learnPDAG()",
        "note": "the first rows of each file, without constant columns, in name order, "
        "with the checksum of these rows as CSV",
        "cases": [
            graph_of(name, rows, correction)
            for name, rows in CASES
            for correction in ("NML", "MDL")
        ],
    }
    json.dump(told, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
