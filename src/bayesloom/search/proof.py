"""What is proven of a network: how far below the optimum its score is at most."""

from __future__ import annotations

import math
from dataclasses import dataclass

_NOTHING = 1e-6  # nats


@dataclass(frozen=True, slots=True)
class Proof:
    """The score of a network and a bound that no network exceeds (upper bound, optimality gap).

    Parameters
    ----------
    best : float
        The score of the network, in nats.
    bound : float
        No network scores more than this; infinity if nothing has been proven.
    max_parents : int, optional
        The most parents that a variable has in the networks that the proof is about.

    Examples
    --------
    >>> proof = Proof(-1234.5, -1234.0)
    >>> proof.gap, proof.optimal, str(proof)
    (0.5, False, 'at most 0.5 nats below the optimum, proven')
    >>> str(Proof(-1234.5, -1234.5, max_parents=3))
    'optimal among networks with at most 3 parents per variable, proven'
    """

    best: float
    bound: float
    max_parents: int | None = None

    @property
    def gap(self) -> float:
        """How far below the optimum the score is at most; a millionth of a nat counts as 0."""
        gap = self.bound - self.best
        return gap if gap > _NOTHING else 0.0

    @property
    def optimal(self) -> bool:
        """Whether no network scores more."""
        return self.gap == 0

    @property
    def share(self) -> float:
        """The gap as a share of the score."""
        return 0.0 if self.optimal else self.gap / max(abs(self.best), _NOTHING)

    def to_dict(self) -> dict[str, object]:
        """Return the proof as plain data; a gap or a bound that is not known is None."""
        known = math.isfinite(self.bound)
        return {
            "optimal": self.optimal,
            "gap": self.gap if known else None,
            "best": self.best,
            "bound": self.bound if known else None,
            "max_parents": self.max_parents,
        }

    def __str__(self) -> str:
        among = ""
        if self.max_parents is not None:
            many = f"{self.max_parents} parent{'s' * (self.max_parents != 1)}"
            among = f" among networks with at most {many} per variable"
        if self.optimal:
            return f"optimal{among}, proven"
        if math.isinf(self.bound):
            return "nothing is proven yet of how far the optimum is; give it more time"
        return f"at most {self.gap:.6g} nats below the optimum{among}, proven"
