"""I-map learning over the common searches, each under a name of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom.engine import Engine
from bayesloom.independence import (
    AlphaSpending,
    ChiSquare,
    Control,
    FixedAlpha,
    IndependenceTest,
)
from bayesloom.scores import BDeu, BDm, Score
from bayesloom.search.dag.hill_climbing import HillClimbing
from bayesloom.search.equivalence.climb import check_equivalent
from bayesloom.search.equivalence.ges import GES
from bayesloom.search.equivalence.xges import XGES
from bayesloom.search.imap.covering import Mode
from bayesloom.search.imap.il import IL, LocalSearch
from bayesloom.search.limits import Limits
from bayesloom.search.restriction import chordal_graph
from bayesloom.search.result import ScoredResult
from bayesloom.search.search import BaseSearch, Search, Testing
from bayesloom.search.watch import Watch

if TYPE_CHECKING:
    from bayesloom.graphs import ChordalGraph

_TRIES = 50  # of IXGES, per variable: twice what second thoughts need on public networks


@dataclass(frozen=True)
class Shorthand(BaseSearch):
    """I-map learning over one kind of local search, with the options of both."""

    score: Score = BDeu()
    test: IndependenceTest = ChiSquare()
    control: Control = FixedAlpha()
    mode: Mode = Mode.REPEAT
    within: ChordalGraph | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "within", chordal_graph(self.within))
        if hasattr(self, "lookahead"):
            self._check_whole(lookahead=1)
        assert self.schema  # which checks the other options

    @abstractmethod
    def _local(self) -> LocalSearch:
        """Return the local search."""

    @property
    def schema(self) -> IL:
        """The same search in its general form."""
        return IL(self._local(), self.test, self.control, self.mode)

    def parts(self) -> Iterator[Search]:
        """Yield the search in its general form and the local search in it."""
        return self.schema.parts()

    def testing(self) -> Testing:
        """Return the test and its control."""
        return self.schema.testing()

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        return self.schema.search(engine, limits, watch)


@dataclass(frozen=True)
class IGES(Shorthand):
    """I-map learning with greedy equivalence search: ``IL(GES(score))``.

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value.
    test, control, mode
        As in `IL`.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges; dependencies may stay uncovered then.

    lookahead : int
        As in `GES`.

    Examples
    --------
    >>> IGES(score=BDeu(ess=10, kappa=0.001), control=FixedAlpha(0.01)).control
    FixedAlpha(alpha=0.01)
    """

    lookahead: int = 1

    def _local(self) -> GES:
        check_equivalent(self.score, "IGES")
        return GES(score=self.score, within=self.within, lookahead=self.lookahead)


@dataclass(frozen=True)
class IXGES(Shorthand):
    """I-map learning with extreme greedy equivalence search, the default: ``IL(XGES(score))``.

    Second thoughts end after 50 operators per variable (``XGES(tries=50)``).

    Parameters
    ----------
    score : Score
        What is maximised; it has to give equivalent graphs the same value. The study in
        ``docs/study.md`` says why it is a Dirichlet mixture with a prior on edges.
    test, control, mode
        As in `IL`.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges; dependencies may stay uncovered then.
    lookahead : int
        As in `XGES`.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> net = learn({"rain": ["no", "yes"] * 20, "wet": ["no", "yes"] * 20}, IXGES())
    >>> net.edges, net.undirected
    ((), (('rain', 'wet'),))
    """

    score: Score = BDm(sparsity=1)
    control: Control = AlphaSpending()
    lookahead: int = 1

    def _local(self) -> XGES:
        check_equivalent(self.score, "IXGES")
        return XGES(score=self.score, tries=_TRIES, within=self.within, lookahead=self.lookahead)


@dataclass(frozen=True)
class IHC(Shorthand):
    """I-map learning with hill climbing over DAGs: ``IL(HillClimbing(score))``.

    Parameters
    ----------
    score : Score
        What is maximised.
    test, control, mode
        As in `IL`.
    within : ChordalGraph or learned Markov network, optional
        Only its links may become edges; dependencies may stay uncovered then.
    """

    def _local(self) -> HillClimbing:
        return HillClimbing(score=self.score, within=self.within)
