"""The public names: one list at run time, one for type checkers, and nothing imported for them."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

import bayesloom

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"


def package_of(file: Path) -> str:
    """Return the dotted name of the package whose ``__init__`` a file is."""
    return ".".join(file.parent.relative_to(SOURCES).parts)


ROOMS = {"errors", "evaluation", "graphs", "inference", "model", "scores", "search", "sklearn"}
"""Modules that are public under their own name."""

PACKAGES = sorted(map(package_of, SOURCES.glob("bayesloom/**/__init__.py")))
LAZY = sorted(map(package_of, SOURCES.glob("bayesloom/**/__init__.pyi")))


def public_names(package: str) -> list[str]:
    """Return the names at run time; the stub, as type checkers want it, has no such list."""
    names: list[str] = import_module(package).__all__
    return names


def stub_names(package: str) -> dict[str, str]:
    """Return the names that a stub re-exports, each with the module it comes from."""
    tree = ast.parse((SOURCES / package.replace(".", "/") / "__init__.pyi").read_text())
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*":
                    found |= stub_names(str(node.module))
                    continue
                assert alias.asname == alias.name, "only 'X as X' re-exports"
                found[alias.name] = str(node.module)
    return found


def modules_after(statement: str, folder: Path = ROOT) -> set[str]:
    program = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True,
        env={"PYTHONPATH": str(SOURCES)}, cwd=folder,
    )  # fmt: skip
    return set(done.stdout.split())


def test_the_large_packages_are_lazy() -> None:
    assert {"bayesloom", "bayesloom.graphs", "bayesloom.model", "bayesloom.search"} <= set(LAZY)


@pytest.mark.parametrize("package", LAZY)
def test_the_package_has_the_names_that_type_checkers_read_in_its_stub(package: str) -> None:
    stub = stub_names(package)
    names = [name for name in public_names(package) if name != "__version__"]
    assert sorted(stub) == sorted(names)
    for name, home in stub.items():
        assert home.startswith(package)
        assert getattr(import_module(package), name) is getattr(import_module(home), name)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_resolves_and_is_listed(package: str) -> None:
    found = import_module(package)
    for name in public_names(package):
        assert getattr(found, name) is not None
        assert name in dir(found)


@pytest.mark.parametrize("package", LAZY)
def test_a_star_imports_every_public_name(package: str) -> None:
    names: dict[str, object] = {}
    exec(f"from {package} import *", names)
    assert set(names) - {"__builtins__"} == set(public_names(package))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_name_is_hidden_by_a_module_that_is_called_so(package: str) -> None:
    found = import_module(package)
    modules = [module.name for module in pkgutil.iter_modules(found.__path__)]
    for module in modules:
        import_module(f"{package}.{module}")
    hidden = {n for n in public_names(package) if isinstance(getattr(found, n), ModuleType)}
    assert hidden <= ROOMS
    if package in LAZY:
        # Here the name would be a function or a module, depending on what was imported before.
        assert not (set(public_names(package)) & set(modules)) - ROOMS


@pytest.mark.parametrize("package", LAZY)
def test_an_unknown_name_is_an_attribute_error_that_names_it(package: str) -> None:
    with pytest.raises(AttributeError, match=f"'{package}' has no attribute 'Nonsense'"):
        _ = import_module(package).Nonsense


@pytest.mark.parametrize("package", LAZY)
def test_importing_a_lazy_package_imports_nothing_that_costs_time(package: str) -> None:
    new = modules_after(f"import {package}") - modules_after("pass")
    # An editable installation brings a few modules of the standard library with it.
    assert package in new
    heavy = {"numpy", "pyarrow", "pandas", "click", "rich", "dataclasses"}
    assert not heavy & {name.split(".")[0] for name in new}
    assert {name for name in new if name.startswith("bayesloom")} <= {
        "bayesloom", "bayesloom.lazy", package,
    }  # fmt: skip


def test_the_command_line_starts_without_heavy_libraries() -> None:
    heavy = {"numpy", "pyarrow", "pandas", "rich", "bayesloom.facade", "bayesloom.search"}
    assert not heavy & modules_after("import bayesloom.cli")


def test_a_command_imports_only_what_it_uses(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b\n" + "no,no\nyes,yes\n" * 20)
    arguments = ["bayesloom", "learn", "data.csv", "--search", "hc", "-o", "net.bif", "--quiet"]
    run = f"sys.argv = {arguments}; from bayesloom.cli import program; program(standalone_mode=0)"
    new = modules_after(run, tmp_path)
    assert (tmp_path / "net.bif").exists()
    other_libraries = {"pyarrow", "pandas", "rich", "numpy.random", "tempfile", "tomllib"}
    other_parts = {"inference", "report", "evaluation", "independence", "data.arrow_file"}
    other_kinds = {
        "search.equivalence",
        "search.markov",
        "model.bif_reading",
        "model.uai",
        "data.arrow_file",
    }
    assert not new & other_libraries
    assert not new & {f"bayesloom.{name}" for name in other_parts | other_kinds}


def test_a_network_is_loaded_and_asked_without_what_reads_data_counts_and_searches() -> None:
    ask = "import bayesloom; net = bayesloom.load('examples/alarm.bif'); net.query('CVP')"
    others = {"data.reader", "data.table", "engine", "scores", "search", "learning.record", "story"}
    assert not modules_after(ask) & {f"bayesloom.{name}" for name in others}


def test_a_package_in_a_zip_file_finds_its_names(tmp_path: Path) -> None:
    archive = tmp_path / "packages.zip"
    with ZipFile(archive, "w") as packages:
        for file in SOURCES.glob("bayesloom/**/*.py*"):
            if file.suffix in {".py", ".pyi"}:
                packages.write(file, file.relative_to(SOURCES))
    program = (
        "import bayesloom as bl; print(bl.__file__, *dir(bl), bl.errors.__name__, bl.register)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],  # -S: not the package that is installed
        capture_output=True, text=True, check=False, env={"PYTHONPATH": str(archive)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{archive}")
    assert set(public_names("bayesloom")) <= set(done.stdout.split())


def test_the_version_is_the_one_of_the_project() -> None:
    assert bayesloom.__version__ == version("bayesloom")
    assert f"\nversion: {bayesloom.__version__}\n" in (ROOT / "CITATION.cff").read_text()
