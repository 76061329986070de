"""Criticism of a network by data: which of its claims fail."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Bools, Floats
from bayesloom.engine import Batch, CountingEngine
from bayesloom.errors import listed, shown
from bayesloom.graphs import DAG, bits, topological_order
from bayesloom.graphs.text import counted
from bayesloom.grid import Grid, NamedColumns, Tabular, label
from bayesloom.independence import ChiSquare
from bayesloom.model import BayesNet

_SHARES = (0.5, 0.25, 0.25)  # of alpha: independences, their p-values together, tables
_LEAST_EXPECTED = 5.0  # of a cell
_SMALL_P = 0.05  # of which there must not be too many
_MOST_CELLS = 1 << 20  # of a table that is looked at whole
_FEWEST = 20  # p-values that are looked at together


class Claim(NamedTuple):
    """An independence that a network claims, and what the data say of it.

    Parameters
    ----------
    x, y : str
        Two variables that are not joined; an edge x -> y could be added.
    given : tuple of str
        The parents of y, given which the two are independent.
    information : float
        Their mutual information given those, in nats.
    p, log_p : float
        The p-value of the chi-square test and its logarithm; where the rows do not suffice for
        that, what the p-value is at most by a bound that holds for any counts.
    conclusive : bool
        Whether the rows suffice for the test.
    fails : bool
        Whether the claim is rejected, over all claims together.
    """

    x: str
    y: str
    given: tuple[str, ...]
    information: float
    p: float
    log_p: float
    conclusive: bool
    fails: bool

    def sentence(self) -> str:
        """Return what fails, and the edge that would mend it."""
        given = f" given {listed(map(shown, self.given))}" if self.given else ""
        p = f"{self.p:.2g}" if self.p > 0 else f"10^{self.log_p / math.log(10):.0f}"
        x, y = shown(self.x), shown(self.y)
        return (
            f"{x} and {y} are not independent{given} (p = {p}, mutual information "
            f"{self.information:.4f} nats): the edge {x} -> {y} would mend it"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Criticism(Tabular):
    """What data say against a network.

    Parameters
    ----------
    claims : tuple of Claim
        Every independence that was looked at, the least likely first.
    others : tuple of str
        What fails besides: p-values of the rest, tables, rows that are impossible.
    n_rows : int
        How many rows the data have.
    alpha : float
        The chance of any false alarm, at most, where data come from the network.
    """

    claims: tuple[Claim, ...]
    others: tuple[str, ...]
    n_rows: int
    alpha: float = 0.05

    @property
    def failures(self) -> tuple[str, ...]:
        """What fails, a sentence each, independences first."""
        return (*(claim.sentence() for claim in self.claims if claim.fails), *self.others)

    @property
    def passed(self) -> bool:
        """Whether nothing fails."""
        return not self.failures

    def __len__(self) -> int:
        return len(self.claims)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    __repr__ = Tabular.__str__

    def to_dict(self) -> dict[str, object]:
        """Return it as plain data, as ``bayesloom check --json`` prints it."""
        return {
            "passed": self.passed,
            "failures": list(self.failures),
            "rows": self.n_rows,
            "alpha": self.alpha,
            "claims": len(self.claims),
            "inconclusive": sum(not claim.conclusive for claim in self.claims),
            "failing": [
                {
                    "x": claim.x,
                    "y": claim.y,
                    "given": list(claim.given),
                    "information": claim.information,
                    "p": claim.p,
                    "log_p": claim.log_p,
                }
                for claim in self.claims
                if claim.fails
            ],
        }

    def _columns(self) -> NamedColumns:
        given = [", ".join(claim.given) for claim in self.claims]
        columns: list[tuple[str, list[object]]] = [
            (key, [getattr(claim, key) for claim in self.claims]) for key in Claim._fields
        ]
        return [(key, given if key == "given" else values) for key, values in columns]

    def _grid(self, most: int | None) -> Grid:
        failing = [claim for claim in self.claims if claim.fails]
        rows = [
            (
                f"{label(claim.x)}, {label(claim.y)}",
                f"{claim.information:.4f}",
                f"{claim.p:.2g}",
                ", ".join(claim.given),
            )
            for claim in failing
        ]
        n, untested = len(self.claims), sum(not claim.conclusive for claim in self.claims)
        few = f", {untested:,} of them judged by a bound, for few rows" if untested else ""
        return Grid(
            f"{len(failing):,} of {counted(n, 'independence')} fail in {self.n_rows:,} rows{few}",
            ("pair", "info", "p", "given"),
            rows[:most],
            1,
            more=len(rows) - len(rows[:most]),
            noun="pair",
            notes=(*self.others, f"chance of any false alarm: at most {self.alpha:g}"),
            left=frozenset({3}),
        )


def criticise(
    engine: CountingEngine,
    dag: DAG,
    net: BayesNet | None,
    *,
    alpha: float = 0.05,
    learned_rows: int | None = None,
) -> Criticism:
    """Look in data for what speaks against a network.

    Every variable has to be independent, given its parents, of each variable that comes before it
    and is no parent. Benjamini and Hochberg's rule takes half of ``alpha``; a quarter each is for
    too many small p-values among the rest, and for the tables.

    Parameters
    ----------
    engine : CountingEngine
        The data, of the network's variables and states.
    dag : DAG
        The graph.
    net : BayesNet, optional
        The network with its tables; None for a graph alone.
    alpha : float
        The chance of any false alarm.
    learned_rows : int, optional
        Of how many other rows the tables were learned, which makes them inexact.
    """
    shares = [share * alpha for share in _SHARES]
    claims = _claims(engine, dag.reordered(engine.names), shares[0])
    others = [*_together(claims, shares[1])]
    if net is not None:
        others += _tables(engine, net, shares[2], learned_rows)
    return Criticism(claims, tuple(others), engine.n_rows, alpha)


def _claims(engine: CountingEngine, dag: DAG, alpha: float) -> tuple[Claim, ...]:
    """Test every variable against the earlier ones that are no parents of it: one batch."""
    parents, earlier = dag.parent_masks, 0
    asked: list[tuple[int, list[int], list[int]]] = []
    varies = ~np.asarray(engine.constant)
    for v in topological_order(parents):
        others = [u for u in bits(earlier & ~parents[v]) if varies[u]]
        if others and varies[v]:
            asked.append((v, bits(parents[v]), others))
        earlier |= 1 << v
    if not asked:
        return ()
    batch = Batch.of(asked)
    told, informations = ChiSquare().run(engine, batch), engine.informations(batch)
    conclusive = np.asarray(told.conclusive)
    log_p = np.where(conclusive, told.log_p, 0.0)
    fit = batch.n_cells(engine.cardinality) <= _MOST_CELLS
    few = ~conclusive & fit
    if few.any():
        tables = engine.counts(batch.only(few))
        log_p[few] = [log_p_bound(np.asarray(table)) for table in tables]
    fails = _rejected(log_p, alpha)
    names, flat = engine.names, [(u, given, v) for v, given, others in asked for u in others]
    claims = [
        Claim(
            names[u],
            names[v],
            tuple(names[p] for p in given),
            max(0.0, float(informations[k])),
            float(np.exp(log_p[k])),
            float(log_p[k]),
            bool(conclusive[k]),
            bool(fails[k]),
        )
        for k, (u, given, v) in enumerate(flat)
    ]
    return tuple(sorted(claims, key=lambda claim: (claim.log_p, claim[:2])))


def log_p_bound(counts: Floats) -> float:
    """Return what the log p of independence within strata is at most, however few the rows.

    How often two states come together, summed over strata, is a sum of independent zeros and ones
    if margins are kept (a hypergeometric number is one), so Chernoff's bound holds for it; the
    smallest one of all pairs of states counts, times their number and both sides.

    Parameters
    ----------
    counts : array
        The table of strata and the two variables, which come last.

    References
    ----------
    W. Hoeffding: Probability inequalities for sums of bounded random variables, JASA 58, 1963.

    Examples
    --------
    >>> round(log_p_bound(np.array([[2, 0], [0, 20]])), 2), log_p_bound(np.array([[1, 1], [1, 1]]))
    (-0.9, 0.0)
    """
    tables = counts.reshape(-1, *counts.shape[-2:]).astype(np.float64)
    rows = tables.sum(axis=(1, 2))
    tables = tables[rows > 0]
    both = tables.sum(axis=2)[:, :, None] * tables.sum(axis=1)[:, None, :]
    expected = (both / rows[rows > 0][:, None, None]).sum(axis=0)
    together = tables.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(together > 0, together * np.log(together / expected), 0.0)
    exponent = np.where(expected > 0, spread - together + expected, 0.0)
    return float(min(0.0, math.log(2 * together.size) - exponent.max(initial=0.0)))


def _rejected(log_p: Floats, alpha: float) -> Bools:
    """Say which are rejected by Benjamini and Hochberg's rule."""
    n, order = len(log_p), np.argsort(log_p, kind="stable")
    below = np.flatnonzero(log_p[order] <= np.log(np.arange(1, n + 1) * alpha / max(1, n)))
    fails = np.zeros(n, np.bool_)
    if len(below):
        fails[order[: below[-1] + 1]] = True
    return fails


