"""Native threads belong to the first interpreter of a process."""

from __future__ import annotations

import sys
from importlib import import_module

from bayesloom.errors import InterpreterError

__all__ = ["StopSignal", "refuse_sub_interpreter"]


def refuse_sub_interpreter() -> None:
    """Refuse a sub-interpreter, in which native threads would wait for one another for ever.

    Raises
    ------
    InterpreterError
        If this is not the first interpreter of the process.
    """
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        interpreters = import_module(name)
    except ImportError:  # another Python than CPython has none
        return
    if interpreters.get_current() != interpreters.get_main():
        msg = (
            "bayesloom counts in native threads, which sub-interpreters of Python do not have; use "
            "it in the first interpreter, or in a process of its own (multiprocessing)"
        )
        raise InterpreterError(msg)


refuse_sub_interpreter()

from bayesloom._native import StopSignal  # noqa: E402 - nothing native before the look
