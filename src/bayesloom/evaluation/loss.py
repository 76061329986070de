"""How well a network predicts rows it has not seen."""

from __future__ import annotations

from bayesloom.engine import as_engine
from bayesloom.model import BayesNet, log_likelihood


def log_loss(net: BayesNet, data: object) -> float:
    """Return the mean negative log-likelihood of the rows, in nats.

    Parameters
    ----------
    net : BayesNet
        The network.
    data : path, frame, Table or Engine
        Held-out data; columns are matched by name and states by label.

    Returns
    -------
    float
        The loss per row; infinite if a row is impossible under the network.

    Raises
    ------
    UnknownVariableError
        If the data lack a variable of the network.
    UnknownStateError
        If a state occurs in the data that its variable does not have.

    Examples
    --------
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> round(log_loss(net, {"rain": ["no", "no", "no", "yes"]}), 4)
    0.5623
    """
    engine = as_engine(data)
    return -log_likelihood(net, engine) / engine.n_rows
