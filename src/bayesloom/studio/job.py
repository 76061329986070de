"""What a worker of the studio can be asked to do."""

from __future__ import annotations

import base64
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesloom.data import Table, write_csv
from bayesloom.errors import DataError, EvidenceError
from bayesloom.facade import example, load
from bayesloom.facade.reporting import report_subject
from bayesloom.registry import SCORES
from bayesloom.report.page import Subject, as_json, content, page_of
from bayesloom.report.page.pairs import MOST_STORIES, pair_told
from bayesloom.studio.news import Telling
from bayesloom.studio.plan import Plan, checked_reading
from bayesloom.studio.profile import checked, profiled
from bayesloom.studio.script import python_script, shell_line
from bayesloom.studio.sketch import sketched

if TYPE_CHECKING:
    from bayesloom.facade import Network
    from bayesloom.inference import CompiledNet

_EXAMPLE_ROWS = 5000


class Job:
    """Do orders: look at data, learn, draw, answer questions about what was learned."""

    def __init__(self) -> None:
        self.telling = Telling()
        self._subject: Subject | None = None
        self._script = ""
        self._compiled: CompiledNet | None = None

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

    def sketch(self, names: list[str], edges: list[tuple[int, int, str]]) -> dict[str, Any]:
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
        self._compiled = None

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
        n = len(self._subject.names)
        if not (0 <= a < n and 0 <= b < n):
            msg = f"the run has {n} variables, numbered from 0, so there is no pair {a}, {b}"
            raise DataError(msg)
        return pair_told(self._subject, (a, b))

    def posteriors(self, evidence: list[list[int]]) -> dict[str, Any]:
        """Return the posteriors of all variables, for pages that cannot compute them.

        Evidence is told as pairs of a variable and its state, both by number.
        """
        assert self._subject is not None
        net, names = self._subject.net, self._subject.names
        if net is None:
            raise DataError(self._subject.absent)
        states = dict(zip(net.names, net.states, strict=True))
        for v, k in evidence:
            if not (0 <= v < len(names) and 0 <= k < len(states[names[v]])):
                msg = f"there is no state {k} of a variable {v}"
                raise DataError(msg)
        given = {names[v]: states[names[v]][k] for v, k in evidence}
        if self._compiled is None:
            from bayesloom.inference import compile_net

            self._compiled = compile_net(net)
        try:
            found = self._compiled.posteriors(given=given)
        except EvidenceError:
            return {"possible": False, "logEvidence": None, "marginals": None}
        marginals = [found.arrays[name].tolist() for name in names]
        return {"possible": True, "logEvidence": found.log_evidence, "marginals": marginals}

    def export(self, network: str, ending: str) -> dict[str, Any]:
        """Write a network in another form: a format of network files, or a picture.

        Texts travel as they are, pixels in base 64.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"net.{ending}"
            net = load(network)
            if ending in ("svg", "png"):
                net.plot(path)
            else:
                net.save(path)
            written = path.read_bytes()
        coded = base64.b64encode(written) if ending == "png" else written
        return {"texts": [coded.decode()]}


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
    # Scores that add up over rows cannot tell graphs apart where cells are missing.
    names = ("pnal",) if net.data.missing.any() else ("bic", "bdeu", "aic", "loglik")
    return {name: SCORES[name]().explain(net.data, net.extension).value for name in names}
