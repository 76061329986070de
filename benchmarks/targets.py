"""The figures the project set itself, checked against the results.

Times are those of warm calls, ratios the worse of first and warm call. A figure over several cells
is met if it is met in every one of them; a cell without a result of ours is not met.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from task import Task

    Value = Callable[[Task, list[dict]], float | None]

TINY = -1e-6  # scores that agree to this much are equal
US = "bayesloom"


def against(us: str = US, *peers: str, call: str = "", clock: str = "") -> Value:
    """Return a function for the time of the fastest of some peers, by default all, over ours."""

    def value(task: Task, rows: list[dict]) -> float | None:
        own = _row(rows, us)
        ratios = []
        for one in [call] if call else ratio.CALLS:
            others = [_row(rows, p) for p in peers] or [r for r in rows if r["role"] == "peer"]
            times = [r[one][clock or task.clock] for r in others if r.get(one)]
            if own.get(one):
                ratios.append(min(times, default=math.inf) / own[one][clock or task.clock])
        return min(ratios, default=None)

    return value


def warm(scale: float = 1.0) -> Value:
    """Return a function for our time of a warm call; of a first one where a process is timed."""

    def value(task: Task, rows: list[dict]) -> float | None:
        row = _row(rows, US)
        found = row.get("warm") or row.get("first")
        return found and found[task.clock] * scale

    return value


def lead(task: Task, rows: list[dict]) -> float | None:  # noqa: ARG001
    """Return our score minus the best peer's."""
    return ratio.lead(rows)


def difference(task: Task, rows: list[dict]) -> float | None:  # noqa: ARG001
    """Return the largest difference of our posteriors from a peer's."""
    return _row(rows, US).get("result", {}).get("difference")


def _row(rows: list[dict], contender: str) -> dict:
    return next((row for row in rows if row["contender"] == contender), {})


@dataclass(frozen=True, slots=True)
class Target:
    """A number to reach, or to stay below, in every task that matches."""

    text: str
    tasks: str
    limit: float
    value: Value
    at_most: bool = False

    def line(self, everything: list[Task], entries: dict[str, dict]) -> str:
        """Return the row of the table."""
        wanted = [t for t in everything if any(fnmatch(t.name, p) for p in self.tasks.split())]
        run = [task for task in wanted if task.name in entries]
        values = [self.value(task, entries[task.name]["rows"]) for task in run]
        known = [v for v in values if v is not None]
        worst = (max if self.at_most else min)(known, default=None)
        shown = "" if worst is None else "no peer" if math.isinf(worst) else f"{worst:.3g}"
        sign = "≤" if self.at_most else "≥"
        cells = f"{len(run)} of {len(wanted)}"
        verdict = self._verdict(values, everywhere=len(run) == len(wanted))
        return f"| {self.text} | {sign} {self.limit:.3g} | {shown} | {cells} | {verdict} |"

    def _verdict(self, values: list[float | None], *, everywhere: bool) -> str:
        if not values:
            return "not measured"
        if None in values:
            return f"**no**: {values.count(None)} without a result"
        met = all(v <= self.limit if self.at_most else v >= self.limit for v in values)
        return ("yes" if everywhere else "so far") if met else "**no**"


