"""Say what is wrong with a batch, or with an option, when an engine cannot answer it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from bayesloom.engine.batch import Batch
from bayesloom.engine.contract import FamilyKernel, TestKernel
from bayesloom.errors import check_kind, check_number

Method = TypeVar("Method", bound=Callable[..., Any])

KERNELS = {"families": FamilyKernel, "tests": TestKernel}
"""The kind of kernel each question takes."""


class _HasVariables(Protocol):
    @property
    def n_variables(self) -> int:
        """The number of variables."""


def check_options(question: str, options: Mapping[str, object]) -> None:
    """Refuse what a question (``families``, ``tests``, ...) cannot be asked with.

    Raises
    ------
    OptionError
        With the option, what it has to be and what it is.

    Examples
    --------
    >>> check_options("tests", {"kernel": True})
    Traceback (most recent call last):
    bayesloom.errors.OptionError: kernel must be a TestKernel, got True
    """
    if question in KERNELS:
        kind = KERNELS[question]
        check_kind("kernel", options.get("kernel"), kind, f"a {kind.__name__}")
    if "ess" in options:
        check_number("ess", options["ess"], above=0)
    if "price" in options:
        check_number("price", options["price"])


def explains_batches(method: Method) -> Method:
    """Make a method of an engine look at its batch if it fails, and only then: a look costs time.

    Raises
    ------
    OptionError
        If the batch or an option is why the method failed.
    """

    @wraps(method)
    def ask(engine: _HasVariables, batch: Batch, *args: object, **options: object) -> object:
        try:
            return method(engine, batch, *args, **options)
        except (AttributeError, IndexError, OverflowError, TypeError, ValueError):
            wanted = "a Batch, such as Batch.families([(child, parents)])"
            check_kind("batch", batch, Batch, wanted)
            batch.check(engine.n_variables)
            named = inspect.signature(method).bind(engine, batch, *args, **options).arguments
            check_options(method.__name__, named)
            raise

    return cast("Method", ask)
