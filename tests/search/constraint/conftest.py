"""Tables for the tests of constraint-based learners."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayesloom.data import Table, read

DATA = Path(__file__).parents[2] / "data" / "bnlearn"


@pytest.fixture(scope="session")
def asia_rows() -> Table:
    return read(DATA / "asia.csv.gz").take(slice(0, 1000)).in_name_order()
