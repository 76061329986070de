"""Work that needs more memory than there is."""

from __future__ import annotations

import pytest

from bayesloom.errors import CapacityError
from bayesloom.search import memory


def test_work_that_does_not_fit_is_refused_and_other_work_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "physical_memory", lambda: 4096)
    with pytest.raises(CapacityError, match=r"needs 4,097 bytes .* has 4,096: leave out columns"):
        memory.check_memory(4097, "a matrix")
    memory.check_memory(4096, "a matrix")
