"""Keep what a reproduction found: tables as Parquet, figures as JSON and SVG."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

from bayesloom.data.atomic import atomic_file
from bayesloom_reproduction.experiment import Findings, Rows


def keep_tables(tables: Rows, folder: Path, name: str) -> list[Path]:
    """Write every table of an experiment as ``<experiment>-<table>.parquet``."""
    import pyarrow as pa
    from pyarrow import parquet

    written = []
    for table, rows in tables.items():
        buffer = io.BytesIO()
        parquet.write_table(pa.Table.from_pylist(rows), buffer)
        written.append(folder / f"{name}-{table}.parquet")
        with atomic_file(written[-1]) as file:
            file.write(buffer.getvalue())
    return written


def keep_findings(found: Findings, folder: Path, name: str) -> list[Path]:
    """Write a figure's data as ``<name>.json`` and its charts as SVG files."""
    text = json.dumps(_plain({"text": found.text, **found.data}), indent=1, allow_nan=False)
    written = {folder / f"{name}.json": text + "\n"}
    written |= {folder / f"{chart}.svg": svg for chart, svg in found.charts.items()}
    for path, content in written.items():
        with atomic_file(path) as file:
            file.write(content.encode())
    return list(written)


def _plain(value: object) -> object:
    """Replace what JSON has no number for by null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
