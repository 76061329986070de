"""scikit-learn, for the one quantity it shares with us."""

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
