"""All measures of a learned network against the true one."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.evaluation.divergence import measured
from bayesloom.graphs import (
    Agreement,
    adjacency_agreement,
    arrowhead_agreement,
    structural_hamming_distance,
)
from bayesloom.grid import Grid, NamedColumns, Tabular
from bayesloom.inference.compiled import DEFAULT_MEMORY
from bayesloom.model import AnyNet, as_bayes_net


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Tabular):
    """How close a learned network is to the true one.

    It prints precision, recall and F as a table; a frame has a row for adjacencies and one for
    arrowheads.

    Parameters
    ----------
    kld : float
        The divergence of the learned network from the true one, in nats.
    adjacency : Agreement
        Which pairs of variables are adjacent.
    arrowhead : Agreement
        Which edges are compelled to point which way, in the equivalence classes.
    shd : int
        The structural Hamming distance of the equivalence classes.
    infinite : tuple of str
        If the divergence is infinite, what makes it so: one sentence for a variable.
    """

    kld: float
    adjacency: Agreement
    arrowhead: Agreement
    shd: int
    infinite: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the measures in the form of ``bayesloom evaluate --json``."""
        return {
            "kld": self.kld,
            "adjacency": _rates(self.adjacency),
            "arrowhead": _rates(self.arrowhead),
            "shd": self.shd,
            **({"infinite": list(self.infinite)} if self.infinite else {}),
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
        if not self.infinite:
            return f"{self.kld:.6f} nats (divergence from the true distribution)"
        more = len(self.infinite) - 1
        return f"infinite: {self.infinite[0]}" + (f" (and {more:,} more such)" if more else "")


def evaluate(
    true: AnyNet, learned: AnyNet, *, floor: float = 0.0, memory: float = DEFAULT_MEMORY
) -> Evaluation:
    """Compare a learned network with the true one.

    Parameters
    ----------
    true, learned : network or path
        The networks, over the same variables.
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
    true, learned = as_bayes_net(true, "true"), as_bayes_net(learned, "learned")
    kld, infinite = measured(true, learned, floor=floor, memory=memory)
    return Evaluation(
        kld,
        adjacency_agreement(true.dag, learned.dag),
        arrowhead_agreement(true.dag, learned.dag),
        structural_hamming_distance(true.dag, learned.dag),
        infinite,
    )


def _rates(agreement: Agreement) -> dict[str, float]:
    return {"precision": agreement.precision, "recall": agreement.recall, "f": agreement.f}
