"""How well a network predicts rows it has not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from bayesloom.model import AnyNet, as_bayes_net, engine_for, log_likelihood
from bayesloom.model.any_net import reading_of_net

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions


def log_loss(net: AnyNet, data: object, **reading: Unpack[ReadingOptions]) -> float:
    """Return the mean negative log-likelihood of the rows, in nats; missing cells are summed over.

    Parameters
    ----------
    net : network or path
        The network.
    data : path, frame, Table or Engine
        Held-out data; columns are matched by name and states by label.
    **reading
        How to read a file or frame, such as ``missing="drop"``; see `bayesloom.Reading`. What is
        not written out is read as the network's own data were, if it remembers.

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
    >>> from bayesloom.model import BayesNet
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.75, 0.25])})
    >>> round(log_loss(net, {"rain": ["no", "no", "no", "yes"]}), 4)
    0.5623
    """
    bayes = as_bayes_net(net)
    engine = engine_for(bayes, data, reading_of_net(net), reading)
    return -log_likelihood(bayes, engine) / engine.n_rows
