"""What one writes oneself with numpy: a loop of ``bincount`` over columns of codes."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np

import bif as bif_file
import dataset
import scorer
from contenders import Prepared, total


def _codes(csv: str) -> dataset.Codes:
    codes = dataset.load_codes(Path(csv))
    return dataset.Codes(codes.names, codes.states, codes.columns.astype(np.intp))


def pairwise_mi(csv: str) -> Prepared:
    codes = _codes(csv)
    pairs = list(itertools.combinations(range(len(codes.names)), 2))
    return lambda: [_mutual_information(codes, x, y) for x, y in pairs], total


def _mutual_information(codes: dataset.Codes, x: int, y: int) -> float:
    shape = codes.cardinality[x], codes.cardinality[y]
    index = codes.columns[x] * shape[1] + codes.columns[y]
    joint = np.bincount(index, minlength=shape[0] * shape[1]).reshape(shape) / codes.n_rows
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / product[seen])).sum())


def family_scores(csv: str, families: list[list[str]]) -> Prepared:
    from scipy.special import gammaln

    codes = _codes(csv)
    asked = [[codes.names.index(v) for v in family] for family in families]
    return lambda: [scorer.bdeu(codes, f[0], f[1:], lgamma=gammaln) for f in asked], total


def sample(bif: str, rows: int) -> Prepared:
    net = bif_file.read(Path(bif))
    return lambda: dataset.sample(net, rows, 1), lambda made: {"rows": made.shape[1]}


def log_likelihood(bif: str, csv: str) -> Prepared:
    net = bif_file.read(Path(bif))
    codes = _codes(csv)
    rows = {
        name: np.array([net.states[name].index(label) for label in labels])[column]
        for name, labels, column in zip(codes.names, codes.states, codes.columns, strict=True)
    }
    logs = {name: np.log(net.tables[name], where=net.tables[name] > 0) for name in net.names}

    def work() -> float:
        return math.fsum(
            logs[v][(*(rows[p] for p in net.parents[v]), rows[v])].sum() for v in net.names
        )

    return work, lambda value: {"sum": value}
