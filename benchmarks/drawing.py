"""How good the pictures are: ours, those of Graphviz dot and of fast-sugiyama, by geometry.

python benchmarks/drawing.py NETWORK_OR_DATA ...

Of every graph and program: crossings (curves as polylines, pairs of edges counted as often as they
cross away from a common end), edges that run through the box of a node they do not join, width and
height, CPU seconds. All have the same boxes and gaps. dot and fast-sugiyama are measured if they
are there; fast-sugiyama knows one size of box, so it gets the widest.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import bayesloom as bl
from bayesloom.report.layout import lay_out
from bayesloom.report.lettering import text_width
from bayesloom.report.placing import GAP, HEIGHT, ROW_GAP

Point = tuple[float, float]
Segments = npt.NDArray[np.float64]
_STEPS = 12


@dataclass(frozen=True)
class Drawn:
    """Boxes by their centres, edges as polylines, and the CPU time it took."""

    centres: list[Point]
    lines: dict[tuple[int, int], list[Point]]
    seconds: float


def ours(dag: bl.DAG, widths: Sequence[float]) -> Drawn:
    start = time.process_time()
    layout = lay_out(dag.parent_masks, widths)
    seconds = time.process_time() - start
    lines = {edge: flattened(curve) for edge, curve in layout.curves.items()}
    return Drawn(list(layout.centres), lines, seconds)


def dot(dag: bl.DAG, widths: Sequence[float]) -> Drawn:
    text = [f"digraph {{ nodesep={GAP / 72}; ranksep={ROW_GAP / 72};"]
    text += [
        f"{v} [shape=box, fixedsize=true, label={v}, width={w / 72}, height={HEIGHT / 72}];"
        for v, w in enumerate(widths)
    ]
    edges = [(p, v) for v in range(dag.n) for p in range(dag.n) if dag.parent_masks[v] >> p & 1]
    text += [f"{p} -> {v} [arrowhead=none];" for p, v in edges] + ["}"]
    before = os.times()
    program = shutil.which("dot") or "dot"
    done = subprocess.run(
        [program, "-Tplain"], input="\n".join(text), capture_output=True, text=True, check=True
    )
    after = os.times()
    seconds = after.children_user - before.children_user
    centres, lines = [(0.0, 0.0)] * dag.n, {}
    for words in map(str.split, done.stdout.splitlines()):
        if words[0] == "node":
            centres[int(words[1])] = float(words[2]) * 72, -float(words[3]) * 72
        elif words[0] == "edge":
            numbers = [72 * float(w) for w in words[4 : 4 + 2 * int(words[3])]]
            points = [(x, -y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            lines[int(words[1]), int(words[2])] = flattened(points)
    return Drawn(centres, lines, seconds)


def fast_sugiyama(dag: bl.DAG, widths: Sequence[float]) -> Drawn:
    from fast_sugiyama import from_edges

    edges = [(p, v) for v in range(dag.n) for p in range(dag.n) if dag.parent_masks[v] >> p & 1]
    joined = sorted({v for edge in edges for v in edge})
    renamed = {v: k for k, v in enumerate(joined)}
    start = time.process_time()
    layouts = from_edges(
        [(renamed[p], renamed[v]) for p, v in edges],
        vertex_spacing=max(widths) + GAP,
        dummy_vertices=True,
        dummy_size=2 * GAP / (max(widths) + GAP),
        check_layout=False,
    ).dot_layout()
    seconds = time.process_time() - start
    step = HEIGHT + ROW_GAP
    place: dict[int, Point] = {}
    below: dict[int, list[int]] = {}
    for positions, _, _, chain_edges in layouts:
        rows = {y: k for k, y in enumerate(sorted({y for _, (_, y) in positions}, reverse=True))}
        place |= {int(v): (x, rows[y] * step) for v, (x, y) in positions}
        for a, b in chain_edges or ():
            below.setdefault(int(a), []).append(int(b))
    lines = {}
    for a in range(len(joined)):
        for b in below.get(a, ()):
            chain = [a, b]
            while chain[-1] >= len(joined):
                chain.append(below[chain[-1]][0])
            lines[joined[a], joined[chain[-1]]] = [place[k] for k in chain]
    centres = [place[renamed[v]] if v in renamed else (math.nan, math.nan) for v in range(dag.n)]
    return Drawn(centres, lines, seconds)


def flattened(curve: Sequence[Point]) -> list[Point]:
    """Return points of a curve of cubic pieces."""
    points = [curve[0]]
    for i in range(0, len(curve) - 1, 3):
        piece = np.array(curve[i : i + 4])
        for t in np.linspace(0, 1, _STEPS + 1)[1:]:
            s = 1 - t
            weights = np.array([s**3, 3 * s * s * t, 3 * s * t * t, t**3])
            x, y = weights @ piece
            points.append((float(x), float(y)))
    return points


def crossings(drawn: Drawn) -> int:
    """Count the points where two edges cross, except at a node they share."""
    parts, owner = [], []
    for number, line in enumerate(drawn.lines.values()):
        for a, b in itertools.pairwise(line):
            parts.append((*a, *b))
            owner.append(number)
    segments, owners = np.array(parts), np.array(owner)
    edges = np.array(list(drawn.lines))
    total = 0
    for k in range(len(segments) - 1):
        rest = segments[k + 1 :]
        hit = _meet(segments[k], rest) & (owners[k + 1 :] != owners[k])
        if hit.any():
            mine, others = edges[owners[k]], edges[owners[k + 1 :][hit]]
            shared = (others == mine[0]).any(1) | (others == mine[1]).any(1)
            total += int((~shared).sum())
    return total


def _meet(one: Segments, rest: Segments) -> npt.NDArray[np.bool_]:
    def side(a: Segments, b: Segments, c: Segments) -> Segments:
        return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
            c[..., 0] - a[..., 0]
        )

    a, b, c, d = one[:2], one[2:], rest[:, :2], rest[:, 2:]
    return (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)


def foreign(drawn: Drawn, widths: Sequence[float]) -> int:
    """Count the edges that run through a box that is not at one of their ends."""
    total = 0
    for edge, line in drawn.lines.items():
        dense = [
            (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t)
            for a, b in itertools.pairwise(line)
            for t in np.linspace(0, 1, max(2, int(math.dist(a, b))))
        ]
        x, y = np.array(dense).T
        for v, (cx, cy) in enumerate(drawn.centres):
            inside = (abs(x - cx) < widths[v] / 2 - 0.5) & (abs(y - cy) < HEIGHT / 2 - 0.5)
            if v not in edge and inside.any():
                total += 1
                break
    return total


def extent(drawn: Drawn, widths: Sequence[float]) -> tuple[int, int]:
    boxes = [(x, y, w) for (x, y), w in zip(drawn.centres, widths, strict=True) if x == x]  # noqa: PLR0124 - nan
    xs = [x + s * w / 2 for x, _, w in boxes for s in (-1, 1)]
    ys = [y + s * HEIGHT / 2 for _, y, _ in boxes for s in (-1, 1)]
    xs += [x for line in drawn.lines.values() for x, _ in line]
    return round(max(xs) - min(xs)), round(max(ys) - min(ys))


def graph_of(path: str) -> bl.DAG:
    """Read a network, or learn one from data."""
    is_data = any(ending in path for ending in (".csv", ".parquet", ".arrow"))
    dag = bl.learn(path, missing="state").dag if is_data else bl.load(path).dag
    return dag.reordered(sorted(dag.names))


def main(paths: Sequence[str]) -> None:
    programs: dict[str, Callable[[bl.DAG, Sequence[float]], Drawn]] = {"bayesloom": ours}
    if shutil.which("dot"):
        programs["dot"] = dot
    if importlib.util.find_spec("fast_sugiyama"):
        programs["fast-sugiyama"] = fast_sugiyama
    print("| graph | program | crossings | through foreign boxes | width x height | CPU s |")
    print("|---|---|---|---|---|---|")
    for path in paths:
        dag = graph_of(path)
        widths = [max(34.0, text_width(name, 12.5) + 16.0) for name in dag.names]
        name = Path(path).name.split(".")[0]
        for program, draw in programs.items():
            drawn = draw(dag, widths)
            wide, high = extent(drawn, widths)
            print(
                f"| {name} ({dag.n}, {dag.n_edges}) | {program} | {crossings(drawn)} "
                f"| {foreign(drawn, widths)} | {wide}x{high} | {drawn.seconds:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
