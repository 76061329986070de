"""PC: take edges away by tests given more and more neighbours, then direct what is left."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.search.constraint.skeleton import Skeleton
from bayesloom.search.constraint.testing_search import (
    TestingSearch,
    oriented_result,
    refuse_max_parents,
)
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class PC(TestingSearch):
    """The PC algorithm in its stable form: a complete graph, thinned out by tests, then directed.

    Level by level, given 0, 1, 2, ... neighbours, every pair that is still joined is tested given
    all sets of so many neighbours of either end; all tests of a level are one question to the
    engine. Of the sets that take a pair apart the one with the largest p-value is told as its
    separating set. Then x - z - y becomes the collider x -> z <- y where z is in none of the sets
    of that level that take x and y apart, the clearest separation first, and Meek's rules direct
    what follows. Colliders that contradict clearer ones, knowledge or each other are left out and
    told as conflicts.

    Knowledge holds: required edges are never tested away, pairs that must not be joined are never
    joined, and tiers direct edges first. A limit on parents is refused.

    Parameters
    ----------
    test, control, inconclusive, max_given
        As in `TestingSearch`.

    References
    ----------
    P. Spirtes, C. Glymour, R. Scheines: Causation, prediction, and search, 1993.
    D. Colombo, M. H. Maathuis: Order-independent constraint-based causal structure learning, JMLR
    2014.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> rain, sprinkler = ["no", "yes"] * 40, ["off", "off", "on", "on"] * 20
    >>> wet = [r == "yes" or s == "on" for r, s in zip(rain, sprinkler)]
    >>> net = learn({"rain": rain, "sprinkler": sprinkler, "wet": [str(w) for w in wet]}, PC())
    >>> net.edges
    (('rain', 'wet'), ('sprinkler', 'wet'))
    >>> [(found.x, found.y, found.given) for found in net.separations]
    [('rain', 'sprinkler', ())]
    """

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        refuse_max_parents(limits, "PC")
        skeleton = self.skeleton(engine, limits, watch)
        return oriented_result(skeleton, limits, watch)

    def skeleton(self, engine: Engine, limits: Limits, watch: Watch) -> Skeleton:
        """Return who is joined, and which tests took the others apart."""
        skeleton = Skeleton.complete(limits, self._tester(engine, watch))
        skeleton.thin_out(self.max_given)
        return skeleton
