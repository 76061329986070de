"""Exact inference, sampling and likelihood on known networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dataset
from task import Bif, Contender, Csv, Role, Task

NETWORKS = ("alarm", "hailfinder", "win95pts", "andes", "munin1")
ROWS = 100_000
US = Contender("bayesloom", "bayesloom", Role.US)
PGMPY = Contender("pgmpy", "pgmpy")
PYAGRUM = Contender("pyagrum", "pyagrum")
PYAGRUM_AGAIN = Contender("pyagrum, same nodes again", "pyagrum", options={"same_nodes": True})
NUMPY = Contender("numpy", "numpy_loop")


@dataclass(frozen=True, slots=True)
class Evidence:
    """States of three nodes in one of two drawn rows; the rows differ in all three."""

    network: str
    row: int

    def make(self) -> dict[str, str]:
        """Return plain values, as a job carries them."""
        net = dataset.network(self.network)
        codes = dataset.sample(net, 100, dataset.SEED)
        other = next(j for j in range(1, 100) if (codes[:, 0] != codes[:, j]).sum() >= 3)
        differ = np.flatnonzero(codes[:, 0] != codes[:, other])
        nodes = np.random.default_rng(dataset.SEED).choice(differ, 3, replace=False)
        row = codes[:, (0, other)[self.row]]
        return {net.names[v]: net.states[net.names[v]][row[v]] for v in nodes}


def tasks() -> list[Task]:
    return [
        *(_compile(network) for network in NETWORKS),
        *(_query(network) for network in NETWORKS),
        Task(
            name="sample-alarm",
            group="Sampling",
            label=f"alarm, {ROWS:,} rows",
            call="sample",
            contenders=(US, PYAGRUM, PGMPY, NUMPY),
            options={"bif": Bif("alarm"), "rows": ROWS},
        ),
        Task(
            name="loglik-alarm",
            group="Log-likelihood of data (pgmpy has none)",
            label=f"alarm, {ROWS:,} rows",
            call="log_likelihood",
            contenders=(US, PYAGRUM, NUMPY),
            options={"bif": Bif("alarm"), "csv": Csv("alarm", ROWS)},
        ),
    ]


def _compile(network: str) -> Task:
    return Task(
        name=f"compile-{network}",
        group="Compiling a network for inference (pgmpy only checks it)",
        label=network,
        call="compile_network",
        contenders=(US, PYAGRUM, PGMPY),
        options={"bif": Bif(network)},
        quick=network != "munin1",
    )


def _query(network: str) -> Task:
    return Task(
        name=f"query-{network}",
        group="All posterior marginals given three nodes, on a compiled network",
        label=network,
        call="posteriors",
        contenders=(US, PYAGRUM, PYAGRUM_AGAIN, PGMPY),
        options={
            "bif": Bif(network),
            "evidence": Evidence(network, 0),
            "earlier": Evidence(network, 1),
        },
        quick=network != "munin1",
    )
