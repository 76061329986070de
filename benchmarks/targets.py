"""The figures the project set itself, checked against the results."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Entries = dict[str, dict]
US = "bayesloom"


@dataclass(frozen=True, slots=True)
class Target:
    """A number to reach, or to stay below; ``value`` gives None while it is not measured."""

    text: str
    limit: float
    value: Callable[[Entries], float | None]
    at_most: bool = False

    def line(self, entries: Entries) -> str:
        """Return the row of the table."""
        value = self.value(entries)
        met = "not measured" if value is None else self._verdict(value)
        shown = "" if value is None else f"{value:.3g}"
        return f"| {self.text} | {'≤' if self.at_most else '≥'} {self.limit:g} | {shown} | {met} |"

    def _verdict(self, value: float) -> str:
        return "yes" if (value <= self.limit if self.at_most else value >= self.limit) else "**no**"


def time(task: str, contender: str = US, clock: str = "cpu", scale: float = 1.0) -> Callable:
    """Return a function that looks up a time."""

    def value(entries: Entries) -> float | None:
        found = _time(entries.get(task, {"rows": []}), contender, clock)
        return None if found is None else found * scale

    return value


def ratio(pattern: str, peers: tuple[str, ...] = (), clock: str = "cpu", us: str = US) -> Callable:
    """Return a function for the smallest ratio of the fastest peer's time to ours in some tasks."""

    def value(entries: Entries) -> float | None:
        ratios = []
        for entry in _matching(entries, pattern):
            others = peers or [r["contender"] for r in entry["rows"] if r["role"] == "peer"]
            times = [t for peer in others if (t := _time(entry, peer, clock)) is not None]
            own = _time(entry, us, clock)
            if times and own:
                ratios.append(min(times) / own)
        return min(ratios, default=None)

    return value


def lead(pattern: str) -> Callable:
    """Return a function for the smallest lead of our score over the best peer's in some tasks."""

    def value(entries: Entries) -> float | None:
        leads = []
        for entry in _matching(entries, pattern):
            scores = {r["contender"]: r["score"] for r in entry["rows"] if "score" in r}
            own = scores.pop(US, None)
            if scores and own is not None:
                leads.append(own - max(scores.values()))
        return min(leads, default=None)

    return value


def difference(pattern: str) -> Callable:
    """Return a function for the largest difference of our posteriors from a peer's."""

    def value(entries: Entries) -> float | None:
        rows = [r for e in _matching(entries, pattern) for r in e["rows"] if r["contender"] == US]
        gaps = [r["result"]["difference"] for r in rows if r.get("status") == "ok"]
        return max(gaps, default=None)

    return value


def _matching(entries: Entries, pattern: str) -> list[dict]:
    wanted = pattern.split()
    return [entry for name, entry in entries.items() if any(fnmatch(name, p) for p in wanted)]


def _time(entry: dict, contender: str, clock: str) -> float | None:
    rows = [r for r in entry["rows"] if r["contender"] == contender and r["status"] == "ok"]
    return rows[0][clock] if rows else None


