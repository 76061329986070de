"""Exact inference, sampling and likelihood on known networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dataset
from task import PGMPY, PYAGRUM, US, Bif, Contender, Csv, Role, Task

NETWORKS = ("alarm", "hailfinder", "win95pts", "andes", "munin1")
CORE = ("alarm", "andes")
ROWS = 100_000
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
            page="inference",
            family="sampling, log-likelihood",
            table="Sampling",
            label=f"alarm, {ROWS:,} rows",
            call="sample",
            contenders=(US, PYAGRUM, PGMPY, NUMPY),
            options={"bif": Bif("alarm"), "rows": ROWS},
            core=True,
        ),
        Task(
            name="loglik-alarm",
            page="inference",
            family="sampling, log-likelihood",
            table="Log-likelihood of data (pgmpy has none; pyagrum reads the file in the call)",
            label=f"alarm, {ROWS:,} rows",
            call="log_likelihood",
            contenders=(US, PYAGRUM, NUMPY),
            options={"bif": Bif("alarm"), "csv": Csv("alarm", ROWS)},
            core=True,
        ),
    ]


def _compile(network: str) -> Task:
    return Task(
        name=f"compile-{network}",
        page="inference",
        family="compiling, posteriors",
        table="Compiling a network for inference",
        label=network,
        call="compile_network",
        contenders=(US, PYAGRUM),
        options={"bif": Bif(network)},
        core=network in CORE,
    )


def _query(network: str) -> Task:
    again = {"earlier": Evidence(network, 1)}
    return Task(
        name=f"query-{network}",
        page="inference",
        family="compiling, posteriors",
        table="All posterior marginals given three nodes, on a compiled network",
        label=network,
        call="posteriors",
        contenders=(
            US,
            Contender("bayesloom, same nodes again", "bayesloom", Role.US, again),
            PYAGRUM,
            Contender("pyagrum, same nodes again", "pyagrum", options=again),
            PGMPY,
        ),
        options={"bif": Bif(network), "evidence": Evidence(network, 0)},
        core=network in CORE,
    )
