"""What tests of a search found of pairs: dependencies, and independences that took pairs apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bayesloom.data.plain import Probability, stored
from bayesloom.errors import listed
from bayesloom.search.facts.fact import V
from bayesloom.search.facts.finding import Finding, ReportColumn
from bayesloom.search.facts.wording import freedom_text, p_text, rows_text, short

_TEST = (
    ReportColumn("given", "given", "variables"),
    ReportColumn("statistic", "statistic"),
    ReportColumn("df", "df"),
    ReportColumn("p", "log_p", "p"),
)


@dataclass(frozen=True, slots=True)
class Dependency(Finding[V]):
    """A rejected hypothesis: x and y are dependent given the rest.

    Parameters
    ----------
    x, y : int
        The pair, x < y; names in a record.
    given : tuple of int
        What was conditioned on, in order.
    statistic, df, p, log_p, min_expected : float
        The test that rejected independence; None as smallest expected count if it has none.
    covered : bool
        Whether x and y are d-connected given the rest in the graph at hand.
    rows : int, optional
        How many rows the test stands on, if cells are missing and they are not all.
    information : float, optional
        The conditional mutual information of x and y in the data, in nats.
    """

    given: tuple[V, ...]
    statistic: float
    df: float | None
    p: Probability
    log_p: float
    min_expected: float | None
    covered: bool = False
    rows: int | None = stored(brief=True, default=None)
    information: float | None = None

    title: ClassVar[str] = "Dependencies that the search detected"
    columns: ClassVar[tuple[ReportColumn, ...]] = (
        *_TEST,
        ReportColumn("covered", "covered", "flag"),
    )

    def to_dict(self) -> dict[str, object]:
        """Return the dependency as plain data, in the form of the command line's JSON."""
        return {key: value for key, value in self.stored().items() if key != "information"}

    def stored(self) -> dict[str, object]:
        """Return the dependency as files keep it, with its information."""
        return super(Dependency, self).to_dict()

    def sentence(self, *, joined: bool = False) -> str:  # noqa: ARG002 - coverage tells more
        """Say what the test found, and whether the network covers it.

        Examples
        --------
        >>> detected = Dependency("A", "B", ("C",), 9.0, 2.0, 0.011, -4.5, 20.0, True)
        >>> print(detected.sentence())
        The search found A ~ B given C (p = 0.011; statistic 9, 2 degrees of freedom, smallest \
expected count 20), and the network covers it.
        """
        fails = "but the network does not cover it"
        return f"The search found {self}, {'and the network covers it' if self.covered else fails}."

    def __str__(self) -> str:
        test = f"statistic {short(self.statistic)}{_freedom(self)}{_least(self)}"
        if self.information is not None:
            test += f", mutual information {self.information:.4g} nats"
        return f"{self.hypothesis()[:-1]}; {test}{rows_text(self.rows)})"

    def hypothesis(self) -> str:
        """Write the two, what is given, and the p-value."""
        given = f" given {listed(map(str, self.given))}" if self.given else ""
        return f"{self.x} ~ {self.y}{given} (p = {p_text(self.p, self.log_p)})"


@dataclass(frozen=True, slots=True)
class Separation(Finding[V]):
    """What took a pair apart: a hypothesis of independence that was not rejected.

    Parameters
    ----------
    x, y : int
        The pair, x < y; names in a record.
    given : tuple of int
        The separating set, in order.
    statistic, df, p, log_p, min_expected : float
        The test; None as statistic and smallest expected count if nothing was counted, because the
        rows cannot suffice, and as the latter of a test that has none.
    conclusive : bool
        Whether the rows sufficed; if not, the search counts such a test as independence.
    rows : int, optional
        How many rows the test stands on, if cells are missing and they are not all.
    any_given : tuple of int
        The members of all sets of that size that took the pair apart, if others did too: none of
        them is a collider between the two. Not in files.
    """

    given: tuple[V, ...]
    statistic: float | None
    df: float | None
    p: Probability
    log_p: float
    min_expected: float | None
    conclusive: bool
    rows: int | None = stored(brief=True, default=None)
    any_given: tuple[V, ...] = stored(key="-", default=())

    title: ClassVar[str] = "What took pairs apart"
    columns: ClassVar[tuple[ReportColumn, ...]] = (
        *_TEST,
        ReportColumn("rows sufficed", "conclusive", "flag"),
    )

    def sentence(self, *, joined: bool = False) -> str:  # noqa: ARG002 - it always takes apart
        """Say which test took the pair apart.

        Examples
        --------
        >>> apart = Separation("A", "B", ("C",), 1.2, 2.0, 0.549, -0.6, 20.0, conclusive=True)
        >>> print(apart.sentence())
        The search took A and B apart given C: the test did not reject their independence \
(p = 0.549; statistic 1.2, 2 degrees of freedom, smallest expected count 20).
        """
        given = f"given {listed(map(str, self.given))}" if self.given else "with nothing given"
        start = f"The search took {self.x} and {self.y} apart {given}: "
        if self.statistic is None:
            return f"{start}the rows are too few to test that, which counts as independence."
        test = (
            f"(p = {p_text(self.p, self.log_p)}; statistic {short(self.statistic)}"
            f"{_freedom(self)}{_least(self)}{rows_text(self.rows)})"
        )
        if self.conclusive:
            return f"{start}the test did not reject their independence {test}."
        return (
            f"{start}the test has too few rows for a verdict {test}, which counts as independence."
        )


def _freedom(found: Dependency[V] | Separation[V]) -> str:
    """Say how many degrees of freedom the statistic has, if it has any."""
    return "" if found.df is None else f", {freedom_text(found.df)}"


def _least(found: Dependency[V] | Separation[V]) -> str:
    """Say what the smallest expected count is, for tests on tables of counts."""
    least = found.min_expected
    return "" if least is None else f", smallest expected count {short(least)}"
