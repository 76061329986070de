"""Numbers in a network file in JSON: their regressions as objects, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bayesloom.errors import BayesloomError, FileFormatError, UnknownVariableError
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.draft import Draft
from bayesloom.model.linear_gaussian import LinearGaussian


def described_number(net: BayesNet, name: str) -> dict[str, object]:
    """Return a number of a network as the object that stands for it in a file.

    Examples
    --------
    >>> net = BayesNet.from_tables({"age": ((), [], LinearGaussian(40.0, None, 12.0, rows=10))})
    >>> described_number(net, "age")["regressions"]
    [{'intercept': 40.0, 'coefficients': {}, 'sd': 12.0, 'rows': 10.0}]
    """
    family = net.regression(name)
    numbers = [parent for parent in net.parents(name) if not net.states_of(parent)]
    slopes = family.coefficients.reshape(family.sds.size, -1).tolist()
    errors = None if family.errors is None else family.errors.reshape(family.sds.size, -1).tolist()
    rows = None if family.rows is None else family.rows.ravel().tolist()
    both = zip(family.intercepts.ravel().tolist(), family.sds.ravel().tolist(), strict=True)
    regressions = [
        {
            "intercept": intercept,
            "coefficients": dict(zip(numbers, slopes[j], strict=True)),
            "sd": sd,
            **({} if rows is None else {"rows": rows[j]}),
            **(
                {}
                if errors is None
                else {"errors": [None if math.isnan(x) else x for x in errors[j]]}
            ),
        }
        for j, (intercept, sd) in enumerate(both)
    ]
    return {"name": name, "parents": net.parents(name), "regressions": regressions}


def add_regressions(draft: Draft, variable: dict[str, Any]) -> None:
    """Add the regressions of a number to the network that is being read.

    Raises
    ------
    FileFormatError
        If they do not fit the parents.
    """
    name, parents, regressions = variable["name"], variable["parents"], variable["regressions"]
    for parent in parents:
        if parent not in draft.states:
            raise draft.source.error(str(UnknownVariableError(parent, draft.states)))
    shape = tuple(len(draft.states[parent]) for parent in parents if draft.states[parent])
    numbers = [parent for parent in parents if not draft.states[parent]]
    if len(regressions) != math.prod(shape):
        problem = f"{math.prod(shape)} regressions are needed, got {len(regressions)}"
        raise draft.source.error(problem)
    parts = [_parts(draft, numbers, j, part) for j, part in enumerate(regressions)]
    wide = {1: (*shape, len(numbers)), 4: (*shape, len(numbers) + 1)}
    columns: list[Any] = []
    for k, column in enumerate(zip(*parts, strict=True)):
        known = all(value is not None for value in column)
        array = np.array(column, np.float64).reshape(wide.get(k, shape)) if known else None
        columns.append(array)
    try:
        family = LinearGaussian(*columns)
    except BayesloomError as error:
        raise draft.source.error(str(error)) from None
    draft.add_regressions(name, parents, family, None)


def _parts(draft: Draft, numbers: list[str], j: int, part: object) -> tuple[Any, ...]:
    """Return intercept, coefficients, sd, rows and errors of one regression."""
    try:
        if not isinstance(part, dict) or not isinstance(part["coefficients"], dict):
            raise KeyError  # noqa: TRY301 - the same sentence
        slopes = part["coefficients"]
        errors, rows = part.get("errors"), part.get("rows")
        found = (
            _number(part["intercept"]),
            [_number(slopes[name]) for name in numbers],
            _number(part["sd"]),
            None if rows is None else _number(rows),
            None
            if errors is None
            else [math.nan if error is None else _number(error) for error in errors],
        )
        if len(slopes) != len(numbers) or (found[4] and len(found[4]) != len(numbers) + 1):
            raise KeyError  # noqa: TRY301
    except (KeyError, TypeError):
        raise _wrong(draft, numbers, j) from None
    return found


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    try:
        return float(value)
    except OverflowError:
        raise TypeError from None


def _wrong(draft: Draft, numbers: list[str], j: int) -> FileFormatError:
    problem = (
        f"regression {j + 1} needs an intercept, a coefficient for each of "
        f"{', '.join(map(repr, numbers)) or 'no number parents'}, and an sd, all of them numbers"
    )
    return draft.source.error(problem)
