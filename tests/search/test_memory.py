"""How much memory there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayesloom.errors import CapacityError
from bayesloom.search import memory


def test_a_container_may_have_less_than_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", (str(limit), str(tmp_path / "none")))
    alone = memory._physical_memory()
    limit.write_text("max\n")
    assert memory._physical_memory() == alone
    limit.write_text("4096\n")
    assert memory._physical_memory() == 4096
    with pytest.raises(CapacityError, match=r"needs 4,097 bytes .* has 4,096: leave out columns"):
        memory.check_memory(4097, "a matrix")
    memory.check_memory(4096, "a matrix")
