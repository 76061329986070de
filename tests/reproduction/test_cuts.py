"""The comparison of cuts: losses of numbers that do not depend on how they are told."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.data.interval import interval_labels
from bayesloom_reproduction.cuts import CUTS, METHODS, figure_cuts, losses, room_in_bins
from bayesloom_reproduction.experiment import Trial


def test_the_losses_are_those_worked_out_by_hand() -> None:
    seen = {"x": ["1", "2", "3", "4"] * 5, "y": ["a", "a", "b", "b"] * 5}
    net = bl.learn(seen, bl.GES(), discretize={"x": [2]}, estimator=bl.MaximumLikelihood())
    unseen = {"x": ["1", "4"], "y": ["a", "b"]}
    shared, even = losses(net, seen, unseen, {"x": np.array([1.0, 2.0, 3.0, 4.0])})
    # Each row has the probability 1/2; a bin has half of the rows, and two of the four numbers.
    assert shared == pytest.approx(math.log(2) + math.log(0.5))
    assert even == pytest.approx(math.log(2) + math.log(2))


def test_the_grid_is_shared_out_among_the_bins() -> None:
    values = np.array([-1.0, -0.5, 0.25, 3.0])
    for cuts in ([], [0.0], [-0.75, 0.25, 2.9]):
        states = interval_labels(cuts)
        assert room_in_bins(states, values).sum() == 9  # from -1 to 3 in steps of a half


def test_a_fold_is_compared_with_every_method() -> None:
    trial: Trial = {"set": "iris", "rep": 1}
    tables = CUTS.run(trial)
    assert [row["method"] for row in tables["losses"]] == list(METHODS)
    again = CUTS.run(trial)
    assert [r["shared"] for r in again["losses"]] == [r["shared"] for r in tables["losses"]]
    assert all(float(row["shared"]) < 0 for row in tables["losses"])  # iris depends on itself
    found = figure_cuts(tables)
    assert "iris" in found.text
    assert found.charts["cuts"].startswith("<svg")
