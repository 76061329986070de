"""Packages that import their modules when a name of theirs is first used."""

from __future__ import annotations

import os
import sys
from importlib import import_module

TYPE_CHECKING = False  # typing's own would be one more import
if TYPE_CHECKING:
    from collections.abc import Callable


def attach_stub(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Make the names of a package that is imported piece by piece, as its stub lists them.

    The stub, ``__init__.pyi``, is the one list: type checkers read it, and so does the package when
    it is imported. Each line is ``from module import Name as Name``, or ``from package import *``
    for all names of another stub. A name must differ from those of the package's modules: Python
    sets the name of a module when it is imported.

    Parameters
    ----------
    package, file : str
        The package, as its ``__name__`` and ``__file__`` say.

    Returns
    -------
    tuple
        What the package binds to ``__getattr__``, ``__dir__`` and ``__all__``.

    Examples
    --------
    >>> import bayesloom.graphs
    >>> find, listed, names = attach_stub("bayesloom.graphs", bayesloom.graphs.__file__)
    >>> "mask_of" in names, find("bits")(0b101)
    (True, [0, 2])
    """
    home_of = stub_names(file)
    public = sorted(home_of)

    def find(name: str) -> object:
        if name not in home_of:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg)
        home = home_of[name]
        if home == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        own = [name for name in vars(sys.modules[package]) if name.startswith("__")]
        return sorted({*own, *public})

    return find, listed, public


def stub_names(file: str) -> dict[str, str]:
    """Return the names that the stub beside a package's ``__init__.py`` lists, with their homes."""
    found: dict[str, str] = {}
    for statement in f"\n{stub_text(file)}".split("\nfrom ")[1:]:  # importing re would cost more
        module, _, rest = statement.partition(" import ")
        name = rest.lstrip("( \n").split(maxsplit=1)[0]
        if name == "*":
            folder = os.path.join(os.path.dirname(file), *module.split(".")[1:])  # noqa: PTH118, PTH120
            found |= stub_names(os.path.join(folder, "__init__.py"))  # noqa: PTH118
        else:
            found[name] = module
    return found


def stub_text(file: str) -> str:
    """Return the stub beside a package's ``__init__.py``; pathlib would cost a third of a start."""
    with open(f"{file}i", encoding="utf-8") as stub:  # noqa: PTH123
        return stub.read()
