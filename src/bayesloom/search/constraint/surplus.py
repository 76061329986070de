"""What pairs share beyond chance: information minus complexity, remembered and asked in batches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import NONE
from bayesloom.graphs import bits
from bayesloom.scores import Score
from bayesloom.search.local_scores import LocalScores, tolerance
from bayesloom.search.watch import Watch

SharedBy = tuple[int, int, int]
"""x < y, and the mask of what is given."""

PAIRS_AT_ONCE = 1 << 18  # asked for in one batch


@dataclass(slots=True)
class Surpluses:
    """Informations of pairs minus complexity, in nats of all rows: a memory (cache) over scores.

    The surplus of x and y given a set is ``N I(x; y | set) - k``: by how much a score rises if x
    becomes a parent of y beside the set, or y one of x. The two are equal for a score that is
    equivalent; else, as for fNML, the surplus is their mean, in which the complexity is symmetric.
    Surpluses are rounded to multiples of 1e-11 per row, so that those that differ by rounding are
    equal.
    """

    engine: Engine
    score: Score
    watch: Watch
    scores: LocalScores = field(init=False)
    grain: float = field(init=False)
    n_asked: int = 0
    """How many families were scored."""
    _both_ways: bool = field(init=False)
    _known: dict[SharedBy, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scores = LocalScores(self.engine, self.score, self.watch.signal)
        self.grain = tolerance(float(self.engine.n_rows))
        self._both_ways = not self.score.is_equivalent(self.engine)

    def __getitem__(self, shared: SharedBy) -> float:
        return self._known[shared]

    def of(self, a: int, b: int, given: int) -> float:
        """Return the surplus of two variables in any order, which must have been asked for."""
        return self._known[shared_by(a, b, given)]

    def ask(self, wanted: Iterable[SharedBy]) -> None:
        """Make sure that surpluses are known: one batch, or a few if they are very many.

        Raises
        ------
        Stopped
            If the watch's signal is given meanwhile.
        """
        new = [shared for shared in dict.fromkeys(wanted) if shared not in self._known]
        for first in range(0, len(new), PAIRS_AT_ONCE):
            block = new[first : first + PAIRS_AT_ONCE]
            gains = self._gains(block)
            for x, y, given in block:
                gain = gains[y, given, x]
                if self._both_ways:
                    gain = 0.5 * (gain + gains[x, given, y])
                self._known[x, y, given] = round(gain / self.grain) * self.grain
            self.watch.tested(len(block))

    def _gains(self, block: list[SharedBy]) -> dict[tuple[int, int, int], float]:
        """Return by child, given set and parent how the score rises with the parent: one batch."""
        parents: dict[tuple[int, int], list[int]] = {}
        for x, y, given in block:
            parents.setdefault((y, given), []).append(x)
            if self._both_ways:
                parents.setdefault((x, given), []).append(y)
        batch = Batch.of((v, bits(given), (NONE, *xs)) for (v, given), xs in parents.items())
        values = iter(self.scores.answers(batch).tolist())
        self.n_asked += len(batch)
        found = {}
        for (child, given), xs in parents.items():
            alone = next(values)
            for x in xs:
                found[child, given, x] = next(values) - alone
        return found


def shared_by(a: int, b: int, given: int) -> SharedBy:
    """Return the pair of two variables in any order, and what is given."""
    return (a, b, given) if a < b else (b, a, given)
