"""Prediction: the distribution of one variable for every row of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Longs
from bayesloom.data.values import is_from
from bayesloom.errors import EvidenceError, shown
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, chance, label, labels
from bayesloom.inference.compiled import DEFAULT_MEMORY
from bayesloom.inference.mixed_rows import MixedRows, NumberPredictions
from bayesloom.inference.posterior import state_place
from bayesloom.inference.row_posterior import RowPosteriors
from bayesloom.model import AnyNet, as_bayes_net
from bayesloom.model.any_net import reading_of_net
from bayesloom.model.observation import UnseenPolicy, observe

if TYPE_CHECKING:
    from bayesloom.data.reading import RowOptions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions(Tabular):
    """The distribution of a variable for every row.

    It prints its first rows as a table; as a frame it has one column per state, called
    ``target=state``.

    Parameters
    ----------
    target : str
        The variable.
    states : tuple of str
        Its states.
    probabilities : array
        One row per row of the data and one column per state; read-only.

    Examples
    --------
    >>> found = Predictions("rain", ("no", "yes"), np.array([[0.25, 0.75], [0.5, 0.5]]))
    >>> found
    P(rain | row) for 2 rows
      row  most probable        no       yes
      0    yes            0.250000  0.750000
      1    no             0.500000  0.500000
    >>> found.to_arrow().column_names
    ['rain=no', 'rain=yes']
    >>> found.labels.tolist(), found["yes"].tolist(), len(found)
    (['yes', 'no'], [0.75, 0.5], 2)
    """

    target: str
    states: tuple[str, ...]
    probabilities: Floats

    @property
    def codes(self) -> Longs:
        """The position of the most probable state of each row; among equals the first."""
        codes: Longs = self.probabilities.argmax(axis=1)
        return codes

    @property
    def labels(self) -> npt.NDArray[np.str_]:
        """The most probable state of each row; among equals the first."""
        return np.array(self.states)[self.codes]

    def __getitem__(self, state: object) -> Floats:
        """Return the probability of one state in every row."""
        return self.probabilities[:, state_place(self.target, self.states, state)]

    __repr__ = Tabular.__str__

    def __len__(self) -> int:
        return len(self.probabilities)

    def _columns(self) -> NamedColumns:
        columns = np.ascontiguousarray(self.probabilities.T)
        return [(f"{self.target}={state}", columns[k]) for k, state in enumerate(self.states)]

    def _grid(self, most: int | None) -> Grid:
        first, codes = self.probabilities[:most].tolist(), self.codes.tolist()
        rows = [
            (str(k), label(self.states[code]), *map(chance, values))
            for k, (values, code) in enumerate(zip(first, codes, strict=False))
        ]
        return Grid(
            f"P({label(self.target)} | row) for {counted(len(self), 'row')}",
            ("row", "most probable", *labels(self.states)),
            rows,
            2,
            more=len(self) - len(rows),
        )


def predict_proba(
    net: AnyNet,
    rows: object,
    target: str,
    *,
    unseen: UnseenPolicy = "error",
    memory: float = DEFAULT_MEMORY,
    **reading: Unpack[RowOptions],
) -> Predictions | Any:  # noqa: ANN401 - of a number NumberPredictions
    """Return the distribution of one variable for every row, given all else that the row says.

    Columns are matched by name: those that the network does not have are ignored, variables without
    a column are not observed, and neither are empty cells. Where nothing but the target of its
    Markov blanket is unknown, only the tables of the blanket are looked at; else all that is
    unknown between the target and what is known is summed out.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    rows : path, frame or Table
        The rows.
    target : str
        The variable to predict; it must not be among the columns of the rows.
    unseen : {"error", "ignore"}
        What to do with a state that its variable does not have: refuse it, or take the cell as not
        observed.
    memory : float, default 2 GiB
        The bytes that the tables of one row may take.
    **reading
        How to read a file or frame, such as ``drop=["class"]`` where the rows have the target, or
        ``missing_markers=["?"]``; see `bayesloom.Reading`. What is not written out is read as the
        network's own data were, if it remembers; but an empty cell is not observed unless
        ``missing`` says otherwise.

    Returns
    -------
    Predictions
        One distribution per row, in the order of the rows; `NumberPredictions` of a number: mean,
        standard deviation and the interval that holds it with probability 0.95.

    Raises
    ------
    OptionError
        If the target is among the columns of the rows.
    UnknownVariableError
        If the network does not have the target.
    DataError, UnknownStateError
        If the rows cannot be read, have no column of the network, or have an unknown state.
    EvidenceError
        If what a row says about the target is impossible; the message names the row. What has no
        bearing on the target is not looked at.
    CapacityError
        If the tables of a row do not fit into the memory allowed.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> predict_proba(example("asia"), {"xray": ["yes", "no", None], "id": [1, 2, 3]}, "lung")
    P(lung | row) for 3 rows
      row  most probable       yes        no
      0    no             0.488711  0.511289
      1    no             0.001236  0.998764
      2    no             0.055000  0.945000
    """
    bayes = as_bayes_net(net)
    if target in bayes.numbers:
        return predict_number(net, rows, target, unseen=unseen, memory=memory, **reading)
    t = bayes.index(target)
    seen = observe(
        bayes, rows, unseen, target=target, remembered=reading_of_net(net), given=reading
    )
    if bayes.numbers:
        probabilities = MixedRows(bayes, t, memory).probabilities(seen)
    else:
        probabilities = RowPosteriors(bayes, t, memory).of(seen)
    _check_possible(probabilities[:, 0], target)
    probabilities.flags.writeable = False
    return Predictions(target, bayes.states[t], probabilities)


def predict_number(
    net: AnyNet,
    rows: object,
    target: str,
    *,
    interval: float = 0.95,
    unseen: UnseenPolicy = "error",
    memory: float = DEFAULT_MEMORY,
    **reading: Unpack[RowOptions],
) -> NumberPredictions:
    """Return the distribution of one number for every row, given all else that the row says.

    Parameters
    ----------
    interval : float, default 0.95
        The probability that the interval holds the number with.
    net, rows, target, unseen, memory, **reading
        As for `predict_proba`.

    Raises
    ------
    ModelError
        If the target is a category.
    OptionError, UnknownVariableError, DataError, UnknownStateError, EvidenceError, CapacityError
        As for `predict_proba`.
    """
    bayes = as_bayes_net(net)
    bayes.regression(target)  # which refuses a category
    seen = observe(
        bayes, rows, unseen, target=target, remembered=reading_of_net(net), given=reading
    )
    found = MixedRows(bayes, bayes.index(target), memory).numbers(seen, interval)
    _check_possible(found.means, target)
    return found


def _check_possible(values: Floats, target: str) -> None:
    """Refuse rows that the network calls impossible, which have NaN for an answer."""
    impossible = np.flatnonzero(np.isnan(values))
    if len(impossible):
        many = counted(len(impossible), "such row")
        msg = (
            f"row {impossible[0]} (counted from 0) is impossible: the network gives what it says "
            f"about {shown(target)} probability 0 ({many}); correct or drop it, or fit the "
            "network with an estimator that leaves nothing impossible, such as BDeuMean()"
        )
        raise EvidenceError(msg)


def predict(
    net: AnyNet,
    rows: object,
    target: str,
    *,
    interval: float | None = None,
    unseen: UnseenPolicy = "error",
    memory: float = DEFAULT_MEMORY,
    **reading: Unpack[RowOptions],
) -> Any:  # noqa: ANN401 - states, numbers, or a frame of bounds
    """Return the most probable state of one variable for every row; of a number its mean.

    The other parameters and the errors are those of `predict_proba`.

    Parameters
    ----------
    interval : float, optional
        Of a number: return `NumberPredictions`, a frame with the bounds between which it lies with
        this probability.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> predict(example("asia"), {"lung": ["yes", "no", "yes"]}, "smoke").tolist()
    ['yes', 'no', 'yes']
    """
    bayes = as_bayes_net(net)
    if interval is not None or target in bayes.numbers:
        level = 0.95 if interval is None else interval
        found = predict_number(
            net, rows, target, interval=level, unseen=unseen, memory=memory, **reading
        )
        return _in_order_of(rows, found.means, target) if interval is None else found
    states = predict_proba(net, rows, target, unseen=unseen, memory=memory, **reading).labels
    return _in_order_of(rows, states, target)


def _in_order_of(rows: object, values: npt.NDArray[Any], target: str) -> Any:  # noqa: ANN401
    """Return values as a series with the index of a pandas frame; as an array for other rows."""
    index = getattr(rows, "index", None) if is_from("pandas", rows, "DataFrame") else None
    if index is None or len(index) != len(values):  # rows with missing cells may be left out
        return values
    import pandas as pd

    return pd.Series(
        values.astype(object) if values.dtype.kind == "U" else values, index=index, name=target
    )
