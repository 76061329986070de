"""The counter of functions and files that a journey calls."""

from __future__ import annotations

import runpy
from pathlib import Path

WALK = Path(__file__).parents[1] / "tools" / "walk.py"

MODULE = """
class Thing:
    size = [k for k in range(3)]

    def tell(self):
        return inner()


def inner():
    return 3


def unused():
    return 4
"""


def test_functions_that_are_called_are_counted_and_class_bodies_are_not(tmp_path: Path) -> None:
    (tmp_path / "thing.py").write_text(MODULE)
    walked = runpy.run_path(str(WALK))["walked"]

    def journey(folder: Path) -> None:
        assert folder.is_dir()
        runpy.run_path(str(tmp_path / "thing.py"))["Thing"]().tell()

    names = {name for _, name, _ in walked(journey, tmp_path)}
    assert {"Thing.tell", "inner"} <= names
    assert not {"Thing", "unused", "<module>"} & names
