"""Reading that refuses what is not certain, for tests of what is refused."""

from __future__ import annotations

from functools import partial

from bayesloom.data import Table, read

from_frame = partial(Table.from_frame, strict=True)
read_strictly = partial(read, strict=True)
