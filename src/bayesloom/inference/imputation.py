"""Imputation: missing cells filled in by a network."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack, get_args

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.data import Table
from bayesloom.engine import Completions
from bayesloom.errors import EvidenceError, OptionError, check_whole, shown
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, chance, label
from bayesloom.inference.compiled import DEFAULT_MEMORY
from bayesloom.model import AnyNet, BayesNet, as_bayes_net
from bayesloom.model.any_net import reading_of_net
from bayesloom.model.net_data import rows_with_holes

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions

ImputeMethod = Literal["most_probable", "sample"]
"""Fill in the states that are most probable together in their row, or states drawn by chance."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Imputation(Tabular):
    """Rows with their missing cells filled in, and how probable that is.

    It prints the first cells that were filled in; as a frame it has one row for each of them.

    Parameters
    ----------
    table : Table
        The rows, without missing cells.
    method : str
        How they were filled in.
    row, column : array
        The place of each cell that was missing, row by row.
    probability : array
        For each of these the probability of the state filled in, given what is known of the row;
        NaN for a number.
    log_probabilities : array
        For each row the natural logarithm of the probability of all that was filled in together,
        given what is known of it; 0 where nothing was missing. With numbers it is a density.
    """

    table: Table
    method: ImputeMethod
    row: Longs
    column: Longs
    probability: Floats
    log_probabilities: Floats

    __repr__ = Tabular.__str__

    def __len__(self) -> int:
        return len(self.row)

    @property
    def filled(self) -> dict[str, int]:
        """How many cells were filled in, by column; those without any are left out."""
        counts = np.bincount(self.column, minlength=self.table.n_columns).tolist()
        return {name: n for name, n in zip(self.table.names, counts, strict=True) if n}

    def _columns(self) -> NamedColumns:
        return [
            ("row", self.row.tolist()),
            ("column", [self.table.names[v] for v in self.column.tolist()]),
            ("state", self._states(len(self))),
            ("probability", self.probability.tolist()),
        ]

    def _states(self, most: int | None) -> list[str]:
        places = zip(self.row[:most].tolist(), self.column[:most].tolist(), strict=True)
        return [
            self.table.states[v][self.table.codes[v][k]]
            if self.table.states[v]
            else f"{self.table.codes[v][k]:.6g}"
            for k, v in places
        ]

    def _grid(self, most: int | None) -> Grid:
        names = [self.table.names[v] for v in self.column[:most].tolist()]
        cells = zip(
            self.row[:most].tolist(),
            names,
            self._states(most),
            self.probability[:most].tolist(),
            strict=True,
        )
        rows = [
            (str(k), label(name), label(state), "" if math.isnan(p) else chance(p))
            for k, name, state, p in cells
        ]
        how = "most probable together" if self.method == "most_probable" else "drawn"
        return Grid(
            f"{counted(len(self), 'missing cell')} of {counted(self.table.n_rows, 'row')} filled "
            f"in: {how}",
            ("row", "column", "state", "probability"),
            rows,
            3,
            more=len(self) - len(rows),
        )


