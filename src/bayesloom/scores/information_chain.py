"""What parents tell of a child, parent after parent, each of the rows that know it."""

from __future__ import annotations

from typing import Any
from weakref import ref

from bayesloom._native import InformationChains
from bayesloom.arrays import Floats
from bayesloom.engine import Batch, Engine, counting

_MOST_TERMS = 1 << 22  # remembered at a time, some 100 bytes each


class _Memory:
    """The chains, entropies and shares of known cells of the data behind an engine."""

    def __init__(self, engine: Engine) -> None:
        self.chains = InformationChains(engine.n_variables)
        self.entropies = engine.entropies(Batch.sets([(v,) for v in range(engine.n_variables)]))
        self.known = 1 - engine.missing / engine.n_rows


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


def chained_scores(engine: Engine, batch: Batch, price: float) -> Floats:
    """Return N times the chained average of every family, minus ``price`` per free parameter.

    The average is I(x; p1) + I(x; p2 | p1) + ... minus the entropy of the child x, each of the rows
    that know its variables, and at most 0; the parents come in the order of what each tells alone,
    the first of equal ones first. The price is divided by the root of the share of rows that know
    the family if columns miss cells independently, at least one row.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> from bayesloom.engine import NativeEngine
    >>> table = Table("AB", ["ny", "xz"], [[0, 1, 0, 1, 2], [0, 1, 0, 1, 1]], holes=True)
    >>> families = Batch.families([(1, ()), (1, (0,)), (0, (1,))])
    >>> chained_scores(NativeEngine(table), families, 0.0).round(4).tolist()
    [-3.3651, 0.0, 0.0]
    """
    states = counting(engine, "the score pnal").cardinality
    memory = _memory_of(engine)
    chains = memory.chains
    if chains.size > _MOST_TERMS:
        chains.clear()
    for wanted in (chains.wanted_pairs, chains.wanted_terms):
        arrays: Any = wanted(*batch.arrays)
        if arrays is not None:
            asked = Batch(*arrays)
            chains.fill(*asked.arrays, engine.informations(asked))
    told = (states, memory.entropies, memory.known)
    return chains.scores(*batch.arrays, *told, engine.n_rows, price)
