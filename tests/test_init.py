"""The public names: one list at run time, one for type checkers, and nothing imported for them."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bayesloom

ROOT = Path(__file__).parents[1]
NAMES = vars(bayesloom)["__all__"]  # the stub, as type checkers want it, has none
PACKAGE = ROOT / "src" / "bayesloom"


def stub_names() -> dict[str, str]:
    """Return the names that the stub re-exports, each with the module it comes from."""
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text())
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                assert alias.asname == alias.name, "only 'X as X' re-exports"
                found[alias.name] = str(node.module)
    return found


def test_the_stub_and_the_package_have_the_same_names_from_the_same_places() -> None:
    stub = stub_names()
    assert sorted([*stub, "__version__"]) == sorted(NAMES)
    assert {name: home for name, home in stub.items() if name != "errors"} == vars(bayesloom)[
        "_HOME_OF"
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_resolves_and_is_listed(name: str) -> None:
    assert getattr(bayesloom, name) is not None
    assert name in dir(bayesloom)


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="'bayesloom' has no attribute 'Nonsense'"):
        _ = bayesloom.Nonsense  # type: ignore[attr-defined]


def modules_after(statement: str) -> set[str]:
    program = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    return set(done.stdout.split())


def test_importing_bayesloom_imports_nothing_that_costs_time() -> None:
    new = modules_after("import bayesloom") - modules_after("pass")
    # An editable installation brings a few modules of the standard library with it.
    assert "bayesloom" in new
    heavy = {"numpy", "pyarrow", "pandas", "click", "rich"}
    assert not heavy & {name.split(".")[0] for name in new}
    assert not {name for name in new if name.startswith("bayesloom.")}


def test_the_command_line_starts_without_heavy_libraries() -> None:
    heavy = {"numpy", "pyarrow", "pandas", "rich", "bayesloom.learning", "bayesloom.search"}
    assert not heavy & modules_after("import bayesloom.cli")


def test_the_version_is_the_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert bayesloom.__version__ == project["version"]
