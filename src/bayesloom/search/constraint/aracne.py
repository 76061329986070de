"""ARACNE: dependent pairs, without the weakest pair of every triangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Engine
from bayesloom.errors import check_number
from bayesloom.graphs import bits
from bayesloom.graphs.spanning import TIE
from bayesloom.independence import Control, FixedAlpha, IndependenceTest
from bayesloom.search.constraint.orientation import Orientation, Oriented
from bayesloom.search.constraint.skeleton import Skeleton, required_pairs
from bayesloom.search.constraint.tester import Inconclusive, NodePair, Tester
from bayesloom.search.constraint.testing_search import (
    USUAL_TEST,
    check_testing,
    chosen_by_score,
    cut_off_notes,
    no_extension,
    refuse_max_parents,
    told_apart,
)
from bayesloom.search.dag.gains import as_matrix
from bayesloom.search.facts.fact import V
from bayesloom.search.facts.finding import Finding, ReportColumn
from bayesloom.search.facts.tested import Separation
from bayesloom.search.limits import Limits
from bayesloom.search.pair_scan import pair_informations
from bayesloom.search.result import SearchResult, Stop
from bayesloom.search.search import BaseSearch, Testing
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class Triangle(Finding[V]):
    """A triangle that took its weakest pair apart, by the data processing inequality.

    Parameters
    ----------
    x, y : int
        The pair, x < y; names in a record.
    middle : int
        The third variable: what x and y know of each other is taken to go through it.
    information : float
        The mutual information of x and y, in nats.
    sides : pair of float
        The mutual informations of x and of y with the middle; both are larger.
    """

    middle: V
    information: float
    sides: tuple[float, float]

    title: ClassVar[str] = "Triangles that took their weakest pair apart"
    columns: ClassVar[tuple[ReportColumn, ...]] = (
        ReportColumn("because of", "middle", "variable"),
        ReportColumn("information", "information"),
        ReportColumn("first with it", "sides", place=0),
        ReportColumn("second with it", "sides", place=1),
    )

    @property
    def given(self) -> tuple[V, ...]:
        """Nothing: the informations are those of pairs."""
        return ()

    def sentence(self, *, joined: bool = False) -> str:  # noqa: ARG002 - it always takes apart
        """Say which triangle took the pair apart.

        Examples
        --------
        >>> print(Triangle("A", "B", "C", 0.01, (0.2, 0.3)).sentence())
        The search took A and B apart because of C: their mutual information, 0.01 nats, is the \
