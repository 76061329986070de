"""The mutual informations of all pairs, asked for block by block."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Bools, Floats, Ints
from bayesloom.engine import Batch, Engine
from bayesloom.graphs.heaviest_pairs import BELOW_WEAKEST, HeaviestPairs
from bayesloom.search.memory import check_memory
from bayesloom.search.watch import Watch

_TABLES = 1 << 22  # asked for in one batch
_BYTES_PER_PAIR = 48  # of its ends and weight, in order twice; or of a batch and a matrix


@dataclass(frozen=True, slots=True)
class PairBlock:
    """The informations of the pairs x < y of some consecutive x, in order.

    Parameters
    ----------
    of : range
        Those x.
    x, y : arrays
        The pairs.
    information : array
        What they share.
    """

    of: range
    x: Ints
    y: Ints
    information: Floats

    def __len__(self) -> int:
        return len(self.information)

    def are_in(self, masks: Sequence[int]) -> Bools:
        """Say of every pair whether y is in the mask of x."""
        width = (len(masks) + 7) // 8
        packed = b"".join([masks[x].to_bytes(width, "little") for x in self.of])
        rows = np.frombuffer(packed, np.uint8).reshape(len(self.of), width)
        found: Bools = (rows[self.x - self.of.start, self.y >> 3] >> (self.y & 7) & 1) == 1
        return found


def pair_blocks(engine: Engine) -> Iterator[PairBlock]:
    """Ask for the informations of all pairs, one batch a block."""
    n = engine.n_variables
    rows = max(1, _TABLES // max(n, 1))
    for first in range(0, n - 1, rows):
        of = range(first, min(first + rows, n - 1))
        batch = _pairs_from(of, n)
        x = np.repeat(batch.target, np.diff(batch.partner_start))
        yield PairBlock(of, x, batch.partner, engine.informations(batch))


def _pairs_from(of: range, n: int) -> Batch:
    """Ask for the pairs x < y of some x; `Batch.pairs` has those of all."""
    target = np.arange(of.start, of.stop, dtype=np.int32)
    partner = np.concatenate([np.arange(x + 1, n, dtype=np.int32) for x in of])
    start = np.concatenate([[0], np.cumsum(n - 1 - target, dtype=np.int64)])
    none = np.zeros(len(target) + 1, np.int64)
    return Batch(target, none, np.zeros(0, np.int32), start, partner)


def pair_parameters(engine: Engine, x: Ints, y: Ints) -> Floats:
    """Return how many free parameters the edges of pairs have: those of x given y beyond x's own.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> engine = NativeEngine(Table("AB", ["xyz", "no"], [[0, 1, 2], [0, 1, 1]]))
    >>> pair_parameters(engine, np.array([0]), np.array([1])).tolist()
    [2.0]
    """
    single = engine.free_parameters(Batch.sets((v,) for v in range(engine.n_variables)))
    n = len(x)
    none, one = np.zeros(n + 1, np.int64), np.arange(n + 1, dtype=np.int64)
    ends = (np.ascontiguousarray(each, np.int32) for each in (x, y))
    target, partner = ends
    free = engine.free_parameters(Batch(target, none, np.zeros(0, np.int32), one, partner))
    joined: Floats = free - single[x]
    return joined


def pair_informations(engine: Engine, watch: Watch) -> Floats | None:
    """Return the mutual informations of all pairs, in order; None if the watch runs out.

    Raises
    ------
    CapacityError
        If there are more pairs than fit into memory.
    """
    n = engine.n_variables
    check_memory(_BYTES_PER_PAIR * n * (n - 1) // 2, f"comparing all pairs of {n:,} variables")
    with watch.heeded():
        blocks = [block.information for block in pair_blocks(engine.until(watch.signal))]
        return np.concatenate([np.zeros(0), *blocks])
    return None


@dataclass(frozen=True, slots=True)
class InformationForest:
    """The maximum spanning forest of the pairs that were looked at, the heaviest edges first."""

    edges: list[tuple[int, int]]
    looked_at: int
    is_whole: bool


def information_forest(
    engine: Engine, watch: Watch, n_apart: int, weights_of: Callable[[PairBlock], Floats]
) -> InformationForest:
    """Find a maximum spanning forest without keeping all pairs.

    If the watch runs out, it is that of the pairs that were looked at until then.

    Parameters
    ----------
    engine : Engine
        The data.
    watch : Watch
        When to end.
    n_apart : int
        How many variables are in no pair that may be joined.
    weights_of : callable
        Returns the weights of the pairs of a block; -inf if they may not be joined.

    Raises
    ------
    CapacityError
        If more pairs have to be kept than fit into memory.
    """
    found = None
    for margin in (BELOW_WEAKEST, math.inf):  # ties that reach further down need all pairs
        pairs = HeaviestPairs(engine.n_variables, n_apart, margin)
        looked_at = 0
        with watch.heeded():
            for block in pair_blocks(engine.until(watch.signal)):
                pairs.add(block.x, block.y, weights_of(block))
                looked_at += len(block)
                what = f"keeping {len(pairs):,} pairs of {engine.n_variables:,} variables"
                check_memory(_BYTES_PER_PAIR * len(pairs), what)
        edges = pairs.forest()
        if found is None or watch.stopped is None:
            found = InformationForest(edges, looked_at, watch.stopped is None)
        if pairs.is_certain or watch.stopped is not None:
            break
    assert found is not None
    return found
