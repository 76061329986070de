"""Write posteriors_pyagrum.json: posteriors of the test networks as pyAgrum computes them.

Run with a Python that has pyAgrum:  python tests/golden/make_posteriors_pyagrum.py
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

Untyped: TypeAlias = Any  # pyAgrum has no types

HERE = Path(__file__).parent
NETWORKS = HERE.parent / "data" / "model" / "networks"
QUERIES = {"alarm": 4, "hailfinder": 3, "win95pts": 3, "andes": 2, "munin1": 3}
FEW = {"munin1": 8}  # networks where pyAgrum needs minutes for all variables: how many to ask for


def posterior(
    gum: Untyped, net: Untyped, targets: list[str], given: dict[str, int]
) -> dict[str, Any]:
    engine = gum.VariableElimination(net)
    for target in targets:
        engine.addTarget(target)
    engine.setEvidence(given)
    engine.makeInference()
    return {target: engine.posterior(target).toarray().tolist() for target in targets}


def draw_evidence(gum: Untyped, net: Untyped, rng: random.Random) -> dict[str, int]:
    """Draw three variables, and their states from the posterior given those drawn before."""
    given: dict[str, int] = {}
    for name in rng.sample(sorted(net.names()), 3):
        values = posterior(gum, net, [name], given)[name]
        given[name] = rng.choices(range(len(values)), weights=values)[0]
    return given


def main() -> None:
    gum = import_module("pyagrum")
    found: dict[str, Any] = {
        "tool": "pyAgrum",
        "version": gum.__version__,
        "command": "python tests/golden/make_posteriors_pyagrum.py",
        "note": "pyAgrum reads tables in single precision; compare to 1e-6",
        "networks": {},
    }
    for name, count in QUERIES.items():
        packed = (NETWORKS / f"{name}.bif.gz").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.bif"
            path.write_bytes(gzip.decompress(packed))
            net = gum.loadBN(str(path))
        rng = random.Random(name)
        queries = []
        for _ in range(count):
            given = draw_evidence(gum, net, rng)
            targets = sorted(set(net.names()) - set(given))
            targets = sorted(rng.sample(targets, FEW.get(name, len(targets))))
            labels = {v: net.variable(v).labels() for v in [*given, *targets]}
            values = posterior(gum, net, targets, given)
            queries.append(
                {
                    "given": {v: labels[v][k] for v, k in given.items()},
                    "posteriors": {
                        v: dict(zip(labels[v], values[v], strict=True)) for v in targets
                    },
                }
            )
        digest = hashlib.sha256(packed).hexdigest()
        found["networks"][name] = {"sha256": digest, "queries": queries}
    (HERE / "posteriors_pyagrum.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
