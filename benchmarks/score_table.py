"""The scores that searches reach: a change may raise one, never lower it.

python benchmarks/score_table.py                finds all of them and writes results/scores.json
python benchmarks/score_table.py link,barley    those of some networks; the others stay
python benchmarks/score_table.py --default      those of the default alone
python benchmarks/score_table.py --page         writes docs/scores-reached.md

A cell is a sample of a public network, a score and a search; a search that takes more than a minute
of processor time has no figure. `tests/test_score_table.py` (slow) compares. The default has a
score of its own: when a decision changes it, its figures start anew.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bayesloom import BIC, BOSS, GES, QNML, XGES, BDeu, Tabu, learn
from bayesloom.data import Table
from bayesloom.learning import DEFAULT_SEARCH
from bayesloom.model import draw_rows, load_net
from bayesloom.registry import described

HERE = Path(__file__).parent
NETWORKS = HERE.parent / "tests" / "data" / "model" / "networks"
FIGURES = HERE / "results" / "scores.json"
ROWS, SEED, MOST_SECONDS = 5000, 1, 60

PAGE = """# Scores reached

What searches reach on {rows:,} rows drawn from public networks (`draw_rows`, seed {seed}), under
three scores; higher is better, the best of a row is bold. The default of `bl.learn` maximises
`{default}` and has a table of its own.
`python benchmarks/score_table.py` finds these figures anew, and `make test-slow` fails if one is
lower than here. A search that takes more than a minute of processor time, or that was not measured
yet, has no figure. Other
programs' scores are among the [benchmarks](benchmarks.md).
"""

SCORES = {"bic": BIC(), "bdeu": BDeu(ess=10), "qnml": QNML(guard=4, sparsity=0.5)}
TITLES = {"bic": "BIC", "bdeu": "BDeu, ess 10", "qnml": "qNML, guard 4, sparsity 0.5"}
SEARCHES = {"xges": XGES, "ges": GES, "tabu": Tabu, "boss": BOSS}
DEFAULT = "default"


def cells(network: str) -> Iterator[str]:
    """Yield the names of a network's cells."""
    yield f"{network} {DEFAULT}"
    for score in SCORES:
        for search in SEARCHES:
            yield f"{network} {score} {search}"


@cache
def sample(network: str) -> Table:
    """Return the rows that all cells of a network are about."""
    return draw_rows(load_net(NETWORKS / f"{network}.bif.gz"), ROWS, SEED)


def reached(cell: str, time_limit: float | None = None) -> float:
    """Return the score that a cell's search reaches."""
    network, *how = cell.split()
    search = DEFAULT_SEARCH if how == [DEFAULT] else SEARCHES[how[1]](score=SCORES[how[0]])
    return learn(sample(network), search, threads=1, time_limit=time_limit).score.value


def figure(cell: str) -> float | None:
    """Return the score that a cell's search reaches; None if that takes too long."""
    began = time.process_time()
    value = reached(cell, 4 * MOST_SECONDS)
    return value if time.process_time() - began <= MOST_SECONDS else None


def recorded() -> dict:
    """Return what is checked in: the default's description and the figures by cell."""
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def write(networks: list[str], *, default_alone: bool = False) -> None:
    """Find the figures of some networks and keep the others."""
    figures = recorded()["figures"] if FIGURES.exists() else {}
    for network in networks:
        for cell in [f"{network} {DEFAULT}"] if default_alone else cells(network):
            figures[cell] = figure(cell)
            print(cell, figures[cell], flush=True)
        sample.cache_clear()
        text = {
            "default": described(DEFAULT_SEARCH.score),
            "rows": ROWS,
            "seed": SEED,
            "figures": dict(sorted(figures.items())),
        }
        FIGURES.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


def page() -> str:
    """Return the page of the documentation."""
    facts = recorded()
    intro = PAGE.format(default=facts["default"], rows=facts["rows"], seed=facts["seed"])
    return intro + "\n".join(_tables(facts["figures"])) + "\n"


def _tables(figures: dict[str, float | None]) -> Iterator[str]:
    """Yield the lines of a table for each score; the best figure of a row is bold."""
    networks = sorted({cell.split()[0] for cell in figures})
    for score in SCORES:
        yield from _heading(TITLES[score], list(SEARCHES))
        for network in networks:
            row = [figures.get(f"{network} {score} {each}") for each in SEARCHES]
            known = [each for each in row if each is not None]
            yield f"| {network} | {' | '.join(_shown(each, known) for each in row)} |"
    yield from _heading("The default", ["score"])
    for network in networks:
        value = figures.get(f"{network} {DEFAULT}")
        yield f"| {network} | {'no figure' if value is None else _shown(value, [math.inf])} |"


def _heading(title: str, columns: list[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    yield f"| network | {' | '.join(columns)} |"
    yield f"|---|{'---:|' * len(columns)}"


def _shown(value: float | None, row: list[float]) -> str:
    if value is None:
        return "over a minute"
    text = f"{value:,.2f}"
    return f"**{text}**" if value > max(row) - 0.005 else text


if __name__ == "__main__":
    if sys.argv[1:] == ["--page"]:
        (HERE.parent / "docs" / "scores-reached.md").write_text(page(), encoding="utf-8")
    else:
        only = sys.argv[1:] == ["--default"]
        every = sorted(path.name.removesuffix(".bif.gz") for path in NETWORKS.glob("*.bif.gz"))
        named = sys.argv[1].split(",") if sys.argv[1:] and not only else every
        write(named, default_alone=only)
