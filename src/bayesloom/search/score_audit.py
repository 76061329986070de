"""Whether scores of somebody's own add up, which climbs rely on in order to come to an end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from bayesloom.engine import Batch, Engine
from bayesloom.errors import OptionError, shown
from bayesloom.graphs import bits, mask_of
from bayesloom.registry import SCORES
from bayesloom.scores import Score
from bayesloom.scores.decomposable import set_parameters
from bayesloom.scores.score import checked_scores, family_batch
from bayesloom.search.limits import Limits
from bayesloom.search.local_scores import tolerance

_FIRST_LOOK = 64  # moves; twice as many lie before every further look
_ROUGH = 1e-5  # of a score in single precision: rounding is far below
_MOST_CELLS = 1 << 16  # of a table over three variables: the search may never ask for a larger one

_Family = tuple[int, int]  # a child and the mask of its parents


@dataclass(slots=True)
class ScoreAudit:
    """Holds a score or an engine of somebody's own to what climbs rely on.

    A climb adds up what its moves gain. The sum is the score of its graph only if a family scores
    the same whenever it is asked for and, over equivalence classes, if equivalent graphs score the
    same; else it may rise for ever while the climb goes round in a circle. So equivalent graphs
    over a few variables are compared before a search over classes begins (`probe`), and the sum
    is compared with the score of the graph after 64 moves, after 128 and so on, and at the end. In
    a circle every move adds more to the sum than rounding does, so a look finds it.

    What the package itself scores and counts adds up by construction and is not asked. What is
    asked here is not remembered, and no candidate of the search. Scores in single precision, which
    equivalent graphs share but for rounding, are taken: climbs then go by the score of a member.
    """

    score: Score
    engine: Engine
    moves: int = 0
    """Those of all climbs of a search, also of its trials."""
    next_look: int = _FIRST_LOOK
    largest: float = 0.0
    """The largest absolute value that a sum has had, whose rounding stays in it."""
    is_probed: bool = False
    is_rough: bool = False
    """Whether it gives numbers of single precision, which differ by rounding in a class."""

    def probe(self, limits: Limits) -> None:
        """Compare complete graphs over two or three variables: one batch, the first time only.

        Raises
        ------
        OptionError
            If two of them, which are equivalent, score differently.
        """
        if self.is_probed:
            return
        self.is_probed = True
        groups = list(self._groups(limits))
        orders = [list(map(_families, permutations(group))) for group in groups]
        asked = list(dict.fromkeys(f for group in orders for order in group for f in order))
        if not asked:
            return
        batch = family_batch([(child, bits(mask)) for child, mask in asked])
        values = checked_scores(self.score, self.engine, batch)
        with np.errstate(over="ignore"):
            self.is_rough = bool((values.astype(np.float32) == values).all())
        local = dict(zip(asked, values.tolist(), strict=True))
        for first, *others in orders:
            total = math.fsum(local[family] for family in first)
            for other in others:
                found = math.fsum(local[family] for family in other)
                if self._differ(total, found):
                    self._refuse(
                        "is not the same for equivalent graphs",
                        f"{self._edges(first)} scores {total:,.6f}",
                        f"{self._edges(other)} scores {found:,.6f}",
                        abs(found - total),
                    )

    def saw_move(self, reckoned: float, gain: float, parents: Callable[[], Sequence[int]]) -> None:
        """Count a move and, now and then, look whether the sum is the score of the graph."""
        self.moves += 1
        self.largest = max(self.largest, abs(reckoned), abs(gain))
        if self.moves == self.next_look:
            self.next_look *= 2
            self.compare(reckoned, self.score.total(self.engine, parents()))

    def compare(self, reckoned: float, total: float) -> None:
        """Refuse a sum of gains that is not the score of the graph they have led to.

        Raises
        ------
        OptionError
            If they differ by more than rounding.
        """
        if self._differ(reckoned, total):
            self._refuse(
                "does not add up",
                f"by the moves of the search a graph comes to {reckoned:,.6f}",
                f"it scores {total:,.6f}",
                abs(total - reckoned),
            )

    def _groups(self, limits: Limits) -> Iterator[tuple[int, ...]]:
        """Yield the pairs and the three that are compared: of fewest states, first in name order.

        They are among the variables that vary and that may be joined with each other.
        """
        singles = Batch.sets((v,) for v in range(self.engine.n_variables))
        states = (1 + self.engine.free_parameters(singles)).tolist()
        varied = mask_of(np.flatnonzero(~self.engine.constant).tolist())
        order = sorted(bits(varied), key=lambda v: states[v])
        for a in order if limits.most else ():
            near = [v for v in order if limits.pairs[a] >> v & 1]
            if not near:
                continue
            b = near[0]
            third = [v for v in near[1:] if limits.pairs[b] >> v & 1][:1]
            chosen = sorted([a, b, *third])
            yield from combinations(chosen, 2)
            if third and limits.most > 1 and set_parameters(self.engine, [chosen])[0] < _MOST_CELLS:
                yield tuple(chosen)
            return

    def _differ(self, one: float, other: float) -> bool:
        """Say whether two scores are further apart than rounding, which grows with the rows, too.

        A sum that began at minus infinity is no number and says nothing.
        """
        if one == other or math.isnan(one):
            return False
        sizes = self.largest, abs(one), abs(other), float(self.engine.n_rows)
        size = max(size for size in sizes if size < math.inf)
        return abs(one - other) > (_ROUGH * size if self.is_rough else tolerance(size))

    def _edges(self, families: Sequence[_Family]) -> str:
        names = self.engine.names
        edges = [(p, child) for child, mask in families for p in bits(mask)]
        return ", ".join(f"{shown(names[p])} -> {shown(names[child])}" for p, child in edges)

    def _refuse(self, fault: str, one: str, other: str, difference: float) -> None:
        msg = (
            f"the score {SCORES.name_of(self.score)} over {type(self.engine).__name__} {fault}: "
            f"{one} and {other}, a difference of {difference:.3g}; if that is meant, set "
            "equivalent = False in the class of the score (or one derived from it) and use "
            "HillClimbing, Tabu or Exact, else see that a family always scores the same"
        )
        raise OptionError(msg)


def _families(order: Sequence[int]) -> list[_Family]:
    """Return the families of the complete graph whose edges go forward in an order."""
    return [(v, mask_of(order[:k])) for k, v in enumerate(order)]
