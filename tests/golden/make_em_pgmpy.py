"""Write em_pgmpy.json: tables of latent variables after some steps of pgmpy's EM.

Run with a Python that has pgmpy:  python tests/golden/make_em_pgmpy.py

It is for latent variables alone: rows with a cell that is missing otherwise are dropped there.
"""

from __future__ import annotations

import gzip
import json
import random
import warnings
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "bnlearn"
CASES = {
    "a class behind three": ("H A, H B, H C", {"H": 2}, 200, 8),
    "on the way, with another parent": ("A H, H B, F E, H E", {"H": 3}, 150, 5),
}


def drawn(rng: random.Random, n_rows: int, n_columns: int) -> list[list[float]]:
    """Draw a distribution for every column."""
    columns = [[rng.uniform(0.2, 1.0) for _ in range(n_rows)] for _ in range(n_columns)]
    whole = [sum(column) for column in columns]
    return [[columns[j][k] / whole[j] for j in range(n_columns)] for k in range(n_rows)]


def run(case: str) -> dict[str, Any]:
    """Return the rows, the start and the tables after the steps, child's states first."""
    pandas = import_module("pandas")
    cpd = import_module("pgmpy.factors.discrete").TabularCPD
    network = import_module("pgmpy.models").DiscreteBayesianNetwork
    estimator = import_module("pgmpy.estimators").ExpectationMaximization
    text, latent, n_rows, steps = CASES[case]
    arcs = [tuple(arc.split()) for arc in text.split(", ")]
    names = sorted({name for arc in arcs for name in arc})
    packed = gzip.decompress((DATA / "learning.test.csv.gz").read_bytes())
    frame = pandas.read_csv(BytesIO(packed), dtype=str)[[n for n in names if n not in latent]]
    frame = frame.head(n_rows)
    states: dict[str, list[Any]] = {name: sorted(set(frame[name])) for name in frame}
    states |= {name: list(range(n)) for name, n in latent.items()}
    rng = random.Random(case)
    start = {}
    for name in names:
        parents = sorted(a for a, b in arcs if b == name)
        sizes = [len(states[p]) for p in parents]
        n_columns = 1
        for size in sizes:
            n_columns *= size
        values = drawn(rng, len(states[name]), n_columns)
        known = {v: states[v] for v in [name, *parents]}
        start[name] = cpd(name, len(states[name]), values, parents, sizes, state_names=known)
    model = network(arcs, latents=set(latent))
    made = estimator(model, frame).get_parameters(
        latent_card=latent, max_iter=steps, atol=1e-300, init_cpds=start, show_progress=False
    )
    tables = {}
    for table in made:
        parents = sorted(table.variables[1:])
        order = [table.variables.index(v) for v in [table.variable, *parents]]
        tables[table.variable] = {
            "parents": parents,
            "start": start[table.variable].values.tolist(),
            "table": table.values.transpose(order).tolist(),
        }
    rows = "\n".join([",".join(frame.columns), *(",".join(row) for row in frame.values.tolist())])
    return {"arcs": arcs, "latent": latent, "steps": steps, "rows": rows, "tables": tables}


def main() -> None:
    warnings.simplefilter("ignore")
    found = {
        "tool": "pgmpy",
        "version": import_module("pgmpy").__version__,
        "command": "python tests/golden/make_em_pgmpy.py",
        "data": {case: run(case) for case in CASES},
    }
    (HERE / "em_pgmpy.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
