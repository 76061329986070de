"""Measure the disk engine: encoding, size, scans, GES, and DuckDB at the same tables.

python benchmarks/disk.py sample FOLDER --millions 10      writes alarm, sampled, to Parquet files
python benchmarks/disk.py encode FOLDER --millions 2       against pyarrow's reading of the files
python benchmarks/disk.py scan FOLDER --millions 2         against the engine in memory
python benchmarks/disk.py duckdb FOLDER --millions 2       against GROUPING SETS in DuckDB
python benchmarks/disk.py ges FOLDER --millions 10 --engine disk|memory

Times are CPU seconds of all threads (the least of three), so that they hold on a busy machine.
The folder also takes the cache. Every command prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bayesloom as bl

ROWS = 1_000_000  # of a file


def cpu(work: Callable[[], object], times: int = 3) -> float:
    """Return the CPU seconds of all threads, the least of several runs."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def files_in(folder: Path, millions: int) -> list[Path]:
    found = sorted(folder.glob("part-*.parquet"))[:millions]
    if len(found) < millions:
        msg = f"{folder} has {len(found)} files; make more: python benchmarks/disk.py sample"
        raise SystemExit(msg)
    return found


def sample(folder: Path, millions: int, _: str) -> dict[str, Any]:
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir(parents=True, exist_ok=True)
    net = bl.example("alarm")
    for k in range(millions):
        path = folder / f"part-{k:03d}.parquet"
        if path.exists():
            continue
        rows = net.sample(ROWS, seed=k)
        columns = {
            name: pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), states).cast(
                "string"
            )
            for name, states, codes in zip(rows.names, rows.states, rows.codes, strict=True)
        }
        draft = path.with_suffix(".draft")
        parquet.write_table(pa.table(columns), draft, row_group_size=250_000, store_schema=False)
        draft.rename(path)
    return {"files": millions, "bytes": sum(p.stat().st_size for p in files_in(folder, millions))}


def encode(folder: Path, millions: int, _: str) -> dict[str, Any]:
    import pyarrow as pa
    from pyarrow import csv, parquet

    files = files_in(folder, millions)
    cache = folder / "cache-of-encode"

    def ours(source: list[Path]) -> None:
        shutil.rmtree(cache, ignore_errors=True)
        bl.open(source, cache=cache)

    text = folder / "part-000.csv"
    csv.write_csv(parquet.read_table(files[0]), text)
    told = {
        "parquet": cpu(lambda: ours(files), 2),
        "pyarrow parquet": cpu(lambda: [parquet.read_table(f) for f in files], 2),
        "bytes per cell": size_of(bl.open(files, cache=cache)),
        "csv": cpu(lambda: ours([text]), 2),
        "pyarrow csv": cpu(lambda: csv.read_csv(text), 2),
        "pyarrow": pa.__version__,
    }
    shutil.rmtree(cache)
    text.unlink()
    return told


def size_of(engine: bl.DiskEngine) -> float:
    return Path(engine.cache.path).stat().st_size / engine.n_rows / engine.n_variables


def batches(n: int) -> dict[str, bl.Batch]:
    """Return a batch as the first step of a search asks, and smaller ones as later steps do."""
    apart = tuple(z for z in range(n) if not 3 <= z <= 6)
    others = [tuple(z for z in range(n) if z not in (x, x + 1)) for x in range(n - 1)]
    return {
        "all pairs": bl.Batch.pairs(n),
        "700 families": bl.Batch.of([(x, (x + 1,), others[x]) for x in range(20)]),
        "35 families": bl.Batch.of([(3, (4,), others[3])]),
        "33 families of 5": bl.Batch.of([(3, (4, 5, 6), apart)]),
        "3 families": bl.Batch.of([(0, (1, 2), (3, 4, 5))]),
    }


