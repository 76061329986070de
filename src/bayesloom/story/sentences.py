"""The sentences of which stories are made."""

from __future__ import annotations

from bayesloom.errors import listed
from bayesloom.search.facts.wording import freedom_text, gain_text, p_text, rows_text, short
from bayesloom.story.criterion import Criterion
from bayesloom.story.evidence import EdgeChange, PairTest

_LINKS = ("link", "unlink")
_DOING = {
    "insert": "inserting",
    "delete": "deleting",
    "reverse": "reversing",
    "link": "linking",
    "unlink": "unlinking",
}


def headline(x: str, y: str, edge: str) -> str:
    """Say whether two variables are joined.

    Examples
    --------
    >>> headline("A", "B", "->")
    'A -> B: the two are joined, A is a parent of B.'
    """
    if not edge:
        return f"{x} and {y}: the two are not joined."
    if edge == "-":
        return f"{x} - {y}: the two are joined."
    parent, child = (x, y) if edge == "->" else (y, x)
    return f"{x} {edge} {y}: the two are joined, {parent} is a parent of {child}."


COMPLETED = "of completed rows"
"""Said of numbers of rows whose missing cells were filled in."""


def completion_sentence() -> str:
    """Say that a search saw completed rows.

    Examples
    --------
    >>> completion_sentence()[:45]
    'Score changes and p-values of the search are '
    """
    return (
        f"Score changes and p-values of the search are {COMPLETED}: cells that were filled in count"
        " as if they had been observed, so they look more certain than the known cells make them."
    )


def change_sentence(
    change: EdgeChange, score: str | None, *, free: bool = False, completed: bool = False
) -> str:
    """Say what a change would do to the score now.

    Turning an edge of ``free`` direction alone may make or break a collider, and so cost score,
    though the class has graphs with either direction: the sentence says what is turned.

    Examples
    --------
    >>> change_sentence(EdgeChange("delete", "A", "B", -3.0), "bic")
    'Now, deleting A -> B would change the score (bic) by -3.00.'
    """
    links = change.operator in _LINKS
    what = f"Now, {_DOING[change.operator]} {change.x} {'-' if links else '->'} {change.y}"
    if free and change.operator == "reverse":
        what += " alone, all other edges as they are,"
    if change.gain is None:
        return f"{what} would {'leave a cycle without a chord' if links else 'close a cycle'}."
    which = f"{score}, {COMPLETED}" if completed else score
    return f"{what} would change the score ({which}) by {gain_text(change.gain)}."


def start_sentence(*, was_touched: bool) -> str:
    """Say that a pair was joined from the first, and whether a step touched it later.

    Examples
    --------
    >>> start_sentence(was_touched=True)
    'The two were joined in the graph that the search started from.'
    """
    later = "" if was_touched else ", and no step of the search touched the pair"
    return f"The two were joined in the graph that the search started from{later}."


def dependency_sentence(test: PairTest, whose: str, criterion: Criterion) -> str:
    """Say how strongly a pair depends, and how sure that is; ``whose`` tells what is given.

    Examples
    --------
    >>> test = PairTest((), 0.02, 4.0, 1.0, 0.0455, -3.09, 20.0, conclusive=True)
    >>> print(dependency_sentence(test, "", Criterion()))
    With nothing given the two are dependent at the 5 % level: mutual information 0.02 nats, \
chi-square 4 with 1 degree of freedom, p = 0.0455, smallest expected count 20.
    """
    given = "With nothing given"
    if test.given:
        given = f"Given {listed(test.given)} ({whose})"
    if test.rows == 0:
        return f"{given} there is nothing to test: no row knows all of these variables."
    if test.df is not None and test.df <= 0:
        return f"{given} there is nothing to test: a variable has one state only in every part."
    level = f"at the {100 * criterion.level:g} % level"
    if not test.conclusive:
        rule = "" if test.min_expected is None else f", {criterion.test.rule}"
        verdict = f"the rows are too few for a verdict{rule}"
    elif test.p <= criterion.level:
        verdict = f"the two are dependent {level}"
    else:
        verdict = f"the two are not significantly dependent {level}"
    least = test.min_expected
    expected = "" if least is None else f", smallest expected count {short(least)}"
    return (
        f"{given} {verdict}: mutual information {test.mutual_information:.4g} nats, "
        f"{criterion.test.words(short(test.statistic), _freedom(test.df))}, "
        f"p = {p_text(test.p, test.log_p)}"
        f"{expected}{rows_text(test.rows)}."
    )


def _freedom(df: float | None) -> str:
    return "" if df is None else freedom_text(df)
