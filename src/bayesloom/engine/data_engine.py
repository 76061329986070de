"""An engine over data of any kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesloom.data import Reading, Table
from bayesloom.data.reading import USUAL
from bayesloom.engine.contract import CountingEngine, Engine
from bayesloom.engine.memory import engine_in_memory
from bayesloom.engine.native import NativeEngine
from bayesloom.errors import (
    DataError,
    OptionError,
    check_kind,
    check_number,
    check_whole,
    listed,
    shown,
)

_NAMED = 6  # columns that a message names

if TYPE_CHECKING:
    from typing import TypeGuard

    from bayesloom.arrays import Bools
    from bayesloom.engine.interpreter import StopSignal


def is_engine(data: object) -> TypeGuard[Engine]:
    """Say whether data are already behind an engine.

    Raises
    ------
    OptionError
        If they look like an engine that lacks a part of the contract.
    """
    alike = hasattr(data, "informations") or hasattr(data, "cardinality")
    if not (alike and hasattr(data, "families")):
        return False
    counts = hasattr(data, "counts") or hasattr(data, "cardinality")
    kind = CountingEngine if counts else Engine
    wanted = {name: None for part in (kind, Engine) for name in vars(part) if name[0] != "_"}
    if lacks := [name for name in wanted if not hasattr(data, name)]:
        what = f"the engine {type(data).__name__} lacks {listed(lacks)}"
        msg = f"{what}; see bayesloom.{kind.__name__} for the contract"
        raise OptionError(msg)
    if not type(data).__module__.startswith("bayesloom."):
        _check_description(data)
    return True


def _check_description(engine: Any) -> None:  # noqa: ANN401 - it has the names of the contract
    """Refuse an engine of somebody's own that does not tell its variables as the contract says.

    Raises
    ------
    OptionError
        With the property, what it has to be and what it is.
    """
    what = f"of the engine {type(engine).__name__}"
    names = engine.names
    check_kind(f"names {what}", names, tuple | list, "a tuple of texts")
    n = len(names)
    if engine.n_variables != n:
        msg = f"n_variables {what} must be {n}, as there are names, got {engine.n_variables!r}"
        raise OptionError(msg)
    check_whole(f"n_rows {what}", engine.n_rows, 1)
    check_number(f"round_trip {what}", engine.round_trip, least=0)
    kinds: dict[str, type[np.generic]] = {"missing": np.int64, "constant": np.bool_}
    if hasattr(engine, "numeric"):
        kinds["numeric"] = np.bool_
    if is_counting(engine):
        kinds |= {"cardinality": np.int32, "observed": np.int32}
    for part, kind in kinds.items():
        found = getattr(engine, part)
        fits = isinstance(found, np.ndarray) and (found.shape, found.dtype) == ((n,), kind)
        if not fits:
            wanted = f"an array of {n} values of the type {np.dtype(kind)}"
            msg = f"{part} {what} must be {wanted}, got {shown(repr(found))}"
            raise OptionError(msg)


def is_counting(engine: Engine) -> TypeGuard[CountingEngine]:
    """Say whether an engine has states and hands out its tables."""
    return hasattr(engine, "counts")


def numeric_columns(engine: Engine) -> Bools:
    """Return which variables of an engine are numbers, as its ``numeric`` says.

    One that does not say so counts states, or has numbers alone.

    Examples
    --------
    >>> numeric_columns(as_engine({"rain": ["no", "yes"]})).tolist()
    [False]
    """
    numbers: Bools = getattr(
        engine, "numeric", np.full(engine.n_variables, not is_counting(engine))
    )
    return numbers


def counting(
    engine: Engine,
    what: str,
    instead: str = "use BIC() or BGe(), GSquare() or FisherZ(), or",
) -> CountingEngine:
    """Return the engine, for what needs its tables; ``instead`` is what numbers can have.

    Raises
    ------
    DataError
        If it has none, as an engine over numbers.

    Examples
    --------
    >>> counting(as_engine({"rain": ["no", "yes"]}), "BDe").cardinality.tolist()
    [2]
    """
    if is_counting(engine):
        return engine
    names = listed(
        (shown(engine.names[v]) for v in np.flatnonzero(numeric_columns(engine))), _NAMED
    )
    msg = (
        f"{what} counts how often states occur together, and numbers have none ({names}); "
        f"{instead} cut them with numbers='cut' (--numbers cut)"
    )
    raise DataError(msg)


def heeding(engine: Engine, signal: StopSignal) -> Engine:
    """Return an engine that does not wait for long any more once a signal is given.

    Unlike `Engine.until`, it goes on answering. Only engines far away wait for anybody.
    """
    found: Engine = engine.heeding(signal) if hasattr(engine, "heeding") else engine
    return found


def rows_behind(data: object) -> object:
    """Return the table of an engine that hands out its rows, and other data as they are.

    Raises
    ------
    DataError
        If they are behind an engine that does not hand out its rows.
    CapacityError
        If they are on a disk, and too many for the memory that the engine may take.

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
    table = getattr(data, "table", None)
    if isinstance(table, Table) and hasattr(data, "numeric"):
        return table
    if hasattr(data, "rows_in_memory"):
        return data.rows_in_memory()
    msg = (
        f"what is asked for goes through rows one by one, and {type(data).__name__} does not hand "
        "them out; give the path of the file, or the frame, that it was made of"
    )
    raise DataError(msg)


_OPTIONS = {*USUAL.to_dict(), "engine", "memory", "cache", "latent"}
"""What data that are not behind an engine yet may be read, or put behind one, with."""


def refuse_reading(given: Mapping[str, object]) -> None:
    """Refuse options of reading that are written out where data are behind an engine already.

    Raises
    ------
    OptionError
        If there are any, or one that no call has.

    Examples
    --------
    >>> refuse_reading({"missing": "keep"})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: missing is an option of reading, and an engine has its data; \
give it there
    """
    Reading.from_dict({option: None for option in given if option not in _OPTIONS})
    for option in given:
        msg = f"{option} is an option of reading, and an engine has its data; give it there"
        raise OptionError(msg)


def engine_in_name_order(data: object, given: Mapping[str, Any]) -> Engine:
    """Return an engine over data: one as it is, all else read in memory, in the order of names.

    Parameters
    ----------
    data : path, frame, Table or Engine
        The data.
    given : mapping
        The options of reading that are written out; see `ReadingOptions`.

    Examples
    --------
    >>> engine_in_name_order(
    ...     {"wet": ["no", None], "rain": ["no", "yes"]}, {"missing": "keep"}
    ... ).names
    ('rain', 'wet')
    """
    if is_engine(data):
        refuse_reading(given)
        return data
    return engine_in_memory(Reading.from_dict(given).apply(data).in_name_order())


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
    return engine_in_memory(Reading().apply(data), threads)
