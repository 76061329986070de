"""How well a network predicts rows it has not seen."""

from __future__ import annotations

from bayesloom.data import Table
from bayesloom.model import BayesNet, log_likelihood


def log_loss(net: BayesNet, table: Table) -> float:
    """Return the mean negative log-likelihood of the rows, in nats.

    Parameters
    ----------
    net : BayesNet
        The network.
    table : Table
        Held-out data; columns are matched by name and states by label.

    Returns
    -------
    float
        The loss per row; infinite if a row is impossible under the network.

    Raises
    ------
    UnknownVariableError
        If the table lacks a variable of the network.
    UnknownStateError
        If a state occurs in the data that its variable does not have.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> round(log_loss(net, Table(["rain"], [["no", "yes"]], [[0, 0, 0, 1]])), 4)
    0.5623
    """
    return -log_likelihood(net, table) / table.n_rows
