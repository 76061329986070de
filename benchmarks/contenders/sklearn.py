"""scikit-learn: mutual informations, and naive Bayes on codes."""

from __future__ import annotations

import itertools
from pathlib import Path

from sklearn.metrics import mutual_info_score

import dataset
from contenders import Prepared, total


def pairwise_mi(csv: str) -> Prepared:
    columns = dataset.load_codes(Path(csv)).columns
    pairs = list(itertools.combinations(columns, 2))
    return lambda: [mutual_info_score(x, y) for x, y in pairs], total


def naive_bayes(csv: str, target: str) -> Prepared:
    from sklearn.naive_bayes import CategoricalNB

    x, y = dataset.codes_and_class(csv, target)
    work = lambda: CategoricalNB(alpha=1.0).fit(x, y).predict(x)  # noqa: E731
    return work, lambda told: {"right": int((told == y).sum())}