def impute(
    net: AnyNet,
    data: object,
    method: ImputeMethod = "most_probable",
    *,
    seed: int = 0,
    **reading: Unpack[ReadingOptions],
) -> Imputation:
    """Fill in the missing cells of rows by a network.

    Every row is looked at by itself and exactly: the states filled in are those most probable
    *together* given what is known of the row (the most probable explanation), which need not be the
    most probable state of each cell; or they are drawn from their joint distribution. Known cells
    stay as they are, and rows without a missing cell too.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    data : path, frame or Table
        The rows. Variables without a column are missing in every row; columns that the network does
        not have are left out. Numbers become their bins.
    method : {"most_probable", "sample"}
        What is filled in. For analyses that shall not take filled-in cells for observed ones, draw
        several times with different seeds.
    seed : int, default 0
        The seed of the draws.
    **reading
        How to read a file or frame, such as ``missing_markers=["?"]``; see `bayesloom.Reading`.
        What is not written out is read as the network's own data were, if it remembers.

    Returns
    -------
    Imputation
        The rows, the cells that were filled in and their probabilities.

    Raises
    ------
    DataError, UnknownStateError
        If the rows cannot be read, have no column of the network, or have an unknown state.
    EvidenceError
        If what is known of a row is impossible; the message names the row.
    CapacityError
        If what is missing cannot be summed over.

    Examples
    --------
    >>> from bayesloom.model import BayesNet
    >>> no_yes = ["no", "yes"]
    >>> net = BayesNet.from_tables(
    ...     {
    ...         "rain": (no_yes, [], [0.8, 0.2]),
    ...         "wet": (no_yes, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
    ...     }
    ... )
    >>> found = impute(net, {"rain": ["no", None, None], "wet": ["no", "yes", None]})
    >>> found
    3 missing cells of 3 rows filled in: most probable together
      row  column  state  probability
      1    rain    yes       0.666667
      2    rain    no        0.800000
      2    wet     no        0.760000
    >>> found.table["rain"], np.exp(found.log_probabilities).round(3).tolist()
    (['no', 'yes', 'no'], [1.0, 0.667, 0.72])
    """
    if not isinstance(method, str) or method not in get_args(ImputeMethod):
        msg = f"method must be 'most_probable' or 'sample', got {shown(repr(method))}"
        raise OptionError(msg)
    check_whole("seed", seed, 0)
    bayes = as_bayes_net(net)
    if reading.get("states") is not None:
        msg = "states (--states) has no meaning here: cells are filled in by the network's states"
        raise OptionError(msg)
    table = rows_with_holes(bayes, data, reading_of_net(net), reading, lacking=True)
    if bayes.numbers:
        return _with_numbers(bayes, table, method, seed)
    by_name = bayes.reordered(sorted(bayes.names))
    ready = Completions(table.select(by_name.names), by_name.dag.parent_masks)
    full, logs, single = ready.completed(
        by_name.tables, most_probable=method == "most_probable", seed=seed
    )
    order = [by_name.names.index(name) for name in table.names]
    holes = np.stack(
        [codes == len(states) for codes, states in zip(table.codes, table.states, strict=True)], 1
    )
    row, column = np.nonzero(holes)
    return Imputation(full.select(table.names), method, row, column, single[:, order][holes], logs)


def _with_numbers(net: BayesNet, table: Table, method: ImputeMethod, seed: int) -> Imputation:
    """Fill in the missing cells of rows with numbers."""
    from bayesloom.inference.mixed_draw import completed, state_probabilities
    from bayesloom.model.mixed.cases import known_parts
    from bayesloom.model.mixed.question import Prepared
    from bayesloom.model.mixed.row_density import row_log_densities

    prepared = Prepared(net.reordered(sorted(net.names)), DEFAULT_MEMORY)
    by_name = prepared.net
    rows = table.select(by_name.names)
    rng = np.random.default_rng(seed) if method == "sample" else None
    columns = [column.copy() for column in rows.codes]
    single = np.full((rows.n_rows, by_name.n), np.nan)
    before = np.zeros(rows.n_rows)
    for members, cases in known_parts(by_name, rows):
        try:
            full, before[members] = completed(prepared, cases, rng)
        except EvidenceError:
            first = members[int(np.isneginf(row_log_densities(by_name, rows)[members]).argmax())]
            msg = f"row {first} (counted from 0) is impossible: the network gives it probability 0"
            raise EvidenceError(msg) from None
        single[members] = state_probabilities(prepared, cases, full)
        for v, codes in full.states.items():
            columns[v][members] = codes
        for v, values in full.values.items():
            columns[v][members] = values
    whole = Table(by_name.names, by_name.states, columns, rows.notes)
    holes = np.stack(
        [
            codes == len(states) if states else np.isnan(codes)
            for codes, states in zip(table.codes, table.states, strict=True)
        ],
        1,
    )
    row, column = np.nonzero(holes)
    order = [by_name.index(name) for name in table.names]
    logs = np.where(holes.any(axis=1), row_log_densities(by_name, whole) - before, 0.0)
    return Imputation(whole.select(table.names), method, row, column, single[:, order][holes], logs)
