"""Samples of known networks, drawn with a fixed seed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bayesloom.data import Table
from bayesloom.model import draw_rows, load_net

NETWORKS = Path(__file__).parent / "data" / "model" / "networks"


@cache
def sampled(network: str, n_rows: int, seed: int = 1) -> Table:
    """Return rows of a network of the repository, in the order of the file."""
    return draw_rows(load_net(NETWORKS / f"{network}.bif.gz"), n_rows, seed)
