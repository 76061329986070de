"""Open data that are larger than memory: files, folders, globs, databases."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from bayesloom.data import Reading
from bayesloom.data.block_cache import BLOCK_ROWS
from bayesloom.data.cache_folder import CacheFolder
from bayesloom.data.dataset import data_files
from bayesloom.data.declared import DeclaredStates
from bayesloom.data.discretization import Discretization
from bayesloom.data.duckdb_source import DuckDBSource
from bayesloom.data.reading import USUAL, MissingPolicy
from bayesloom.data.scan import Scan, Sink, scan, scan_files
from bayesloom.engine.disk import DiskEngine
from bayesloom.engine.memory_size import bytes_of

CACHE_FORMAT = 1
"""Grows when the codes of the same data and options would be others."""

Path_ = str | os.PathLike[str]


def open(  # noqa: A001 - its name in the package
    source: Path_ | Iterable[Path_] | DuckDBSource,
    *,
    memory: int | str = "1GB",
    cache: Path_ | None = None,
    threads: int | None = None,
    states: DeclaredStates | None = USUAL.states,
    missing: MissingPolicy = USUAL.missing,
    missing_markers: Collection[object] = USUAL.missing_markers,
    discretize: Discretization = USUAL.discretize,
    bins: int = USUAL.bins,
    columns: Iterable[str] | None = USUAL.columns,
    drop: Iterable[str] = USUAL.drop,
    delimiter: str | None = USUAL.delimiter,
    encoding: str | None = USUAL.encoding,
    target: str | None = USUAL.target,
    states_from: DeclaredStates | None = USUAL.states_from,
) -> DiskEngine:
    r"""Open data that need not fit the memory, as an engine for searches, scores and tests.

    The first time all files are read once: their values are counted, the data contract is applied
    to all rows together, and the codes are written to a compact cache. As long as neither the files
    nor the options change, the cache is used again.

    Parameters
    ----------
    source : path, iterable of paths or DuckDBSource
        A file, a folder with all files below it, a glob such as ``"big/*.parquet"``, a list of
        these, or a database. Folders named ``column=value`` are columns.
    memory : int or str
        What tables and blocks of rows may take, such as ``"1GB"``, beside the program itself.
    cache : path, optional
        The folder of caches; see `bayesloom.data.cache_folder.CacheFolder`.
    threads : int, optional
        How many threads count; by default as many as there are processors.
    states, missing, missing_markers, discretize, bins, columns, drop
    delimiter, encoding, target, states_from
        How to read the data; see `bayesloom.Reading`. ``mdl`` is not among the rules of
        discretisation here.

    Returns
    -------
    DiskEngine
        An engine that `learn`, `fit`, `test` and ``score.explain`` take in place of data.

    Raises
    ------
    FileFormatError
        If a file is not there, is unsound or changes while it is read, or the cache cannot be
        written.
    DataError
        If the data break the contract, or files have different columns.
    OptionError
        If an option has a value it cannot take.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("rain,wet\nno,no\nyes,yes\n")
    ...     _ = Path(folder, "b.csv").write_text("rain,wet\nno,a little\n")
    ...     engine = open(folder + "/*.csv", cache=folder + "/cache")
    ...     engine.n_rows, engine.states
    (3, (('no', 'yes'), ('a little', 'no', 'yes')))
    """
    reading = Reading(
        states=states,
        missing=missing,
        missing_markers=missing_markers,
        discretize=discretize,
        bins=bins,
        columns=columns,
        drop=drop,
        delimiter=delimiter,
        encoding=encoding,
        target=target,
        states_from=states_from,
    )
    return open_source(source, reading, memory=memory, cache=cache, threads=threads)


def open_source(
    source: Path_ | Iterable[Path_] | DuckDBSource,
    reading: Reading,
    *,
    memory: int | str = "1GB",
    cache: Path_ | None = None,
    threads: int | None = None,
    block_rows: int = BLOCK_ROWS,
) -> DiskEngine:
    """Open data with a reading; see `open`."""
    size, folder = bytes_of(memory), CacheFolder(cache)
    if isinstance(source, DuckDBSource):
        title = source.title
        own = source.fingerprint() if source.is_file else None

        def fill(sink: Sink) -> Scan:
            return scan(source.chunks(reading), reading, title, sink)
    else:
        files = data_files(source)
        title = _title(source)
        own = {"files": [[str(Path(f.path).resolve()), *f.stamp(), f.partition] for f in files]}

        def fill(sink: Sink) -> Scan:
            return scan_files(files, reading, sink, title)

    if own is None:
        found = folder.make_for_once(title, fill, block_rows)
    else:
        fingerprint = {"format": CACHE_FORMAT, "reading": reading.to_dict(), **own}
        found = folder.open(fingerprint, title, fill, block_rows)
    return DiskEngine(found, size, threads)


def _title(source: Path_ | Iterable[Path_]) -> str:
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    names = [os.fspath(one) for one in source]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
