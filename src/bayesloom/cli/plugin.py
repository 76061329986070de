"""Modules with scores, tests and searches of the user's own."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import click


def load_plugin(name: str) -> None:
    """Import a module by its name or file; what it registers can then be named in options.

    Raises
    ------
    click.ClickException
        If there is no such module, or it fails.
    """
    try:
        if name.endswith(".py"):
            _import_file(Path(name))
        else:
            import_module(name)
    except Exception as error:  # noqa: BLE001 - whatever the module of somebody else raises
        what = f"{type(error).__name__}: {error}"
        msg = (
            f"--plugin {name}: the module cannot be imported ({what}); give a module or a .py file"
        )
        raise click.ClickException(msg) from None


def _import_file(path: Path) -> None:
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        msg = "this is no Python file"
        raise ImportError(msg)
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
