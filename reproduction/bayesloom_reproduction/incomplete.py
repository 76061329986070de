"""What missing cells cost: ways to learn from rows with holes, against the complete rows."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bayesloom.data import Table
from bayesloom.evaluation import kl_divergence
from bayesloom.graphs import DAG, structural_hamming_distance
from bayesloom.incomplete import EM
from bayesloom.learning import DEFAULT_SEARCH
from bayesloom.model import BayesNet, BDeuMean, draw_rows, fit_em, fit_net
from bayesloom.report.chart import Curve, line_chart
from bayesloom.scores import BIC, PNAL
from bayesloom.search import GES, IXGES, Limits, Search, StructuralEM, Watch
from bayesloom_reproduction.experiment import (
    Experiment,
    Figure,
    Findings,
    Generator,
    Row,
    Rows,
    Trial,
    joined,
    mean,
    numbers,
)
from bayesloom_reproduction.known_networks import known
from bayesloom_reproduction.measures import engine_of

NETWORKS = ("child", "insurance", "alarm")
MECHANISMS = {"mcar": "completely at random", "mar": "at random"}
RATES = (5, 10, 20, 40)
SIZES = (1000, 5000)
COMPLETE = "complete rows"
METHODS = (COMPLETE, "structural EM", "PNAL", "mode", "state", "drop rows")
"""Ways to learn with `GES`."""
OF_DEFAULT = "default, complete rows"
DEFAULTS = (OF_DEFAULT, "default, structural EM", "default, PNAL")
"""Ways to learn with the search that `bayesloom.learn` takes by itself."""
_USUAL = GES(score=BIC())
_EM = EM(tolerance=1e-6)


def draw_incomplete(trial: Trial, rng: Generator) -> Rows:
    """Draw rows, take cells away, and learn in every way from the same rows."""
    net = known(str(trial["network"]))
    rows = draw_rows(net, int(trial["rows"]), rng).in_name_order()
    holes = with_holes(rows, int(trial["percent"]) / 100, rng, at_random=trial["missing"] == "mar")
    return {"runs": [_measured(name, net, rows, holes) for name in METHODS + DEFAULTS]}


def with_holes(table: Table, rate: float, rng: Generator, *, at_random: bool) -> Table:
    """Take cells away, each with the same probability, or dependent on one column that stays.

    In the latter case rows in which that column has its most frequent state lose half as many cells
    as all do on average, and the others so many more.
    """
    chance = np.full(table.n_rows, rate)
    stays = -1
    if at_random:
        stays, often = _driver(table, rng)
        share = often.mean()
        high = min(0.9, rate * (1 - 0.5 * share) / (1 - share))
        low = (rate - high * (1 - share)) / share
        chance = np.where(often, low, high)
    codes = [
        column if v == stays else np.where(rng.random(table.n_rows) < chance, len(states), column)
        for v, (column, states) in enumerate(zip(table.codes, table.states, strict=True))
    ]
    return Table(table.names, table.states, codes, holes=True)


def _driver(table: Table, rng: Generator) -> tuple[int, np.ndarray]:
    """Choose a column by chance whose most frequent state is in a third to two thirds of rows."""
    often = [column == np.bincount(column).argmax() for column in table.codes]
    fit = [v for v, there in enumerate(often) if 1 / 3 <= there.mean() <= 2 / 3]
    chosen = int(rng.choice(fit or range(table.n_columns)))
    return chosen, often[chosen]


def _measured(method: str, net: BayesNet, rows: Table, holes: Table) -> Row:
    """Learn in one way; time is that of the graph and the parameters, on one processor."""
    began = time.process_time()
    dag, fitted = _WAYS[method](rows, holes)
    seconds = time.process_time() - began
    return {
        "method": method,
        "shd": structural_hamming_distance(net.dag, dag),
        "kl": kl_divergence(net, fitted),
        "edges": len(dag.edges),
        "seconds": seconds,
    }


Learned = tuple[DAG, BayesNet]


def _found(search: Search, table: Table) -> DAG:
    engine = engine_of(table)
    dag = search.search(engine, Limits.none(engine.names), Watch()).dag
    assert dag is not None
    return dag


def _plain(table: Table, search: Search = _USUAL) -> Learned:
    dag = _found(search, table)
    return dag, fit_net(dag, engine_of(table), BDeuMean())


def _around_holes(search: Search, holes: Table) -> Learned:
    dag = _found(search, holes)
    return dag, fit_em(dag, engine_of(holes), BDeuMean(), _EM)[0]


def _without_rows(_: Table, holes: Table) -> Learned:
    whole = np.all(
        [column < len(states) for column, states in zip(holes.codes, holes.states, strict=True)],
        axis=0,
    )
    if not whole.any():  # nothing is left to learn from
        dag = DAG.from_edges([], holes.names)
        tables = tuple(np.full(len(states), 1 / len(states)) for states in holes.states)
        return dag, BayesNet(dag, holes.states, tables)
    return _plain(holes.take(np.flatnonzero(whole)))


def _with_modes(_: Table, holes: Table) -> Learned:
    filled = []
    for column, states in zip(holes.codes, holes.states, strict=True):
        often = np.bincount(column, minlength=len(states) + 1)[:-1].argmax()
        filled.append(np.where(column == len(states), often, column))
    return _plain(Table(holes.names, holes.states, filled))


def _with_state(_: Table, holes: Table) -> Learned:
    """Take holes for a state in the search; such a network is over other states, so fit by EM."""
    empty = [
        column == len(states) for column, states in zip(holes.codes, holes.states, strict=True)
    ]
    states = [(*s, "missing") if e.any() else s for s, e in zip(holes.states, empty, strict=True)]
    dag = _found(_USUAL, Table(holes.names, states, holes.codes))
    return dag, fit_em(dag, engine_of(holes), BDeuMean(), _EM)[0]


_WAYS: dict[str, Callable[[Table, Table], Learned]] = {
    COMPLETE: lambda rows, _: _plain(rows),
    "structural EM": lambda _, holes: _around_holes(StructuralEM(_USUAL), holes),
    "PNAL": lambda _, holes: _around_holes(GES(score=PNAL()), holes),
    "mode": _with_modes,
    "state": _with_state,
    "drop rows": _without_rows,
    OF_DEFAULT: lambda rows, _: _plain(rows, DEFAULT_SEARCH),
    "default, structural EM": lambda _, holes: _around_holes(StructuralEM(DEFAULT_SEARCH), holes),
    "default, PNAL": lambda _, holes: _around_holes(IXGES(score=PNAL()), holes),
}


def figure_incomplete(tables: Rows) -> Findings:
    """Tabulate and draw distance and divergence over the share of missing cells."""
    runs = tables["runs"]
    lines, charts = [], {}
    data: dict[str, dict[str, object]] = {}
    for (kind, size), some in joined(runs, "missing", "rows").items():
        title = f"cells missing {MECHANISMS[str(kind)]}, {int(size):,} rows"
        for measure, name, digits in (("shd", "SHD", 1), ("kl", "KL divergence", 3)):
            lines += ["", f"{name}, {title}", *_table(some, measure, digits)]
            charts[f"incomplete-{kind}-{size}-{measure}"] = line_chart(
                [
                    Curve(
                        str(method),
                        tuple((p, mean(found)) for p, found in _by_rate(mine, measure).items()),
                    )
                    for (method,), mine in joined(some, "method").items()
                    if method in METHODS
                ],
                title=f"{name}: {title}",
                x="cells missing, percent",
                y=f"{name}, mean over networks" + (", nats" if measure == "kl" else ""),
                ticks=RATES,
            )
        data[f"{kind}, {size}"] = {
            str(method): {
                measure: {
                    percent: mean(found) for percent, found in _by_rate(mine, measure).items()
                }
                for measure in ("shd", "kl", "seconds")
            }
            for (method,), mine in joined(some, "method").items()
        }
    lines += ["", "SHD at 10 percent by network, and its ratio to that of the complete rows"]
    lines += _by_network(runs, data, METHODS)
    lines += ["", "The same with the default search"]
    lines += _by_network(runs, data, DEFAULTS)
    return Findings("\n".join(lines).strip(), dict(data), charts)


def _by_rate(runs: list[Row], measure: str) -> dict[int, list[float]]:
    return {int(p): numbers(some, measure) for (p,), some in joined(runs, "percent").items()}


def _table(runs: list[Row], measure: str, digits: int) -> list[str]:
    rates = _by_rate(runs, measure)
    rows = [["learned from", *(f"{percent} %" for percent in rates), "seconds"]]
    for (method,), mine in joined(runs, "method").items():
        means = [f"{mean(found):.{digits}f}" for found in _by_rate(mine, measure).values()]
        rows.append([str(method), *means, f"{mean(numbers(mine, 'seconds')):.2f}"])
    return [f"| {' | '.join(row)} |" for row in rows]


def _by_network(
    runs: list[Row], data: dict[str, dict[str, object]], methods: tuple[str, ...]
) -> list[str]:
    """Tabulate some ways, the first of which is that of the complete rows."""
    rows = [["network", "missing", "rows", *methods]]
    mine = [run for run in runs if run["method"] in methods]
    at_ten = [run for run in mine if run["percent"] == 10]  # noqa: PLR2004 - percent
    for (network, kind, size), some in joined(at_ten, "network", "missing", "rows").items():
        means = {
            str(m): mean(numbers(mine, "shd")) for (m,), mine in joined(some, "method").items()
        }
        whole = means[methods[0]]
        data.setdefault(f"10 percent, {network}, {kind}, {size}", {}).update(means)
        cells = [
            f"{value:.1f}" + (f" ({value / whole:.2f})" if whole and name != methods[0] else "")
            for name, value in means.items()
        ]
        rows.append([str(network), str(kind), f"{int(size):,}", *cells])
    return [f"| {' | '.join(row)} |" for row in rows]


INCOMPLETE = Experiment(
    "incomplete",
    {"rows": SIZES, "percent": RATES, "missing": tuple(MECHANISMS), "network": NETWORKS},
    10,
    draw_incomplete,
    (Figure("incomplete", "learning from rows with missing cells", figure_incomplete),),
)
"""A sample of a known network per trial, from which cells are taken away."""