def scan(folder: Path, millions: int, _: str) -> dict[str, Any]:
    disk = bl.open(files_in(folder, millions), cache=folder / "cache")
    memory = bl.NativeEngine(disk.table().in_name_order())
    told, kernel = {}, bl.FamilyKernel.BDEU
    for name, batch in batches(disk.n_variables).items():
        same = np.array_equal(disk.families(batch, kernel), memory.families(batch, kernel))
        times = [cpu(lambda b=batch, e=e: e.families(b, kernel)) for e in (disk, memory)]
        told[name] = {
            "same": same,
            "disk, million rows per CPU second": round(disk.n_rows / times[0] / 1e6, 1),
            "memory": round(disk.n_rows / times[1] / 1e6, 1),
            "disk / memory": round(times[1] / times[0], 2),
        }
    return told


def duckdb(folder: Path, millions: int, _: str) -> dict[str, Any]:
    import duckdb as other

    files = files_in(folder, millions)
    disk = bl.open(files, cache=folder / "cache")
    names = disk.names
    connection = other.connect()
    enums = ", ".join(f'"{name}"::enum_{v} as "{name}"' for v, name in enumerate(names))
    for v, states in enumerate(disk.states):
        connection.execute(f"create type enum_{v} as enum {tuple(states)!r}".replace(",)", ")"))
    paths = ", ".join(f"'{path}'" for path in files)
    connection.execute(f"create table rows as select {enums} from read_parquet([{paths}])")  # noqa: S608
    told = {"duckdb": other.__version__}
    for n in (6, 12):
        batch = bl.Batch.pairs(n)
        pairs = [(names[x], names[y]) for x in range(n) for y in range(x + 1, n)]
        sets = ", ".join(f'("{x}", "{y}")' for x, y in pairs)
        every = ", ".join(f'"{name}"' for name in names[:n])
        query = f"select {every}, count(*) from rows group by grouping sets ({sets})"  # noqa: S608
        cells = sum(np.count_nonzero(t) for t in disk.counts(batch))
        found = connection.execute(query).fetchall()
        theirs = cpu(lambda q=query: connection.execute(q).fetchall(), 2)
        ours = cpu(lambda b=batch: disk.counts(b))
        told[f"{len(batch)} pairs"] = {
            "same number of cells": bool(len(found) == cells),
            "duckdb": round(theirs, 3),
            "bayesloom": round(ours, 4),
            "times less": round(theirs / ours, 1),
        }
    return told


def ges(folder: Path, millions: int, engine: str) -> dict[str, Any]:
    files = files_in(folder, millions)
    start = time.process_time(), time.time()
    rows: bl.Engine = bl.open(files, memory="1GB", cache=folder / "cache")
    if engine == "memory":
        assert isinstance(rows, bl.DiskEngine)
        rows = bl.NativeEngine(rows.table().in_name_order())
    opened = time.process_time(), time.time()
    net = bl.learn(rows, bl.GES(score=bl.BIC()))
    done = time.process_time(), time.time()
    told = {
        "engine": engine,
        "rows": rows.n_rows,
        "opened": {"cpu": opened[0] - start[0], "seconds": opened[1] - start[1]},
        "learned": {"cpu": done[0] - opened[0], "seconds": done[1] - opened[1]},
        "scans": getattr(rows, "n_scans", None),
        "most memory of the process, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        // 1000,
        "result": net.to_dict() | {"seconds": None},
    }
    (folder / f"ges-{engine}-{millions}.json").write_text(
        json.dumps(told["result"], sort_keys=True)
    )
    del told["result"]
    return told


def main() -> None:
    tasks = {"sample": sample, "encode": encode, "scan": scan, "duckdb": duckdb, "ges": ges}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("task", choices=tasks)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--millions", type=int, default=2)
    parser.add_argument("--engine", choices=["disk", "memory"], default="disk")
    args = parser.parse_args()
    print(json.dumps(tasks[args.task](args.folder, args.millions, args.engine), indent=2))


if __name__ == "__main__":
    main()
