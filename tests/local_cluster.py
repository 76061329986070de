"""A real cluster of processes on this machine, which all tests of a run share."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from bayesloom.data import Table


@contextmanager
def local_cluster(n_workers: int = 2) -> Iterator[Any]:
    """Start processes that count for this one, and end them."""
    distributed = pytest.importorskip("distributed")
    import dask

    # A LocalCluster gives up a worker that is not there so long after a death; ours die often.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"}),
        distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
    ):
        yield cluster


@contextmanager
def local_client() -> Iterator[Any]:
    """Start two processes and a client of them."""
    with local_cluster() as cluster:
        import distributed

        with distributed.Client(cluster, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            yield client


def kill_one(client: Any, which: int) -> None:  # noqa: ANN401
    """Kill a worker as the kernel does when memory is short."""
    pids = sorted(client.run(os.getpid).values())
    os.kill(pids[which % len(pids)], signal.SIGKILL)


def kill_all(client: Any) -> frozenset[str]:  # noqa: ANN401
    """Kill all workers together, and return their addresses; what watches them starts others."""
    pids = client.run(os.getpid)
    for pid in pids.values():
        os.kill(pid, signal.SIGKILL)
    return frozenset(pids)


def take_workers_away(client: Any) -> None:  # noqa: ANN401
    """Leave the client's own cluster without workers."""
    client.cluster.scale(0)
    while client.nthreads():
        time.sleep(0.05)


def wait_for_others(client: Any, gone: frozenset[str], n: int = 2) -> None:  # noqa: ANN401
    """Wait until there are so many workers, and none of those that are gone."""
    until = time.monotonic() + 180
    while time.monotonic() < until:
        workers = set(client.nthreads())
        if len(workers) >= n and not workers & gone:
            return
        time.sleep(0.05)
    message = "the workers did not come back"
    raise TimeoutError(message)


def wait_for_workers(client: Any, n: int = 2) -> None:  # noqa: ANN401
    client.wait_for_workers(n, timeout=180)  # a busy machine is slow to start them


def cut(table: Table, n: int) -> list[Table]:
    """Cut a table into at most n parts."""
    size = -(-table.n_rows // n)
    return [table.take(slice(i, i + size)) for i in range(0, table.n_rows, size)]


def as_files(table: Table, folder: Path, n: int) -> list[str]:
    """Write a table as n Parquet files."""
    paths = [str(folder / f"part-{k}.parquet") for k in range(n)]
    for path, part in zip(paths, cut(table, n), strict=True):
        parquet.write_table(part.to_arrow(), path)
    return paths
