"""Tables drawn from known networks."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayesloom.data import Table
from bayesloom.model import draw_rows, load_net

NETWORKS = Path(__file__).parent / "data" / "model" / "networks"


def drawn(name: str, n_rows: int) -> Table:
    return draw_rows(load_net(NETWORKS / f"{name}.bif.gz"), n_rows, 1)


@pytest.fixture(scope="session")
def asia() -> Table:
    return drawn("asia", 1000)


@pytest.fixture(scope="session")
def child() -> Table:
    return drawn("child", 1000)


@pytest.fixture(scope="session", params=[("insurance", 5000), ("alarm", 5000)], ids=lambda p: p[0])
def large(request: pytest.FixtureRequest) -> Table:
    return drawn(*request.param)
