"""Slow and obvious versions of what is computed of numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from mpmath import mp

from bayesloom.arrays import Bools, Floats
from bayesloom.data import Table

FEW = 30  # rows below which a configuration is helped by one row of the whole table


def exact_moments(columns: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return means and sums of products about them, in fractions, rounded at the end."""
    rows = [[Fraction(x) for x in column.tolist()] for column in columns]
    means = [sum(column) / len(column) for column in rows]
    about = [[x - mean for x in column] for column, mean in zip(rows, means, strict=True)]
    products = [
        [float(sum(x * y for x, y in zip(a, b, strict=True))) for b in about] for a in about
    ]
    return np.array([float(mean) for mean in means]), np.array(products)


def random_mixed(n_rows: int, seed: int) -> Table:
    """Return a table of four categories and three numbers that depend on each other."""
    rng = np.random.default_rng(seed)
    sizes = (2, 3, 2, 4)
    c0 = rng.integers(0, 2, n_rows)
    c1 = (c0 + rng.integers(0, 3, n_rows)) % 3
    c2, c3 = rng.integers(0, 2, n_rows), rng.integers(0, 4, n_rows)
    x0 = rng.normal(size=n_rows) + c0
    x1 = x0 * (1 + c1) + rng.normal(size=n_rows) + 100
    x2 = x1 - 3 * x0 + c3 + rng.normal(size=n_rows) * (1 + c2)
    states = [[f"s{k}" for k in range(r)] for r in sizes]
    names = ["c0", "c1", "c2", "c3", "x0", "x1", "x2"]
    return Table(names, [*states, (), (), ()], [c0, c1, c2, c3, x0, x1, x2])


def configurations(table: Table, categories: Sequence[int]) -> list[Bools]:
    """Return the rows, as masks, of every configuration that occurs."""
    masks = []
    for states in itertools.product(*[range(len(table.states[v])) for v in categories]):
        mask = np.ones(table.n_rows, np.bool_)
        for v, state in zip(categories, states, strict=True):
            mask &= table.codes[v] == state
        if mask.any():
            masks.append(mask)
    return masks


def family_log_likelihood(table: Table, child: int, parents: Sequence[int]) -> float:
    """Return the log-likelihood of a number's regressions at its maximum, by least squares."""
    categories = [v for v in parents if not table.numeric[v]]
    numbers = [v for v in parents if table.numeric[v]]
    total = 0.0
    for mask in configurations(table, categories):
        y = table.codes[child][mask]
        design = np.column_stack([np.ones(len(y)), *[table.codes[v][mask] for v in numbers]])
        rest = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
        total -= len(y) / 2 * (math.log(2 * math.pi * (rest @ rest) / len(y)) + 1)
    return total


def set_density(table: Table, members: Sequence[int]) -> float:
    """Return F(S): the log-likelihood of its categories plus the log-density of its numbers."""
    categories = [v for v in members if not table.numeric[v]]
    numbers = [v for v in members if table.numeric[v]]
    x = np.column_stack([table.codes[v] for v in numbers])
    whole = np.cov(x, rowvar=False, bias=True).reshape(len(numbers), len(numbers))
    total = 0.0
    for mask in configurations(table, categories):
        some = x[mask] - x[mask].mean(axis=0)
        n, k = len(some), 1 if len(some) < FEW else 0
        r = (some.T @ some + k * whole) / (n + k)
        quadratic = np.trace(np.linalg.solve(r, some.T @ some))
        log_det = np.linalg.slogdet(r)[1]
        total -= (n * (len(numbers) * math.log(2 * math.pi) + log_det) + quadratic) / 2
        total += n * math.log(n / table.n_rows)
    return total


def bge(
    table: Table, child: int, parents: Sequence[int], *, alpha_mu: float, alpha_w: float, scale: str
) -> float:
    """Return BGe by the formula, in numbers of 60 digits."""
    with mp.workdps(60):
        columns = [[mp.mpf(x) for x in codes.tolist()] for codes in table.codes]
        n, rows = len(columns), table.n_rows
        about = [[x - mp.fsum(column) / rows for x in column] for column in columns]
        if scale == "unit":
            sds = [mp.sqrt(mp.fsum(x * x for x in column) / rows) for column in about]
            about = [[x / sd for x in column] for column, sd in zip(about, sds, strict=True)]
        a_mu, a_w = mp.mpf(alpha_mu), mp.mpf(alpha_w)
        t = mp.mpf("0.01") if scale == "unit" else a_mu * (a_w - n - 1) / (a_mu + 1)

        def log_det(members: Sequence[int]) -> mp.mpf:
            if not members:
                return mp.mpf(0)
            r = mp.matrix(len(members))
            for i, x in enumerate(members):
                for j, y in enumerate(members):
                    products = mp.fsum(a * b for a, b in zip(about[x], about[y], strict=True))
                    r[i, j] = products + (t if i == j else 0)
            return mp.log(mp.det(r))

        size = len(parents) + 1
        low = (a_w - n + size) / 2
        value = mp.log(a_mu / (rows + a_mu)) / 2 - rows * mp.log(mp.pi) / 2
        value += mp.loggamma(rows / mp.mpf(2) + low) - mp.loggamma(low)
        value += low * size * mp.log(t) - (low - mp.mpf("0.5")) * (size - 1) * mp.log(t)
        value += (rows / mp.mpf(2) + low - mp.mpf("0.5")) * log_det(parents)
        value -= (rows / mp.mpf(2) + low) * log_det([*parents, child])
        return float(value)
