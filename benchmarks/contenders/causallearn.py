"""causal-learn: BDeu only for discrete data; its search fixes ess 1 and a structure prior."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from causallearn.score.LocalScoreFunction import local_score_BDeu
from causallearn.search.ScoreBased.GES import ges as search

import dataset
from contenders import Prepared, total


def family_scores(csv: str, families: list[list[str]]) -> Prepared:
    codes = dataset.load_codes(Path(csv))
    rows = codes.columns.T.astype(int)
    asked = [[codes.names.index(v) for v in family] for family in families]
    m = len(codes.names) - 1
    # a prior of one half per parent is the same constant, m log 2, for every family
    options = {
        "sample_prior": 10.0,
        "structure_prior": m / 2,
        "r_i_map": dict(enumerate(codes.cardinality)),
    }
    work = lambda: [local_score_BDeu(rows, f[0], f[1:], options) for f in asked]  # noqa: E731
    return work, lambda found: total(m * np.log(2) + np.ravel(found))


def ges(csv: str, score: str) -> Prepared:
    if score != "bdeu":
        msg = "its BIC is Gaussian"
        raise ValueError(msg)
    codes = dataset.load_codes(Path(csv))
    rows = codes.columns.T.astype(int)
    return lambda: search(rows, score_func="local_score_BDeu"), lambda r: _edges(r, codes.names)


def pc(csv: str) -> Prepared:
    from causallearn.search.ConstraintBased.PC import pc as run

    codes = dataset.load_codes(Path(csv))
    rows = codes.columns.T.astype(int)
    work = lambda: run(rows, 0.01, "chisq", stable=True, show_progress=False)  # noqa: E731
    return work, lambda found: _edges({"G": found.G}, codes.names)


def _edges(record: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    marks = record["G"].graph
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if marks[i, j] == -1]
    directed = [[names[i], names[j]] for i, j in pairs if marks[j, i] == 1]
    undirected = [[names[i], names[j]] for i, j in pairs if i < j and marks[j, i] == -1]
    return {"directed": directed, "undirected": undirected}
