"""The sentences of which stories are made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bayesloom.errors import listed
from bayesloom.learning.named_step import NamedDependency, NamedLinks, NamedMove, NamedStep
from bayesloom.search import Reason
from bayesloom.story.criterion import Criterion
from bayesloom.story.evidence import EdgeChange, PairTest

if TYPE_CHECKING:
    from bayesloom.learning.named_parting import NamedParting, NamedTriangle, NamedWeighing

_TINY = math.log(1e-300)
_LINKS = ("link", "unlink")
_FAILS = {
    Reason.SCORE: " but would uncover a dependency",
    Reason.DEPENDENCY: " but covers no more or would uncover something",
}
_DOING = {
    "insert": "inserting",
    "delete": "deleting",
    "reverse": "reversing",
    "link": "linking",
    "unlink": "unlinking",
}
_DONE = {
    "insert": "inserted",
    "delete": "deleted",
    "reverse": "reversed",
    "link": "linked",
    "unlink": "unlinked",
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


def step_sentence(number: int, step: NamedStep, covered: Sequence[NamedDependency] = ()) -> str:
    """Say what a step did and why, and which detected dependencies it covered.

    Examples
    --------
    >>> step = NamedStep("insert", "A", "B", (), 12.34, Reason.SCORE)
    >>> step_sentence(3, step)
    'Step 3 inserted A -> B: it changed the score by +12.34.'
    >>> links = NamedLinks((("A", "B"),), 0.25, 1.0, ("A", "B"))
    >>> print(step_sentence(1, NamedStep("link", "A", "B", (), 9.5, Reason.SCORE, change=links)))
    Step 1 linked A - B: entropy fell by 0.25 nats per row for 1 more parameter (crux A, B); \
this changed the score by +9.50.
    """
    why = {
        Reason.SCORE: "",
        Reason.DEPENDENCY: " to cover a significant dependency, which the score alone would not do",
        Reason.REQUIRED: ", which knowledge requires",
        Reason.TRIAL: " for a trial, after which better steps followed",
        Reason.RESTART: " at random, to climb again from there",
        Reason.OPTIMUM: ", which the best network found has",
    }[step.reason]
    said = f"Step {number} {_DONE.get(step.operator, step.operator)} {_edge(step)}{why}"
    if step.others and step.operator not in _LINKS:
        said += f", directing the edges of {listed(step.others)}"
    what = "the score" if step.score is None else f"the score of the Markov network ({step.score})"
    if step.change is not None:
        said += f": {_effect(step.change)}; this changed {what} by {_gain(step.gain)}"
    else:
        said += f": it changed {what} by {_gain(step.gain)}"
    if covered:
        said += f" and covered {listed(map(_hypothesis, covered), most=3)}"
    if step.passed_over is not None:
        how = "scores better" if step.passed_over.gain > step.gain else "scores as well"
        fails = _FAILS.get(step.reason, "")
        said += f"; not {_move(step.passed_over)}, which {how}{fails}"
    if step.runner_up is not None:
        said += f"; the next best move was {_move(step.runner_up)}"
    return f"{said}."


def detection_sentence(found: NamedDependency) -> str:
    """Say what a test of the search found, and whether the network covers it.

    Examples
    --------
    >>> found = NamedDependency("A", "B", ("C",), 9.0, 2.0, 0.011, -4.5, 20.0, True)
    >>> print(detection_sentence(found))
    The search found A ~ B given C (p = 0.011; statistic 9, 2 degrees of freedom, smallest \
expected count 20), and the network covers it.
    """
    verdict = "and the network covers it" if found.covered else "but the network does not cover it"
    return f"The search found {detection_text(found)}, {verdict}."


def detection_text(found: NamedDependency) -> str:
    """Return a dependency with the test that found it.

    Examples
    --------
    >>> print(detection_text(NamedDependency("A", "B", (), 9.0, 2.0, 0.011, -4.5, 20.0, True)))
    A ~ B (p = 0.011; statistic 9, 2 degrees of freedom, smallest expected count 20)
    """
    freedom = f"{found.df:,.0f} degree{'s' * (found.df != 1)} of freedom"
    test = f"statistic {_short(found.statistic)}, {freedom}, smallest expected count "
    test += _short(found.min_expected)
    if found.information is not None:
        test += f", mutual information {found.information:.4g} nats"
    test += _rows(found.rows)
    return f"{_hypothesis(found)[:-1]}; {test})"


def separation_sentence(found: NamedParting) -> str:
    """Say what took a pair apart: a test, a triangle, or information that is not worth its cost.

    Examples
    --------
    >>> from bayesloom.learning.named_separation import NamedSeparation
    >>> found = NamedSeparation("A", "B", ("C",), 1.2, 2.0, 0.549, -0.6, 20.0, conclusive=True)
    >>> print(separation_sentence(found))
    The search took A and B apart given C: the test did not reject their independence (p = 0.549; \
statistic 1.2, 2 degrees of freedom, smallest expected count 20).
    """
    from bayesloom.learning.named_parting import NamedTriangle, NamedWeighing

    if isinstance(found, NamedTriangle):
        return _triangle_sentence(found)
    given = f"given {listed(found.given)}" if found.given else "with nothing given"
    said = f"The search took {found.x} and {found.y} apart {given}: "
    if isinstance(found, NamedWeighing):
        return f"{said}{_balance(found)}."
    if found.statistic is None or found.min_expected is None:
        return f"{said}the rows are too few to test that, which counts as independence."
    freedom = f"{found.df:,.0f} degree{'s' * (found.df != 1)} of freedom"
    test = (
        f"(p = {p_text(found.p, found.log_p)}; statistic {_short(found.statistic)}, {freedom}, "
        f"smallest expected count {_short(found.min_expected)}{_rows(found.rows)})"
    )
    if found.conclusive:
        return f"{said}the test did not reject their independence {test}."
    return f"{said}the test has too few rows for a verdict {test}, which counts as independence."


def weighing_sentence(found: NamedWeighing) -> str:
    """Say what information kept a pair together.

    Examples
    --------
    >>> from bayesloom.learning.named_parting import NamedWeighing
    >>> print(weighing_sentence(NamedWeighing("A", "B", ("C",), 0.25, 0.0125)))
    The search kept A and B together: given C, which contributes to what they share, their \
