"""bayesloom: every call of it that the benchmark makes is in this file."""

from __future__ import annotations

import itertools
from typing import Any

from contenders import NotAvailableError, Prepared, total

LEARN_FILE = (
    "-c",
    "from bayesloom.cli import main; main()",
    "learn",
    "{csv}",
    "--search",
    "hc",
    "--score",
    "bic",
    "-o",
    "{bif}",
)


def _need(*names: str) -> Any:  # noqa: ANN401
    try:
        import bayesloom as bl
    except ModuleNotFoundError as error:
        raise NotAvailableError(str(error)) from error
    missing = [name for name in names if not hasattr(bl, name)]
    if missing:
        msg = f"bayesloom has no {', '.join(missing)} yet"
        raise NotAvailableError(msg)
    return bl


def _on_engine(csv: str, ask: Any, *, threads: int, build: bool) -> Any:  # noqa: ANN401
    """Return the timed work; with ``build`` it includes making the engine from the table."""
    bl = _need("read", "NativeEngine")
    table = bl.read(csv)
    if build:
        return lambda: ask(bl.NativeEngine(table, threads=threads))
    engine = bl.NativeEngine(table, threads=threads)
    return lambda: ask(engine)


def pairwise_mi(csv: str, *, threads: int = 1, build: bool = False) -> Prepared:
    bl = _need("read", "Batch")
    place = range(len(bl.read(csv).names))
    pairs = list(itertools.combinations(place, 2))
    batch = bl.Batch.of([(x, 0, [y for a, y in pairs if a == x]) for x in place])
    work = _on_engine(csv, lambda e: e.mutual_informations(batch), threads=threads, build=build)
    return work, total


def family_scores(
    csv: str, families: list[list[str]], *, threads: int = 1, build: bool = False
) -> Prepared:
    bl = _need("read", "Batch", "BDeu")
    place = {name: v for v, name in enumerate(bl.read(csv).names)}
    score = bl.BDeu(ess=10)
    batch = bl.Batch.of(
        [(place[f[0]], sum(1 << place[parent] for parent in f[1:])) for f in families]
    )
    work = _on_engine(csv, lambda e: score.local_scores(e, batch), threads=threads, build=build)
    return work, total


def read_csv(csv: str) -> Prepared:
    bl = _need("read")
    return lambda: bl.read(csv), lambda table: {"rows": table.n_rows, "columns": len(table.names)}


def read_network(bif: str) -> Prepared:
    bl = _need("load")
    return lambda: bl.load(bif), lambda net: {"nodes": len(net.names)}


def compile_network(bif: str) -> Prepared:
    bl = _need("load", "JunctionTree")
    net = bl.load(bif)
    return lambda: bl.JunctionTree(net), lambda _: {}


def posteriors(bif: str, evidence: dict, earlier: dict) -> Prepared:
    bl = _need("load", "JunctionTree")
    tree = bl.JunctionTree(bl.load(bif))
    tree.posteriors(earlier)
    tell = lambda found: {"marginals": {v: list(p.values()) for v, p in found.items()}}  # noqa: E731
    return lambda: tree.posteriors(evidence), tell


def sample(bif: str, rows: int) -> Prepared:
    bl = _need("load")
    net = bl.load(bif)
    return lambda: net.sample(rows, seed=1), lambda table: {"rows": table.n_rows}


def log_likelihood(bif: str, csv: str) -> Prepared:
    bl = _need("load", "read")
    net, table = bl.load(bif), bl.read(csv)
    return lambda: net.log_likelihood(table), lambda value: {"sum": float(value)}


def _learn(csv: str, search: str, *, threads: int = 1, **options: Any) -> Prepared:  # noqa: ANN401
    bl = _need("read", "learn", "BIC", "BDeu", search)
    if score := options.pop("score", ""):
        options["score"] = bl.BDeu(ess=10) if score == "bdeu" else bl.BIC()
    table, chosen = bl.read(csv), getattr(bl, search)(**options)
    return lambda: bl.learn(table, chosen, threads=threads), _edges


def _edges(net: Any) -> dict[str, Any]:  # noqa: ANN401
    undirected = [list(pair) for pair in net.undirected]
    free = {frozenset(pair) for pair in undirected}
    directed = [list(edge) for edge in net.edges if frozenset(edge) not in free]
    return {"directed": directed, "undirected": undirected}


def hill_climbing(csv: str, score: str) -> Prepared:
    return _learn(csv, "HillClimbing", score=score)


def tabu(csv: str, score: str) -> Prepared:
    return _learn(csv, "Tabu", score=score)


def ges(csv: str, score: str) -> Prepared:
    return _learn(csv, "GES", score=score)


def xges(csv: str, score: str) -> Prepared:
    return _learn(csv, "XGES", score=score)


def chow_liu(csv: str) -> Prepared:
    return _learn(csv, "ChowLiu")


def k2(csv: str, score: str, order: list[str]) -> Prepared:
    return _learn(csv, "K2", score=score, order=order)


def dmn(csv: str, lookahead: int) -> Prepared:
    return _learn(csv, "DMN", lookahead=lookahead)
