"""Figures 3, 4, 5 and the count of tests, from the runs on random networks."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np

from bayesloom.report.chart import Curve, line_chart
from bayesloom_reproduction.box_plot import Boxes, box_plot
from bayesloom_reproduction.experiment import (
    Experiment,
    Figure,
    Findings,
    Key,
    Row,
    Rows,
    joined,
    mean,
    mean_line,
    numbers,
)
from bayesloom_reproduction.heat_map import HeatMap, heat_maps
from bayesloom_reproduction.paired import Paired, paired_t_test
from bayesloom_reproduction.random_graphs import (
    GES_NAME,
    GRID,
    IGES_NAME,
    LEARNERS,
    NODES,
    SETTINGS,
    SIZES,
    draw_graph,
)

MEASURES = {
    "kl_smooth": "KL divergence (smoothed)",
    "kl_cut": "KL divergence (cut)",
    "kl": "KL divergence (maximum likelihood)",
    "f": "adjacency F",
}
TESTED = tuple(learner.name for learner in LEARNERS if learner.name != GES_NAME)
SMALL = 1000
"""The most rows of a sample that figure 3 calls small."""

PAPERS_RATE = 0.015
"""The paper finds its rate of false rejections below this in most constellations."""


def compare(runs: list[Row], method: str, measure: str) -> dict[tuple[int, int], Paired]:
    """Compare a method with GES for every (nodes, rows); positive is better for the method."""
    groups = joined(runs, "method", "nodes", "rows")
    return {
        (n, size): _gain(groups[method, n, size], groups[GES_NAME, n, size], measure)
        for n in NODES
        for size in SIZES
    }


def _gain(ours: list[Row], theirs: list[Row], measure: str) -> Paired:
    """Compare two methods on the same samples; positive is better for the first."""
    sign = 1 if measure == "f" else -1
    pair = ([sign * value for value in numbers(rows, measure)] for rows in (ours, theirs))
    return paired_t_test(*pair)


def figure_3(tables: Rows) -> Findings:
    """Compare IGES with GES in 56 constellations of nodes and rows."""
    lines = ["significantly better / worse than GES, of 56 (paired t-test at 5 %); mean difference"]
    data: dict[str, object] = {}
    charts: dict[str, str] = {}
    for (setting,), runs in joined(tables["runs"], "setting").items():
        by_method = joined(runs, "method")
        infinite = {
            str(name): mean([float(math.isinf(value)) for value in numbers(rows, "kl")])
            for (name,), rows in by_method.items()
        }
        data[f"{setting}, infinite"] = infinite
        told = ", ".join(f"{name} {share:.1%}" for name, share in infinite.items())
        lines.append(f"{setting}: maximum-likelihood divergence infinite: {told}")
        for method in TESTED:
            cells = {measure: compare(runs, method, measure) for measure in MEASURES}
            for measure, found in cells.items():
                verdicts = [pair.verdict() for pair in found.values()]
                average = mean([pair.difference for pair in found.values()])
                lines.append(
                    f"  {method:<10} {MEASURES[measure]:<36} {verdicts.count(1):>2} / "
                    f"{verdicts.count(-1):<2} {average:+.4f}"
                )
                data[f"{setting}, {method}, {measure}"] = {
                    "better": verdicts.count(1),
                    "worse": verdicts.count(-1),
                    "cells": [
                        {"nodes": n, "rows": size, **asdict(pair)}
                        for (n, size), pair in found.items()
                    ],
                }
            name = method.replace(" ", "-").replace("%", "")
            charts[f"fig3-{setting}-{name}"] = heat_maps(
                [_panel(cells[measure], MEASURES[measure]) for measure in ("kl_smooth", "f")],
                title=f"{method} against GES, {setting}: gain (blue), loss (orange); "
                "framed: significant",
                x="rows",
                y="nodes",
            )
        for name, pair in _against_five_percent(by_method).items():
            data[f"{setting}, {name}"] = asdict(pair)
            lines.append(f"  {name}: {pair.difference:+.5f} (p {pair.p:.2g})")
    return Findings("\n".join(lines), data, charts)


def _against_five_percent(
    by_method: dict[Key, list[Row]],
) -> dict[str, Paired]:
    """Compare the other levels with alpha 5 % over all graphs; positive is better for them."""
    found = {}
    for method in TESTED[1:]:
        for measure in ("kl_smooth", "f"):
            for rows, most in ((f"up to {SMALL:,} rows", SMALL), ("all sizes", max(SIZES))):
                ours, theirs = (
                    [row for row in by_method[name,] if float(row["rows"]) <= most]
                    for name in (method, IGES_NAME)
                )
                title = f"{method} against {IGES_NAME}, {MEASURES[measure]}, {rows}"
                found[title] = _gain(ours, theirs, measure)
    return found


def _panel(found: dict[tuple[int, int], Paired], name: str) -> HeatMap:
    return HeatMap(
        name,
        tuple(map(str, NODES)),
        tuple(f"{size:,}" for size in SIZES),
        tuple(tuple(found[n, size].difference for size in SIZES) for n in NODES),
        tuple(tuple(found[n, size].verdict() != 0 for size in SIZES) for n in NODES),
    )


def figure_4(tables: Rows) -> Findings:
    """Show how strong the true dependencies are that tests find and the score misses."""
    lines = ["conditional mutual information (true distribution) of what the score misses, in nats"]
    data: dict[str, object] = {}
    boxes = []
    for setting in SETTINGS:
        groups = joined([row for row in tables["missed"] if row["setting"] == setting], "rows")
        values = {size: numbers(groups.get((size,), []), "information") for size in SIZES}
        for share in (0.5, 0.95):
            marks = [float(np.quantile(values[n], share)) if values[n] else math.nan for n in SIZES]
            power = _exponent(SIZES, marks)
            data[f"{setting}, {share:.0%} below"] = dict(zip(map(str, SIZES), marks, strict=True))
            data[f"{setting}, {share:.0%} below, exponent"] = power
            lines.append(
                f"  {setting:<7} {share:.0%} below "
                + "".join(f"{mark:8.4f}" for mark in marks)
                + f"; {marks[0] / marks[-1]:.0f} times less at the end, as rows to the {power:.2f}"
            )
        lines.append(
            f"  {setting:<7} how many  " + "".join(f"{len(v):8,}" for v in values.values())
        )
        boxes.append(Boxes(setting, tuple(map(tuple, values.values()))))
    chart = box_plot(
        boxes,
        [f"{size:,}" for size in SIZES],
        title="True dependencies that tests detect and GES misses",
        x="rows",
        y="conditional mutual information, nats",
    )
    return Findings("\n".join(lines), data, {"fig4": chart})


def _exponent(x: tuple[int, ...], y: list[float]) -> float:
    """Return the slope of the straight line through the logarithms."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def figure_5(tables: Rows) -> Findings:
    """Show the share of false rejections: per test, as the paper counts, and per rejection."""
    lines = ["false rejections per conclusive test (the paper's rate), and per rejection"]
    data: dict[str, object] = {}
    charts = {}
    for setting in SETTINGS:
        runs = joined([row for row in tables["runs"] if row["setting"] == setting], "method")
        for method in TESTED:
            rates = {
                key: mean(_false_rates(rows, "conclusive"))
                for key, rows in joined(runs[method,], "nodes", "rows").items()
            }
            top = max(rates, key=lambda key: rates[key])
            found = {
                "per_test": mean(_false_rates(runs[method,], "conclusive")),
                "highest": rates[top],
                "low": sum(rate < PAPERS_RATE for rate in rates.values()),
                "per_rejection": mean(_false_rates(runs[method,], "rejected")),
            }
            data[f"{setting}, {method}"] = {**found, "nodes": top[0], "rows": top[1]}
            lines.append(
                f"  {setting:<7} {method:<10} mean {found['per_test']:.4f}, highest "
                f"{rates[top]:.4f} ({top[0]} nodes, {top[1]:,} rows), below {PAPERS_RATE:.1%} in "
                f"{found['low']} of {len(rates)}; of all rejections {found['per_rejection']:.4f}"
            )
        groups = joined(runs[IGES_NAME,], "nodes", "rows")
        charts[f"fig5-{setting}"] = line_chart(
            [
                mean_line(
                    f"{n} nodes",
                    {k: _false_rates(groups[n, k], "conclusive") for k in SIZES},
                    most=1,
                )
                for n in NODES
            ],
            title=f"False rejections per test at alpha 5 %, {setting}",
            x="rows",
            y="share, with 95 % intervals",
            log_x=True,
            ticks=SIZES,
            level=0.05,
        )
    return Findings("\n".join(lines), data, charts)


