"""How probable data are under a network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.data.interval import NOWHERE
from bayesloom.data.level import code_of_labels
from bayesloom.data.network_rows import read_rows
from bayesloom.data.table import check_table
from bayesloom.engine import (
    Batch,
    Completions,
    Engine,
    MomentsEngine,
    NativeEngine,
    completions_of,
    counting,
)
from bayesloom.errors import UnknownStateError, UnknownVariableError
from bayesloom.graphs.masks import bits
from bayesloom.model.any_net import AnyNet, as_bayes_net, reading_of_net
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.mixed.row_density import row_log_densities, sum_of_logs
from bayesloom.model.net_data import engine_for, rows_with_holes

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions

_BLOCK = 1 << 13  # rows looked at together, so that the columns at work stay in the cache


def row_log_likelihoods(net: AnyNet, table: Table) -> Floats:
    """Return the natural logarithm of the probability of each row, with numbers of its density.

    Columns are matched by name and states by label; columns that the network does not have are
    ignored. Missing cells are summed over exactly. A row that is impossible under the network gets
    minus infinity.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    table : Table
        The data.

    Raises
    ------
    UnknownVariableError
        If the table lacks a variable of the network.
    UnknownStateError
        If a state occurs in the data that its variable does not have.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> row_log_likelihoods(net, Table(["rain"], [["yes", "no"]], [[0, 1]])).round(4)
    array([-1.3863, -0.2877])
    """
    net = as_bayes_net(net)
    check_table("table", table)
    if net.numbers:
        return row_log_densities(net, table)
    if not table.select(net.names).is_complete:
        by_name = net.reordered(sorted(net.names))
        rows = read_rows(by_name.names, by_name.states, table)
        return Completions(rows, by_name.dag.parent_masks).log_likelihoods(by_name.tables)
    columns = [table.column(name) for name in net.names]
    recoding = [_recoding(net, v, table) for v in range(net.n)]
    with np.errstate(divide="ignore"):
        logarithms = [np.log(values).ravel() for values in net.tables]
    families = [(v, bits(mask)) for v, mask in enumerate(net.dag.parent_masks)]
    result = np.zeros(table.n_rows)
    for start in range(0, table.n_rows, _BLOCK):
        block = slice(start, start + _BLOCK)
        wide = [code.take(column[block]) for code, column in zip(recoding, columns, strict=True)]
        for v, parents in families:
            result[block] += logarithms[v].take(_cells(net, wide, v, parents))
    return result


def log_likelihood(net: AnyNet, data: object, **reading: Unpack[ReadingOptions]) -> float:
    """Return the natural logarithm of the probability of all rows, with numbers of their density.

    It is minus infinity if one row is impossible. Missing cells are summed over exactly. See
    `row_log_likelihoods`.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    data : path, frame, Table or Engine
        The data, of any kind that `bayesloom.learn` takes. Numbers go to the states whose intervals
        hold them.
    **reading
        How to read a file or frame, such as ``missing="drop"``; see `bayesloom.Reading`. What is
        not written out is read as the network's own data were, if it remembers.

    Raises
    ------
    DataError, FileFormatError
        If a file or frame breaks the data contract, lacks a variable, or has a state that the
        network does not know.
    UnknownVariableError, UnknownStateError
        If a table or an engine does.
    CapacityError
        If the tables are too large.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> round(log_likelihood(net, {"rain": ["no", "yes"]}), 4)
    -1.674
    """
    remembered = reading_of_net(net)
    net = as_bayes_net(net)
    if net.numbers:
        rows = data.table if isinstance(data, MomentsEngine) else data
        table = rows_with_holes(net, rows, remembered, reading)
        return sum_of_logs(row_log_densities(net, table))
    if isinstance(data, Table) and not reading:  # its codes are translated below, not row by row
        engine: Engine = NativeEngine(data.select(net.names).in_name_order())
    else:
        engine = engine_for(net, data, remembered, reading)
    place = {name: v for v, name in enumerate(engine.names)}
    for name in net.names:
        if name not in place:
            raise UnknownVariableError(name, engine.names)
    nodes = [place[name] for name in net.names]
    if engine.missing[nodes].any():
        return _around_holes(net, engine)
    engine = counting(engine, "the log-likelihood of tables")
    alone = engine.counts(Batch.sets([[v] for v in nodes]))
    code = [
        _codes(net, v, engine.states[nodes[v]], np.flatnonzero(counts))
        for v, counts in enumerate(alone)
    ]
    families = [(v, bits(mask)) for v, mask in enumerate(net.dag.parent_masks)]
    batch = Batch.families((nodes[v], [nodes[u] for u in parents]) for v, parents in families)
    total = []
    for (v, parents), counts in zip(families, engine.counts(batch), strict=True):
        probability = net.tables[v][np.ix_(*(code[u] for u in (*parents, v)))]
        occurs = counts > 0
        with np.errstate(divide="ignore"):
            total += (counts[occurs] * np.log(probability[occurs])).tolist()
    return math.fsum(total) if -math.inf not in total else -math.inf


def _around_holes(net: BayesNet, engine: Engine) -> float:
    """Return the log-likelihood of what is known of the rows behind an engine."""
    by_name = net.reordered(sorted(net.names))
    ready = completions_of(engine, by_name.names, by_name.dag.parent_masks)
    table = read_rows(by_name.names, by_name.states, ready.table)
    return math.fsum(row_log_likelihoods(by_name, table))


def _cells(
    net: BayesNet, columns: list[npt.NDArray[np.intp]], v: int, parents: list[int]
) -> npt.NDArray[np.intp]:
    """Return the place of each row's family in the flat table of a variable."""
    if not parents:
        return columns[v]
    cells = columns[parents[0]]
    for u in (*parents[1:], v):
        cells = cells * len(net.states[u])
        cells += columns[u]
    return cells


def _recoding(net: BayesNet, v: int, table: Table) -> npt.NDArray[np.intp]:
    """Return for each code of a variable's column the code that the network gives its label."""
    column = table.column(net.names[v])
    occurring = np.flatnonzero(np.bincount(column))
    return _codes(net, v, table.states[table.index(net.names[v])], occurring)


def _codes(
    net: BayesNet, v: int, labels: Sequence[str], occurring: npt.NDArray[Any]
) -> npt.NDArray[np.intp]:
    """Return the network's codes of labels; those that do not occur may be unknown to it."""
    name, known = net.names[v], net.states[v]
    codes = code_of_labels(labels, known)  # data call 1 what a network calls 1.0
    for k in occurring.tolist():
        if codes[k] == NOWHERE:
            raise UnknownStateError(name, labels[k], known)
    return codes.clip(0)
