"""Say what is wrong with a batch when an engine cannot answer it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from bayesloom.engine.batch import Batch
from bayesloom.errors import check_kind

Method = TypeVar("Method", bound=Callable[..., Any])


class _HasVariables(Protocol):
    @property
    def n_variables(self) -> int:
        """The number of variables."""


def explains_batches(method: Method) -> Method:
    """Make a method of an engine look at its batch if it fails, and only then: a look costs time.

    Raises
    ------
    OptionError
        If the batch is why the method failed.
    """

    @wraps(method)
    def ask(engine: _HasVariables, batch: Batch, *args: object, **options: object) -> object:
        try:
            return method(engine, batch, *args, **options)
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError):
            wanted = "a Batch, such as Batch.families([(child, parents)])"
            check_kind("batch", batch, Batch, wanted)
            batch.check(engine.n_variables)
            raise

    return cast("Method", ask)
