"""Figures 3, 4, 5 and the count of tests, from the runs on random networks."""

from __future__ import annotations

import math
from dataclasses import asdict

from bayesloom.report.chart import Boxes, HeatMap, Line, box_plot, heat_maps, line_chart
from bayesloom.reproduction.experiment import Findings, Row, Rows, joined, mean, numbers
from bayesloom.reproduction.paired import Paired, paired_t_test
from bayesloom.reproduction.random_graphs import (
    GES_NAME,
    IGES_NAME,
    LEARNERS,
    NODES,
    SETTINGS,
    SIZES,
)

MEASURES = ("kl_smooth", "kl_cut", "kl", "f")
TESTED = tuple(learner.name for learner in LEARNERS if learner.name != GES_NAME)
_TITLES = {
    "kl_smooth": "KL divergence (smoothed)",
    "kl_cut": "KL divergence (cut)",
    "kl": "KL divergence (maximum likelihood)",
    "f": "adjacency F",
}


def compare(runs: list[Row], method: str, measure: str) -> dict[tuple[int, int], Paired]:
    """Compare a method with GES for every (nodes, rows); positive is better for the method."""
    groups = joined(runs, "method", "nodes", "rows")
    sign = 1 if measure == "f" else -1
    found = {}
    for n in NODES:
        for size in SIZES:
            ours, theirs = (groups[name, n, size] for name in (method, GES_NAME))
            pair = ([sign * value for value in numbers(rows, measure)] for rows in (ours, theirs))
            found[n, size] = paired_t_test(*pair)
    return found


def figure_3(tables: Rows) -> Findings:
    """Compare IGES with GES in 56 constellations of nodes and rows."""
    lines = ["significantly better / worse than GES, of 56 (paired t-test at 5 %); mean difference"]
    data: dict[str, object] = {}
    charts: dict[str, str] = {}
    for (setting,), runs in joined(tables["runs"], "setting").items():
        infinite = mean([float(math.isinf(value)) for value in numbers(runs, "kl")])
        lines.append(f"{setting}: {infinite:.1%} of the maximum-likelihood divergences infinite")
        for method in TESTED:
            panels = []
            for measure in MEASURES:
                found = compare(runs, method, measure)
                better = sum(pair.verdict() > 0 for pair in found.values())
                worse = sum(pair.verdict() < 0 for pair in found.values())
                average = mean([pair.difference for pair in found.values()])
                lines.append(
                    f"  {method:<10} {_TITLES[measure]:<36} {better:>2} / {worse:<2} {average:+.4f}"
                )
                data[f"{setting}, {method}, {measure}"] = {
                    "better": better,
                    "worse": worse,
                    "cells": [
                        {"nodes": n, "rows": size, **asdict(pair)}
                        for (n, size), pair in found.items()
                    ],
                }
                if measure in ("kl_smooth", "f"):
                    panels.append(_panel(found, _TITLES[measure]))
            charts[f"fig3-{setting}-{method.replace(' ', '-').replace('%', '')}"] = heat_maps(
                panels,
                title=f"{method} against GES, {setting}: gain (blue), loss (orange); "
                "framed: significant",
                x="rows",
                y="nodes",
            )
    return Findings("\n".join(lines), data, charts)


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
        values = []
        for size in SIZES:
            rows = groups.get((size,), [])
            strengths = sorted(numbers(rows, "information"))
            values.append(tuple(strengths))
            middle = strengths[len(strengths) // 2] if strengths else math.nan
            top = strengths[int(0.95 * (len(strengths) - 1))] if strengths else math.nan
            lines.append(
                f"  {setting:<7} {size:>5,} rows: {len(strengths):>6,} dependencies, "
                f"median {middle:.4f}, 95 % below {top:.4f}"
            )
            data[f"{setting}, {size}"] = {"count": len(strengths), "median": middle, "q95": top}
        boxes.append(Boxes(setting, tuple(values)))
    chart = box_plot(
        boxes,
        [f"{size:,}" for size in SIZES],
        title="True dependencies that tests detect and GES misses",
        x="rows",
        y="conditional mutual information, nats",
    )
    return Findings("\n".join(lines), data, {"fig4": chart})


def figure_5(tables: Rows) -> Findings:
    """Show the share of false rejections: per test, as the paper counts, and per rejection."""
    lines = ["false rejections per conclusive test (the paper's rate), and per rejection"]
    data: dict[str, object] = {}
    charts = {}
    for setting in SETTINGS:
        runs = [row for row in tables["runs"] if row["setting"] == setting]
        for method in TESTED:
            mine = [row for row in runs if row["method"] == method]
            per_test, usual = _false_rate(mine, "conclusive"), _false_rate(mine, "rejected")
            most = max(
                (_false_rate(rows, "conclusive"), key)
                for key, rows in joined(mine, "nodes", "rows").items()
            )
            where = f"{most[1][0]} nodes, {most[1][1]:,} rows"
            lines.append(
                f"  {setting:<7} {method:<10} mean {per_test:.4f}, highest {most[0]:.4f} "
                f"({where}), of all rejections {usual:.4f}"
            )
            data[f"{setting}, {method}"] = {
                "per_test": per_test,
                "highest": most[0],
                "per_rejection": usual,
            }
        groups = joined([r for r in runs if r["method"] == IGES_NAME], "nodes", "rows")
        charts[f"fig5-{setting}"] = line_chart(
            [
                Line(
                    f"{n} nodes",
                    tuple((size, _false_rate(groups[n, size], "conclusive")) for size in SIZES),
                )
                for n in NODES
            ],
            title=f"False rejections per test at alpha 5 %, {setting}",
            x="rows",
            y="share",
            log_x=True,
            ticks=SIZES,
            level=0.05,
        )
    return Findings("\n".join(lines), data, charts)


def _false_rate(rows: list[Row], per: str) -> float:
    """Return the mean over runs of the share of false rejections, 0 where there was none."""
    return mean([float(row["false"]) / max(1.0, float(row[per])) for row in rows])


def figure_tests(tables: Rows) -> Findings:
    """Count tests per adopted graph and per candidate."""
    lines = ["tests of IGES at 5 %: conclusive per adopted graph, made per adopted graph"]
    data: dict[str, object] = {}
    drawn = []
    for setting in SETTINGS:
        runs = [r for r in tables["runs"] if r["setting"] == setting and r["method"] == IGES_NAME]
        steps, candidates, made, sure = (
            sum(numbers(runs, name)) for name in ("steps", "candidates", "tests", "conclusive")
        )
        lines.append(
            f"  {setting:<7} {sure / steps:.2f} conclusive, {made / steps:.2f} made per graph "
            f"adopted; {made / candidates:.3f} made per family scored"
        )
        data[setting] = {
            "conclusive_per_graph": sure / steps,
            "made_per_graph": made / steps,
            "made_per_family": made / candidates,
        }
        by_steps = sorted(joined(runs, "steps").items())
        points = [
            (float(key[0]), mean(numbers(rows, "conclusive")))
            for key, rows in by_steps
            if len(rows) >= 5  # noqa: PLR2004 - a mean of fewer says little
        ]
        drawn.append(Line(setting, tuple(points)))
    chart = line_chart(
        drawn, title="Conclusive tests by graphs adopted", x="graphs adopted", y="tests"
    )
    return Findings("\n".join(lines), data, {"tests": chart})
