"""The log density of rows under a network with numbers."""

from __future__ import annotations

import math

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.data.network_rows import read_rows
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.mixed.cases import known_parts
from bayesloom.model.mixed.question import MixedQuestion, Prepared

MEMORY = 2 << 30
"""Bytes that one row may take."""


def row_log_densities(net: BayesNet, table: Table, memory: float = MEMORY) -> Floats:
    """Return the log density of each row; missing cells are integrated and summed out.

    A row that the tables rule out gets minus infinity.

    Parameters
    ----------
    net : BayesNet
        The network.
    table : Table
        The rows; columns are matched by name and states by label.
    memory : float
        The bytes that one row may take.

    Examples
    --------
    >>> from bayesloom.model import LinearGaussian
    >>> net = BayesNet.from_tables({"x": ((), [], LinearGaussian(0.0))})
    >>> row_log_densities(net, Table(["x"], [()], [[0.0, 2.0]])).round(4).tolist()
    [-0.9189, -2.9189]
    """
    by_name = net.reordered(sorted(net.names))
    rows = read_rows(by_name.names, by_name.states, table)
    prepared = Prepared(by_name, memory)
    found = np.empty(rows.n_rows)
    for members, cases in known_parts(by_name, rows):
        question = MixedQuestion(prepared, tuple(cases.states), tuple(cases.values))
        question.check_size()
        for start in range(0, cases.n, question.at_once):
            part = slice(start, start + question.at_once)
            found[members[part]] = question.answer(cases.part(part)).log_evidence
    return found


def sum_of_logs(logs: Floats) -> float:
    """Return the sum of logarithms; minus infinity if one is."""
    return -math.inf if np.isneginf(logs).any() else math.fsum(logs.tolist())