IGES = tuple(f"bayesloom IGES, {c}" for c in ("alpha spending 5 %", "alpha 1 %", "alpha 5 %"))
SHIPPED, ONE = "bayesloom, as shipped", "bayesloom, one thread"
TARGETS = (
    Target("all mutual informations, alarm 5,000, s", "mi-alarm-5000", 1e-3, warm(), at_most=True),
    Target(
        "the same at 1,000,000 against numpy",
        "mi-alarm-1000000",
        50,
        against(US, "numpy bincount loop"),
    ),
    Target("the same against pyagrum", "mi-alarm-1000000", 5, against(US, "pyagrum")),
    Target(
        "one-parent families, alarm 5,000, microseconds a table",
        "bdeu1-alarm-5000",
        0.5,
        warm(1e6 / (37 * 36)),
        at_most=True,
    ),
    Target("import, s", "import", 0.12, warm(), at_most=True),
    Target("CSV, 1,000,000 rows, against the fastest reader", "csv-alarm-1000000*", 1, against()),
    Target("posteriors: difference from pgmpy", "query-*", 1e-6, difference, at_most=True),
    Target("posteriors against the best peer", "query-*", 1, against()),
    Target("posteriors against pgmpy", "query-*", 20, against(US, "pgmpy")),
    Target("sampling alarm 100,000, s", "sample-alarm", 0.2, warm(), at_most=True),
    Target("sampling against the best peer", "sample-alarm", 1, against()),
    Target("log-likelihood against the best peer", "loglik-alarm", 1, against()),
    Target("reading munin, s", "read-munin", 1, warm(), at_most=True),
    Target("hill climbing against the best peer", "hc-*", 1, against()),
    Target("the same, 20,000 rows and more", "hc-*-20000 hc-*-100000", 5, against()),
    Target("hill climbing: lead in score", "hc-*", TINY, lead),
    Target("tabu against the best peer", "tabu-*", 1, against()),
    Target("tabu: lead in score", "tabu-*", TINY, lead),
    Target("GES BIC, alarm 5,000, s", "ges-bic-alarm-5000", 0.15, warm(), at_most=True),
    Target("GES BIC, andes 5,000, s", "ges-bic-andes-5000", 5, warm(), at_most=True),
    Target("GES BIC, pigs, link 5,000, s", "ges-bic-[pl]i*-5000", 120, warm(), at_most=True),
    Target("XGES against xges", "xges-*", 10, against()),
    Target("XGES: lead in score", "xges-*", TINY, lead),
    *(
        Target(f"{name}, {n:,} variables, s", f"growth-{key}-{n}", limit, warm(), at_most=True)
        for key, name, limits in (
            ("hc", "hill climbing", (0.7, 3, 20)),
            ("ges", "GES", (1, 4, 30)),
            ("default", "the default", (3, 12, 90)),
        )
        for n, limit in zip((1_000, 2_000, 5_000), limits, strict=True)
    ),
    Target("the default, hidden cause, s", "hidden-cause-default", 10, warm(), at_most=True),
    Target("PC, alarm 5,000, s", "pc-alarm-5000", 0.05, warm(), at_most=True),
    Target(
        "PC, alarm 5,000, against causal-learn", "pc-alarm-5000", 20, against(US, "causal-learn")
    ),
    Target("PC, alarm 5,000, against pgmpy", "pc-alarm-5000", 20, against(US, "pgmpy")),
    Target(
        "IAMB, MMHC, alarm 5,000, s", "iamb-alarm-5000 mmhc-alarm-5000", 0.03, warm(), at_most=True
    ),
    Target("Chow-Liu, 100,000 rows, against the best peer", "chow-liu-*-100000", 10, against()),
    Target("CSV to BIF, alarm 5,000, s", "learn-file-alarm-5000", 0.6, warm(), at_most=True),
    Target("CSV to BIF against the best peer", "learn-file-*", 1, against()),
    *(
        Target(f"{iges.removeprefix('bayesloom ')}, against GES", "iges-*", 1 / 3, value)
        for iges in IGES
        for value in [against(iges, "bayesloom GES")]
    ),
    Target(
        "as shipped against one thread: wall",
        "threads-*",
        1,
        against(SHIPPED, ONE, call="warm", clock="wall"),
    ),
    Target(
        "as shipped against one thread: CPU",
        "threads-*",
        1 / 1.3,
        against(SHIPPED, ONE, call="warm", clock="cpu"),
    ),
    Target("DMN, lookahead 1, alarm 20,000, s", "dmn1-alarm-20000", 0.07, warm(), at_most=True),
    Target(
        "DMN, lookahead 1, hailfinder 20,000, s", "dmn1-hailfinder-20000", 0.2, warm(), at_most=True
    ),
    Target("DMN, lookahead 1, andes 5,000, s", "dmn1-andes-5000", 3.8, warm(), at_most=True),
    Target("DMN, lookahead 1, link 5,000, s", "dmn1-link-5000", 20, warm(), at_most=True),
    Target("DMN, lookahead 3, alarm 5,000, s", "dmn3-alarm-5000", 0.5, warm(), at_most=True),
)


def table(everything: list[Task], entries: dict[str, dict]) -> str:
    """Return the table of all targets."""
    return "\n".join(
        [
            "## Figures to reach",
            "",
            "Times of warm calls; ratios: the worse of first and warm call. The worst cell counts.",
            "",
            "| figure | wanted | measured | cells run | met |",
            "|---|---:|---:|---:|---|",
            *(target.line(everything, entries) for target in TARGETS),
            "",
        ]
    )