def _false_rates(rows: list[Row], per: str) -> list[float]:
    """Return the share of false rejections of every run, 0 where there was none."""
    return [float(row["false"]) / max(1.0, float(row[per])) for row in rows]


def figure_tests(tables: Rows) -> Findings:
    """Count tests per adopted graph and per candidate."""
    lines = ["tests of IGES at 5 %"]
    data: dict[str, object] = {}
    drawn = []
    for setting in SETTINGS:
        runs = [r for r in tables["runs"] if r["setting"] == setting and r["method"] == IGES_NAME]
        steps, candidates, made, sure = (
            sum(numbers(runs, name)) for name in ("steps", "candidates", "tests", "conclusive")
        )
        lines.append(
            f"  {setting:<7} {sure / steps:.2f} conclusive, {made / steps:.2f} made per graph "
            f"adopted; {sure / candidates:.3f} conclusive, {made / candidates:.3f} made per family "
            "scored"
        )
        data[setting] = {
            "conclusive_per_graph": sure / steps,
            "made_per_graph": made / steps,
            "conclusive_per_family": sure / candidates,
            "made_per_family": made / candidates,
        }
        by_steps = sorted(joined(runs, "steps").items())
        points = [
            (float(key[0]), mean(numbers(rows, "conclusive")))
            for key, rows in by_steps
            if len(rows) >= 5  # noqa: PLR2004 - a mean of fewer says little
        ]
        drawn.append(Curve(setting, tuple(points)))
    chart = line_chart(
        drawn, title="Conclusive tests by graphs adopted", x="graphs adopted", y="tests"
    )
    return Findings("\n".join(lines), data, {"tests": chart})


RANDOM_GRAPHS = Experiment(
    "random-graphs",
    GRID,
    30,
    draw_graph,
    (
        Figure("fig3", "IGES against GES in 56 constellations", figure_3),
        Figure("fig4", "the dependencies that the score misses", figure_4),
        Figure("fig5", "the rate of false rejections", figure_5),
        Figure("tests", "how many tests are made", figure_tests),
    ),
)
"""A random graph, random parameters and a sample per trial; every method learns from it."""
