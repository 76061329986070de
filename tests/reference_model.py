"""Slow, obvious versions of what the model layer computes."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping

from bayesloom.data import Table
from bayesloom.model import BayesNet


def conditional(net: BayesNet, name: str, row: Mapping[str, str]) -> float:
    """P(name = row[name] given its parents' values in the row), by looking up labels."""
    place = [net.states_of(u).index(row[u]) for u in (*net.parents(name), name)]
    return float(net.table(name)[tuple(place)])


def joint(net: BayesNet, row: Mapping[str, str]) -> float:
    """The probability of one row."""
    return math.prod(conditional(net, name, row) for name in net.names)


def all_rows(net: BayesNet) -> Iterator[dict[str, str]]:
    """Every combination of states."""
    for values in itertools.product(*net.states):
        yield dict(zip(net.names, values, strict=True))


def rows_of(table: Table) -> Iterator[dict[str, str]]:
    """The rows of a table as dictionaries of labels."""
    for i in range(table.n_rows):
        yield {name: table.states[v][int(table.codes[v][i])] for v, name in enumerate(table.names)}


def frequencies(table: Table, names: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    """How often each combination of labels occurs in some columns."""
    return Counter(tuple(row[name] for name in names) for row in rows_of(table))


def same_network(a: BayesNet, b: BayesNet) -> bool:
    """Whether two networks agree in every name, label, edge and bit of every probability."""
    return (
        a.names == b.names
        and a.states == b.states
        and a.dag == b.dag
        and all(x.tobytes() == y.tobytes() for x, y in zip(a.tables, b.tables, strict=True))
    )
