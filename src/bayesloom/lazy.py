"""Packages that import their modules when a name of theirs is first used."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # typing's own would be one more import
if TYPE_CHECKING:
    from collections.abc import Callable

_HOMES: dict[str, dict[str, str]] = {}  # what `stub_names` has read


def attach_stub(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the names of a package that is imported piece by piece, as its stub lists them.

    The stub, ``__init__.pyi``, is the one list: type checkers read it, and so does the package when
    a name of it is first asked for. Each line is ``from module import Name as Name``, or ``from
    package import *`` for all names of another stub; what ``__init__.py`` sets itself stands there
    with its type. A name must differ from those of the package's modules: Python sets the name of
    a module when it is imported.

    Parameters
    ----------
    package : str
        The package, as its ``__name__`` says.

    Returns
    -------
    tuple
        What the package binds to ``__getattr__``, which also answers for ``__all__``, and
        ``__dir__``.

    Examples
    --------
    >>> find, listed = attach_stub("bayesloom.graphs")
    >>> "mask_of" in listed(), find("bits")(0b101)
    (True, [0, 2])
    """

    def find(name: str) -> object:
        homes = stub_names(package)
        if name == "__all__":
            return sorted(homes)
        if name not in homes:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg)
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        own = [name for name in vars(sys.modules[package]) if name.startswith("__")]
        return sorted({"__all__", *own, *stub_names(package)})

    return find, listed


def stub_names(package: str) -> dict[str, str]:
    """Return the names that the stub of a package lists, with the modules they come from."""
    if package in _HOMES:
        return _HOMES[package]
    import ast
    import pkgutil
    from typing import cast

    top, *rooms = package.split(".")
    text = pkgutil.get_data(top, "/".join([*rooms, "__init__.pyi"]))  # from a zip file, too
    found: dict[str, str] = {}
    for statement in ast.parse(cast("bytes", text)).body:
        match statement:
            case ast.ImportFrom(module=str(home), names=[ast.alias(name="*")]):
                found |= stub_names(home)
            case ast.ImportFrom(module=str(home), names=names):
                found |= {alias.name: home for alias in names}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = package
    return _HOMES.setdefault(package, found)
