"""CSV readers of data-frame libraries, as text and as categories."""

from __future__ import annotations

from typing import Any

from contenders import Prepared


def read_csv(csv: str, library: str, *, categories: bool) -> Prepared:
    work = {"pyarrow": _pyarrow, "polars": _polars, "pandas": _pandas}[library](csv, categories)
    return work, _describe


def _describe(frame: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"rows": frame.shape[0], "columns": frame.shape[1]}


def _names(csv: str) -> list[str]:
    with open(csv, encoding="utf-8") as lines:  # noqa: PTH123
        return next(lines).rstrip("\n").split(",")


def _pyarrow(csv: str, categories: bool) -> Any:  # noqa: ANN401, FBT001
    import pyarrow as pa
    from pyarrow import csv as reader

    kind = pa.dictionary(pa.int32(), pa.string()) if categories else pa.string()
    options = reader.ConvertOptions(column_types=dict.fromkeys(_names(csv), kind))
    return lambda: reader.read_csv(csv, convert_options=options)


def _polars(csv: str, categories: bool) -> Any:  # noqa: ANN401, FBT001
    import polars as pl

    kind = pl.Categorical if categories else pl.String
    schema = dict.fromkeys(_names(csv), kind)
    return lambda: pl.read_csv(csv, schema=schema)


def _pandas(csv: str, categories: bool) -> Any:  # noqa: ANN401, FBT001
    import pandas as pd

    kind = "category" if categories else "str"
    return lambda: pd.read_csv(csv, dtype=kind, keep_default_na=False)
