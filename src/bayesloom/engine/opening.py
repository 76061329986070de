"""Open data that are larger than memory: files, folders, globs, databases."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from bayesloom.data.block_cache import BLOCK_ROWS
from bayesloom.data.byte_file import CHANGED
from bayesloom.data.cache_folder import CacheFolder
from bayesloom.data.census import ValueNumbers
from bayesloom.data.dataset import data_files
from bayesloom.data.duckdb_source import DuckDBSource
from bayesloom.data.number_column import refuse_numbers
from bayesloom.data.reading import Reading, ReadingOptions
from bayesloom.data.scan import Scan, Sink, scan, scan_files
from bayesloom.engine.disk import DiskEngine
from bayesloom.engine.memory_size import bytes_of
from bayesloom.errors import FileFormatError, OptionError, shown

CACHE_FORMAT = 1
"""Grows when the codes of the same data and options would be others."""

Path_ = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class EncodingProgress:
    """How many rows have been read into a cache, and how long that has taken.

    Examples
    --------
    >>> print(EncodingProgress(3_000_000, 1.5))
    3,000,000 rows, 2.0 million rows/s
    """

    rows: int
    seconds: float

    def __str__(self) -> str:
        speed = self.rows / max(self.seconds, 1e-9) / 1e6
        return f"{self.rows:,} rows, {speed:,.1f} million rows/s"


EncodingReport = Callable[[EncodingProgress], None]


def open(  # noqa: A001 - its name in the package
    source: Path_ | Iterable[Path_] | DuckDBSource,
    *,
    memory: int | str = "1GB",
    cache: Path_ | None = None,
    threads: int | None = None,
    report: EncodingReport | None = None,
    **reading: Unpack[ReadingOptions],
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
    report : callable, optional
        Is called again and again with an `EncodingProgress` while a cache is made, such as
        ``print``.
    **reading
        How to read the data: ``states``, ``missing``, ``missing_markers``, ``numbers``,
        ``discretize``, ``bins``, ``columns``, ``drop``, ``delimiter``, ``encoding``, ``target``,
        ``states_from``, ``header``, ``skip_lines``, ``strip``, ``dates``, ``auto``, ``strict``;
        see `bayesloom.Reading`.

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
    how = Reading.from_dict(reading, open)
    return open_source(source, how, memory=memory, cache=cache, threads=threads, report=report)


def open_source(
    source: Path_ | Iterable[Path_] | DuckDBSource,
    reading: Reading,
    *,
    memory: int | str = "1GB",
    cache: Path_ | None = None,
    threads: int | None = None,
    block_rows: int = BLOCK_ROWS,
    report: EncodingReport | None = None,
) -> DiskEngine:
    """Open data with a reading; see `open`."""
    if report is not None and not callable(report):
        msg = f"report must be a function of an EncodingProgress, got {shown(repr(report))}"
        raise OptionError(msg)
    size, folder = bytes_of(memory), CacheFolder(cache)
    if isinstance(source, DuckDBSource):
        title = source.title
        own = source.fingerprint() if source.is_file else None

        def fill(sink: Sink) -> Scan:
            found = scan(source.chunks(reading), reading, title, _telling(sink, report))
            refuse_numbers("the engine on a disk", found)
            return found
    else:
        files = data_files(source)
        title = _title(source)
        stamps = [file.stamp() for file in files]
        own = {
            "files": [
                [str(Path(file.path).resolve()), *file.fingerprint(), file.partition]
                for file in files
            ]
        }

        def fill(sink: Sink) -> Scan:
            found = scan_files(files, reading, _telling(sink, report), title)
            for file, stamp in zip(files, stamps, strict=True):
                if file.stamp() != stamp:  # before it was its turn, or after it
                    raise FileFormatError(CHANGED, file.path)
            refuse_numbers("the engine on a disk", found)
            return found

    if own is None:
        found = folder.make_for_once(title, fill, block_rows)
    else:
        fingerprint = {"format": CACHE_FORMAT, "reading": reading.to_dict(), **own}
        found = folder.open(fingerprint, title, fill, block_rows)
    return DiskEngine(found, size, threads)


def _telling(sink: Sink, report: EncodingReport | None) -> Sink:
    """Return a sink that tells how many rows have come to it."""
    if report is None:
        return sink
    began, rows = time.monotonic(), 0

    def take(codes: Sequence[ValueNumbers]) -> None:
        nonlocal rows
        sink(codes)
        rows += len(codes[0])
        report(EncodingProgress(rows, time.monotonic() - began))

    return take


def _title(source: Path_ | Iterable[Path_]) -> str:
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    names = [os.fspath(one) for one in source]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
