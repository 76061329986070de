"""An engine over data of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayesloom.data import Reading
from bayesloom.engine.contract import Engine
from bayesloom.engine.native import NativeEngine
from bayesloom.errors import DataError, OptionError, listed

if TYPE_CHECKING:
    from typing import TypeGuard


def is_engine(data: object) -> TypeGuard[Engine]:
    """Say whether data are already behind an engine.

    Raises
    ------
    OptionError
        If they look like an engine that lacks a part of the contract.
    """
    if not (hasattr(data, "families") and hasattr(data, "cardinality")):
        return False
    wanted = [name for name in vars(Engine) if not name.startswith("_")]
    if lacks := [name for name in wanted if not hasattr(data, name)]:
        what = type(data).__name__
        msg = f"the engine {what} lacks {listed(lacks)}; see bayesloom.Engine for the contract"
        raise OptionError(msg)
    return True


def rows_behind(data: object) -> object:
    """Return the table of an engine in memory, and other data as they are.

    Raises
    ------
    DataError
        If they are behind an engine that does not hand out its rows.

    Examples
    --------
    >>> rows_behind(as_engine({"rain": ["no", "yes"]}))
    Table of 2 rows x 1 column
      rain: no, yes
    """
    if not is_engine(data):
        return data
    if isinstance(data, NativeEngine):
        return data.table
    msg = (
        f"what is asked for goes through rows one by one, and {type(data).__name__} does not hand "
        "them out; give the path of the file, or the frame, that it was made of"
    )
    raise DataError(msg)


def told_of(engine: Engine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of an engine's variables in the order of its data, and notes on these.

    An engine that has read its data knows both (``columns`` and ``notes``); others need not.
    """
    return getattr(engine, "columns", engine.names), getattr(engine, "notes", ())


def as_engine(data: object, threads: int | None = None) -> Engine:
    """Return an engine over data: an engine as it is, all else through a table in memory.

    Parameters
    ----------
    data : path, frame, Table or Engine
        A file, a frame of any library, a table, or an engine of whatever kind.
    threads : int, optional
        How many threads count a table in memory; by default as many as there are processors.

    Examples
    --------
    >>> as_engine({"rain": ["no", "yes"]}).names
    ('rain',)
    """
    if is_engine(data):
        return data
    return NativeEngine(Reading().apply(data), threads)
