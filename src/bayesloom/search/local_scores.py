"""A memory of local scores, asked for in batches."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom import _native
from bayesloom.engine import Batch, Engine
from bayesloom.engine.batch import Floats
from bayesloom.scores import Score


class LocalScores:
    """Local scores by child and parent mask; what is missing is asked for in one batch."""

    __slots__ = ("engine", "memory", "score")

    def __init__(self, engine: Engine, score: Score) -> None:
        self.engine = engine
        self.score = score
        self.memory = _native.LocalScores(engine.n_variables)

    def __getitem__(self, family: tuple[int, int]) -> float:
        """Return the score of a family (child, parents) that has been asked for."""
        return self.memory.family(*family)

    def row(self, child: int, base: int) -> Floats:
        """Return the scores of a child given a base and each further parent asked for, else NaN."""
        return self.memory.row(child, base)

    def ask(
        self,
        rows: Sequence[tuple[int, int, int]],
        families: Sequence[tuple[int, int]] = (),
    ) -> None:
        """Make sure that scores are known, with one batch for all that are not.

        Parameters
        ----------
        rows : sequence of (child, base, partners)
            The scores of the child given the base alone, and with each of the partners (a mask).
        families : sequence of (child, parents)
            Single families.
        """
        self.memory.want(rows, families)
        self.settle()

    def settle(self) -> None:
        """Ask for what the memory has noted and does not know yet: one batch."""
        missing = self.memory.missing()
        if missing is None:
            return
        try:
            self.memory.fill(self.score.local_scores(self.engine, Batch(*missing)))
        except BaseException:
            self.memory.give_up()
            raise

    def __len__(self) -> int:
        return len(self.memory)
