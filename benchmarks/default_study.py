"""The study of what `bayesloom.learn` maximises by default; its tables are on docs/study.md.

python benchmarks/default_study.py choose results.jsonl      the half that scores are chosen on
python benchmarks/default_study.py confirm results.jsonl     the half that was set aside
python benchmarks/default_study.py tables results.jsonl FOLDER   real tables, by folds
python benchmarks/default_study.py show results.jsonl        means, ranks, worst cells

Samples are drawn from 16 networks, every other one set aside, and from four families of random
networks of 30 variables, whose seeds are set aside. The divergence is that of 20,000 (to choose:
5,000) further rows, with parameters of equivalent sample size 10; the rows are the same for all
learners. FOLDER has tables and their `columns.csv` (name, column, kind: numeric or not). What is in
the file of results is not measured again.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesloom import BIC, BOSS, GES, IXGES, QNML, XGES, BDeu, BDm, HillClimbing, Tabu
from bayesloom.data import Table
from bayesloom.data.network_rows import read_rows
from bayesloom.engine import NativeEngine
from bayesloom.graphs import structural_hamming_distance
from bayesloom.model import (
    BayesNet,
    BDeuMean,
    draw_rows,
    fit_net,
    load_net,
    log_likelihood,
    random_dag,
    random_net,
)
from bayesloom.search import Limits, Start, Watch

if TYPE_CHECKING:
    from bayesloom.graphs import DAG

NETWORKS = Path(__file__).parents[1] / "tests" / "data" / "model" / "networks"
LARGE = ("pathfinder", "munin1", "andes", "pigs")
BY_SIZE = (
    *("survey", "asia", "sachs", "child", "insurance", "water", "mildew", "alarm", "barley"),
    *("hailfinder", "hepar2", "win95pts", *LARGE),
)
"""Every other one, from the first on, is chosen on; the others are set aside."""
FAMILIES = ("d.3", "d1", "uniform", "dense")
"""Dirichlet 0.3 and 1, even numbers scaled to sum to 1, and 90 edges instead of 45."""
SIZES = (200, 500, 2000, 5000, 20_000)
ESTIMATOR = BDeuMean(ess=10)
LEAST = 0.02
"""Divergences below this count as this much where they are compared as ratios."""
FOLDS, MOST_ROWS, BINS = 5, 3000, 5


def one_climb(score: Any) -> XGES:  # noqa: ANN401 - any score
    """Return the search that scores are compared with: one start, few trials."""
    return XGES(score=score, start=Start.EMPTY, tries=50)


CANDIDATES = {
    "qNML 4, 0.5": one_climb(QNML(guard=4, sparsity=0.5)),
    "BDeu 10, 0.5": one_climb(BDeu(ess=10, sparsity=0.5)),
    "BDeu 10, 1": one_climb(BDeu(ess=10, sparsity=1)),
    "BDeu 10, 2": one_climb(BDeu(ess=10, sparsity=2)),
    "BDeu 5, 1": one_climb(BDeu(ess=5, sparsity=1)),
    "BDm 20, 0.5": one_climb(BDm(sparsity=0.5)),
    "BDm 20, 1": one_climb(BDm(sparsity=1)),
    "BDm 20, 1.5": one_climb(BDm(sparsity=1.5)),
    "BDm 8, 1": one_climb(BDm(ess=8, sparsity=1)),
}
RIVALS = {
    "default": IXGES(),
    "qNML 4, 0.5 IXGES": IXGES(score=QNML(guard=4, sparsity=0.5)),
    "BIC XGES": XGES(score=BIC(), tries=50),
    "BIC GES": GES(score=BIC()),
    "BDeu 10 GES": GES(score=BDeu(ess=10)),
    "BDeu 10, 1 XGES": XGES(score=BDeu(ess=10, sparsity=1), tries=50),
    "BDeu 10 Tabu": Tabu(score=BDeu(ess=10)),
    "BIC HC": HillClimbing(score=BIC()),
    "BIC BOSS": BOSS(score=BIC()),
}


def network(name: str, seed: int) -> BayesNet:
    """Return a public network, or draw one of a family."""
    if name not in FAMILIES:
        return load_net(NETWORKS / f"{name}.bif.gz")
    rng = np.random.default_rng([7, FAMILIES.index(name), seed])
    dag = random_dag(30, rng, edges=90 if name == "dense" else 45)
    net, tables = random_net(dag, rng, states=(2, 4)), []
    for table in net.tables:
        if name == "uniform":
            numbers = rng.random(table.shape)
        else:
            numbers = rng.gamma(0.3 if name == "d.3" else 1.0, size=table.shape) + 1e-12
        tables.append(numbers / numbers.sum(-1, keepdims=True))
    return BayesNet(net.dag, net.states, tuple(tables))


class Sample:
    """Rows to learn from, and others to judge by."""

    def __init__(self, name: str, rows: int, seed: int, n_judge: int) -> None:
        self.net = network(name, seed)
        self.engine = _engine(draw_rows(self.net, rows, 1000 + seed))
        self.judge = _engine(draw_rows(self.net, n_judge, 9000 + seed))
        self.truth = self.loss(self.net)

    def loss(self, net: BayesNet) -> float:
        """Return the loss per row to judge by."""
        return -log_likelihood(net, self.judge) / self.judge.n_rows

    def measured(self, dag: DAG) -> dict[str, float]:
        """Return the divergence from the truth, and the distance of the graphs."""
        return {
            "kld": self.loss(fit_net(dag, self.engine, ESTIMATOR)) - self.truth,
            "shd": structural_hamming_distance(self.net.dag, dag),
        }


class Fold:
    """A part of a real table to learn from, cut there, and the rest to judge by."""

    def __init__(self, folder: Path, name: str, fold: int) -> None:
        seen, unseen, numeric = _parts(folder, name, fold)
        states = {c: sorted({*seen[c], *unseen[c]}) for c in seen if c not in numeric}
        table = Table.from_frame(seen, discretize=dict.fromkeys(numeric, BINS), states=states)
        self.engine = _engine(table)
        self.judge = NativeEngine(
            read_rows(self.engine.names, self.engine.states, unseen), threads=1
        )

    def measured(self, dag: DAG) -> dict[str, float]:
        """Return the loss of the rows held out, and the number of edges."""
        net = fit_net(dag, self.engine, ESTIMATOR)
        return {"kld": -log_likelihood(net, self.judge) / self.judge.n_rows, "shd": dag.n_edges}


def _parts(folder: Path, name: str, fold: int) -> tuple[dict[str, list], dict[str, list], set[str]]:
    """Return the complete rows of a table outside and inside of a fold, and what is numeric."""
    with (folder / "columns.csv").open(newline="") as file:
        kinds = {r["column"]: r["kind"] for r in csv.DictReader(file) if r["name"] == name}
    path = folder / f"{name}.csv"
    raw = path.read_bytes() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes())
    head, *lines = csv.reader(io.StringIO(raw.decode(), newline=""))
    rows = [row for row in lines if "" not in row]
    chosen = np.random.default_rng(1).permutation(len(rows))[:MOST_ROWS].tolist()
    columns: dict[str, list] = {c: [rows[i][k] for i in chosen] for k, c in enumerate(head)}
    numeric = {c for c in head if kinds[c] == "numeric" and len(set(columns[c])) > BINS}
    columns |= {c: [float(x) for x in columns[c]] for c in numeric}
    inside = [k % FOLDS == fold for k in range(len(chosen))]
    seen, unseen = (
        {
            c: [x for x, i in zip(cells, inside, strict=True) if i == want]
            for c, cells in columns.items()
        }
        for want in (False, True)
    )
    return seen, unseen, numeric


def _engine(table: Table) -> NativeEngine:
    return NativeEngine(table.in_name_order(), threads=1)


def trials(part: str) -> Iterator[tuple[str, int, int]]:
    """Yield network, rows and seed of the samples of a half, the fewest rows first."""
    named = BY_SIZE[part == "confirm" :: 2]
    seed, of_family = (51, 52) if part == "confirm" else (1, 1)
    for rows in SIZES:
        for name in named:
            if name not in LARGE or rows <= SIZES[2]:
                yield name, rows, seed
        yield from ((name, rows, of_family) for name in FAMILIES)


def run(searches: dict[str, Any], samples: Iterator[tuple[tuple, Any]], place: Path) -> None:
    """Measure every search on every sample that has no line yet."""
    done = {(r["sample"], r["learner"]) for r in _kept(place)}
    for key, make in samples:
        label = " ".join(map(str, key))
        todo = [name for name in searches if (label, name) not in done]
        sample = make(*key) if todo else None
        for name in todo:
            began = time.process_time()
            engine = sample.engine
            dag = searches[name].search(engine, Limits.none(engine.names), Watch()).dag
            seconds = time.process_time() - began
            row = {"sample": label, "learner": name, **sample.measured(dag), "seconds": seconds}
            with place.open("a") as file:
                file.write(json.dumps(row) + "\n")


def show(place: Path) -> None:
    """Print what every learner reaches over the samples where all have a result."""
    by_sample: dict[str, dict[str, dict]] = {}
    for row in _kept(place):
        by_sample.setdefault(row["sample"], {})[row["learner"]] = row
    names = list(dict.fromkeys(row["learner"] for row in _kept(place)))
    whole = {k: found for k, found in by_sample.items() if len(found) == len(names)}
    print(f"{len(whole)} samples\n")
    print("| learner | KL to the best | worst | above | SHD | ranks | seconds |")
    for name in names:
        ratios, above, ranks = {}, [], []
        for label, found in whole.items():
            kld = {other: max(LEAST, found[other]["kld"]) for other in names}
            ratios[label] = kld[name] / min(kld.values())
            above.append(found[name]["kld"] - min(each["kld"] for each in found.values()))
            ranks.append([_rank(kld, name), _rank({o: found[o]["shd"] for o in names}, name)])
        worst = max(ratios, key=lambda label: ratios[label])
        shd, seconds = (fmean(f[name][key] for f in whole.values()) for key in ("shd", "seconds"))
        mean = math.exp(fmean(map(math.log, ratios.values())))
        places = ", ".join(f"{fmean(column):.1f}" for column in zip(*ranks, strict=True))
        told = f"{mean:.3f} | {ratios[worst]:.2f} ({worst}) | {fmean(above):.3f}"
        print(f"| {name} | {told} | {shd:.2f} | {places} | {seconds:.3f} |")


def _rank(values: dict[str, float], name: str) -> float:
    mine = values[name]
    below = sum(v < mine - 1e-9 for v in values.values())
    return below + (sum(abs(v - mine) <= 1e-9 for v in values.values()) + 1) / 2


def _kept(place: Path) -> list[dict]:
    return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


def main() -> None:
    part, place = sys.argv[1], Path(sys.argv[2])
    if part == "show":
        show(place)
    elif part == "tables":
        folder = Path(sys.argv[3])
        with (folder / "columns.csv").open(newline="") as file:
            names = sorted({row["name"] for row in csv.DictReader(file)})
        folds = ((folder, name, fold) for fold in range(FOLDS) for name in names)
        run(RIVALS, ((key, Fold) for key in folds), place)
    else:
        searches, n_judge = (CANDIDATES, 5000) if part == "choose" else (RIVALS, 20_000)
        keys = ((*trial, n_judge) for trial in trials(part))
        run(searches, ((key, Sample) for key in keys), place)


if __name__ == "__main__":
    main()
