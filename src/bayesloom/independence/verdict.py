"""One test of independence, with a verdict that can be read."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from bayesloom.data.network_rows import reading_of_columns
from bayesloom.data.plain import finite
from bayesloom.engine import Batch, Engine, is_counting
from bayesloom.engine.data_engine import is_engine, refuse_reading
from bayesloom.errors import (
    OptionError,
    UnknownVariableError,
    check_kind,
    check_number,
    checked_names,
    listed,
    shown,
)
from bayesloom.independence.contingency import ChiSquare, GSquare
from bayesloom.independence.independence_test import IndependenceTest
from bayesloom.independence.partial_correlation import PartialCorrelationTest

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions


@dataclass(frozen=True, slots=True, repr=False)
class IndependenceResult:
    """What a test says about two variables given others.

    Parameters
    ----------
    x, y : str
        The variables.
    given : tuple of str
        The conditioning set.
    test : IndependenceTest
        The test.
    alpha : float
        The level of significance.
    statistic, df : float
        The test statistic and its degrees of freedom.
    p, log_p : float
        The p-value, and its natural logarithm, which does not underflow.
    min_expected : float
        The smallest expected count; NaN of a test that counts no cells.
    conclusive : bool
        Whether there are enough rows for the test to mean something; see `Coverage`.
    mutual_information : float
        The mutual information of x and y given the others, in nats.
    n_rows : int
        The number of rows in which all these variables are known.

    Examples
    --------
    >>> rows = {"rain": ["no", "no", "yes", "yes"] * 25, "wet": ["no", "no", "no", "yes"] * 25}
    >>> found = test(rows, "rain", "wet")
    >>> found
    rain and wet are dependent: p = 7.76e-09 is at most alpha = 0.05 (chi-square 33.3333 with 1 \
degree of freedom, smallest expected count 12.5, mutual information 0.215762 nats, 100 rows)
    >>> found.dependent, found.independent
    (True, False)
    """

    x: str
    y: str
    given: tuple[str, ...]
    test: IndependenceTest
    alpha: float
    statistic: float
    df: float
    p: float
    log_p: float
    min_expected: float
    conclusive: bool
    mutual_information: float
    n_rows: int

    @property
    def dependent(self) -> bool:
        """Whether the test is conclusive and rejects independence."""
        return self.conclusive and self.log_p <= math.log(self.alpha)

    @property
    def independent(self) -> bool:
        """Whether the test is conclusive and does not reject independence."""
        return self.conclusive and not self.dependent

    @property
    def correlation(self) -> float:
        """The partial correlation of two numbers; NaN of a test that has none."""
        if not isinstance(self.test, PartialCorrelationTest) or not self.n_rows:
            return math.nan
        return self.test.correlation(self.statistic, self.n_rows, len(self.given))

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data."""
        return {
            "x": self.x,
            "y": self.y,
            "given": list(self.given),
            "test": self.test.name,
            "alpha": self.alpha,
            "statistic": self.statistic,
            "df": finite(self.df),
            "p": self.p,
            "log_p": self.log_p,
            "min_expected": finite(self.min_expected),
            "conclusive": self.conclusive,
            "mutual_information": self.mutual_information,
            "rows": self.n_rows,
        }

    def __repr__(self) -> str:
        pair = f"{shown(self.x)} and {shown(self.y)}"
        within = f" given {listed(self.given)}" if self.given else ""
        degrees = f"{self.df:g} degree{'s' * (self.df != 1)} of freedom"
        degrees = "" if math.isnan(self.df) else degrees
        least = f", smallest expected count {self.min_expected:.4g}"
        numbers = (
            f"{self.test.words(f'{self.statistic:.6g}', degrees)}"
            f"{'' if math.isnan(self.min_expected) else least}, mutual information "
            f"{self.mutual_information:.6g} nats, {self.n_rows:,} rows"
        )
        p = f"p = {self.p:.3g}" if self.p > 0 else f"p = exp({self.log_p:.6g})"
        if not self.n_rows:
            which = "all of these variables" if self.given else "both of them"
            verdict = f"whether {pair} are dependent{within} is not settled: no row knows {which}"
        elif self.df <= 0:
            verdict = f"nothing is to be tested between {pair}{within}: one of them is constant"
        elif not self.conclusive:
            verdict = (
                f"whether {pair} are dependent{within} is not settled: there are fewer rows than "
                f"{self.test.threshold} asks for, so {p} decides nothing"
            )
        elif self.dependent:
            verdict = f"{pair} are dependent{within}: {p} is at most alpha = {self.alpha:g}"
        else:
            verdict = (
                f"no dependence of {pair}{within} was found: {p} is above alpha = {self.alpha:g}"
            )
        return f"{verdict} ({numbers})"


