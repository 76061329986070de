"""Packages that import their modules when a name of theirs is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(
    package: str,
    homes: Mapping[str, str],
    *,
    modules: str = "",
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Make the names of a package that is imported piece by piece.

    Type checkers read the same names in the package's ``__init__.pyi``. A name must differ from
    those of the package's modules: Python sets the name of a module when it is imported.

    Parameters
    ----------
    package : str
        The package, as its ``__name__`` says.
    homes : mapping of str to str
        The public names of each of its modules, with blanks between them.
    modules : str
        The modules that are public names themselves.

    Returns
    -------
    tuple
        What the package binds to ``__getattr__``, ``__dir__`` and ``__all__``.

    Examples
    --------
    >>> find, listed, names = lazy_names("bayesloom.graphs", {"masks": "bits mask_of"})
    >>> names, find("bits")(0b101)
    (['bits', 'mask_of'], [0, 2])
    """
    home_of = {name: f"{package}.{home}" for home, names in homes.items() for name in names.split()}
    public = sorted([*home_of, *modules.split()])

    def find(name: str) -> object:
        if name in home_of:
            value = getattr(import_module(home_of[name]), name)
            setattr(sys.modules[package], name, value)
            return value
        if name in public:
            return import_module(f"{package}.{name}")
        msg = f"module {package!r} has no attribute {name!r}"
        raise AttributeError(msg)

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *public})

    return find, listed, public
