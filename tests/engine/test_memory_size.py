"""How much memory there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayesloom.engine import memory_size


def test_a_container_may_have_less_than_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory_size, "_CONTAINER_LIMITS", (str(limit), str(tmp_path / "none")))
    alone = memory_size.physical_memory()
    limit.write_text("max\n")
    assert memory_size.physical_memory() == alone
    limit.write_text("4096\n")
    assert memory_size.physical_memory() == 4096


def test_data_may_usually_take_half_of_what_a_container_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text("1000000000\n")
    monkeypatch.setattr(memory_size, "_CONTAINER_LIMITS", (str(limit),))
    assert memory_size.usual_memory() == 500_000_000
