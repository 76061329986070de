"""Rows of a cache drawn with replacement, as a cache of their own for as long as it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Longs
from bayesloom.data import Reading
from bayesloom.data.block_cache import BlockCache, DamagedCacheError
from bayesloom.data.cache_folder import CacheFolder
from bayesloom.data.scan import Scan, Sink
from bayesloom.engine.resample import row_weights
from bayesloom.errors import FileFormatError


def drawn_cache(cache: BlockCache, seed: int) -> BlockCache:
    """Return a cache of as many rows drawn from a cache, which is gone when nobody uses it.

    One block after another is read, its rows are repeated as often as `row_weights` says, and
    written beside the cache. A search goes through its rows dozens of times: to draw them once
    costs a small part of that, to weigh them in every scan would cost a multiple of it.

    Raises
    ------
    FileFormatError
        If there is no room for it, or the cache cannot be read or has changed.
    """
    n_rows = int(cache.n_rows.sum())
    counts = [np.zeros_like(some) for some in cache.counts]

    def fill(sink: Sink) -> Scan:
        first = 0
        for b, n in enumerate(cache.n_rows.tolist()):
            weights = row_weights(seed, n_rows, first, first + n)
            first += n
            with reading(cache):
                some = cache.blocks.file.taken(b, np.repeat(np.arange(n, dtype=np.uint32), weights))
            if not len(some[0]):
                continue
            for v, codes in enumerate(some):
                counts[v] += _native.count_codes(codes, len(counts[v]))
            sink(some)
        return _scan_of(cache, n_rows, counts)

    folder = CacheFolder(Path(cache.path).parent)
    source = f"{n_rows} rows drawn from {cache.about.get('source')}"
    return folder.make_for_once(source, fill, int(cache.n_rows[0]))


@contextmanager
def reading(cache: BlockCache) -> Iterator[None]:
    """Read blocks of a cache; what came of them counts only if they were whole.

    Raises
    ------
    FileFormatError
        If the file was shortened or changed since it was opened.
    """
    try:
        yield
        cache.blocks.check()
    except DamagedCacheError:
        how = "has changed since it was opened"
    except RuntimeError:
        how = "cannot be read"
    else:
        return
    problem = f"the cache {how}; open the data anew, which builds it again"
    raise FileFormatError(problem, cache.path)


def _scan_of(cache: BlockCache, n_rows: int, counts: list[Longs]) -> Scan:
    """Describe rows whose numbers are the codes themselves."""
    return Scan(
        cache.names,
        cache.states,
        n_rows,
        cache.notes,
        tuple(np.arange(len(some), dtype=np.uint16) for some in counts),
        tuple(counts),
        (),
        Reading(),
    )
