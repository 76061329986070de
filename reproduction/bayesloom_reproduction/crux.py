"""The crux of links: how small it stays, and what that saves, as the domain grows."""

from __future__ import annotations

import time

from bayesloom.engine import NativeEngine
from bayesloom.graphs import ChordalGraph, Crux, bits
from bayesloom.model import draw_rows, random_dag, random_net
from bayesloom.report.chart import Curve, line_chart
from bayesloom.scores import BIC, delta_entropy, delta_parameters, model_entropy, model_parameters
from bayesloom.search import DMN, Limits, Watch
from bayesloom.search.markov.chordal_state import ChordalState
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
from bayesloom_reproduction.measures import engine_of

SIZES = (20, 50, 100, 200, 300, 400, 500)
ROWS = 2000
SETS = 10
"""How many sets of one, of two and of three links are looked at in every network."""

_TRIES = 1000


def draw_links(trial: Trial, rng: Generator) -> Rows:
    """Draw a network and a sample, learn, and evaluate sets of links locally and globally."""
    n = int(trial["variables"])
    dag = random_dag(n, rng, edges=round(1.5 * n))
    engine = engine_of(draw_rows(random_net(dag, rng), ROWS, rng))
    found = DMN(lookahead=1, score=BIC()).search(engine, Limits.none(engine.names), Watch())
    assert isinstance(found.graph, ChordalGraph)
    rows = [
        {"links": len(links), **weighed(found.graph, engine, links)}
        for links in drawn_sets(found.graph, rng)
    ]
    return {"crux": rows}


def drawn_sets(graph: ChordalGraph, rng: Generator) -> list[list[tuple[int, int]]]:
    """Draw sets of links that can be added to a graph: some of one, two and three links each."""
    state = ChordalState(list(graph.adjacency))
    found: dict[int, list[list[tuple[int, int]]]] = {1: [], 2: [], 3: []}
    for _ in range(_TRIES):
        v = int(rng.integers(graph.n))
        near = 0
        for u in bits(state.adjacent[v]):
            near |= state.adjacent[u] | 1 << u
        others = bits(near & ~(1 << v)) or [int(rng.integers(graph.n))]
        nodes = {v, *rng.permutation(others)[: rng.integers(1, 4)].tolist()}
        links = [(link.x, link.y) for link in state.chain(sorted(nodes)) or ()]
        ends = {w for link in links for w in link}
        if ends == nodes and len(found.get(len(links), range(SETS))) < SETS:
            found[len(links)].append(links)
    return [links for size in (1, 2, 3) for links in found[size]]


def weighed(graph: ChordalGraph, engine: NativeEngine, links: list[tuple[int, int]]) -> Row:
    """Compute what links do to entropy and parameters on the crux and on the whole graph."""
    after = list(graph.adjacency)
    for x, y in links:
        after[x] |= 1 << y
        after[y] |= 1 << x
    began = time.process_time()
    crux = Crux.of(graph.names, after, links)
    local = delta_entropy(crux, engine), delta_parameters(crux, engine)
    between = time.process_time()
    larger = ChordalGraph(graph.names, tuple(after))
    whole = (
        model_entropy(graph, engine) - model_entropy(larger, engine),
        model_parameters(larger, engine) - model_parameters(graph, engine),
    )
    ended = time.process_time()
    return {
        "crux": len(crux.members),
        "new_cliques": len(crux.generating),
        "local": between - began,
        "global": ended - between,
        "entropy_error": abs(local[0] - whole[0]),
        "parameter_error": abs(local[1] - whole[1]),
    }


def figure_crux(tables: Rows) -> Findings:
    """Compare the size of the crux with that of the domain, and the two ways in time and value."""
    rows = tables["crux"]
    by_size = joined(rows, "variables")
    sizes = sorted(int(size) for (size,) in by_size)
    told = {size: _told(by_size[size,]) for size in sizes}
    lines = ["variables   crux  largest  local ms  global ms  times"] + [
        f"{size:>9} {row['crux']:>6.2f} {row['largest']:>8.0f} {1e3 * row['local']:>9.3f} "
        f"{1e3 * row['global']:>10.3f} {row['global'] / row['local']:>6.1f}"
        for size, row in told.items()
    ]
    error = max(numbers(rows, "entropy_error"))
    wrong = sum(value > 0 for value in numbers(rows, "parameter_error"))
    lines.append(
        f"{len(rows):,} sets of links; entropies differ by at most {error:.1e}, "
        f"numbers of parameters in {wrong} of them"
    )
    charts = {
        "crux-size": line_chart(
            [
                Curve("mean", tuple((size, told[size]["crux"]) for size in sizes)),
                Curve("largest", tuple((size, told[size]["largest"]) for size in sizes)),
            ],
            title="Variables in the crux of up to three links",
            x="variables in the domain",
            y="variables in the crux",
            ticks=sizes,
        ),
        "crux-time": line_chart(
            [
                Curve("on the crux", tuple((size, 1e3 * told[size]["local"]) for size in sizes)),
                Curve("on everything", tuple((size, 1e3 * told[size]["global"]) for size in sizes)),
            ],
            title="Time to weigh a set of links",
            x="variables in the domain",
            y="milliseconds",
            ticks=sizes,
        ),
    }
    data = {"by_variables": {str(size): row for size, row in told.items()}, "largest_error": error}
    return Findings("\n".join(lines), data, charts)


def _told(rows: list[Row]) -> dict[str, float]:
    return {
        "crux": mean(numbers(rows, "crux")),
        "largest": max(numbers(rows, "crux")),
        "local": mean(numbers(rows, "local")),
        "global": mean(numbers(rows, "global")),
    }


CRUX = Experiment(
    "crux",
    {"variables": SIZES},
    5,
    draw_links,
    (Figure("crux", "the crux of links as the domain grows", figure_crux),),
)
"""Networks of random DAGs: learn a Markov network, then weigh further links both ways."""
