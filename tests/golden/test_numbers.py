"""Scores of data with numbers against those of R bnlearn, which print 15 digits."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from bayesloom.engine import Batch, MomentsEngine
from bayesloom.scores import AIC, BIC, LogLikelihood, Score
from bayesloom.scores.score import family_batch
from example_tables import NUMBERS, read_example

HERE = Path(__file__).parent
BNLEARN: dict[str, Any] = json.loads((HERE / "bnlearn_r_gaussian.json").read_text())["data"]
NINE_DIGITS = 1e-9


def from_unbiased(rows: int, n_parents: int) -> float:
    """Return what is to be added to R's log-likelihood, whose variance is RSS / (N - p - 1)."""
    return rows / 2 * math.log(rows / (rows - n_parents - 1)) - (n_parents + 1) / 2


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("score", [LogLikelihood(), AIC(), BIC()], ids=lambda score: score.name)
def test_local_scores_of_numbers_are_those_of_bnlearn_at_the_maximum(
    name: str, score: Score
) -> None:
    table = read_example(name).in_name_order()
    engine = MomentsEngine(table)
    for graph in BNLEARN[name]["graphs"].values():
        parents: dict[str, list[int]] = {variable: [] for variable in table.names}
        for tail, head in graph["arcs"]:
            parents[head].append(table.index(tail))
        families = [(v, parents[variable]) for v, variable in enumerate(table.names)]
        moments = engine.moments(Batch.families(families))
        ours = score.local_scores(engine, family_batch(families)).tolist()
        theirs = next(each for key, each in graph["scores"].items() if key.startswith(score.name))
        for (v, given), value, about in zip(families, ours, moments, strict=True):
            expected = theirs["nodes"][table.names[v]]
            if table.numeric[v]:
                n_parents = int(table.numeric[given].sum())
                expected += sum(from_unbiased(n, n_parents) for n in about.rows.ravel().tolist())
            assert value == pytest.approx(expected, rel=NINE_DIGITS)
