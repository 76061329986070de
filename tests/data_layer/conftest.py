"""Files for the tests of the data layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

TABLES = Path(__file__).parents[1] / "data" / "tables"


@pytest.fixture
def tables_dir() -> Path:
    return TABLES


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a small file and gives its path."""

    def write(content: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
