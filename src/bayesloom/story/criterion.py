"""By which test, and at which level, a story calls two variables dependent."""

from __future__ import annotations

from dataclasses import dataclass

from bayesloom.engine import Engine, is_counting
from bayesloom.independence import ChiSquare, GSquare, IndependenceTest
from bayesloom.learning.record import LEVEL, Record
from bayesloom.registry import TESTS


@dataclass(frozen=True, slots=True)
class Criterion:
    """A test of independence and the level at which it is read.

    Parameters
    ----------
    test : IndependenceTest
        The test; its coverage rule says when there is a verdict.
    level : float
        The largest p-value that is called a dependency.
    """

    test: IndependenceTest = ChiSquare()
    level: float = LEVEL

    @classmethod
    def of(cls, record: Record | None, engine: Engine | None = None) -> Criterion:
        """Return the test of a search and its level; the common ones if it had none that is known.

        Over an engine that does not count, the common test is G-square.

        Examples
        --------
        >>> Criterion.of(None).level
        0.05
        """
        usual = cls() if engine is None or is_counting(engine) else cls(GSquare())
        if record is None or record.test is None:
            return usual
        test = TESTS.made(record.test)
        return usual if test is None else cls(test, record.level)

    def to_dict(self) -> dict[str, object]:
        """Return the criterion as plain data."""
        return {**TESTS.told(self.test)._asdict(), "level": self.level}
