"""Rows of networks with numbers completed: drawn given what is known, or most probable together."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bayesloom.arrays import Floats, Longs
from bayesloom.errors import EvidenceError
from bayesloom.model.mixed.cases import MixedCases
from bayesloom.model.mixed.question import MixedQuestion, Prepared
from bayesloom.model.sampling import drawn_number


def completed(
    prepared: Prepared,
    cases: MixedCases,
    rng: np.random.Generator | None,
) -> tuple[MixedCases, Floats]:
    """Return cases in which everything is known, and the log density of what was known before.

    What was not known is drawn from its distribution given the rest if there is a generator;
    otherwise it is what has the largest density together.

    Parameters
    ----------
    prepared : Prepared
        The network.
    cases : MixedCases
        What is known.
    rng : Generator, optional
        Draws what is not known.

    Raises
    ------
    EvidenceError
        If a case is impossible; the message names the first.
    """
    net = prepared.net
    extra = [v for v in range(net.n) if v not in cases.states and v not in cases.values]
    question = MixedQuestion(
        prepared, tuple(cases.states), tuple(cases.values), tuple(cases.likelihood), extra=extra
    )
    question.check_size()
    logs = np.empty(cases.n)
    states = {v: np.empty(cases.n, np.int64) for v in range(net.n) if not net.number_mask >> v & 1}
    values = {v: np.empty(cases.n) for v in range(net.n) if net.number_mask >> v & 1}
    for start in range(0, cases.n, question.at_once):
        rows = slice(start, start + question.at_once)
        part = cases.part(rows)
        logs[rows] = question.answer(part).log_evidence
        if np.isneginf(logs[rows]).any():
            first = start + int(np.isneginf(logs[rows]).argmax())
            msg = f"case {first} (counted from 0) is impossible: the network gives it probability 0"
            raise EvidenceError(msg)
        codes = question.drawn(part, rng) if rng is not None else question.largest(part)[0]
        own = MixedCases(part.n, codes, part.values)
        numbers = _numbers(prepared, own, rng)
        for v, column in states.items():
            column[rows] = codes[v]
        for v, target in values.items():
            target[rows] = numbers[v]
    return MixedCases(cases.n, states, values), logs


def _numbers(
    prepared: Prepared, cases: MixedCases, rng: np.random.Generator | None
) -> dict[int, Floats]:
    """Return every number, given all categories and the numbers that are known."""
    hidden = [v for v in prepared.order if v not in cases.values]
    found = dict(cases.values)
    if not hidden:
        return found
    if rng is None:
        return found | _means(prepared, cases, hidden)
    if not cases.values:
        return _ancestral(prepared, cases, rng)
    # A draw from the prior is moved by what the observed values differ from those drawn with it.
    drawn = _ancestral(prepared, cases, rng)
    observed = {v: drawn[v] for v in cases.values}
    here = _means(prepared, cases, hidden)
    there = _means(prepared, MixedCases(cases.n, cases.states, observed), hidden)
    return found | {v: drawn[v] + here[v] - there[v] for v in hidden}


def _means(prepared: Prepared, cases: MixedCases, hidden: Iterable[int]) -> dict[int, Floats]:
    """Return the means of the numbers that are not known."""
    question = MixedQuestion(
        prepared, tuple(cases.states), tuple(cases.values), extra=tuple(hidden)
    )
    found: dict[int, Floats] = {}
    for group in question.groups:
        found |= question.means(group, cases)
    return found


def _ancestral(
    prepared: Prepared, cases: MixedCases, rng: np.random.Generator
) -> dict[int, Floats]:
    """Draw all numbers given all categories."""
    columns: dict[int, Floats | Longs] = dict(cases.states)
    found: dict[int, Floats] = {}
    for v in prepared.order:
        found[v] = rng.standard_normal(cases.n)
        drawn_number(prepared.net, v, columns, found[v])
        columns[v] = found[v]
    return found


def state_probabilities(prepared: Prepared, cases: MixedCases, filled: MixedCases) -> Floats:
    """Return by case and node the probability of the state filled in; NaN for all else."""
    net = prepared.net
    found = np.full((cases.n, net.n), np.nan)
    for v in range(net.n):
        if net.number_mask >> v & 1 or v in cases.states:
            continue
        question = MixedQuestion(
            prepared, tuple(cases.states), tuple(cases.values), (), [v], everything=False
        )
        for start in range(0, cases.n, question.at_once):
            rows = slice(start, start + question.at_once)
            logs = question.answer(cases.part(rows)).log_weights
            found[rows, v] = np.exp(np.take_along_axis(logs, filled.states[v][rows, None], 1)[:, 0])
    return found