information is 0.25 nats per row and its complexity 0.0125.
    """
    given = "with nothing given"
    if found.given:
        given = f"given {listed(found.given)}, which contributes to what they share,"
    return f"The search kept {found.x} and {found.y} together: {given} {_balance(found)}."


def _balance(found: NamedWeighing) -> str:
    return (
        f"their information is {found.information:.4g} nats per row and its complexity "
        f"{found.complexity:.4g}"
    )


def _triangle_sentence(found: NamedTriangle) -> str:
    """Say which triangle took a pair apart.

    Examples
    --------
    >>> from bayesloom.learning.named_parting import NamedTriangle
    >>> print(_triangle_sentence(NamedTriangle("A", "B", "C", 0.01, (0.2, 0.3))))
    The search took A and B apart because of C: their mutual information, 0.01 nats, is the \
smallest of the triangle; A and C share 0.2, B and C 0.3.
    """
    x, y, z = found.x, found.y, found.middle
    return (
        f"The search took {x} and {y} apart because of {z}: their mutual information, "
        f"{found.information:.4g} nats, is the smallest of the triangle; {x} and {z} share "
        f"{found.sides[0]:.4g}, {y} and {z} {found.sides[1]:.4g}."
    )


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
    return f"{what} would change the score ({which}) by {_gain(change.gain)}."


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
    if test.df <= 0:
        return f"{given} there is nothing to test: a variable has one state only in every part."
    level = f"at the {100 * criterion.level:g} % level"
    if not test.conclusive:
        verdict = f"the rows are too few for a verdict, {criterion.test.rule}"
    elif test.p <= criterion.level:
        verdict = f"the two are dependent {level}"
    else:
        verdict = f"the two are not significantly dependent {level}"
    freedom = f"{test.df:,.0f} degree{'s' * (test.df != 1)} of freedom"
    least = f", smallest expected count {_short(test.min_expected)}"
    return (
        f"{given} {verdict}: mutual information {test.mutual_information:.4g} nats, "
        f"{criterion.test.words(_short(test.statistic), freedom)}, "
        f"p = {p_text(test.p, test.log_p)}"
        f"{'' if math.isnan(test.min_expected) else least}{_rows(test.rows)}."
    )


def _effect(change: NamedLinks) -> str:
    """Say what links did to entropy and parameters, and where that was computed."""
    fell, more = change.entropy > 0, change.parameters > 0
    return (
        f"entropy {'fell' if fell else 'rose'} by {abs(change.entropy):.4g} nats per row for "
        f"{abs(change.parameters):,.0f} {'more' if more else 'fewer'} "
        f"parameter{'s' * (abs(change.parameters) != 1)} (crux {listed(change.crux)})"
    )


def _edge(move: NamedMove | NamedStep) -> str:
    if isinstance(move, NamedStep) and move.change is not None:
        return listed(f"{x} - {y}" for x, y in move.change.links)
    if move.operator in _LINKS:
        return listed((move.x, move.y, *move.others))
    return f"{move.x} -> {move.y}"


def _move(move: NamedMove) -> str:
    return f"{move.operator} {_edge(move)} ({_gain(move.gain)})"


def _gain(value: float) -> str:
    rounded = round(value, 2)
    return f"{rounded:+,.2f}" if rounded else "0.00"


def _hypothesis(found: NamedDependency) -> str:
    given = f" given {listed(found.given)}" if found.given else ""
    return f"{found.x} ~ {found.y}{given} (p = {p_text(found.p, found.log_p)})"


def p_text(p: float, log_p: float) -> str:
    """Write a p-value, also one that is too small for a float.

    Examples
    --------
    >>> p_text(0.0455, -3.09), p_text(0.0, -2302.585)
    ('0.0455', '1.0e-1000')
    """
    if log_p > _TINY:
        return f"{p:.3g}"
    power = math.floor(log_p / math.log(10))
    return f"{math.exp(log_p - power * math.log(10)):.1f}e{power}"


def _rows(rows: int | None) -> str:
    """Say on how many rows a test stands, if they are not all."""
    return "" if rows is None else f", on the {rows:,} row{'s' * (rows != 1)} that know all of them"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"  # noqa: PLR2004 - four digits