smallest of the triangle; A and C share 0.2, B and C 0.3.
        """
        x, y, z = self.x, self.y, self.middle
        return (
            f"The search took {x} and {y} apart because of {z}: their mutual information, "
            f"{self.information:.4g} nats, is the smallest of the triangle; {x} and {z} share "
            f"{self.sides[0]:.4g}, {y} and {z} {self.sides[1]:.4g}."
        )


@dataclass(frozen=True, slots=True)
class ARACNE(BaseSearch):
    """ARACNE: the pairs that a test finds dependent, minus the weakest pair of every triangle.

    All pairs are tested in one question to the engine, and their mutual informations are a second.
    If x and y know of each other only through z, they share less information than either shares
    with z (data processing inequality): so of every three variables that are joined with each
    other the pair of the smallest information is taken apart. All triangles are judged on the same
    graph, before any pair goes, so no order matters; a pair that is not smaller than the other two
    by more than rounding stays.

    The result is a graph of undirected edges, which says who is joined and nothing of directions:
    at ``tolerance=0`` a graph without triangles, unless informations are equal or edges required.
    A DAG extends it if every cycle has a chord. Where it has none, as in general, or where
    directions are wanted, let ``Restricted(ARACNE(), HillClimbing())`` choose among its pairs.

    Knowledge holds: pairs that must not be joined are never joined, and make no triangle. Required
    edges are not tested and not taken apart. An edge that knowledge lets point one way only points
    that way, and so do those that follow if no other edges meet head to head. A limit on parents
    is refused.

    Parameters
    ----------
    test, control, inconclusive
        As in `PC`: which pairs are joined in the first place. ``FixedAlpha(1)`` joins all of them,
        as R's bnlearn does.
    tolerance : float
        From 0 to 1: a pair is taken apart if its information is below ``1 - tolerance`` times
        the smaller of the other two. 0 takes the weakest pair of all triangles, 1 of none.

    References
    ----------
    A. A. Margolin, I. Nemenman, K. Basso, C. Wiggins, G. Stolovitzky, R. Dalla Favera, A. Califano:
    ARACNE: an algorithm for the reconstruction of gene regulatory networks in a mammalian cellular
    context, BMC Bioinformatics 7 (Suppl 1), 2006.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> cause = ["no", "yes"] * 100
    >>> middle = ["yes" if k % 9 == 0 else c for k, c in enumerate(cause)]
    >>> effect = ["no" if k % 7 == 0 else m for k, m in enumerate(middle)]
    >>> net = learn({"cause": cause, "middle": middle, "effect": effect}, ARACNE())
    >>> net.undirected
    (('cause', 'middle'), ('effect', 'middle'))
    >>> [(found.x, found.y, found.middle) for found in net.separations]
    [('cause', 'effect', 'middle')]
    """

    test: IndependenceTest = USUAL_TEST
    control: Control = FixedAlpha()
    inconclusive: Inconclusive = Inconclusive.DEPENDENT
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        check_testing(self.test, self.control, self.inconclusive)
        check_number("tolerance", self.tolerance, least=0, most=1)

    def testing(self) -> Testing:
        """Return the test and its control."""
        return Testing(self.test, self.control)

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        instead = chosen_by_score("ARACNE")
        refuse_max_parents(limits, "ARACNE", does="joins pairs", instead=instead)
        tester = Tester(engine, self.test, self.control.decider(), self.inconclusive, watch)
        pairs = Skeleton.complete(limits, tester)
        pairs.thin_out(max_given=0)
        information = None
        if watch.may_go_on(ahead=pairs.level):
            information = pair_informations(engine, watch)
        triangles: dict[NodePair, Triangle] = {}
        if information is not None:
            weights = _square(information, engine.n_variables)
            triangles = weakest_pairs(pairs.adjacency, weights, self.tolerance)
            _take_apart(pairs.adjacency, triangles, required_pairs(limits))
        return _result(pairs, triangles, information, limits, watch)


def weakest_pairs(
    adjacency: Sequence[int], information: Floats, tolerance: float = 0.0
) -> dict[NodePair, Triangle]:
    """Return the pairs that a triangle of a graph takes apart, each with the clearest triangle.

    Of several triangles with a pair as the weakest the one is told in which the smaller of the
    other two informations is largest; ties go to the first.

    Parameters
    ----------
    adjacency : sequence of int
        Masks of who is joined with whom.
    information : array
        The square matrix of mutual informations.
    tolerance : float
        As in `ARACNE`.

    Examples
    --------
    >>> shared = np.array([[0.0, 0.3, 0.1], [0.3, 0.0, 0.2], [0.1, 0.2, 0.0]])
    >>> weakest_pairs([0b110, 0b101, 0b011], shared)
    {(0, 2): Triangle(x=0, y=2, middle=1, information=0.1, sides=(0.3, 0.2))}
    """
    joined = np.where(as_matrix(adjacency), information, -1.0)  # below any information
    found = {}
    for x, mask in enumerate(adjacency):
        others = [y for y in bits(mask) if y > x]
        if not others:
            continue
        through = np.minimum(joined[x], joined[others])
        clearest = through.max(axis=1)
        own = joined[x, others]
        for k in np.flatnonzero(own < (1.0 - tolerance) * clearest - TIE).tolist():
            y, middle = others[k], int(np.argmax(through[k] >= clearest[k] - TIE))
            sides = float(joined[x, middle]), float(joined[y, middle])
            found[x, y] = Triangle(x, y, middle, float(own[k]), sides)
    return found


def _take_apart(
    adjacency: list[int], triangles: dict[NodePair, Triangle], required: Sequence[int]
) -> None:
    """Take the weakest pairs out of a graph; those that are required stay in it."""
    for x, y in list(triangles):
        if required[x] >> y & 1:
            del triangles[x, y]
        else:
            adjacency[x] &= ~(1 << y)
            adjacency[y] &= ~(1 << x)


def _result(
    pairs: Skeleton,
    triangles: dict[NodePair, Triangle],
    information: Floats | None,
    limits: Limits,
    watch: Watch,
) -> SearchResult:
    """Direct what knowledge directs, and tell what took pairs apart."""
    oriented = Oriented.extended(*Orientation(pairs.adjacency, limits).closed(), limits)
    n = len(pairs.adjacency)
    apart: dict[NodePair, Finding] = {**pairs.separations, **triangles}
    partings = [found for _, found in sorted(apart.items())]
    told, notes = told_apart(
        partings, lambda found: not isinstance(found, Separation) or found.given
    )
    notes += cut_off_notes(watch, supposed=pairs.supposed)
    if oriented.dag is None:
        why = "it has cycles without a chord"
        if not limits.are_symmetric:
            why += ", or because of what knowledge directs"
        notes.append(no_extension(oriented, why))
        notes.append("Restricted(ARACNE(), HillClimbing()) chooses directions among its pairs")
    shared = None if information is None else _square(information, n)
    return SearchResult(
        dag=oriented.dag,
        graph=oriented.graph,
        score=None,
        steps=(),
        stop=watch.why(Stop.COMPLETE),
        candidates=0 if information is None else len(information),
        dependencies=tuple(
            found if shared is None else replace(found, information=float(shared[x, y]))
            for (x, y), found in sorted(pairs.weakest.items())
            if pairs.adjacency[x] >> y & 1
        ),
        tests=pairs.tester.tally,
        notes=tuple(notes),
        separations=tuple(told),
    )


def _square(information: Floats, n: int) -> Floats:
    """Return the informations of all pairs, which come in order, as a symmetric matrix."""
    square = np.zeros((n, n))
    above = np.triu_indices(n, 1)
    square[above] = square.T[above] = information
    return square
