"""All measures of a learned network against the true one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from bayesloom.errors import AbsentError, CapacityError, GraphError
from bayesloom.evaluation.divergence import measured
from bayesloom.graphs import (
    DAG,
    PDAG,
    Agreement,
    ChordalGraph,
    adjacency_agreement,
    arrowhead_agreement,
    structural_hamming_distance,
)
from bayesloom.grid import Grid, NamedColumns, Tabular
from bayesloom.inference.compiled import DEFAULT_MEMORY
from bayesloom.model import AnyNet, BayesNet, as_bayes_net
from bayesloom.model.graph_file import AnyGraph, graph_in_file


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Tabular):
    """How close a learned network is to the true one.

    It prints precision, recall and F as a table; a frame has a row for adjacencies and one for
    arrowheads.

    Parameters
    ----------
    kld : float or None
        The divergence of the learned network from the true one, in nats; None if one of them has
        no parameters.
    adjacency : Agreement
        Which pairs of variables are adjacent.
    arrowhead : Agreement
        Which edges are compelled to point which way, in the equivalence classes.
    shd : int
        The structural Hamming distance of the equivalence classes.
    infinite : tuple of str
        If the divergence is infinite, what makes it so: one sentence for a variable.
    bare : str
        If there is no divergence, why not.
    """

    kld: float | None
    adjacency: Agreement
    arrowhead: Agreement
    shd: int
    infinite: tuple[str, ...] = ()
    bare: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return the measures in the form of ``bayesloom evaluate --json``."""
        return {
            "kld": self.kld,
            "adjacency": _rates(self.adjacency),
            "arrowhead": _rates(self.arrowhead),
            "shd": self.shd,
            **({"infinite": list(self.infinite)} if self.infinite else {}),
            **({"bare": self.bare} if self.bare else {}),
        }

    __repr__ = Tabular.__str__

    def _rows(self) -> list[tuple[str, float, float, float]]:
        both = (("adjacencies", self.adjacency), ("arrowheads", self.arrowhead))
        return [(what, found.precision, found.recall, found.f) for what, found in both]

    def _columns(self) -> NamedColumns:
        heads = ("of", "precision", "recall", "f")
        return [(head, [row[k] for row in self._rows()]) for k, head in enumerate(heads)]

    def _grid(self, most: int | None) -> Grid:
        rows = [(what, *(f"{x:.3f}" for x in rates)) for what, *rates in self._rows()[:most]]
        return Grid(
            "Compared with the true network",
            ("", "precision", "recall", "F"),
            rows,
            1,
            notes=(
                f"shd  {self.shd:,} (structural Hamming distance of the classes)",
                f"kld  {self._divergence()}",
            ),
        )

    def _divergence(self) -> str:
        if self.kld is None:
            return f"none: {self.bare}"
        if not self.infinite:
            return f"{self.kld:.6f} nats (divergence from the true distribution)"
        more = len(self.infinite) - 1
        return f"infinite: {self.infinite[0]}" + (f" (and {more:,} more such)" if more else "")


def evaluate(
    true: AnyNet | DAG | PDAG,
    learned: AnyNet | DAG | PDAG,
    *,
    floor: float = 0.0,
    memory: float = DEFAULT_MEMORY,
) -> Evaluation:
    """Compare a learned network with the true one.

    Parameters
    ----------
    true, learned : network, graph or path
        The networks, over the same variables. A graph, or a network without parameters, has no
        divergence; all else is compared.
    floor, memory : float
        Options of `kl_divergence`.

    Returns
    -------
    Evaluation
        Divergence, agreement of adjacencies and arrowheads, and Hamming distance.

    Raises
    ------
    ModelError
        If the networks have different variables.
    CapacityError
        If the divergence does not fit into the memory allowed.

    References
    ----------
    O. Schulte, G. Frigo, R. Greiner, W. Luo and H. Khosravi, A new hybrid method for Bayesian
    network learning with dependency constraints, section IV: divergence and F-measure.

    Examples
    --------
    >>> from bayesloom.model import BayesNet
    >>> no_yes = ["no", "yes"]
    >>> true = BayesNet.from_tables(
    ...     {"a": (no_yes, [], [0.5, 0.5]), "b": (no_yes, ["a"], [[0.9, 0.1], [0.1, 0.9]])}
    ... )
    >>> empty = BayesNet.from_tables({"a": (no_yes, [], [0.5, 0.5]), "b": (no_yes, [], [0.5, 0.5])})
    >>> found = evaluate(true, empty)
    >>> found
    Compared with the true network
                   precision  recall      F
      adjacencies      1.000   0.000  0.000
      arrowheads       1.000   1.000  1.000
      shd  1 (structural Hamming distance of the classes)
      kld  0.368064 nats (divergence from the true distribution)
    >>> round(found.kld, 4), found.adjacency.recall, found.shd
    (0.3681, 0.0, 1)
    >>> evaluate(true, true).to_dict()["adjacency"]
    {'precision': 1.0, 'recall': 1.0, 'f': 1.0}
    """
    (graph, net), (other, found) = _parts_of(true, "true"), _parts_of(learned, "learned")
    kld: float | None = None
    infinite: tuple[str, ...] = ()
    bare = ""
    if net is None or found is None:
        which = "the true network" if net is None else "the learned network"
        bare = f"{which} has no parameters, which net.fit(data) would give it"
    elif set(net.numbers) != set(found.numbers) and set(net.names) == set(found.names):
        bare = "a variable holds numbers in one of the networks alone"
    else:
        try:
            kld, infinite = measured(net, found, floor=floor, memory=memory)
        except CapacityError as error:
            if not net.numbers:
                raise
            bare = str(error)
    return Evaluation(
        kld,
        adjacency_agreement(graph, other),
        arrowhead_agreement(graph, other),
        structural_hamming_distance(graph, other),
        infinite,
        bare,
    )


def _parts_of(net: Any, name: str) -> tuple[DAG | PDAG, BayesNet | None]:  # noqa: ANN401 - of any kind
    """Return the graph of a network, and the network if it has parameters."""
    graph: AnyGraph | None = net if isinstance(net, DAG | PDAG) else None
    if isinstance(net, str | os.PathLike):
        graph = graph_in_file(net)
    elif graph is None and hasattr(type(net), "extension"):  # what learn, load or network gave
        try:
            found = as_bayes_net(net, name)
        except AbsentError:
            graph = net.graph if net.extension is None else net.extension
        except GraphError:  # no DAG extends it, so there are no tables
            graph = net.graph
        else:
            return found.dag, found
    if graph is None:
        found = as_bayes_net(net, name)
        return found.dag, found
    return graph.to_dag() if isinstance(graph, ChordalGraph) else graph, None


def _rates(agreement: Agreement) -> dict[str, float]:
    return {"precision": agreement.precision, "recall": agreement.recall, "f": agreement.f}
