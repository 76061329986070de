"""Prediction: the distribution of one variable for every row of data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import EvidenceError, MissingExtraError, UnknownStateError, shown
from bayesloom.graphs.text import aligned_lines, counted
from bayesloom.inference.compiled import DEFAULT_MEMORY
from bayesloom.inference.row_posterior import RowPosteriors
from bayesloom.model import AnyNet, as_bayes_net
from bayesloom.model.observation import UnseenPolicy, observe

_SHOWN = 10  # rows and states shown by repr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions:
    """The distribution of a variable for every row.

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
      row  no    yes   most probable
      0    0.25  0.75  yes
      1    0.5   0.5   no
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

    def __getitem__(self, state: str) -> Floats:
        """Return the probability of one state in every row."""
        if state not in self.states:
            raise UnknownStateError(self.target, state, self.states)
        return self.probabilities[:, self.states.index(state)]

    def __len__(self) -> int:
        return len(self.probabilities)

    def to_arrow(self) -> Any:  # noqa: ANN401
        """Return an Arrow table with one column per state, called ``target=state``.

        Examples
        --------
        >>> Predictions("rain", ("no", "yes"), np.array([[0.25, 0.75]])).to_arrow().column_names
        ['rain=no', 'rain=yes']
        """
        import pyarrow as pa

        return pa.table(self._columns())

    def to_pandas(self) -> Any:  # noqa: ANN401
        """Return a pandas frame with one column per state, called ``target=state``.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return _frame_of("pandas", lambda library: library.DataFrame(self._columns()))

    def to_polars(self) -> Any:  # noqa: ANN401
        """Return a polars frame with one column per state, called ``target=state``.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        return _frame_of("polars", lambda library: library.DataFrame(self._columns()))

    def _columns(self) -> dict[str, Floats]:
        columns = np.ascontiguousarray(self.probabilities.T)
        return {f"{self.target}={state}": columns[k] for k, state in enumerate(self.states)}

    def __repr__(self) -> str:
        states = [shown(state, 20) for state in self.states[:_SHOWN]]
        more = ["..."] if len(self.states) > _SHOWN else []
        rows = [["row", *states, *more, "most probable"]]
        first = self.probabilities[:_SHOWN, :_SHOWN].tolist()
        for k, (values, code) in enumerate(zip(first, self.codes, strict=False)):
            numbers = [f"{p:.6g}" for p in values]
            rows.append([str(k), *numbers, *more, shown(self.states[code], 20)])
        lines = [f"P({shown(self.target)} | row) for {counted(len(self), 'row')}"]
        lines += aligned_lines(rows)
        if len(self) > _SHOWN:
            lines.append(f"  and {counted(len(self) - _SHOWN, 'more row')}")
        return "\n".join(lines)


def predict_proba(
    net: AnyNet,
    rows: object,
    target: str,
    *,
    unseen: UnseenPolicy = "error",
    memory: float = DEFAULT_MEMORY,
) -> Predictions:
    """Return the distribution of one variable for every row, given all else that the row says.

    Columns are matched by name: those that the network does not have are ignored, variables without
    a column are not observed, and neither are empty cells. Where nothing but the target of its
    Markov blanket is unknown, only the tables of the blanket are looked at; else all that is
    unknown between the target and what is known is summed out.

    Parameters
    ----------
    net : network or path
        The network.
    rows : path, frame or Table
        The rows.
    target : str
        The variable to predict; it must not be among the columns of the rows.
    unseen : {"error", "ignore"}
        What to do with a state that its variable does not have: refuse it, or take the cell as not
        observed.
    memory : float, default 2 GiB
        The bytes that the tables of one row may take.

    Returns
    -------
    Predictions
        One distribution per row, in the order of the rows.

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
    >>> from bayesloom.model import BayesNet
    >>> no_yes = ["no", "yes"]
    >>> net = BayesNet.from_tables(
    ...     {
    ...         "rain": (no_yes, [], [0.8, 0.2]),
    ...         "wet": (no_yes, ["rain"], [[0.9, 0.1], [0.2, 0.8]]),
    ...     }
    ... )
    >>> predict_proba(net, {"wet": ["yes", "no", None], "id": [1, 2, 3]}, "rain")
    P(rain | row) for 3 rows
      row  no        yes        most probable
      0    0.333333  0.666667   yes
      1    0.947368  0.0526316  no
      2    0.8       0.2        no
    """
    bayes = as_bayes_net(net)
    t = bayes.index(target)
    seen = observe(bayes, rows, unseen, target=target)
    probabilities = RowPosteriors(bayes, t, memory).of(seen)
    impossible = np.flatnonzero(np.isnan(probabilities[:, 0]))
    if len(impossible):
        many = counted(len(impossible), "such row")
        msg = (
            f"row {impossible[0]} (counted from 0) is impossible: the network gives what it says "
            f"about {shown(target)} probability 0 ({many}); correct or drop it, or fit the "
            "network with an estimator that leaves nothing impossible, such as BDeuMean()"
        )
        raise EvidenceError(msg)
    probabilities.flags.writeable = False
    return Predictions(target, bayes.states[t], probabilities)


def predict(
    net: AnyNet,
    rows: object,
    target: str,
    *,
    unseen: UnseenPolicy = "error",
    memory: float = DEFAULT_MEMORY,
) -> npt.NDArray[np.str_]:
    """Return the most probable state of one variable for every row.

    The parameters and the errors are those of `predict_proba`.

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
    >>> predict(net, {"wet": ["yes", "no", "yes"]}, "rain").tolist()
    ['yes', 'no', 'yes']
    """
    return predict_proba(net, rows, target, unseen=unseen, memory=memory).labels


def _frame_of(library: str, make: Callable[[Any], Any]) -> Any:  # noqa: ANN401
    from importlib import import_module

    try:
        module = import_module(library)
    except ImportError:
        msg = (
            f"to_{library} needs {library}, which is not installed; install it with: pip install "
            f"{library}"
        )
        raise MissingExtraError(msg) from None
    return make(module)
