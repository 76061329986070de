"""What happens if variables are set: interventions, and the effects that can be known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.errors import (
    GraphError,
    IdentificationError,
    ModelError,
    OptionError,
    UnknownStateError,
    check_kind,
    listed,
    shown,
)
from bayesloom.graphs import CPDAG, DAG, PDAG, ChordalGraph, open_path
from bayesloom.grid import Grid, NamedColumns, Tabular, chance, label, labels
from bayesloom.inference.case import Given, read_case
from bayesloom.inference.compiled import compile_net
from bayesloom.inference.posterior import Posterior
from bayesloom.inference.quick_query import query
from bayesloom.model import AnyNet, BayesNet, LinearGaussian, as_bayes_net

CAUTION = (
    "arrows learned from data alone are causes only if no common cause of two variables is missing"
)
"""What has to be said with every effect."""


def mutilated_net(net: AnyNet, states: Given) -> BayesNet:
    """Return the plain network after variables have been set from outside, an intervention.

    Setting a variable cuts it off from its causes: it loses its arrows from parents, and all its
    probability is on the state it is set to (the mutilated network). Observing a state is something
    else: that is what ``given=`` in `query` is for. The answer rests on the arrows of the network.
    Arrows learned from data alone are causes only if no common cause of two variables is missing,
    and only compelled ones; `causal_effect` checks the latter.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file; its arrows are taken as
        causes.
    states : mapping of str to str, or pairs
        The state, or the number, that each variable is set to.

    Raises
    ------
    UnknownVariableError, UnknownStateError
        If the network has no such variable or state.
    EvidenceError
        If a variable is set to two states.
    OptionError
        If the network is a decomposable Markov network, whose links have no direction.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> round(query(example("asia"), "smoke", {"lung": "yes"})["yes"], 4)
    0.9091
    >>> query(mutilated_net(example("asia"), {"lung": "yes"}), "smoke")["yes"]
    0.5
    """
    bayes = _directed(net)
    case = read_case(bayes, states)
    variables: dict[str, Any] = {}
    for v, name in enumerate(bayes.names):
        if v in case.state:
            certain = np.eye(len(bayes.states[v]))[case.state[v]]
            variables[name] = (bayes.states[v], (), certain)
        elif v in case.value:
            variables[name] = ((), (), LinearGaussian(case.value[v], None, 0.0))
        else:
            variables[name] = (bayes.states[v], bayes.parents(name), bayes.families[v])
    return BayesNet.from_tables(variables)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CausalEffect(Tabular):
    """The distribution of an outcome for every state that a treatment is set to.

    It prints as a table; as a frame it has a column of the states of the treatment, and one for
    each state of the outcome, called ``outcome=state``.

    Parameters
    ----------
    treatment, outcome : str
        The variables.
    states : tuple of tuple of str
        The states of the treatment and those of the outcome.
    probabilities : array
        One row per state of the treatment: the distribution of the outcome; read-only.
    adjustment : tuple of str
        The parents of the treatment, for which the effect is adjusted (back-door adjustment).
    unsupported : tuple of str
        The states of the treatment that never occur with some state of the parents: their rows rest
        on cases that the network calls impossible.

    Examples
    --------
    >>> import numpy as np
    >>> states = (("no", "yes"), ("well", "ill"))
    >>> effect = CausalEffect("drug", "state", states, np.array([[0.5, 0.5], [0.75, 0.25]]), ())
    >>> effect["yes"]["ill"], effect.difference("ill", "yes", "no")
    (0.25, -0.25)
    """

    treatment: str
    outcome: str
    states: tuple[tuple[str, ...], tuple[str, ...]]
    probabilities: Floats
    adjustment: tuple[str, ...]
    unsupported: tuple[str, ...] = ()

    def __getitem__(self, state: str) -> Posterior:
        """Return the distribution of the outcome for one state of the treatment."""
        row = _place(self.treatment, self.states[0], state)
        return Posterior(self.outcome, self.states[1], self.probabilities[row], 0.0)

    def difference(self, state: str, setting: str, instead_of: str) -> float:
        """Return how much more probable a state of the outcome gets by one setting than by another.

        Examples
        --------
        >>> import numpy as np
        >>> states = (("no", "yes"), ("well", "ill"))
        >>> effect = CausalEffect("drug", "state", states, np.array([[0.5, 0.5], [1.0, 0.0]]), ())
        >>> effect.difference("well", "yes", "no")
        0.5
        """
        column = _place(self.outcome, self.states[1], state)
        first, second = (_place(self.treatment, self.states[0], s) for s in (setting, instead_of))
        return float(self.probabilities[first, column] - self.probabilities[second, column])

    __repr__ = Tabular.__str__

    def _columns(self) -> NamedColumns:
        columns = self.probabilities.T.tolist()
        states = [(f"{self.outcome}={state}", columns[k]) for k, state in enumerate(self.states[1])]
        return [(self.treatment, self.states[0]), *states]

    def _grid(self, most: int | None) -> Grid:
        first = zip(self.states[0][:most], self.probabilities.tolist(), strict=False)
        rows = [(label(state), *map(chance, values)) for state, values in first]
        parents = f"its parents {listed(self.adjustment)}" if self.adjustment else "nothing"
        notes = [f"adjusted for {parents}; {CAUTION}"]
        if self.unsupported:
            notes.append(
                f"{label(self.treatment)} never takes the states {listed(self.unsupported)} in "
                "some cases of its parents: these rows rest on what never occurs"
            )
        return Grid(
            f"P({label(self.outcome)} | do({label(self.treatment)}))",
            (label(self.treatment), *labels(self.states[1])),
            rows,
            1,
            more=len(self.states[0]) - len(rows),
            noun="state",
            notes=tuple(notes),
        )


def identified_effect(
    net: AnyNet, treatment: str, outcome: str, *, graph: DAG | PDAG | None = None
) -> CausalEffect:
    """Return the effect of setting one variable on another, if the directions known determine it.

    All DAGs of an equivalence class fit data equally well, so what data say about an effect is what
    all of them agree on. They agree exactly if every path along which the treatment may act on the
    outcome starts with an arrow out of the treatment [1]_. Then the effect is that of any of them,
    adjusted for the parents of the treatment; otherwise it is refused, and the message names the
    edge whose direction is open. Whether arrows are causes at all is for you to say: arrows learned
    from data alone are causes only if no common cause of two variables is missing.

    Parameters
    ----------
    net : network or path
        The network, of any kind that `learn` or `load` gives, or a file.
    treatment, outcome : str
        The variable that is set and the one whose distribution is asked for.
    graph : DAG or PDAG, optional
        Which directions are known: a DAG if all are, a PDAG for the class with the arrows that
        knowledge adds. Default: the class of the network alone.

    Raises
    ------
    IdentificationError
        If members of the class disagree about the effect.
    ModelError
        If one of them is a number.
    OptionError
        If treatment and outcome are the same, or ``graph`` is no graph of this network.
    UnknownVariableError
        If the network has no such variable.

    References
    ----------
    .. [1] E. Perkovic, Identifying causal effects in maximally oriented partially directed acyclic
       graphs, UAI 2020; for CPDAGs E. Perkovic, J. Textor, M. Kalisch, M. H. Maathuis, Journal of
       Machine Learning Research 18, 2018.

    Examples
    --------
    >>> from bayesloom.facade import example
    >>> asia = example("asia")
    >>> identified_effect(asia, "smoke", "dysp", graph=asia.dag)
    P(dysp | do(smoke))
      smoke       yes        no
      yes    0.552808  0.447192
      no     0.319133  0.680867
      adjusted for nothing; arrows learned from data alone are causes only if no common cause of two
        variables is missing
    """
    bayes = _directed(net)
    x, y = bayes.index(treatment), bayes.index(outcome)
    for name in (treatment, outcome):
        if name in bayes.numbers:
            msg = (
                f"{shown(repr(name))} is a number, and an effect is told state by state; ask "
                "net.do({...}).query(...) for the distribution after a variable has been set"
            )
            raise ModelError(msg)
    if x == y:
        msg = f"treatment and outcome must differ, got {shown(repr(treatment))} twice"
        raise OptionError(msg)
    known = _known_directions(bayes.dag, graph)
    if path := open_path(known.parent_masks, known.neighbour_masks, x, y):
        first, second = (shown(bayes.names[v]) for v in path[:2])
        msg = (
            f"the effect of {first} on {shown(outcome)} is not determined: the edge {first} - "
            f"{second} may point either way without any difference in data, and the effect depends "
            "on it; say which directions you know with graph=: a DAG, or a PDAG with the arrows "
            "that are known"
        )
        raise IdentificationError(msg)
    settings = bayes.states[x]
    rows = [query(mutilated_net(bayes, {treatment: label}), outcome).values for label in settings]
    probabilities = np.array(rows)
    probabilities.flags.writeable = False
    parents = bayes.parents(treatment)
    return CausalEffect(
        treatment,
        outcome,
        (settings, bayes.states[y]),
        probabilities,
        parents,
        _unsupported(bayes, treatment, parents),
    )


def _directed(net: AnyNet) -> BayesNet:
    """Return a network whose arrows mean something."""
    if isinstance(getattr(net, "graph", None), ChordalGraph):
        msg = (
            "the links of a decomposable Markov network have no direction, so nothing is known "
            "about interventions; learn a Bayesian network or give one"
        )
        raise OptionError(msg)
    return as_bayes_net(net)


def _known_directions(dag: DAG, graph: DAG | PDAG | None) -> PDAG:
    """Return the class of a DAG with the arrows that are known besides, closed under Meek's rules.

    Raises
    ------
    OptionError
        If ``graph`` has other nodes or edges than the DAG, or an arrow against it.
    """
    known: PDAG = CPDAG.of(dag)
    if graph is None:
        return known
    check_kind("graph", graph, DAG | PDAG, "a DAG or a PDAG, such as net.dag or net.cpdag")
    try:
        same = graph.reordered(dag.names)
    except GraphError as error:
        msg = f"graph must be one of this network: {error}"
        raise OptionError(msg) from None
    links = {frozenset(edge) for edge in dag.edges}
    undirected = same.undirected if isinstance(same, PDAG) else ()
    arrows = same.directed if isinstance(same, PDAG) else same.edges
    if {frozenset(edge) for edge in (*arrows, *undirected)} != links:
        msg = "graph must have the same edges as the network, whichever way they point"
        raise OptionError(msg)
    for tail, head in arrows:
        if not dag.has_edge(tail, head):
            msg = (
                f"graph has the arrow {shown(tail)} -> {shown(head)}, but in the network it points "
                "the other way; fit the network to a DAG of this graph first"
            )
            raise OptionError(msg)
    directed = {*known.directed, *arrows}
    rest = [pair for pair in known.undirected if not {pair, pair[::-1]} & directed]
    return PDAG.from_edges(sorted(directed), rest, dag.names).closed(fourth_rule=True)


def _unsupported(net: BayesNet, treatment: str, parents: tuple[str, ...]) -> tuple[str, ...]:
    """Return the states of a variable that have probability 0 for some state of its parents."""
    table = net.table(treatment)
    if not parents:
        return tuple(s for s, p in zip(net.states_of(treatment), table, strict=True) if p == 0)
    possible = compile_net(net).joint(parents).probabilities > 0
    never = (table[possible] == 0).any(axis=0)
    return tuple(s for s, no in zip(net.states_of(treatment), never, strict=True) if no)


def _place(variable: str, states: tuple[str, ...], state: str) -> int:
    if state not in states:
        raise UnknownStateError(variable, state, states)
    return states.index(state)
