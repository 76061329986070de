"""bayesloom: every call of it that the benchmark makes is in this file."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from contenders import NotAvailableError, Prepared, total

IMPORT = ("-c", "import bayesloom")
IMPORT_ALL = ("-c", "import bayesloom; bayesloom.learn")  # names are loaded when first used
LEARN_FILE = (
    "-c",
    "from bayesloom.cli import main; main()",
    "learn",
    "{csv}",
    "--search",
    "hc",
    "--score",
    "bic",
    "--threads",
    "1",
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


def _on_engine(csv: str, ask: Any, threads: int, engine: str) -> Any:  # noqa: ANN401
    """Return the timed work on an engine that is made in that time, new, or already in use."""
    bl = _need("read", "NativeEngine")
    if engine == "in use":
        ready = _lasting_engine(csv, threads)
        for _ in range(10):
            ask(ready)
        return lambda: ask(ready)
    table = bl.read(csv)
    if engine == "made":
        return lambda: ask(bl.NativeEngine(table, threads=threads))
    ready = bl.NativeEngine(table, threads=threads)
    return lambda: ask(ready)


@functools.cache
def _names(csv: str) -> list[str]:
    return list(_need("read").read(csv).names)


@functools.cache
def _lasting_engine(csv: str, threads: int) -> Any:  # noqa: ANN401
    """Return the one engine of all repeats: many short repeats find a moment of two free cores."""
    bl = _need("read", "NativeEngine")
    return bl.NativeEngine(bl.read(csv), threads=threads)


def pairwise_mi(csv: str, *, threads: int = 1, engine: str = "new") -> Prepared:
    from bayesloom.engine import Batch

    batch = Batch.pairs(len(_names(csv)))
    work = _on_engine(csv, lambda e: e.informations(batch), threads, engine)
    return work, total


def family_scores(
    csv: str, families: list[list[str]], *, threads: int = 1, engine: str = "new"
) -> Prepared:
    bl = _need("read", "NativeEngine", "BDeu")
    from bayesloom.engine import Batch

    place = {name: v for v, name in enumerate(_names(csv))}
    asked = [[place[name] for name in family] for family in families]
    same_base = itertools.groupby(asked, key=lambda family: family[:-1])
    batch = Batch.of((base[0], base[1:], [f[-1] for f in group]) for base, group in same_base)
    score = bl.BDeu(ess=10)
    work = _on_engine(csv, lambda e: score.local_scores(e, batch), threads, engine)
    return work, total


def read_csv(csv: str) -> Prepared:
    bl = _need("read")
    return lambda: bl.read(csv), lambda table: {"rows": table.n_rows, "columns": len(table.names)}


def read_network(bif: str) -> Prepared:
    bl = _need("load")
    return lambda: bl.load(bif), lambda net: {"nodes": len(net.dag.names)}


def compile_network(bif: str) -> Prepared:
    bl = _need("load", "compile_net")
    net = bl.load(bif)
    return lambda: bl.compile_net(net), lambda _: {}


def posteriors(bif: str, evidence: dict, earlier: dict) -> Prepared:
    bl = _need("load", "compile_net")
    net = bl.compile_net(bl.load(bif))
    net.posteriors(given=earlier)

    def tell(found: Any) -> dict[str, Any]:  # noqa: ANN401
        return {"marginals": {v: found[v].values.tolist() for v in found}}

    return lambda: net.posteriors(given=evidence), tell


def sample(bif: str, rows: int) -> Prepared:
    bl = _need("load", "sample")
    net = bl.load(bif)
    return lambda: bl.sample(net, rows, 1), lambda table: {"rows": table.n_rows}


def log_likelihood(bif: str, csv: str) -> Prepared:
    bl = _need("load", "read", "log_likelihood")
    net, table = bl.load(bif), bl.read(csv)
    return lambda: bl.log_likelihood(net, table), lambda value: {"sum": float(value)}


def _learn(csv: str, search: str, *, threads: int = 1, **options: Any) -> Prepared:  # noqa: ANN401
    bl = _need("read", "learn", "BIC", "BDeu", search)
    if score := options.pop("score", ""):
        options["score"] = bl.BDeu(ess=10) if score == "bdeu" else bl.BIC()
    table, chosen = bl.read(csv), getattr(bl, search)(**options)
    return lambda: bl.learn(table, chosen, threads=threads), _edges


def _edges(net: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"directed": [*map(list, net.edges)], "undirected": [*map(list, net.undirected)]}


def hill_climbing(csv: str, score: str) -> Prepared:
    return _learn(csv, "HillClimbing", score=score)


def tabu(csv: str, score: str) -> Prepared:
    return _learn(csv, "Tabu", score=score)


def ges(csv: str, score: str) -> Prepared:
    return _learn(csv, "GES", score=score)


def xges(csv: str, score: str) -> Prepared:
    return _learn(csv, "XGES", score=score)


def iges(csv: str, score: str, control: str = "") -> Prepared:
    if not control:
        return _learn(csv, "GES", score=score)
    bl = _need("IGES", "AlphaSpending", "FixedAlpha")
    controls = {"spending": bl.AlphaSpending(0.05), "one": bl.FixedAlpha(0.01)}
    chosen = controls.get(control) or bl.FixedAlpha(0.05)
    return _learn(csv, "IGES", score=score, control=chosen)


def chow_liu(csv: str) -> Prepared:
    return _learn(csv, "ChowLiu")


def k2(csv: str, score: str, order: list[str]) -> Prepared:
    return _learn(csv, "K2", score=score, order=order)


def dmn(csv: str, lookahead: int) -> Prepared:
    return _learn(csv, "DMN", lookahead=lookahead)
