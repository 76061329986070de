"""Grow-Shrink: the Markov blanket of every variable, then who is joined and which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.engine import Engine
from bayesloom.search.constraint.blankets import Blankets, BlanketSearch
from bayesloom.search.constraint.tester import Flags
from bayesloom.search.watch import Watch


@dataclass(frozen=True, slots=True)
class GrowShrink(BlanketSearch):
    """The Grow-Shrink algorithm: blankets by taking in what depends, then out what does not.

    Growing takes in, of the variables that are dependent on the target given its blanket, the one
    that comes first by dependence on the target alone; shrinking takes out the member that is most
    clearly independent given the others, until none is. All targets grow in step, one question to
    the engine per round. Two variables may be joined if each is in the other's blanket; these
    pairs are then tested, and directed, as in `PC`.

    Parameters
    ----------
    test, control, inconclusive, max_given
        As in `PC`; ``max_given`` limits what is given once the blankets are known.

    References
    ----------
    D. Margaritis, S. Thrun: Bayesian network induction via local neighborhoods, NIPS 1999.

    Examples
    --------
    >>> from bayesloom.facade import markov_blanket
    >>> rain, day = ["no", "yes", "yes", "no"] * 50, ["even", "odd"] * 100
    >>> markov_blanket({"rain": rain, "wet": rain, "day": day}, "wet", GrowShrink()).members
    ('rain',)
    """

    def blankets(
        self, engine: Engine, targets: Sequence[int], required: Sequence[int], watch: Watch
    ) -> Blankets:
        """Learn the blankets of some variables."""
        blankets = Blankets(self._tester(engine, watch), targets, required)
        order: dict[int, Floats] = {}

        def first(t: int, others: Sequence[int], rejected: Flags, log_p: Floats) -> list[int]:
            if t not in order:
                alone = np.full(engine.n_variables, np.inf)
                alone[list(others)] = log_p
                order[t] = alone
            if not rejected.any():
                return []
            ranks = np.where(rejected, order[t][list(others)], np.inf)
            return [others[int(ranks.argmin())]]

        with watch.heeded():
            left = list(targets)
            while left and watch.may_go_on(ahead=blankets.rounds):
                left = blankets.grow(left, first)
            blankets.shrink(targets)
        return blankets
