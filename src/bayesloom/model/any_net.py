"""Networks of whatever kind, as every function takes them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from bayesloom.errors import OptionError, shown
from bayesloom.model.bayes_net import BayesNet

if TYPE_CHECKING:
    from bayesloom.data import Reading
    from bayesloom.model.decomposable_net import DecomposableNet


class HasNet(Protocol):
    """What has a network with parameters in its attribute ``net``, such as `bayesloom.Network`."""

    @property
    def net(self) -> BayesNet:
        """The network with its parameters."""


AnyNet: TypeAlias = "BayesNet | DecomposableNet | HasNet | str | os.PathLike[str]"
"""What `learn`, `load` or `fit` gave, a `BayesNet`, a Markov network, or the name of a file."""


def reading_of_net(net: AnyNet) -> Reading:
    """Return how the data were read that a network was learned from, as far as it remembers.

    Examples
    --------
    >>> reading_of_net(BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})).discretize
    'none'
    """
    from bayesloom.data.reading import USUAL, Reading

    if isinstance(net, str | os.PathLike):
        from bayesloom.model.files import reading_in_file

        return reading_in_file(net) or USUAL
    found = getattr(net, "reading", USUAL)
    return found if isinstance(found, Reading) else USUAL


def as_bayes_net(net: AnyNet, name: str = "net") -> BayesNet:
    """Return a network of any kind as a Bayesian network; a file is read.

    Parameters
    ----------
    net : network or path
        What `learn`, `load` or `fit` gave, a `BayesNet`, a `DecomposableNet`, or the name of a
        network file.
    name : str
        What an error calls it.

    Raises
    ------
    OptionError
        If it is no network.
    FileFormatError
        If it is the name of a file that cannot be read.

    Examples
    --------
    >>> as_bayes_net(BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})).names
    ('rain',)
    >>> as_bayes_net(7)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: net must be a network, such as learn or load gives, or the name \
of a network file, got 7
    """
    if isinstance(net, BayesNet):
        return net
    if isinstance(net, str | os.PathLike):
        from bayesloom.model.files import load_net

        return load_net(net)
    if hasattr(type(net), "net"):  # asked of the class: the value may have to be fitted
        return as_bayes_net(cast("HasNet", net).net, name)
    from bayesloom.model.decomposable_net import DecomposableNet

    if isinstance(net, DecomposableNet):
        return net.to_bayes_net()
    msg = (
        f"{name} must be a network, such as learn or load gives, or the name of a network file, "
        f"got {shown(repr(net))}"
    )
    raise OptionError(msg)
