"""Numbers in Hugin NET files: ``normal(mean, variance)`` for each configuration."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from bayesloom.errors import shown
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft, as_numbers
from bayesloom.model.linear_gaussian import LinearGaussian

_NORMAL = re.compile(r"[\s(),]*+normal\s*+\(([^(),]*+),([^(),]*+)\)")
_REST = re.compile(r"[\s(),]*+")
_TERM = re.compile(
    r"\s*+([+-]?)\s*+([^\s*+-]++(?:(?<=[0-9.][eE])[+-][0-9]++)?)(?:\s*+\*\s*+([^\s*+-]++(?:(?<=[0-9.][eE])[+-][0-9]++)?))?\s*+"
)


def normals(net: BayesNet, name: str, words: Mapping[str, str]) -> list[str]:
    """Return the normal of each configuration of a number's category parents.

    Examples
    --------
    >>> family = LinearGaussian(1000.0, [-4.5], 3.0)
    >>> age = LinearGaussian(40.0, None, 12.0)
    >>> net = BayesNet.from_tables({"age": ((), [], age), "income": ((), ["age"], family)})
    >>> normals(net, "income", {"age": "age"})
    ['normal ( 1000.0 - 4.5 * age, 9.0 )']
    """
    family = net.regression(name)
    numbers = [words[parent] for parent in net.parents(name) if not net.states_of(parent)]
    slopes = family.coefficients.reshape(family.sds.size, -1).tolist()
    parts = zip(
        family.intercepts.ravel().tolist(), slopes, family.sds.ravel().tolist(), strict=True
    )
    return [
        f"normal ( {intercept!r}{''.join(map(_term, row, numbers))}, {_variance(sd)!r} )"
        for intercept, row, sd in parts
    ]


def add_normals(
    draft: Draft,
    child: str,
    parents: Sequence[str],
    names: Mapping[str, str],
    data: tuple[str, int],
) -> None:
    """Add the regressions that the data of a potential hold.

    Raises
    ------
    FileFormatError
        If they are no normals, too few or too many, or their means are not linear in the parents.
    """
    source, (text, offset) = draft.source, data
    for parent in parents:
        if parent not in draft.states:
            draft.shape(child, parents, offset)  # which says so
    shape = tuple(len(draft.states[parent]) for parent in parents if draft.states[parent])
    numbers = [parent for parent in parents if not draft.states[parent]]
    intercepts, slopes, variances, position = [], [], [], 0
    while (match := _NORMAL.match(text, position)) is not None:
        intercept, row = _mean(draft, child, numbers, names, (match[1], offset + match.start(1)))
        intercepts.append(intercept)
        slopes.append(row)
        variance = as_numbers([match[2].strip()]) if match[2].strip() else None
        if variance is None or variance[0] < 0:
            problem = f"expected a variance of 0 or more, got {shown(match[2].strip())!r}"
            raise source.error(problem, offset + match.start(2))
        variances.append(float(variance[0]))
        position = match.end()
    rest = _REST.match(text, position)
    end = rest.end() if rest else position
    if end < len(text):
        problem = f"expected 'normal ( mean, variance )', got {shown(text[end:].strip(), 30)!r}"
        raise source.error(problem, offset + end)
    if len(intercepts) != math.prod(shape):
        problem = (
            f"the number {child!r} needs {math.prod(shape)} normals, one for each configuration of "
            f"its discrete parents, got {len(intercepts)}"
        )
        raise source.error(problem, offset)
    family = LinearGaussian(
        np.array(intercepts).reshape(shape),
        np.array(slopes).reshape(*shape, len(numbers)),
        np.array([math.sqrt(variance) for variance in variances]).reshape(shape),
    )
    draft.add_regressions(child, parents, family, offset)


def _mean(
    draft: Draft,
    child: str,
    numbers: Sequence[str],
    names: Mapping[str, str],
    mean: tuple[str, int],
) -> tuple[float, list[float]]:
    """Return the intercept and the coefficients of a mean."""
    text, offset = mean
    intercept, slopes, position = 0.0, dict.fromkeys(numbers, 0.0), 0
    while position < len(text):
        match = _TERM.match(text, position)
        if match is None or match.end() == position or (position and not match[1]):
            problem = f"expected a sum of numbers times parents, got {shown(text.strip())!r}"
            raise draft.source.error(problem, offset + position)
        value, parent = -1.0 if match[1] == "-" else 1.0, None
        for part in (match[2], match[3]):
            if part is None:
                continue
            found = as_numbers([part])
            if found is not None:
                value *= float(found[0])
            elif parent is None and names.get(part, part) in slopes:
                parent = names.get(part, part)
            else:
                problem = (
                    f"the mean of {child!r} may hold numbers and its continuous parents, each at "
                    f"most once in a product, got {shown(part)!r}"
                )
                raise draft.source.error(problem, offset + match.start())
        if parent is None:
            intercept += value
        else:
            slopes[parent] += value
        position = match.end()
    return intercept, list(slopes.values())


def _term(slope: float, word: str) -> str:
    return f" {'-' if slope < 0 else '+'} {abs(slope)!r} * {word}"


def _variance(sd: float) -> float:
    """Return a variance whose root is read back as the deviation, where one exists."""
    variance = sd * sd
    for candidate in (variance, math.nextafter(variance, 0.0), math.nextafter(variance, math.inf)):
        if math.sqrt(candidate) == sd:
            return candidate
    return variance
