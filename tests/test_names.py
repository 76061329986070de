"""One thing, one name: what two modules define under one public name is a homonym."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "bayesloom"

PROTOCOLS = {"read", "write"}
"""What every module of a file format has."""


def public_names(path: Path) -> set[str]:
    """Return what a module defines for others."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return {name for name in found if not name.startswith("_")}


def test_no_two_modules_define_one_public_name() -> None:
    homes = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        # A command is called what it does, and does it through the function of that name.
        if path.parent.name != "cli" and path.name != "__main__.py":
            for name in public_names(path):
                homes[name].append(path.relative_to(SOURCES).as_posix())
    twice = {name: paths for name, paths in homes.items() if len(paths) > 1}
    assert {name: paths for name, paths in twice.items() if name not in PROTOCOLS} == {}


def test_modules_are_called_after_things() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "base", "core", "tools"}
    assert not vague & {path.stem for path in SOURCES.rglob("*.py")}
