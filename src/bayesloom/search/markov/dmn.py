"""Decomposable Markov networks: search over chordal graphs by sets of links."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bayesloom.engine import Engine, numeric_columns
from bayesloom.errors import (
    DataError,
    KnowledgeError,
    OptionError,
    check_flag,
    check_kind,
    check_number,
)
from bayesloom.graphs import ChordalGraph, bits, clique_forest
from bayesloom.scores import BIC, LogLikelihood, Score
from bayesloom.search.limits import Limits
from bayesloom.search.markov.chordal_climb import ChordalClimb, Rules, undirected_limits
from bayesloom.search.restriction import aligned
from bayesloom.search.result import ScoredResult
from bayesloom.search.search import BaseSearch
from bayesloom.search.watch import Watch

_USUAL = BIC(sparsity=1.5)


@dataclass(frozen=True, slots=True)
class DMN(BaseSearch):
    """Learn a decomposable Markov network by adding sets of up to ``lookahead`` links.

    The graph stays chordal. Its score is N times (minus the entropy of the model, minus alpha
    times its number of parameters). As long as a single link helps, the best is added; when none
    does, sets of two, then three links and so on are tried together, which finds variables that
    are pairwise independent but jointly dependent. After every success single links come first
    again.

    Parameters
    ----------
    lookahead : int
        The most links that are added at once; 3 finds the parity of three bits.
    score : LogLikelihood, AIC or BIC
        What is maximised: a likelihood with a price per parameter and, as ``sparsity`` says, per
        link. By default a link costs 1.5 log n among n variables: the more pairs and sets there are
        to choose from, the more of them look dependent by chance.
    alpha : float, optional
        Another price of a parameter, in nats per row, and none per link; for BIC it is
        log N / (2 N), for AIC 1 / N.
    max_clique : int, optional
        The most variables a clique may have.
    start : ChordalGraph, optional
        Where to start; by default the graph without links.
    backward : bool
        Take links away again where that helps, and go on until neither helps.
    significance : float, optional
        Add links only if 2 N times the fall of entropy is significant at this level, against
        chi-square with as many degrees of freedom as parameters are added.

    References
    ----------
    Y. Xiang, J. Lee: Local score computation in learning belief networks, 2001. Y. Xiang, S. Wong,
    N. Cercone: A microscopic study of minimum entropy search in learning decomposable Markov
    networks, Machine Learning 26, 1997.

    Examples
    --------
    >>> DMN(lookahead=0)
    Traceback (most recent call last):
    bayesloom.errors.OptionError: lookahead must be at least 1, got 0
    """

    lookahead: int = 3
    score: Score = _USUAL
    alpha: float | None = None
    max_clique: int | None = None
    start: ChordalGraph | None = None
    backward: bool = False
    significance: float | None = None

    def __post_init__(self) -> None:
        self._check_whole(lookahead=1, max_clique=1)
        self._check_score()
        if self.start is not None:
            check_kind("start", self.start, ChordalGraph, "a ChordalGraph")
        check_flag("backward", self.backward)
        if self.significance is not None:
            check_number("significance", self.significance, above=0, below=1)

    def _check_score(self) -> None:
        if not isinstance(self.score, LogLikelihood) or self.score.per_parent is not None:
            msg = (
                "DMN maximises a likelihood with a price per parameter and per link: "
                f"LogLikelihood, AIC or BIC without per_parent, got {self.score!r}"
            )
            raise OptionError(msg)
        if self.alpha is None:
            return
        check_number("alpha", self.alpha, least=0)
        if self.score != _USUAL:
            msg = f"alpha takes the place of a score; give one of them, not also {self.score!r}"
            raise OptionError(msg)

    def goal(self, n_rows: int) -> Score:
        """Return what is maximised with so many rows, ``alpha`` written as a penalty of BIC.

        Examples
        --------
        >>> DMN(alpha=0.0).goal(1000).name, DMN().goal(1000) == BIC(sparsity=1.5)
        ('loglik', True)
        """
        if self.alpha is None:
            return self.score
        if self.alpha == 0:
            return LogLikelihood()
        if n_rows == 1:  # where BIC has no price
            return LogLikelihood(kappa=math.exp(-min(self.alpha, 700.0)))
        return BIC(penalty=2 * self.alpha * n_rows / math.log(n_rows))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        climb = self._begin(engine, limits, watch)
        with watch.heeded():
            self._grow(climb, watch)
            while self.backward and self._shrink(climb, watch):
                self._grow(climb, watch)
        return climb.result(watch)

    def _grow(self, climb: ChordalClimb, watch: Watch) -> None:
        """Add link sets, single links first, until none up to the lookahead helps."""
        size = 1
        while size <= self.lookahead and watch.may_go_on():
            links = climb.best_link() if size == 1 else climb.best_set(size, watch)
            if links is None:
                size += 1
            else:
                climb.add(links, watch)
                size = 1

    def _shrink(self, climb: ChordalClimb, watch: Watch) -> bool:
        """Take single links away as long as that helps."""
        shrunk = False
        while watch.may_go_on() and (link := climb.best_removal()) is not None:
            climb.remove(link, watch)
            shrunk = True
        return shrunk

    def _begin(self, engine: Engine, limits: Limits, watch: Watch) -> ChordalClimb:
        """Stand at the start with the rules that options and limits make.

        Raises
        ------
        DataError
            If there are both numbers and categories.
        """
        numeric = numeric_columns(engine)
        if numeric.any() and not numeric.all():
            number, category = (engine.names[int(some.argmax())] for some in (numeric, ~numeric))
            msg = (
                "a decomposable Markov network is learned of numbers alone or of categories alone, "
                f"and {number} is a number, {category} a category; learn a Bayesian network, with "
                "GES() for example, or cut the numbers (numbers='cut')"
            )
            raise DataError(msg)
        most = min(self.max_clique or engine.n_variables, limits.most + 1)
        rules = Rules(undirected_limits(limits), most, self.significance)
        start = [0] * engine.n_variables
        if self.start is not None:
            start = aligned(self.start, engine.names, "the start graph")
            _check_start(start, rules, engine.names)
        return ChordalClimb.of(engine, rules, start, self.goal(engine.n_rows), watch)


def _check_start(start: list[int], rules: Rules, names: tuple[str, ...]) -> None:
    for v, mask in enumerate(start):
        for w in bits(mask & rules.forbidden[v]):
            msg = f"the start graph has the link {names[v]} - {names[w]}, which is not allowed"
            raise KnowledgeError(msg)
    largest = max(clique_forest(start)[0], key=int.bit_count, default=0)
    if largest.bit_count() > rules.max_clique:
        msg = (
            f"the start graph has a clique of {largest.bit_count()} variables, and at most "
            f"{rules.max_clique} are allowed"
        )
        raise KnowledgeError(msg)
