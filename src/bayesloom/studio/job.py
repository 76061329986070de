"""What a worker of the studio can be asked to do."""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesloom.data import Table, write_csv
from bayesloom.facade import example, load
from bayesloom.facade.reporting import report_subject
from bayesloom.registry import SCORES
from bayesloom.report.page import Subject, as_json, content, page_of
from bayesloom.report.page.pairs import MOST_STORIES, pair_told
from bayesloom.search import Step, Watch
from bayesloom.studio.plan import Plan, checked_reading
from bayesloom.studio.profile import checked, profiled
from bayesloom.studio.script import python_script, shell_line
from bayesloom.studio.sketch import sketched

if TYPE_CHECKING:
    from bayesloom.facade import Network

_EXAMPLE_ROWS = 5000
_MOST_MOVES = 50  # of a search, told at once


class Telling:
    """Follow a search: where it stands, and whether it shall pause, go on or stop."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self._stopped = self._paused = False
        self.phase = "search"
        self._told = 0
        self._last: Step | None = None
        self._joined: dict[tuple[int, int], None] = {}

    def __call__(self, watch: Watch) -> None:
        """Hear of a search that begins or has made a step."""
        if self._watch is None:
            self._watch = watch
            if self._paused:
                watch.pause()
            if self._stopped:
                watch.interrupt()

    def pause(self) -> None:
        """Hold the search at its next step."""
        self._paused = True
        if self._watch is not None:
            self._watch.pause()

    def resume(self) -> None:
        """Let the search go on."""
        self._paused = False
        if self._watch is not None:
            self._watch.resume()

    def stop(self) -> None:
        """End the search; what it has is kept."""
        self._stopped = True
        if self._watch is not None:
            self._watch.interrupt()

    def news(self) -> dict[str, Any] | None:
        """Return where the search stands; None before it has begun.

        The moves are those since it was asked last, the latest ones if there were many; the pairs
        that are joined are all that the steps have joined and not parted again.
        """
        watch = self._watch
        if watch is None:
            return None
        fresh = self._fresh(watch.steps)
        return {
            "phase": self.phase,
            "step": self._told,
            "moves": [_move(step) for step in fresh[-_MOST_MOVES:]],
            "joined": [*self._joined],
            "score": watch.score if math.isfinite(watch.score) else None,
            "bound": watch.bound,
            "trials": watch.trials,
            "seconds": round(watch.seconds, 2),
            "stopping": watch.interrupted,
        }

    def _fresh(self, steps: list[Step]) -> list[Step]:
        """Return the steps since the last time, and bring what is joined up to date."""
        start = min(self._told, len(steps))
        if start and steps[start - 1] is not self._last:
            start = 0  # the search tells other steps than before
        if start < self._told and start == 0:
            self._joined.clear()
        fresh = steps[start:]
        for step in fresh:
            for x, y in _pairs(step):
                if step.operator in ("insert", "link"):
                    self._joined[min(x, y), max(x, y)] = None
                elif step.operator in ("delete", "unlink"):
                    self._joined.pop((min(x, y), max(x, y)), None)
        self._told = start + len(fresh)
        self._last = steps[self._told - 1] if self._told else None
        return fresh


def _pairs(step: Step) -> list[tuple[int, int]]:
    return [(step.x, step.y)] if step.change is None else list(step.change.links)


def _move(step: Step) -> list[Any]:
    """Tell a step: operator, ends, gain, reason, and the pairs it joins or parts."""
    gain = step.gain if math.isfinite(step.gain) else None
    return [step.operator, step.x, step.y, gain, step.reason.value, _pairs(step)]


class Job:
    """Do orders: look at data, learn, draw, answer questions about what was learned."""

    def __init__(self) -> None:
        self.telling = Telling()
        self._subject: Subject | None = None
        self._script = ""

    def profile(self, path: str, reading: dict[str, Any]) -> dict[str, Any]:
        """Look at the columns of a file."""
        return profiled(_entered(path), checked_reading(reading))

    def check(self, path: str, reading: dict[str, Any]) -> dict[str, Any]:
        """Read a file as a plan would, and say what comes of it."""
        return checked(_entered(path), checked_reading(reading))

    def sample(self, name: str) -> dict[str, Any]:
        """Draw rows from a network of the literature, as the text of a CSV file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sample.csv"
            write_csv(example(name).sample(_EXAMPLE_ROWS, seed=1), path)
            return {"texts": [path.read_text(encoding="utf-8")]}

    def sketch(self, names: list[str], edges: list[tuple[int, int, bool]]) -> dict[str, Any]:
        """Lay out edges."""
        return sketched(names, edges)

    def learn(self, path: str, plan: dict[str, Any], checksum: str) -> dict[str, Any]:
        """Do what a plan says; the texts are the network's file and the page's content."""
        made, name = Plan.from_dict(plan), _entered(path)
        net = made.learn(name, self.telling)
        self.telling.phase = "result"
        self._take_up(net, made, name, checksum)
        # The stories of pairs that are not joined are told when they are asked for.
        told = self._content(most_stories=0)
        return {"summary": _summary(net), "texts": [_network_text(net), as_json(told)]}

    def open(self, path: str, plan: dict[str, Any], checksum: str, network: str) -> dict[str, Any]:
        """Take up again what was learned before, to answer questions about it."""
        made, name = Plan.from_dict(plan), _entered(path)
        self._take_up(load(network), made, name, checksum, made.reading.apply(name))
        return {}

    def _take_up(
        self, net: Network, plan: Plan, name: str, checksum: str, table: Table | None = None
    ) -> None:
        self._subject = report_subject(net, table, command=shell_line(plan, name))
        self._script = python_script(plan, name, checksum)

    def _content(self, most_stories: int = MOST_STORIES) -> dict[str, Any]:
        assert self._subject is not None
        told: dict[str, Any] = content(self._subject, most_stories)
        told["reproduce"]["script"] = self._script
        return told

    def report(self) -> dict[str, Any]:
        """Write the report of what was learned."""
        return {"texts": [page_of(self._content())]}

    def pair(self, a: int, b: int) -> dict[str, Any]:
        """Tell the story of two variables, with their contingency table."""
        assert self._subject is not None
        return pair_told(self._subject, (a, b))

    def export(self, network: str, ending: str) -> dict[str, Any]:
        """Write a network in another form: a format of network files, or a picture."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"net.{ending}"
            net = load(network)
            if ending == "svg":
                net.plot(path)
            else:
                net.save(path)
            return {"texts": [path.read_text(encoding="utf-8")]}


def _entered(path: str) -> str:
    """Go to the folder of a file, so that messages call it by its name alone."""
    os.chdir(Path(path).parent)
    return Path(path).name


def _network_text(net: Network) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.json"
        if net.extension is None:
            return ""
        net.save(path)
        return path.read_text(encoding="utf-8")


def _summary(net: Network) -> dict[str, Any]:
    record = net.history
    value = record.value
    return {
        "variables": len(net.names),
        "edges": len(net.edges) + len(net.undirected),
        "rows": record.n_rows,
        "search": record.search,
        "score": None if value is None else {"name": value.name, "value": value.value},
        "parameters": _free(net),
        "scores": _scores(net),
        "tests": record.tests.made,
        "steps": len(record.steps),
        "stop": record.stop.value,
        "early": record.stop.name in ("INTERRUPTED", "TIME_LIMIT", "STEP_LIMIT"),
        "seconds": net.seconds,
    }


def _free(net: Network) -> int | None:
    if net.extension is None:
        return None
    model = net.net
    return sum(int(table.size - table.size // table.shape[-1]) for table in model.tables)


def _scores(net: Network) -> dict[str, float]:
    """Return what several scores say, so that runs with different scores can be compared."""
    if net.extension is None:
        return {}
    names = ("bic", "bdeu", "aic", "loglik")
    return {name: SCORES[name]().explain(net.data, net.extension).value for name in names}
