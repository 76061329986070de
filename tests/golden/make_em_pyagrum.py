"""Write em_pyagrum.json: tables that pyAgrum fits by EM to rows with drawn holes.

Run with a Python that has pyAgrum:  python tests/golden/make_em_pyagrum.py
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

Untyped: TypeAlias = Any  # pyAgrum has no types

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "bnlearn"
CASES = {
    "learning.test": (400, 0.15, "A B, A D, C D, B E, F E"),
    "asia": (500, 0.2, "S L, S B, L E, E X, B D, E D, A T"),
}


def with_holes(name: str, n_rows: int, share: float) -> list[list[str]]:
    """Return the first rows of a file, its head first, with cells drawn that become a ``?``."""
    lines = gzip.decompress((DATA / f"{name}.csv.gz").read_bytes()).decode().splitlines()
    head, *rows = csv.reader(lines[: n_rows + 1])
    rng = random.Random(name)
    return [head, *([cell if rng.random() >= share else "?" for cell in row] for row in rows)]


def fitted(gum: Untyped, rows: list[list[str]], arcs: list[list[str]]) -> dict[str, Any]:
    """Return every table by (child, parents in name order), the child's states last."""
    head, *cells = rows
    net = gum.BayesNet()
    for v, name in enumerate(head):
        net.add(gum.LabelizedVariable(name, name, sorted({row[v] for row in cells} - {"?"})))
    for parent, child in arcs:
        net.addArc(parent, child)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_text("\n".join(map(",".join, rows)) + "\n")
        learner = gum.BNLearner(str(path), net, ["?"])
        learner.useNoPrior()
        learner.useEM(1e-15)
        learner.EMsetMaxIter(100_000)
        learned = learner.learnParameters(net.dag())
    tables = {}
    for name in head:
        table = learned.cpt(name)
        axes = list(table.names)[::-1]  # of toarray: the child's is the last
        parents = sorted(axes[:-1])
        values = table.toarray().transpose([*(axes.index(p) for p in parents), len(axes) - 1])
        tables[name] = {"parents": parents, "table": values.tolist()}
    return tables


def main() -> None:
    gum = import_module("pyagrum")
    found: dict[str, Any] = {
        "tool": "pyAgrum",
        "version": gum.__version__,
        "command": "python tests/golden/make_em_pyagrum.py",
        "data": {},
    }
    for name, (n_rows, share, text) in CASES.items():
        rows = with_holes(name, n_rows, share)
        arcs = [arc.split() for arc in text.split(", ")]
        found["data"][name] = {
            "arcs": arcs,
            "rows": "\n".join(map(",".join, rows)),
            "tables": fitted(gum, rows, arcs),
        }
    (HERE / "em_pyagrum.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
