"""The pairs of a report: counts of two variables at once, and what there is to tell of them."""

from __future__ import annotations

import numpy as np

from bayesloom.engine import Batch, is_counting
from bayesloom.learning.structure import directed, undirected
from bayesloom.report.page.subject import Subject
from bayesloom.story import Story

MOST_STORIES = 300
"""Pairs that are not joined whose whole story is told; the most dependent ones come first."""

MOST_PAIR_CELLS = 150_000
"""Cells of the contingency tables that a report carries for pairs that are not joined."""

MOST_SHOWN_STATES = 40
"""A pair with a variable of more states than this is shown without its contingency table."""

_Pair = tuple[int, int]


def pairs(subject: Subject, most_stories: int = MOST_STORIES) -> dict[str, object]:
    """Return stories of joined pairs and of the nearest others, and contingency tables."""
    n, numbers = len(subject.names), subject.numbers()
    ends = [*directed(subject.graph), *undirected(subject.graph)]
    joined = [(numbers[x], numbers[y]) for x, y in ends]
    seen = {(min(pair), max(pair)) for pair in joined}
    apart = [(a, b) for a in range(n) for b in range(a + 1, n) if (a, b) not in seen]
    nearest = _nearest(subject, apart)
    # Without data and without a search there is nothing to tell of them but that they are apart.
    known = subject.engine is not None or subject.record is not None
    told = nearest[:most_stories] if known else []
    shown = nearest if most_stories else []
    return {
        "stories": [_story(subject, pair) for pair in [*joined, *told]],
        "untold": len(apart) - len(told) if known else 0,
        "tables": _tables(subject, [*sorted(seen), *shown], len(seen)),
    }


def pair_told(subject: Subject, pair: tuple[int, int]) -> dict[str, object]:
    """Return the story of one pair and its contingency table, as `pairs` has them."""
    return {"story": _story(subject, pair), "tables": _tables(subject, [pair], 1)}


def _nearest(subject: Subject, apart: list[_Pair]) -> list[_Pair]:
    """Put the pairs with the largest mutual information first, all asked in one batch."""
    if subject.engine is None or not apart:
        return apart
    place = subject.columns()
    shared = subject.engine.informations(Batch.of((place[a], (), (place[b],)) for a, b in apart))
    order = np.argsort(-shared.round(12), kind="stable").tolist()
    return [apart[k] for k in order]


def _tables(subject: Subject, asked: list[_Pair], always: int) -> list[list[object]]:
    """Return contingency tables [a, b, counts], those of the first pairs whatever their size."""
    if subject.engine is None or not is_counting(subject.engine):
        return []
    place, sizes = subject.columns(), subject.engine.cardinality
    chosen, cells = [], 0
    for k, (a, b) in enumerate(asked):
        if max(sizes[place[a]], sizes[place[b]]) > MOST_SHOWN_STATES:
            continue
        cells += int(sizes[place[a]] * sizes[place[b]])
        if k >= always and cells > MOST_PAIR_CELLS:
            break
        chosen.append((a, b))
    if not chosen:
        return []
    counts = subject.engine.counts(Batch.of((place[a], (), (place[b],)) for a, b in chosen))
    return [[a, b, table.ravel().tolist()] for (a, b), table in zip(chosen, counts, strict=True)]


def _story(subject: Subject, pair: _Pair) -> list[object]:
    """Return [a, b, lines, tests]."""
    story = subject.story(subject.names[pair[0]], subject.names[pair[1]])
    lines = str(story).split("\n  ")
    return [*pair, lines, *_measured(story)]


def _measured(story: Story) -> list[object]:
    evidence = story.evidence
    if evidence is None:
        return []
    tests = [
        {
            "given": list(test.given),
            "information": test.mutual_information,
            "statistic": test.statistic,
            "df": test.df,
            "log_p": test.log_p,
            "conclusive": test.conclusive,
            **({} if test.rows is None else {"rows": test.rows}),
        }
        for test in (evidence.alone, evidence.given)
        if test is not None
    ]
    return [tests]