def test(
    data: object,
    x: str,
    y: str,
    given: str | Iterable[str] = (),  # noqa: PT028 - it is no test of pytest
    *,
    test: IndependenceTest | None = None,  # noqa: PT028
    alpha: float = 0.05,  # noqa: PT028
    engine: str = "auto",  # noqa: PT028
    memory: int | str | None = None,  # noqa: PT028
    cache: str | os.PathLike[str] | None = None,  # noqa: PT028
    **reading: Unpack[ReadingOptions],
) -> IndependenceResult:
    """Test whether two variables are independent given others.

    Of a file or a frame only the columns named are read.

    Parameters
    ----------
    data : path, frame, Table or Engine
        The data, of any kind that `bayesloom.learn` takes.
    x, y : str
        The two variables.
    given : str or iterable of str
        The conditioning set.
    test : IndependenceTest, optional
        The test; by default ``ChiSquare()``, where columns are numbers ``GSquare()``.
    alpha : float, default 0.05
        The level of significance: dependent is what has a p-value of at most alpha.
    engine, memory, cache
        Where the rows are while they are counted; see `bayesloom.learn`.
    **reading
        How to read the data, such as ``missing="drop"`` or ``discretize="auto"``; see
        `bayesloom.Reading`.

    Raises
    ------
    OptionError
        If a variable is named twice, alpha is no probability, or an engine is to be read again.
    DataError, UnknownVariableError
        If the data cannot be read or have no such column.

    Examples
    --------
    >>> from bayesloom.data import Table
    >>> rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * 25
    >>> table = Table("ABC", [["0", "1"]] * 3, list(zip(*rows)))
    >>> test(table, "A", "B").independent, test(table, "A", "B", given="C").dependent
    (True, True)
    """
    names = checked_names(
        "x, y and given", [x, y, *([given] if isinstance(given, str) else _listed(given))]
    )
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        msg = f"the test names {shown(repr(twice))} twice; x, y and given must all differ"
        raise OptionError(msg)
    check_number("alpha", alpha, above=0, below=1)
    if test is not None:
        check_kind("test", test, IndependenceTest, "a test such as ChiSquare() or GSquare()")
    where = {"engine": engine, "memory": memory, "cache": cache}
    rows = _engine_over(data, names, reading, where)
    usual = ChiSquare() if is_counting(rows) else GSquare()
    chosen = usual if test is None else test
    place = {name: v for v, name in enumerate(rows.names)}
    target, partner, *rest = (place[name] for name in names)
    batch = Batch.of([(target, sorted(rest), (partner,))])
    conclusive = bool(chosen.run(rows, batch).conclusive[0])
    found = chosen.without_rule().run(rows, batch)  # counted however thin it is
    return IndependenceResult(
        names[0],
        names[1],
        names[2:],
        chosen,
        alpha,
        float(found.statistic[0]),
        float(found.df[0]),
        float(found.p[0]),
        float(found.log_p[0]),
        float(found.min_expected[0]),
        conclusive,
        max(0.0, float(rows.informations(batch)[0])),
        int(found.rows[0]),
    )


test.__test__ = False  # type: ignore[attr-defined]  # for pytest, which would run it


def _listed(given: object) -> list[object]:
    check_kind("given", given, Iterable, "the name of a variable or a list of names")
    return list(given)  # type: ignore[call-overload, no-any-return]


def _engine_over(
    data: object, names: tuple[str, ...], given: Mapping[str, Any], where: dict[str, Any]
) -> Engine:
    """Return an engine that has the variables; what is not an engine is read for them alone."""
    if not is_engine(data):
        from bayesloom.engine.choice import engine_over

        target = given.get("target")
        columns = tuple(dict.fromkeys((*names, *(() if target is None else (target,)))))
        return engine_over(data, reading_of_columns(columns, given, "test"), **where)[0]
    usual = {"engine": "auto", "memory": None, "cache": None}
    refuse_reading({**given, **{key: x for key, x in where.items() if x != usual[key]}})
    for name in names:
        if name not in data.names:
            raise UnknownVariableError(name, data.names)
    return data
