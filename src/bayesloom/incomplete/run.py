"""The record of a run of EM, as networks keep and show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesloom.errors import FileFormatError
from bayesloom.incomplete.expectation import Halt, Maximum


@dataclass(frozen=True, slots=True)
class EMRun:
    """How EM came to the parameters of a network.

    Parameters
    ----------
    log_likelihood : float
        The log-likelihood of the known cells at the end, in nats.
    values : tuple of float
        What was maximised, after each step: the log-likelihood, with an estimator that smooths
        plus the logarithm of its prior, up to a constant. It never falls.
    halt : Halt
        Why it ended.
    missing : int
        How many cells were missing.
    starts : int
        From how many starts it ran; the best is told here.

    Examples
    --------
    >>> print(EMRun(-12.5, (-14.0, -13.5), Halt.CONVERGED, 3))
    EM over 3 missing cells: 2 steps, log-likelihood -12.5000, converged
    """

    log_likelihood: float
    values: tuple[float, ...]
    halt: Halt
    missing: int
    starts: int = 1

    @classmethod
    def of(cls, found: Maximum, missing: int, starts: int) -> EMRun:
        """Return the record of a run."""
        return cls(found.log_likelihood, found.values, found.halt, missing, starts)

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.values)

    @property
    def converged(self) -> bool:
        """Whether it ended because nothing was gained any more."""
        return self.halt is Halt.CONVERGED

    def __str__(self) -> str:
        cells = f"{self.missing:,} missing cell{'s' * (self.missing != 1)}"
        steps = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        if self.starts > 1:
            steps += f" from the best of {self.starts:,} starts"
        end = "converged" if self.converged else self.halt.value
        return f"EM over {cells}: {steps}, log-likelihood {self.log_likelihood:,.4f}, {end}"

    def to_dict(self) -> dict[str, object]:
        """Return the run as plain data."""
        return {
            "log_likelihood": self.log_likelihood,
            "values": list(self.values),
            "steps": self.steps,
            "converged": self.converged,
            "halt": self.halt.name.lower(),
            "missing": self.missing,
            "starts": self.starts,
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], where: str = "") -> EMRun:
        """Return the run that plain data tell.

        Raises
        ------
        FileFormatError
            If they tell none.
        """
        try:
            return cls(
                float(told["log_likelihood"]),
                tuple(map(float, told["values"])),
                Halt[str(told["halt"]).upper()],
                int(told["missing"]),
                int(told["starts"]),
            )
        except (KeyError, TypeError, ValueError):
            msg = "the record of EM is damaged; fit the network again"
            raise FileFormatError(msg, where) from None
