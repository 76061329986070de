"""Which engine holds data: in memory or on a disk, chosen by name or by size."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bayesloom.data import Reading, Table
from bayesloom.data.reader import ARROW, PARQUET, file_kind
from bayesloom.data.text_file import STANDARD_INPUT
from bayesloom.engine.contract import CountingEngine, Engine
from bayesloom.engine.data_engine import counting
from bayesloom.engine.memory import engine_in_memory
from bayesloom.engine.memory_size import bytes_of, usual_memory
from bayesloom.engine.names import ENGINES, ENGINES_HERE
from bayesloom.errors import OptionError, listed, shown

if TYPE_CHECKING:
    from bayesloom.data.dataset import DataFile
    from bayesloom.engine.opening import EncodingReport

_PER_CELL = 4  # bytes that a cell of a Parquet file takes in memory, while it is read
_PER_BYTE = 1.5  # bytes that a byte of another file takes
_UNPACKED = 10  # bytes that a byte of a packed file is taken for


def engine_over(
    data: Any,  # noqa: ANN401 - frames of whatever library
    reading: Reading,
    *,
    engine: str = "auto",
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
    threads: int | None = None,
    report: EncodingReport | None = None,
) -> tuple[Engine, tuple[str, ...], tuple[str, ...]]:
    """Put data behind an engine; return it, the columns in their order, and notes.

    Parameters
    ----------
    data : path, frame, Table or DuckDBSource
        The data. A folder or a glob stands for all its files.
    reading : Reading
        How to read them.
    engine : {"auto", "memory", "disk", "dask"}
        ``auto`` takes the disk for files that would take more than ``memory`` if they were read.
    memory : int or str, optional
        With ``disk``, what blocks and tables may take (default 1 GB); with ``auto``, what the data
        may take in memory (default: half of what the machine has).
    cache : path, optional
        The folder of caches.
    scheduler : str, optional
        With ``dask``, the address of the cluster's scheduler.
    threads : int, optional
        How many threads count.
    report : callable, optional
        Is told how far a cache is made; see `bayesloom.open`.

    Raises
    ------
    OptionError
        If there is no such engine, or the data are no files and cannot be on a disk.
    """
    if (engine == "dask") != (scheduler is not None):
        msg = (
            "engine='dask' and scheduler='tcp://host:8786' (--engine dask --scheduler ADDRESS) go "
            "together; give both or none"
        )
        raise OptionError(msg)
    if scheduler is not None:
        return _on_a_cluster(data, reading, scheduler)
    if goes_to_disk(data, engine, memory):
        from bayesloom.engine.opening import open_source

        limit = "1GB" if memory is None else memory
        found = open_source(
            data, reading, memory=limit, cache=cache, threads=threads, report=report
        )
        return found, found.columns, found.notes
    table = reading.apply(data)
    return engine_in_memory(table.in_name_order(), threads), table.names, table.notes


def engine_here(
    data: Any,  # noqa: ANN401 - frames of whatever library
    reading: Reading,
    *,
    engine: str = "auto",
    memory: int | str | None = None,
    cache: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> tuple[Engine, tuple[str, ...], tuple[str, ...]]:
    """Put data behind an engine of this machine; see `engine_over`.

    Raises
    ------
    OptionError
        If there is no such engine here, or the data are no files and cannot be on a disk.
    """
    check_here(engine)
    return engine_over(data, reading, engine=engine, memory=memory, cache=cache, threads=threads)


def check_here(engine: str) -> None:
    """Refuse what is no engine of this machine."""
    if engine not in ENGINES_HERE:
        msg = f"engine must be one of {listed(ENGINES_HERE)}, got {shown(repr(engine))}"
        raise OptionError(msg)


def disk_engine_for(
    variables: tuple[Sequence[str], Sequence[Sequence[str]]],
    data: Any,  # noqa: ANN401 - files or a database
    remembered: Reading | None,
    given: Mapping[str, Any],
    *,
    threads: int | None,
    where: Mapping[str, Any],
) -> Engine:
    """Return an engine on a disk over the columns of a network, with its states.

    Parameters
    ----------
    variables : pair
        The names of the network's variables, and their states.
    data : path or DuckDBSource
        What `goes_to_disk`.
    remembered, given
        See `bayesloom.data.network_rows.reading_for`.
    threads, where
        How many threads count, and the other options of `engine_here`.

    Raises
    ------
    DataError, FileFormatError
        As for a network whose data are read into memory.
    """
    from bayesloom.data.network_rows import read_with_states, reading_for, without_file

    reading = reading_for(*variables, without_file(remembered, data), given)

    def opened() -> CountingEngine:
        return counting(engine_here(data, reading, threads=threads, **where)[0], "this network")

    return read_with_states(reading, opened)


def goes_to_disk(data: Any, engine: str, memory: int | str | None) -> bool:  # noqa: ANN401
    """Tell whether data are to be counted on a disk.

    Raises
    ------
    OptionError
        If there is no such engine, or the data are no files and cannot be on a disk.
    """
    if engine not in ENGINES:
        msg = f"engine must be one of {listed(ENGINES)}, got {shown(repr(engine))}"
        raise OptionError(msg)
    if memory is not None:
        bytes_of(memory)
    on_disk = _can_be_on_disk(data)
    if engine == "disk" and not on_disk:
        msg = (
            f"engine='disk' (--engine disk) reads files or a database, and {_told(data)} is in "
            "memory already; leave engine out"
        )
        raise OptionError(msg)
    return engine == "disk" or (engine == "auto" and on_disk and _is_too_large(data, memory))


def _on_a_cluster(
    data: Any,  # noqa: ANN401
    reading: Reading,
    scheduler: str,
) -> tuple[Engine, tuple[str, ...], tuple[str, ...]]:
    """Let the workers of a cluster read files, or send them a table."""
    from bayesloom.engine.cluster.connection import client_of
    from bayesloom.engine.cluster.dask_engine import DaskEngine

    is_path = isinstance(data, str | os.PathLike) and os.fspath(data) != STANDARD_INPUT
    is_far = is_path or hasattr(data, "to_delayed")
    source = data if is_far else [reading.apply(data)]
    options: Any = reading.to_dict() if is_far else {}
    found = DaskEngine(client_of(scheduler), source, **options)
    return found, found.columns, found.notes


def _can_be_on_disk(data: object) -> bool:
    if isinstance(data, str | os.PathLike):
        return os.fspath(data) != STANDARD_INPUT
    return _is_database(data)


def _is_database(data: object) -> bool:
    if isinstance(data, Table):
        return False
    from bayesloom.data.duckdb_source import DuckDBSource

    return isinstance(data, DuckDBSource)


def _told(data: object) -> str:
    return "standard input" if isinstance(data, str | os.PathLike) else f"a {type(data).__name__}"


def _is_too_large(data: Any, memory: int | str | None) -> bool:  # noqa: ANN401
    """Tell whether data would take more memory than they may."""
    if not isinstance(data, str | os.PathLike):  # a database
        return True
    from bayesloom.data.dataset import data_files

    limit = usual_memory() if memory is None else bytes_of(memory)
    return sum(map(_estimated, data_files(data))) > limit


def _estimated(file: DataFile) -> float:
    """Return about how many bytes a file takes while it is read into memory."""
    kind, size = file_kind(file.path), file.stamp()[0]
    if kind in PARQUET:
        import pyarrow as pa
        from pyarrow import parquet

        try:
            found = parquet.read_metadata(file.path)
        except (pa.ArrowException, OSError, ValueError):
            return 0.0  # reading it says what is wrong
        return float(found.num_rows * found.num_columns * _PER_CELL)
    if kind in ARROW:
        return _PER_BYTE * size
    return _PER_BYTE * size * (_UNPACKED if kind.endswith(".gz") else 1)
