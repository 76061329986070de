"""Max-min hill climbing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bayesloom.engine import Engine
from bayesloom.independence import Control, FixedAlpha, IndependenceTest
from bayesloom.scores import BIC, Score
from bayesloom.search.constraint.parents_children import MMPC
from bayesloom.search.constraint.restricted import Restricted
from bayesloom.search.constraint.tester import Inconclusive
from bayesloom.search.constraint.testing_search import USUAL_TEST
from bayesloom.search.dag.hill_climbing import HillClimbing
from bayesloom.search.limits import Limits
from bayesloom.search.result import SearchResult
from bayesloom.search.search import BaseSearch, Search, Testing
from bayesloom.search.watch import Watch


@dataclass(frozen=True)
class MMHC(BaseSearch):
    """Max-min hill climbing: ``Restricted(MMPC(...), HillClimbing(score))``.

    Parameters
    ----------
    score : Score
        What is maximised.
    test, control, inconclusive, max_given
        As in `MMPC`.

    References
    ----------
    I. Tsamardinos, L. E. Brown, C. F. Aliferis: The max-min hill-climbing Bayesian network
    structure learning algorithm, Machine Learning 2006.

    Examples
    --------
    >>> MMHC(score=BIC(penalty=2), control=FixedAlpha(0.01)).schema.then.score
    BIC(kappa=None, per_parent=None, sparsity=None, penalty=2)
    """

    score: Score = BIC()
    test: IndependenceTest = USUAL_TEST
    control: Control = FixedAlpha()
    inconclusive: Inconclusive = Inconclusive.DEPENDENT
    max_given: int | None = 3

    def __post_init__(self) -> None:
        self._check_whole(max_given=0)
        assert self.schema  # which checks the other options

    @property
    def schema(self) -> Restricted:
        """The same search in its general form."""
        rule = MMPC(self.test, self.control, self.inconclusive, self.max_given)
        return Restricted(rule, HillClimbing(score=self.score))

    def parts(self) -> Iterator[Search]:
        """Yield the search in its general form and the climb in it."""
        return self.schema.parts()

    def testing(self) -> Testing | None:
        """Return the test and its control."""
        return self.schema.testing()

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> SearchResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.schema.search(engine, limits, watch)
