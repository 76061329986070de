"""The graphs of classifiers: the star of naive Bayes, TAN's tree, or what any search finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bayesloom.classification.cases import Cases, Family
from bayesloom.errors import OptionError, UnknownVariableError, check_flag, check_kind, check_whole
from bayesloom.graphs import DAG, bits
from bayesloom.scores import K2Score
from bayesloom.search import HillClimbing, Knowledge, Limits, Watch
from bayesloom.search.dag.chow_liu import edge_prices, edge_weights, heaviest_tree
from bayesloom.search.dag.tan import TAN, class_informations, smoothed_information

if TYPE_CHECKING:
    from bayesloom.arrays import Floats
    from bayesloom.search import Search


USUAL_SEARCH = HillClimbing(K2Score())
"""The search of a classifier whose structure is searched for, if nobody names another."""


class ClassStructure(Protocol):
    """How the graph of a classifier comes about."""

    def dag(self, cases: Cases) -> DAG:
        """Return the graph over the attributes and the class."""


@dataclass(frozen=True, slots=True)
class StarStructure:
    """Naive Bayes: the class is the one parent of every attribute."""

    def dag(self, cases: Cases) -> DAG:
        """Return the graph over the attributes and the class."""
        m = len(cases.attributes)
        return DAG(cases.names, (*([1 << m] * m), 0))


@dataclass(frozen=True, slots=True)
class TreeStructure:
    """TAN: the class above every attribute, and a maximum spanning tree among these.

    Parameters
    ----------
    root, forest, pseudocount
        As in `bayesloom.TAN`; the root is by default the first attribute in name order.
    """

    root: str | None = None
    forest: bool = False
    pseudocount: float = 0.0

    def __post_init__(self) -> None:
        TAN("", self.root, self.forest, self.pseudocount)  # which checks them

    def dag(self, cases: Cases) -> DAG:
        """Return the graph over the attributes and the class."""
        m = len(cases.attributes)
        names = cases.names[:m]
        if self.root is not None and self.root not in names:
            raise UnknownVariableError(self.root, names, "as the root")
        order = [*sorted(range(m), key=names.__getitem__), m]  # equal weights: the first by name
        ordered = tuple(cases.names[v] for v in order)
        cardinality = np.array([len(cases.states[v]) for v in order], np.int32)
        information = self._informations(cases)[np.ix_(order, order)][np.triu_indices(m + 1, 1)]
        alone = cardinality == 1
        alone[m] = True
        classes = int(cardinality[m])
        free = np.outer(cardinality - 1.0, cardinality - 1.0)[np.triu_indices(len(cardinality), 1)]
        price = edge_prices(free, cases.total, classes) if self.forest else None
        limits = Limits.none(ordered)
        weights = edge_weights(information, alone, limits, price)
        root = None if self.root is None else ordered.index(self.root)
        tree = heaviest_tree(weights, limits, root)
        return DAG(ordered, (*(mask | 1 << m for mask in tree[:m]), 0)).reordered(cases.names)

    def _informations(self, cases: Cases) -> Floats:
        """Return the matrix of informations given the class; those with the class are 0."""
        m = len(cases.attributes)
        above = np.triu_indices(m + 1, 1)
        square = np.zeros((m + 1, m + 1))
        square[above] = square.T[above] = self._of_pairs(cases)
        return square

    def _of_pairs(self, cases: Cases) -> Floats:
        """Return the informations of all pairs in order."""
        m = len(cases.attributes)
        if cases.weights is None and not any(cases.holes):
            found = class_informations(cases.engine(), m, self.pseudocount, Watch())
            if found is None:  # a watch without a budget never runs out
                raise KeyboardInterrupt
            return found
        a, b = np.triu_indices(m + 1, 1)
        information = np.zeros(len(a))
        for x in range(m):
            tables = cases.counts([(y, (m, x)) for y in range(x + 1, m)])
            information[(a == x) & (b < m)] = [
                smoothed_information(table, self.pseudocount) for table in tables
            ]
        return information


@dataclass(frozen=True, slots=True)
class SearchedStructure:
    """The graph that a search finds, as it is or with the class above every attribute.

    Parameters
    ----------
    search : Search
        Any search.
    augmented : bool
        Require the class as a parent of every attribute (augmented naive Bayes).
    max_parents : int, optional
        The most parents of a variable, the class among them.
    """

    search: Search
    augmented: bool = False
    max_parents: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.search, type) or not callable(getattr(self.search, "search", None)):
            msg = f"search must be a search such as HillClimbing(), got {self.search!r}"
            raise OptionError(msg)
        check_flag("augmented", self.augmented)
        if self.max_parents is not None:
            check_whole("max_parents", self.max_parents, 1 if self.augmented else 0)

    def dag(self, cases: Cases) -> DAG:
        """Return the graph over the attributes and the class, learned from complete rows."""
        from bayesloom.engine import NativeEngine
        from bayesloom.errors import AbsentError

        table = cases.complete().table()
        engine = NativeEngine(table.in_name_order(), cases.threads)
        constant = engine.constant.tolist()
        varying = [name for v, name in enumerate(engine.names) if not constant[v]]
        required = [
            (cases.target, name)
            for name in varying
            if self.augmented and name != cases.target and cases.target in varying
        ]
        limits = Knowledge(required=required).limits(engine.names, self.max_parents)
        result = self.search.search(engine, limits.over(engine), Watch())
        if result.dag is None:
            msg = "no DAG extends the graph that the search found, so it is no classifier"
            raise AbsentError(msg)
        return result.dag.reordered(cases.names)


def families_of(dag: DAG) -> list[Family]:
    """Return the child and the parents of every node."""
    return [(v, tuple(bits(mask))) for v, mask in enumerate(dag.parent_masks)]


def check_structure(structure: object) -> None:
    """Refuse what makes no graph."""
    wanted = "a structure such as StarStructure() or TreeStructure()"
    check_kind("structure", structure, StarStructure | TreeStructure | SearchedStructure, wanted)
