"""Resampling of rows: how often each stands in a bootstrap replicate, the same on every engine."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bayesloom.engine.contract import Engine
from bayesloom.errors import OptionError, check_whole

STRIPE = 1 << 16
"""Rows whose weights are drawn together; an engine draws those of the stripes it holds."""

Weights = npt.NDArray[np.uint32]


@runtime_checkable
class Resampling(Protocol):
    """An engine that can answer as if its rows had been drawn with replacement.

    It stands beside `Engine`: an engine of your own needs it for `bayesloom.bootstrap` alone.
    """

    def resampled(self, seed: int) -> Engine:
        """Return an engine over the same rows, each as often as `row_weights` says for the seed.

        ``n_rows`` stays N, what varies and which states occur is that of the rows drawn, and
        answers are those of an engine over a table with the rows repeated, to the last bit.
        """


def check_draw(seed: object, *, again: bool) -> None:
    """Refuse a seed that is none, and to draw from rows that were drawn."""
    check_whole("seed", seed, 0)
    if again:
        msg = "rows that were drawn are not drawn from again; resample the engine itself"
        raise OptionError(msg)


def row_weights(seed: int, n_rows: int, first: int = 0, last: int | None = None) -> Weights:
    """Return how often rows ``first`` to ``last - 1`` stand in a replicate of ``n_rows`` draws.

    How many draws fall on each stripe of 65,536 rows is drawn from the seed; which rows of a stripe
    they are is drawn from the seed and the stripe's number. So an engine that has only some of the
    rows in memory needs nothing of the others, and all engines draw the same.

    Examples
    --------
    >>> weights = row_weights(1, 10)
    >>> int(weights.sum()), row_weights(1, 10, 4, 7).tolist() == weights[4:7].tolist()
    (10, True)
    """
    check_whole("seed", seed, 0)
    end = n_rows if last is None else last
    starts = np.arange(0, n_rows, STRIPE)
    sizes = np.diff(np.append(starts, n_rows))
    draws = _generator(seed).multinomial(n_rows, sizes / n_rows)
    parts = [np.zeros(0, np.uint32)]
    for stripe in range(first // STRIPE, -(-end // STRIPE)):
        rows = _generator(seed, stripe).integers(0, sizes[stripe], draws[stripe])
        parts.append(np.bincount(rows, minlength=int(sizes[stripe])).astype(np.uint32))
    drawn = np.concatenate(parts)
    before = first // STRIPE * STRIPE
    return drawn[first - before : end - before]


def _generator(*key: int) -> np.random.Generator:
    """Return a generator whose stream is fixed by its key, in whatever order streams are drawn."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))
