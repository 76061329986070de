"""IAMB: Markov blankets by incremental association, plain, interleaved and fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bayesloom.arrays import Floats
from bayesloom.engine import Engine
from bayesloom.errors import check_kind
from bayesloom.graphs import bits
from bayesloom.search.constraint.blankets import Blankets, BlanketSearch, strongest
from bayesloom.search.constraint.tester import Flags
from bayesloom.search.constraint.testing_search import TestingSearch
from bayesloom.search.watch import Watch


class Variant(Enum):
    """How growing and shrinking alternate in IAMB.

    PLAIN: grow to the end, then shrink. INTER: shrink after every variable that is taken in, so
    that blankets stay small and tests strong. FAST: take in all dependent variables that the rows
    allow, the strongest first, then shrink, and so on.
    """

    PLAIN = "plain"
    INTER = "inter"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class IAMB(BlanketSearch):
    """Incremental association Markov blanket: take in the strongest, then out what is independent.

    Growing takes in the variable of the smallest p-value among those that are dependent on the
    target given its blanket. With a control of the false discovery rate, such as
    ``BenjaminiHochberg``, a round of growing rejects by that rate. Afterwards as in `GrowShrink`.

    Parameters
    ----------
    test, control, inconclusive, max_given
        As in `PC`; ``max_given`` limits what is given once the blankets are known.
    variant : Variant
        How growing and shrinking alternate.

    References
    ----------
    I. Tsamardinos, C. F. Aliferis, A. Statnikov: Algorithms for large scale Markov blanket
    discovery, FLAIRS 2003.
    S. Yaramakala, D. Margaritis: Speculative Markov blanket discovery for optimal feature
    selection, ICDM 2005.
    J. M. Pena: Learning Gaussian graphical models of gene networks with false discovery rate
    control, EvoBIO 2008.

    Examples
    --------
    >>> from bayesloom.facade import markov_blanket
    >>> rain, day = ["no", "yes", "yes", "no"] * 50, ["even", "odd"] * 100
    >>> markov_blanket(
    ...     {"rain": rain, "wet": rain, "day": day}, "wet", IAMB(variant=Variant.INTER)
    ... ).members
    ('rain',)
    """

    variant: Variant = Variant.PLAIN

    def __post_init__(self) -> None:
        TestingSearch.__post_init__(self)
        check_kind("variant", self.variant, Variant, "a Variant such as Variant.PLAIN")

    def blankets(
        self, engine: Engine, targets: Sequence[int], required: Sequence[int], watch: Watch
    ) -> Blankets:
        """Learn the blankets of some variables."""
        blankets = Blankets(self._tester(engine, watch), targets, required)
        with watch.heeded():
            if self.variant is Variant.PLAIN:
                self._grow_to_the_end(blankets, watch)
            else:
                self._alternate(blankets, watch)
            blankets.shrink(targets)
        return blankets

    def _grow_to_the_end(self, blankets: Blankets, watch: Watch) -> None:
        left = list(blankets.targets)
        while left and watch.may_go_on(ahead=blankets.rounds):
            left = blankets.grow(left, _take_one)

    def _alternate(self, blankets: Blankets, watch: Watch) -> None:
        """Shrink after every round of growing; a target that comes back to a blanket is done."""
        take = _take_one if self.variant is Variant.INTER else _Many(blankets)
        seen = {(t, members) for t, members in blankets.members.items()}
        left = list(blankets.targets)
        while left and watch.may_go_on(ahead=blankets.rounds):
            grown = blankets.grow(left, take)
            blankets.shrink(grown)
            left = [t for t in grown if (t, blankets.members[t]) not in seen]
            seen |= {(t, blankets.members[t]) for t in left}


def _take_one(_: int, others: Sequence[int], rejected: Flags, log_p: Floats) -> list[int]:
    return strongest(others, rejected, log_p)


@dataclass(frozen=True, slots=True)
class _Many:
    """Take in every dependent variable, the strongest first, as long as the rows suffice."""

    blankets: Blankets

    def __call__(self, t: int, others: Sequence[int], rejected: Flags, log_p: Floats) -> list[int]:
        engine, test = self.blankets.tester.engine, self.blankets.tester.test
        members = [t, *bits(self.blankets.members[t])]
        chosen: list[int] = []
        for k in log_p.argsort(kind="stable").tolist():
            if rejected[k]:
                members.append(others[k])
                if chosen and not test.suffices(engine, members):
                    break
                chosen.append(others[k])
        return chosen
