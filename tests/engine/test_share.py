"""The rows that a worker of a cluster holds, on their way to another worker."""

from __future__ import annotations

import pickle

import numpy as np

from bayesloom.data import Table
from bayesloom.engine.cluster.share import Share


def test_rows_travel_wherever_their_bytes_start_in_a_message() -> None:
    rng = np.random.default_rng(1)
    states = [[str(k) for k in range(n)] for n in (2, 300)]
    table = Table("AB", states, [rng.integers(0, len(labels), 50) for labels in states])
    share = Share(table, [(0, 50)], weights=rng.integers(0, 3, 50).astype(np.uint32))
    buffers: list[pickle.PickleBuffer] = []
    packed = pickle.dumps(share, protocol=5, buffer_callback=buffers.append)
    shifted = [memoryview(b"-" + each.raw().tobytes())[1:] for each in buffers]
    assert len(shifted) == 3
    again = pickle.loads(packed, buffers=shifted)
    assert all((a == b).all() for a, b in zip(again.seen(), share.seen(), strict=True))
    assert all(codes.flags.aligned for codes in (*again.table.codes, again.weights))
