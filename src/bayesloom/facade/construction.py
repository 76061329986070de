"""Networks that no search has found: read, made by hand, fitted, or carried by the package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from bayesloom.errors import OptionError, shown
from bayesloom.facade.saving import load_network
from bayesloom.facade.whole import Network
from bayesloom.graphs import DAG
from bayesloom.learning.structure import Structure, extension_of
from bayesloom.model import BayesNet

if TYPE_CHECKING:
    import networkx as nx

    from bayesloom.data.reading import ReadingOptions
    from bayesloom.facade.fitting import FitMethod, Latent
    from bayesloom.graphs import PDAG
    from bayesloom.inference import CausalEffect, Given
    from bayesloom.model import DecomposableNet, Estimator

NetworkLike: TypeAlias = (
    "str | os.PathLike[str] | Iterable[tuple[str, str]] | Mapping[str, tuple[Any, Any, Any]]"
    " | Structure | BayesNet | DecomposableNet | Network | nx.DiGraph[str]"
)
"""Whatever a network can be made of; see `network`."""


def load(path: str | os.PathLike[str]) -> Network:
    """Read a network from a file; it has the same face as one that `learn` gave.

    Parameters
    ----------
    path : str or path
        The file. Its ending says the format: BIF, XMLBIF, Hugin, UAI or bayesloom's own JSON, each
        also packed as ``.gz``. JSON also keeps the record of the search, and graphs that have no
        parameters.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is not a network; the message names line and column.

    Examples
    --------
    >>> import tempfile
    >>> net = network("rain -> wet").fit({"rain": ["no", "yes"], "wet": ["no", "yes"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load(net.save(f"{folder}/net.json")) == net
    True
    """
    found = load_network(path)
    return Network(
        found.graph,
        found.extension,
        found.net,
        record=found.record,
        reading=found.reading,
        em_run=found.em_run,
    )


def save(net: NetworkLike, path: str | os.PathLike[str]) -> str:
    """Write a network of any kind to a file, whole or not at all; return the path.

    Parameters
    ----------
    net : network or path
        What `learn`, `load` or `fit` gave, a `BayesNet`, a Markov network, or another file.
    path : str or path
        The file; its ending says the format, as for `load`.

    Raises
    ------
    FileFormatError
        If the ending is not known or the file cannot be written.
    """
    return network(net).save(path)


def network(what: NetworkLike) -> Network:
    """Make a network by hand: of arrows, edges, tables, a graph, or the name of a file.

    Parameters
    ----------
    what : text, edges, tables, graph, network or path
        * a text of arrows, ``"A -> B <- C; D"``, where names with blanks are quoted;
        * pairs of (parent, child);
        * a mapping of (states, parents, table) per variable, as `BayesNet.from_tables` takes it;
        * a graph, also one of networkx, or a network of any kind;
        * the name of a network file.

    Returns
    -------
    Network
        With parameters, if ``what`` has them; otherwise ``fit(data)`` gives it some.

    Raises
    ------
    GraphError
        If the arrows form a cycle.
    OptionError
        If this is no network.

    Examples
    --------
    >>> network("rain -> wet <- sprinkler").parents("wet")
    ('rain', 'sprinkler')
    >>> network({"rain": (["no", "yes"], [], [0.8, 0.2])}).query("rain")["yes"]
    0.2
    """
    if isinstance(what, Network):
        return what
    if isinstance(what, os.PathLike) or (isinstance(what, str) and _is_file(what)):
        return load(what)
    if isinstance(what, BayesNet | Mapping):
        net = what if isinstance(what, BayesNet) else BayesNet.from_tables(what)
        return Network(net.dag, net.dag, net)
    from bayesloom.model import DecomposableNet

    if isinstance(what, DecomposableNet):
        return Network(what.graph, what.graph.to_dag(), what.to_bayes_net())
    graph = _graph_of(what)
    return Network(graph, extension_of(graph))


def from_normal(mean: Any, covariance: Any, dag: DAG) -> Network:  # noqa: ANN401 - arrays, series, frames
    """Make the network of a graph whose regressions are those of a normal distribution.

    Parameters
    ----------
    mean : array-like
        The means in the order of the nodes of ``dag``; of a pandas series they are taken by name.
    covariance : array-like
        The covariance matrix in that order; of a pandas frame rows and columns are taken by name.
    dag : DAG
        The graph.

    Raises
    ------
    ModelError
        If the shapes differ, a value is not finite, or the matrix is no covariance.

    Examples
    --------
    >>> dag = DAG.from_edges([("x", "y")])
    >>> net = from_normal([0.0, 1.0], [[1.0, 2.0], [2.0, 5.0]], dag)
    >>> round(net.query("x", given={"y": 2.0}).mean, 9), net.covariance.round(9).tolist()
    (0.4, [[1.0, 2.0], [2.0, 5.0]])
    """
    from bayesloom.model import net_of_normal

    return network(net_of_normal(mean, covariance, dag))


def _graph_of(what: Any) -> Structure:  # noqa: ANN401 - checked here
    """Return the graph that a value is or tells."""
    from bayesloom.graphs import PDAG, ChordalGraph

    if isinstance(what, DAG | PDAG | ChordalGraph):
        return what
    if isinstance(what, str):
        from bayesloom.graphs import dag_from_text

        return dag_from_text(what)
    if hasattr(what, "is_directed") and hasattr(what, "nodes"):
        return DAG.from_networkx(what)
    if isinstance(what, Iterable):
        return DAG.from_edges(what)
    msg = (
        "a network is made of arrows such as 'A -> B <- C', of pairs, tables, a graph or the name "
        f"of a file, got {shown(repr(what))}"
    )
    raise OptionError(msg)


def _is_file(text: str) -> bool:
    """Say whether a text is the name of a network file and not one of arrows."""
    from bayesloom.model.formats import ENDINGS, every_ending

    name = text.lower().removesuffix(".gz")
    if "->" in name or "<-" in name:
        return False
    known = any(map(name.endswith, ENDINGS))  # formats from outside are looked for if none is
    return known or any(map(name.endswith, every_ending()))


def fit(
    graph: NetworkLike,
    data: object,
    estimator: Estimator | None = None,
    *,
    method: FitMethod = "auto",
    latent: Latent | None = None,
    time_limit: float | str | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Network:
    """Fit the parameters of a graph to data.

    Parameters
    ----------
    graph : graph or network
        What `network` takes: a `DAG`, arrows as a text, a network whose parameters are replaced.
    data : path, frame, Table or Engine
        The data, of any kind that `learn` takes.
    estimator : Estimator, optional
        `MaximumLikelihood`, `Laplace` or `BDeuMean`; by default ``BDeuMean(ess=10)``.
    method, latent, time_limit, progress, **reading
        As for `Network.fit`.

    Raises
    ------
    DataError, UnknownVariableError
        If the data lack a variable of the graph.
    CapacityError
        If the tables are too large.

    Examples
    --------
    >>> rows = {"rain": ["no", "no", "yes", "yes"], "wet": ["no", "no", "no", "yes"]}
    >>> round(fit("rain -> wet", rows).query("wet", given={"rain": "yes"})["yes"], 3)
    0.5
    >>> holes = {"rain": ["no", "no", "yes", None], "wet": ["no", None, "yes", "yes"]}
    >>> fit("rain -> wet", holes, method="em").em_run.converged
    True
    """
    return network(graph).fit(
        data,
        estimator,
        method=method,
        latent=latent,
        time_limit=time_limit,
        progress=progress,
        **reading,
    )


def do(net: NetworkLike, states: Given) -> Network:
    """Return a network after variables have been set from outside; see `Network.do`.

    Parameters
    ----------
    net : network or path
        What `network` takes, with parameters.
    states : mapping of str to str, or pairs
        The state that each variable is set to.

    Examples
    --------
    >>> do(example("asia"), {"lung": "yes"}).query("smoke")["yes"]
    0.5
    """
    return network(net).do(states)


def causal_effect(
    net: NetworkLike,
    treatment: str,
    outcome: str,
    *,
    graph: DAG | PDAG | Network | None = None,
) -> CausalEffect:
    """Return the effect of setting one variable on another; see `Network.causal_effect`.

    Parameters
    ----------
    net : network or path
        What `network` takes, with parameters.
    treatment, outcome, graph
        As for `Network.causal_effect`.

    Examples
    --------
    >>> asia = example("asia")
    >>> round(causal_effect(asia, "smoke", "dysp", graph=asia).difference("yes", "yes", "no"), 3)
    0.234
    """
    return network(net).causal_effect(treatment, outcome, graph=graph)


def example(name: str) -> Network:
    """Return a network that comes with the package.

    Parameters
    ----------
    name : str
        ``"alarm"``, ``"asia"``, ``"child"``, ...; an unknown name is answered with the list.

    Examples
    --------
    >>> example("alarm").n_parameters
    509
    """
    from bayesloom.model import example_net

    return network(example_net(name))