TINY = -1e-6  # scores that agree to this much are equal
SHARED = "the same, copies share their memory"
ONE, TWO = "bayesloom, 1 thread", "bayesloom, 2 threads"
TARGETS = (
    Target("all mutual informations, alarm 5,000, s", 1e-3, time("mi-alarm-5000"), at_most=True),
    Target(
        "the same at 1,000,000 against numpy",
        50,
        ratio("mi-alarm-1000000", ("numpy bincount loop",)),
    ),
    Target("the same against pyagrum, pgmpy", 5, ratio("mi-alarm-1000000", ("pyagrum", "pgmpy"))),
    Target(
        "one-parent family, alarm 5,000, engine in use, microseconds a table",
        0.5,
        time("bdeu1-alarm-5000", "bayesloom, an engine in use", scale=1e6 / (37 * 36)),
        at_most=True,
    ),
    Target("two threads, families", 1.7, ratio("threads-family-scores", (ONE,), "wall", TWO)),
    Target("import, wall s", 0.12, time("import", clock="wall"), at_most=True),
    Target(
        "CSV, 1,000,000 rows, 1 thread: share of the fastest reader",
        1 / 1.5,
        ratio("csv-alarm-1000000"),
    ),
    Target("posteriors: difference from pgmpy", 1e-6, difference("query-*"), at_most=True),
    Target(
        "posteriors against pyagrum", 1, ratio("query-*", ("pyagrum", "pyagrum, same nodes again"))
    ),
    Target("posteriors against pgmpy", 20, ratio("query-*", ("pgmpy",))),
    Target("sampling alarm 100,000, s", 0.2, time("sample-alarm"), at_most=True),
    Target("sampling against pgmpy", 5, ratio("sample-alarm", ("pgmpy",))),
    Target("sampling against pyagrum", 1, ratio("sample-alarm", ("pyagrum",))),
    Target("log-likelihood against pyagrum", 1, ratio("loglik-alarm", ("pyagrum",))),
    Target("reading munin, s", 1, time("read-munin"), at_most=True),
    Target("hill climbing against the best peer, every cell", 1, ratio("hc-*")),
    Target("the same, 20,000 rows and more", 5, ratio("hc-*-20000 hc-*-100000")),
    Target("hill climbing: lead in score, every cell", TINY, lead("hc-*")),
    Target("GES BIC, alarm 5,000, s", 0.15, time("ges-bic-alarm-5000"), at_most=True),
    Target("GES BIC, andes 5,000, s", 5, time("ges-bic-andes-5000"), at_most=True),
    Target("GES BIC, pigs 5,000, s", 120, time("ges-bic-pigs-5000"), at_most=True),
    Target("GES BIC, link 5,000, s", 120, time("ges-bic-link-5000"), at_most=True),
    Target("XGES against xges, every cell", 10, ratio("xges-*", ("xges + a numpy score",))),
    Target("the same, our score made to share its memory", 10, ratio("xges-*", (SHARED,))),
    Target("XGES: lead in score, every cell", TINY, lead("xges-*")),
    Target("tabu against the best peer, every cell", 1, ratio("tabu-*")),
    Target("tabu: lead in score, every cell", TINY, lead("tabu-*")),
    Target("Chow-Liu, alarm 100,000, against the best peer", 10, ratio("chow-liu-alarm-100000")),
    Target(
        "CSV to BIF, alarm 5,000, wall s",
        0.6,
        time("learn-file-alarm-5000", clock="wall"),
        at_most=True,
    ),
    Target("CSV to BIF against the best peer", 1, ratio("learn-file-*", clock="wall")),
    Target("DMN, lookahead 1, alarm 20,000, s", 0.07, time("dmn1-alarm-20000"), at_most=True),
    Target(
        "DMN, lookahead 1, hailfinder 20,000, s", 0.2, time("dmn1-hailfinder-20000"), at_most=True
    ),
    Target("DMN, lookahead 1, andes 5,000, s", 3.8, time("dmn1-andes-5000"), at_most=True),
    Target("DMN, lookahead 1, link 5,000, s", 20, time("dmn1-link-5000"), at_most=True),
    *(
        Target(
            f"IGES against GES, alarm 5,000, {control}",
            1 / 3,
            ratio("iges-*-alarm-5000", ("bayesloom GES",), us=f"bayesloom IGES, {control}"),
        )
        for control in ("alpha spending 5 %", "alpha 1 %", "alpha 5 %")
    ),
    Target("DMN, lookahead 3, alarm 5,000, s", 0.5, time("dmn3-alarm-5000"), at_most=True),
)


def table(entries: Entries) -> str:
    """Return the table of all targets."""
    lines = [target.line(entries) for target in TARGETS]
    head = [
        "## Figures to reach",
        "",
        "| figure | wanted | measured | met |",
        "|---|---:|---:|---|",
    ]
    return "\n".join([*head, *lines, ""])
