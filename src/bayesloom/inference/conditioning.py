"""A network of what is left open by evidence, and rows drawn from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import check_whole
from bayesloom.graphs import ancestors, bits, mask_of, moral_graph
from bayesloom.inference.case import Case, Given, Soft, read_case
from bayesloom.inference.compiled import DEFAULT_MEMORY, compile_net
from bayesloom.model import AnyNet, BayesNet, as_bayes_net, draw_rows
from bayesloom.model.sampling import generator_of

if TYPE_CHECKING:
    from bayesloom.data import Table
    from bayesloom.graphs import ChordalGraph


def sample(
    net: AnyNet,
    n_rows: int,
    seed: np.random.Generator | int = 0,
    given: Given | None = None,
    *,
    soft: Soft | None = None,
    memory: float = DEFAULT_MEMORY,
) -> Table:
    """Draw rows from the distribution of a network, given evidence if there is any.

    Rows that agree with evidence are drawn exactly and one by one, however improbable the evidence
    is: neither are others thrown away nor do rows have weights (no rejection sampling, no
    likelihood weighting). The rows depend on the network, ``n_rows``, the seed and the evidence
    alone; the order of the variables changes the order of the columns and nothing else.

    Parameters
    ----------
    net, n_rows, seed
        As for `draw_rows`.
    given, soft : optional
        Evidence and likelihoods, as for `query`.
    memory : float, default 2 GiB
        The bytes that the tables of the evidence may take.

    Returns
    -------
    Table
        One column per variable, in node order, with the states that the network declares; observed
        variables have their state in every row.

    Raises
    ------
    OptionError
        If ``n_rows`` is below 1.
    EvidenceError
        If the evidence contradicts itself or has probability 0.
    CapacityError
        If a variable has more states than a table can hold, or rows or tables do not fit into
        memory.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> asia = example("asia")
    >>> sample(asia, 1000)["smoke"].count("yes"), sample(asia, 1000, 1)["smoke"].count("yes")
    (534, 495)
    >>> ill = sample(asia, 1000, given={"lung": "yes"})
    >>> ill["smoke"].count("yes"), ill["lung"].count("yes")
    (915, 1000)
    """
    bayes = as_bayes_net(net)
    if bayes.numbers and (given or soft):
        return _drawn_with_numbers(bayes, n_rows, generator_of(seed), (given, soft), memory)
    if given is not None or soft is not None:
        bayes = conditioned_net(bayes, given, soft=soft, memory=memory)
    return draw_rows(bayes, n_rows, seed)


def _drawn_with_numbers(
    net: BayesNet,
    n_rows: int,
    rng: np.random.Generator,
    evidence: tuple[Given | None, Soft | None],
    memory: float,
) -> Table:
    """Draw rows of a network with numbers that agree with evidence."""
    from bayesloom.data import Table
    from bayesloom.inference.compiled_mixed import one_case
    from bayesloom.inference.mixed_draw import completed
    from bayesloom.model.mixed.question import Prepared

    check_whole("n_rows", n_rows, 1)
    prepared = Prepared(net.reordered(sorted(net.names)), memory)
    case = one_case(read_case(prepared.net, *evidence), n_rows)
    found, _ = completed(prepared, case, rng)
    place = prepared.net.index
    columns = [
        found.values[place(name)] if name in net.numbers else found.states[place(name)]
        for name in net.names
    ]
    return Table(net.names, net.states, columns)


def conditioned_net(
    net: AnyNet,
    given: Given | None = None,
    *,
    soft: Soft | None = None,
    memory: float = DEFAULT_MEMORY,
) -> BayesNet:
    """Return a network whose distribution is that of another one given evidence.

    Ancestors of the evidence get the arrows of a chordal graph over them and tables of their joint
    posteriors; observed variables have all probability on one state; all others keep their tables.
    The arrows among the ancestors say nothing about causes.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    given, soft : optional
        Evidence and likelihoods, as for `query`.
    memory : float, default 2 GiB
        The bytes that the tables may take.

    Raises
    ------
    EvidenceError
        If the evidence contradicts itself or has probability 0.
    CapacityError
        If the tables do not fit into the memory allowed.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> conditioned_net(example("asia"), {"lung": "yes"}).table("smoke").round(4)
    array([0.9091, 0.0909])
    """
    bayes = as_bayes_net(net)
    by_name = bayes.reordered(sorted(bayes.names))  # the order of the variables is all the same
    case = read_case(by_name, given, soft)
    if not case.state and not case.likelihood:
        return bayes
    graph = _open_graph(by_name, case)
    compiled = compile_net(by_name, memory=memory)
    found = compiled.joints(graph.cliques() if graph.n else (), given, soft=soft)
    variables = {name: _variable(by_name, name) for name in by_name.names}
    for v, k in case.state.items():
        states = by_name.states[v]
        variables[by_name.names[v]] = (states, (), np.eye(len(states))[k])
    if graph.n:
        from bayesloom.model import DecomposableNet

        states_of_open = tuple(map(by_name.states_of, graph.names))
        tables = tuple(joint.probabilities for joint in found)
        part = DecomposableNet(graph, states_of_open, tables).to_bayes_net()
        variables |= {name: _variable(part, name) for name in graph.names}
    return BayesNet.from_tables(variables).reordered(bayes.names)


def _open_graph(net: BayesNet, case: Case) -> ChordalGraph:
    """Return a chordal graph over the unobserved ancestors of evidence, with the links it opens."""
    from bayesloom.graphs import PDAG, ChordalGraph

    parents, observed = net.dag.parent_masks, mask_of(case.state)
    above = ancestors(parents, observed | mask_of(case.likelihood))
    links = moral_graph([mask if above >> v & 1 else 0 for v, mask in enumerate(parents)])
    nodes = bits(above & ~observed)
    pairs = [(v, u) for v in nodes for u in bits(links[v] & ~observed) if v < u]
    graph = PDAG.from_edges(
        [], [(net.names[v], net.names[u]) for v, u in pairs], [net.names[v] for v in nodes]
    )
    return ChordalGraph.triangulating(graph, {net.names[v]: len(net.states[v]) for v in nodes})


def _variable(net: BayesNet, name: str) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    return net.states_of(name), net.parents(name), net.table(name)
