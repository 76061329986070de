"""The study of missing cells: what is taken away, and what is told of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bayesloom.model import draw_rows
from bayesloom_reproduction.incomplete import (
    DEFAULTS,
    INCOMPLETE,
    METHODS,
    figure_incomplete,
    with_holes,
)
from bayesloom_reproduction.known_networks import known


@pytest.mark.parametrize("at_random", [False, True])
@pytest.mark.parametrize("rate", [0.05, 0.4])
def test_as_many_cells_are_taken_away_as_said(rate: float, *, at_random: bool) -> None:
    rows = draw_rows(known("child"), 4000, 1)
    holes = with_holes(rows, rate, np.random.default_rng(2), at_random=at_random)
    touched = holes.missing[holes.missing > 0]
    assert len(touched) == rows.n_columns - at_random
    assert float(touched.mean()) / 4000 == pytest.approx(rate, rel=0.05)
    for before, after, states in zip(rows.codes, holes.codes, rows.states, strict=True):
        known_cells = after < len(states)
        assert (before[known_cells] == after[known_cells]).all()


def test_cells_missing_at_random_depend_on_a_column_that_stays() -> None:
    rows = draw_rows(known("child"), 4000, 1)
    holes = with_holes(rows, 0.2, np.random.default_rng(2), at_random=True)
    stays = int(np.flatnonzero(holes.missing == 0)[0])
    often = rows.codes[stays] == np.bincount(rows.codes[stays]).argmax()
    empty = np.mean([c == len(s) for c, s in zip(holes.codes, holes.states, strict=True)], axis=0)
    assert empty[often].mean() < 0.7 * empty[~often].mean()


def test_every_way_is_measured_and_told() -> None:
    grid: dict[str, tuple[str | int]] = {
        "rows": (1000,),
        "percent": (10,),
        "missing": ("mcar",),
        "network": ("child",),
    }
    small = replace(INCOMPLETE, grid=grid, reps=1)
    rows = small.run(small.trials()[0])
    runs = {row["method"]: row for row in rows["runs"]}
    assert tuple(runs) == METHODS + DEFAULTS
    assert float(runs["structural EM"]["kl"]) < float(runs["drop rows"]["kl"])
    found = figure_incomplete(rows)
    assert "SHD at 10 percent by network" in found.text
    for name in METHODS + DEFAULTS:
        assert f"| {name} |" in found.text
    assert set(found.charts) == {"incomplete-mcar-1000-shd", "incomplete-mcar-1000-kl"}