def _together(claims: Sequence[Claim], alpha: float) -> Iterator[str]:
    """Say whether too many of the p-values that are not rejected are small."""
    rest = [claim.p for claim in claims if claim.conclusive and not claim.fails]
    n, small = len(rest), sum(p <= _SMALL_P for p in rest)
    if n < _FEWEST or small <= n * _SMALL_P:
        return
    tail = math.fsum(
        math.exp(
            math.lgamma(n + 1)
            - math.lgamma(k + 1)
            - math.lgamma(n - k + 1)
            + k * math.log(_SMALL_P)
            + (n - k) * math.log1p(-_SMALL_P)
        )
        for k in range(small, n + 1)
    )
    if tail <= alpha:
        yield (
            f"{small:,} of the {n:,} independences that do not fail alone have a p-value up to "
            f"{_SMALL_P:g}, where about {n * _SMALL_P:,.0f} are expected: several weak edges are "
            "missing"
        )


def _tables(
    engine: CountingEngine, net: BayesNet, alpha: float, learned_rows: int | None
) -> Iterator[str]:
    """Say which rows are impossible, and which tables do not predict their variable."""
    index = {name: v for v, name in enumerate(engine.names)}
    families = [[*(index[p] for p in net.parents(name)), index[name]] for name in net.names]
    off: list[tuple[float, str]] = []
    for name, counts in zip(net.names, engine.counts(Batch.sets(families)), strict=True):
        table = np.asarray(net.table(name))
        seen = np.asarray(counts, np.float64).reshape(-1, table.shape[-1])
        shares = table.reshape(-1, table.shape[-1])
        impossible = int(seen[shares == 0].sum())
        if impossible:
            states = net.states_of(name)
            place = int(np.where(shares == 0, seen, 0).sum(axis=0).argmax())
            yield (
                f"{counted(impossible, 'row')} cannot be: "
                f"{shown(name)}={shown(states[place])} has probability 0 given its parents there; "
                "fit the tables with a prior, such as BDeuMean()"
            )
        statistic, df = _misfit(seen, shares)
        inexact = 1.0 if learned_rows is None else 1.0 + engine.n_rows / learned_rows
        if df:
            log_p = _native.log_p_values(np.array([statistic / inexact]), np.array([df]))
            off.append((float(log_p[0]), name))
    level = math.log(alpha / max(1, len(off)))
    for log_p_value, name in sorted(off):
        if log_p_value <= level:
            yield (
                f"the table of {shown(name)} does not predict it (p = {math.exp(log_p_value):.2g}, "
                f"over {counted(len(off), 'table')}): it has drifted, or its parents are others"
            )


def _misfit(seen: Floats, shares: Floats) -> tuple[float, float]:
    """Return chi-square of counts against a table and its degrees of freedom.

    Cells in which fewer than 5 rows are expected are put together, line by line.
    """
    statistic = df = 0.0
    for line, share in zip(seen, shares, strict=True):
        expected = line.sum() * share
        large = expected >= _LEAST_EXPECTED
        got, wanted = [*line[large]], [*expected[large]]
        left = expected[~large].sum()
        if left >= _LEAST_EXPECTED:
            got.append(line[~large].sum())
            wanted.append(left)
        elif left > 0 and wanted:
            got[-1] += line[~large].sum()
            wanted[-1] += left
        if len(wanted) > 1:
            statistic += sum((g - w) ** 2 / w for g, w in zip(got, wanted, strict=True))
            df += len(wanted) - 1
    return statistic, df
