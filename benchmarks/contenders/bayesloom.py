"""bayesloom: every call of it that the benchmark makes is in this file."""

from __future__ import annotations

import itertools
from typing import Any

import bayesloom as bl
import dataset
from bayesloom import model
from contenders import Prepared, total


def pairwise_mi(csv: str) -> Prepared:
    """Time the making of the engine too: its bitmaps are most of the work."""
    table = bl.read(csv)

    def work() -> Any:  # noqa: ANN401
        return bl.NativeEngine(table, threads=1).informations(bl.Batch.pairs(len(table.names)))

    return work, total


def family_scores(csv: str, families: list[list[str]]) -> Prepared:
    """Time the making of the engine too, but not that of the batch: the families are given."""
    table = bl.read(csv)
    place = {name: v for v, name in enumerate(table.names)}
    asked = [[place[name] for name in family] for family in families]
    same_base = itertools.groupby(asked, key=lambda family: family[:-1])
    batch = bl.Batch.of((base[0], base[1:], [f[-1] for f in group]) for base, group in same_base)
    score = bl.BDeu(ess=10)
    return lambda: score.local_scores(bl.NativeEngine(table, threads=1), batch), total


def read_csv(csv: str) -> Prepared:
    return lambda: bl.read(csv), lambda table: {"rows": table.n_rows, "columns": len(table.names)}


def read_network(bif: str) -> Prepared:
    return lambda: bl.load(bif), lambda net: {"nodes": len(net.dag.names)}


def compile_network(bif: str) -> Prepared:
    net = bl.load(bif)
    return lambda: bl.compile_net(net), lambda _: {}


def posteriors(bif: str, evidence: dict, earlier: dict | None = None) -> Prepared:
    net = bl.compile_net(bl.load(bif))
    if earlier:
        net.posteriors(given=earlier)

    def tell(found: Any) -> dict[str, Any]:  # noqa: ANN401
        return {"marginals": {v: found[v].values.tolist() for v in found}}

    return lambda: net.posteriors(given=evidence), tell


def sample(bif: str, rows: int) -> Prepared:
    net = bl.load(bif)
    return lambda: bl.sample(net, rows, 1), lambda table: {"rows": table.n_rows}


def log_likelihood(bif: str, csv: str) -> Prepared:
    net, table = bl.load(bif), bl.read(csv)
    return lambda: model.log_likelihood(net, table), lambda value: {"sum": float(value)}


# Made when they are asked for: a script that climbs by BIC does not load tests either.
SCORES = {"bic": lambda: bl.BIC(penalty=1.0), "bdeu": lambda: bl.BDeu(ess=10)}
CONTROLS = {
    "spending": lambda: bl.AlphaSpending(0.05),
    "one": lambda: bl.FixedAlpha(0.01),
    "five": lambda: bl.FixedAlpha(0.05),
}


def learn(
    csv: str,
    search: str,
    score: str = "",
    control: str = "",
    threads: int | None = 1,
    **more: object,
) -> Prepared:
    """Time `bayesloom.learn`; without a search the one it takes by itself."""
    table = bl.read(csv)
    more |= ({"score": SCORES[score]()} if score else {}) | (
        {"control": CONTROLS[control]()} if control else {}
    )
    chosen = getattr(bl, search)(**more) if search else None
    return lambda: bl.learn(table, chosen, threads=threads), _edges


def _edges(net: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"directed": [*map(list, net.edges)], "undirected": [*map(list, net.undirected)]}


def hill_climbing(csv: str, **options: object) -> Prepared:
    return learn(csv, "HillClimbing", **options)


def tabu(csv: str, **options: object) -> Prepared:
    return learn(csv, "Tabu", **options)


def ges(csv: str, **options: object) -> Prepared:
    return learn(csv, "GES", **options)


def xges(csv: str, **options: object) -> Prepared:
    return learn(csv, "XGES", **options)


def k2(csv: str, **options: object) -> Prepared:
    return learn(csv, "K2", **options)


def chow_liu(csv: str, **options: object) -> Prepared:
    return learn(csv, "ChowLiu", **options)


def pc(csv: str) -> Prepared:
    return learn(csv, "PC", control="one")


def iamb(csv: str) -> Prepared:
    return learn(csv, "IAMB", control="one")


def mmhc(csv: str) -> Prepared:
    return learn(csv, "MMHC", score="bic", control="one", test=_G_SQUARE)


_G_SQUARE = bl.GSquare(coverage=bl.Coverage.RELAXED)


def exact(csv: str, **options: object) -> Prepared:
    return learn(csv, "Exact", **options)


def naive_bayes(csv: str, target: str) -> Prepared:
    """Fit on codes and tell every row its class again, through the scikit-learn face."""
    x, y = dataset.codes_and_class(csv, target)
    made = bl.sklearn.NaiveBayesClassifier(smoothing=1.0, n_jobs=1)  # scikit-learn is imported
    return lambda: made.fit(x, y).predict(x), lambda told: {"right": int((told == y).sum())}


def tan_fit(csv: str, target: str) -> Prepared:
    x, y = dataset.codes_and_class(csv, target)
    fit = bl.sklearn.TANClassifier(n_jobs=1).fit
    return lambda: fit(x, y), lambda fitted: {"edges": len(fitted.network_.edges)}


def tan_probabilities(csv: str, target: str, training: int) -> Prepared:
    """Fit on the first rows; time the probabilities of all."""
    x, y = dataset.codes_and_class(csv, target)
    fitted = bl.sklearn.TANClassifier(smoothing=1.0, n_jobs=1).fit(x[:training], y[:training])
    return lambda: fitted.predict_proba(x), lambda found: {"rows": len(found)}
