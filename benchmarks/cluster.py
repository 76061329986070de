"""Figures of docs/scale.md: round trips, cost per batch, growth with rows, columns and workers.

    python benchmarks/cluster.py data FOLDER ROWS      # alarm, sampled to 20 Parquet files
    python benchmarks/cluster.py trips                 # round trips of searches, near and far
    python benchmarks/cluster.py overhead              # an empty batch on two workers
    python benchmarks/cluster.py workers FOLDER        # GES on one worker and on two, in turns
    python benchmarks/cluster.py growth FOLDER         # a batch by rows and by tables; bytes

Besides wall time, which a busy machine stretches, CPU time is told: of the client, and of the
worker that has spent most, which is what the wall time comes to if every worker has a processor.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

import bayesloom as bl
from bayesloom.engine.cluster.counted import SplitBatch
from bayesloom.engine.cluster.share import count
from bayesloom.registry import SEARCHES
from bayesloom.search import GES
from bayesloom.search.limits import Limits
from bayesloom.search.watch import Watch

ALARM = Path(__file__).parent.parent / "examples" / "alarm.bif"
N_FILES = 20


def cluster(n_workers: int) -> Any:  # noqa: ANN401
    import dask
    import distributed

    dask.config.set(
        {
            "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 268435456,
            "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 33554432,
        }
    )
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=":0"
    )


def data(folder: str, rows: str) -> None:
    net = bl.load(ALARM)
    Path(folder).mkdir(parents=True, exist_ok=True)
    for k in range(N_FILES):
        table = net.sample(int(float(rows)) // N_FILES, seed=k)
        parquet.write_table(table.to_arrow(), Path(folder, f"alarm-{k:02}.parquet"))


class Asked(bl.NativeEngine):
    """A table in memory that says how far away it is, and counts what it is asked for."""

    distance = 0.0

    def __init__(self, table: bl.Table) -> None:
        super().__init__(table, 1)
        self.log: list[tuple[str, int]] = []

    @property
    def round_trip(self) -> float:
        """As far as it is set."""
        return self.distance

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401
        if name in ("counts", "families", "informations", "tests", "entropies"):

            def ask(batch: bl.Batch, *args: object, **options: object) -> object:
                self.log.append((name, len(batch)))
                return getattr(bl.NativeEngine, name)(self, batch, *args, **options)

            return ask
        return super().__getattribute__(name)


def trips(*names: str) -> None:
    table = bl.read(ALARM.with_suffix(".csv")).in_name_order().take(slice(0, 5000))
    limits = Limits.none(table.names)
    for name in names or (
        "ges",
        "xges",
        "hc",
        "tabu",
        "iges",
        "ihc",
        "ixges",
        "mmhc",
        "dmn",
        "boss",
        "order",
        "gs",
        "iamb",
        "pc",
    ):
        told = []
        for distance in (0.0, 60.0):
            engine = Asked(table)
            engine.distance = distance
            found = SEARCHES[name]().search(engine, limits, Watch())
            kinds = dict(Counter(what for what, _ in engine.log))
            told.append((found, len(engine.log), sum(n for _, n in engine.log), kinds))
        near, far = told
        print(
            f"{name:6} round trips {near[1]:4} -> {far[1]:4}  tables {near[2]:6} -> {far[2]:6}"
            f"  equal {near[0] == far[0]}  {far[3]}"
        )


def overhead() -> None:
    import distributed

    net = bl.load(ALARM)
    with cluster(2) as two, distributed.Client(two) as client:
        engine = bl.DaskEngine(client, [net.sample(1000, seed=k) for k in range(2)])
        for title, batch in (
            ("one table", bl.Batch.sets([(0,)])),
            ("all 666 pairs", bl.Batch.pairs(37)),
        ):
            engine.entropies(batch)
            seconds, before, mine = [], cpu_seconds(client), time.process_time()
            for _ in range(100):
                began = time.perf_counter()
                engine.entropies(batch)
                seconds.append(time.perf_counter() - began)
            mine = (time.process_time() - mine) * 10
            busy = [(b - a) * 10 for a, b in zip(before, cpu_seconds(client), strict=True)]
            least, half = min(seconds) * 1e3, float(np.median(seconds)) * 1e3
            print(
                f"{title}: {least:.1f} ms at least, {half:.1f} ms median of 100 wall; CPU a batch: "
                f"client with scheduler {mine:.1f} ms, busiest worker {max(busy):.1f} ms"
            )


def cpu_seconds(client: Any) -> list[float]:  # noqa: ANN401
    return list(client.run(time.process_time).values())


def workers(folder: str, turns: str = "3") -> None:
    import distributed

    for turn in range(int(turns)):
        for n in (1, 2):
            with cluster(n) as some, distributed.Client(some) as client:
                began = time.perf_counter()
                engine = bl.DaskEngine(client, folder)
                read = time.perf_counter() - began
                trip = engine.round_trip
                before, mine = cpu_seconds(client), time.process_time()
                began = time.perf_counter()
                found = GES().search(engine, Limits.none(engine.names), Watch())
                wall = time.perf_counter() - began
                mine = time.process_time() - mine
                busy = [b - a for a, b in zip(before, cpu_seconds(client), strict=True)]
            print(
                f"turn {turn}, {n} workers, {engine.n_rows:,} rows: read {read:.1f} s, round trip "
                f"{trip * 1e3:.0f} ms, GES {wall:.2f} s wall, busiest worker {max(busy):.2f} s "
                f"CPU, client {mine:.2f} s CPU, {len(found.steps)} steps, score {found.score:.6f}",
                flush=True,
            )


def growth(folder: str) -> None:
    from bayesloom.data.dataset import data_files
    from bayesloom.data.scan import read_dataset
    from bayesloom.engine.cluster.share import Share

    files = data_files(folder)
    for n_files in (1, 2, 4, 8):
        table = read_dataset(files[:n_files], bl.Reading()).in_name_order()
        share = Share(table, [(0, table.n_rows)])
        for title, batch in (
            ("pairs", bl.Batch.pairs(37)),
            ("triples", bl.Batch.of((x, (x + 1,), range(x + 2, 37)) for x in range(30))),
        ):
            packed = SplitBatch.of(batch, table.cardinality).packed()
            count(share, packed)
            seconds = []
            for _ in range(5):
                began = time.process_time()
                answer = count(share, packed)
                seconds.append(time.process_time() - began)
            each = min(seconds) / table.n_rows / len(batch)
            print(
                f"{table.n_rows:,} rows, {len(batch)} {title}: {min(seconds):.3f} s CPU, "
                f"{each * 1e9:.3f} ns per row and table, {len(packed):,} bytes out, "
                f"{answer.cells.nbytes:,} bytes back",
                flush=True,
            )


if __name__ == "__main__":
    {"data": data, "trips": trips, "overhead": overhead, "workers": workers, "growth": growth}[
        sys.argv[1]
    ](*sys.argv[2:])
