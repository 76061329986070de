"""Modules with scores, tests and searches of the user's own."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import click

from bayesloom.errors import OptionError


def load_plugin(name: str) -> None:
    """Import a module by its name or file; what it registers can then be named in options.

    What the module prints goes to standard error: standard output is for the result.

    Raises
    ------
    click.ClickException
        If there is no such module, or it fails.
    """
    try:
        with redirect_stdout(sys.stderr):
            if name.endswith(".py"):
                _import_file(Path(name))
            else:
                if "" not in sys.path:
                    sys.path.insert(0, "")  # modules in this folder
                import_module(name)
    except OptionError as error:
        msg = f"--plugin {name}: {error}"
        raise click.ClickException(msg) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever somebody's module raises
        what = f"{type(error).__name__}: {error}"
        msg = f"--plugin {name}: the module cannot be imported ({what})"
        raise click.ClickException(msg) from None


def _import_file(path: Path) -> None:
    known = getattr(sys.modules.get(path.stem), "__file__", None)
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    if taken and known != str(path.resolve()):
        msg = f"there is another module called {path.stem!r}; rename the file"
        raise OptionError(msg)
    spec = spec_from_file_location(path.stem, path.resolve())
    if spec is None or spec.loader is None:
        msg = "this is no Python file"
        raise ImportError(msg)
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
