"""Charts of how sure edges are: the distribution of strengths, and the traces of chains."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.data import atomic_file
from bayesloom.report.chart import Curve, line_chart
from bayesloom.report.picture import check_picture_path

_SHOWN = 400  # points of a trace


def strength_chart(
    strengths: Sequence[float], threshold: float, path: str | os.PathLike[str] | None = None
) -> str:
    """Draw which share of pairs has at most a strength, and where the threshold is.

    Examples
    --------
    >>> strength_chart([0.0, 0.2, 1.0], 0.2).startswith("<svg")
    True
    """
    values = np.sort(np.asarray(strengths, np.float64))
    knots, last = np.unique(values, return_index=False, return_counts=True)
    heights = np.cumsum(last) / max(len(values), 1)
    points, before = [(0.0, 0.0)], 0.0
    for x, height in zip(knots.tolist(), heights.tolist(), strict=True):
        points += [(x, before), (x, height)]
        before = height
    points.append((1.0, before))
    text = line_chart(
        [
            Curve("pairs", tuple(points), dots=False),
            Curve(f"threshold {threshold:.3f}", ((threshold, 0.0), (threshold, 1.0)), dots=False),
        ],
        title="Strengths of all pairs",
        x="strength: share of resamples that join the pair",
        y="share of pairs with at most this strength",
        ticks=(0, 0.2, 0.4, 0.6, 0.8, 1.0),
    )
    return _written(text, path)


def trace_chart(traces: Floats, path: str | os.PathLike[str] | None = None) -> str:
    """Draw the scores of the samples of chains, below the best of all.

    Examples
    --------
    >>> trace_chart(np.array([[-3.0, -2.0], [-2.5, -2.2]])).startswith("<svg")
    True
    """
    step = max(1, traces.shape[1] // _SHOWN)
    best = float(traces.max())
    curves = [
        Curve(
            f"chain {k + 1}",
            tuple((float(i), best - float(trace[i])) for i in range(0, len(trace), step)),
            dots=False,
        )
        for k, trace in enumerate(traces)
    ]
    title = f"Chains: scores of samples; the best is {best:,.1f}"
    text = line_chart(curves, title=title, x="sample", y="nats below the best")
    return _written(text, path)


def _written(text: str, path: str | os.PathLike[str] | None) -> str:
    if path is not None:
        check_picture_path(path)
        with atomic_file(path) as file:
            file.write(text.encode())
    return text
