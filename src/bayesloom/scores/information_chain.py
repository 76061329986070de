"""What parents tell of a child, parent after parent, each of the rows that know it."""

from __future__ import annotations

from typing import Any
from weakref import ref

from bayesloom._native import InformationChains
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine

_MOST_TERMS = 1 << 22  # remembered at a time, some 100 bytes each


class _Memory:
    """The chains and entropies of the data behind an engine."""

    def __init__(self, engine: Engine) -> None:
        self.chains = InformationChains(engine.n_variables)
        self.entropies = engine.entropies(Batch.sets([(v,) for v in range(engine.n_variables)]))


_memories: dict[int, tuple[ref[object], _Memory]] = {}
"""By the array ``engine.missing``, which all views of an engine share; forgotten with it."""


def _memory_of(engine: Engine) -> _Memory:
    """Return what is known of the data behind an engine; searches ask in every step."""
    missing = engine.missing
    key = id(missing)
    found = _memories.get(key)
    if found is not None and found[0]() is missing:
        return found[1]
    made = _Memory(engine)
    _memories[key] = ref(missing, lambda _: _memories.pop(key, None)), made
    return made


def chained_informations(engine: Engine, batch: Batch) -> tuple[Floats, Floats]:
    """Return the information of child and parents of every family, and the child's entropy.

    The first is I(x; p1) + I(x; p2 | p1) + ..., each of the rows that know its variables; the
    parents come in the order of what each tells alone, the first of equal ones first. On complete
    data it is the mutual information of the child and all its parents.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> table = Table("AB", ["ny", "xz"], [[0, 1, 0, 1, 2], [0, 1, 0, 1, 1]], holes=True)
    >>> shared, alone = chained_informations(NativeEngine(table), Batch.families([(1, (0,))]))
    >>> shared.round(4).tolist(), alone.round(4).tolist()
    ([0.6931], [0.673])
    """
    memory = _memory_of(engine)
    chains = memory.chains
    if chains.size > _MOST_TERMS:
        chains.clear()
    for wanted in (chains.wanted_pairs, chains.wanted_terms):
        arrays: Any = wanted(*batch.arrays)
        if arrays is not None:
            asked = Batch(*arrays)
            chains.fill(*asked.arrays, engine.informations(asked))
    return chains.sums(*batch.arrays), memory.entropies[batch.target[batch.request_of]]
