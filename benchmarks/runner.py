"""Run tasks: every contender in fresh processes, in turns, each under a time limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import bif
import dataset
import graph
import scorer
from task import Contender, Role, Task

if TYPE_CHECKING:
    from collections.abc import Iterator

THREAD_SETTINGS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
)
SLOW = 10.0  # seconds of a whole process, above which fewer repeats are made
VERY_SLOW = 30.0
LOOK = 0.5  # seconds between two looks at a contender's CPU time
PATIENCE = 5  # wall seconds per second of the limit, which is on CPU time
JUDGED = ("directed", "undirected")  # edges, which are not kept once they have been judged
ABSENT = ("ModuleNotFoundError", "ImportError", "No such command", "No such option")


@dataclass(slots=True)
class Runner:
    """How to run: the two Pythons, how often, how long; remembers who ran out of time."""

    ours: str
    peers: str
    repeat: int
    limit: int
    out_of_time: dict[tuple[str, str], list[tuple[int, ...]]] = field(default_factory=dict)

    def run(self, task: Task) -> list[dict]:
        """Return one row per contender, with the fastest of its runs."""
        rows = {c: {"runs": 0} for c in task.contenders}
        for turn in range(self.repeat):
            for contender, row in rows.items():
                if turn < self._turns(row):
                    self._run_once(task, contender, row)
        for contender, row in rows.items():
            if row["status"] == "ok":
                try:
                    row.update(judge(task, row["result"]))
                except ValueError as fault:  # the graph is no class of DAGs
                    row.update(status="failed", note=str(fault))
                row["result"] = {k: v for k, v in row["result"].items() if k not in JUDGED}
            row.update(contender=contender.name, role=contender.role.value)
        compare_marginals(list(rows.values()))
        return list(rows.values())

    def _turns(self, row: dict) -> int:
        if not row["runs"]:
            return 1
        if row["status"] != "ok" or row["process"] > VERY_SLOW:
            return 1
        return min(self.repeat, 3) if row["process"] > SLOW else self.repeat

    def _run_once(self, task: Task, contender: Contender, row: dict) -> None:
        smaller = self.out_of_time.setdefault((task.series, contender.name), [])
        if task.series and any(_dominates(task.size, size) for size in smaller):
            row.update(status="skipped", note="out of time on a smaller task", runs=1)
            return
        answer = self._ask(task, contender)
        if answer["status"] == "timeout":
            smaller.append(task.size)
        if not row["runs"] or answer["status"] != "ok":
            row.update(answer)
        else:
            row.update({key: min(row[key], answer[key]) for key in ("cpu", "wall", "rss")})
        row["runs"] += 1
        _progress(task, contender, row)

    def _ask(self, task: Task, contender: Contender) -> dict:
        python = self.ours if contender.role is Role.US else self.peers
        options = task.resolved(contender)
        command = [python, *(a.format(**options) for a in contender.arguments)]
        job = {
            "command": command if contender.arguments else [],
            "module": contender.module,
            "call": task.call,
            "options": options,
            "limit": self.limit,
        }
        start = os.times().elapsed
        answer = run_worker(python, job, contender.threads)
        answer["process"] = os.times().elapsed - start
        if answer["status"] == "ok" and "bif" in options and contender.arguments:
            answer["result"] = {"directed": bif.read_edges(Path(str(options["bif"])))}
        return answer


def run_worker(python: str, job: dict, threads: int) -> dict:
    """Return the worker's answer, or what became of it."""
    settings = dict.fromkeys(THREAD_SETTINGS, str(threads)) | {"PYTHONHASHSEED": "0"}
    worker = subprocess.Popen(
        [python, str(dataset.HERE / "worker.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=dataset.HERE,
        env=os.environ | settings,
        text=True,
        start_new_session=True,
    )
    try:
        answer, errors = _wait(worker, json.dumps(job), job["limit"])
    except subprocess.TimeoutExpired:
        return {"status": "timeout", "note": f"no result in {job['limit']} s"}
    finally:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGKILL)  # its session is its own, so Ctrl-C misses it
            worker.communicate()
    lines = errors.strip().splitlines() or ["no message"]
    if not answer:
        return {"status": "failed", "note": lines[-1][-160:]}
    found = json.loads(answer)
    if found["status"] == "failed":
        found["note"] = lines[-1][-160:]
        if any(word in line for line in lines for word in ABSENT):
            found["status"] = "not available"
    return found


def _wait(worker: subprocess.Popen, job: str, limit: float) -> tuple[str, str]:
    """Return what the worker prints; raise TimeoutExpired once its CPU time is above the limit."""
    end = time.monotonic() + PATIENCE * limit
    message: str | None = job
    while True:
        try:
            return worker.communicate(message, timeout=LOOK)
        except subprocess.TimeoutExpired:
            message = None  # it is on its way
            if _cpu_seconds(worker.pid) > limit or time.monotonic() > end:
                raise


def _cpu_seconds(process: int | str) -> float:
    """Return the CPU time of a process and its children; a limit of the kernel blurs its clock."""
    home = Path(f"/proc/{process}")
    try:
        fields = (home / "stat").read_text().rpartition(")")[2].split()
        children = (home / "task" / str(process) / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(_cpu_seconds, children))


def judge(task: Task, result: dict) -> dict:
    """Return score and structural distance of a learned graph, from the common scorer."""
    if not task.score or "directed" not in result:
        return {}
    edges = graph.extension(result["directed"], result.get("undirected", []))
    codes = dataset.load_codes(Path(task.options["csv"].make()))
    found = {"score": scorer.score(codes, edges, task.score)}
    if task.truth:
        found["shd"] = graph.distance(edges, dataset.network(task.truth).edges)
    return found


def compare_marginals(rows: list[dict]) -> None:
    """Replace posteriors by their largest difference from those of the last contender."""
    found = [row for row in rows if "marginals" in row.get("result", {})]
    tables = [row.pop("result")["marginals"] for row in found]
    for row, table in zip(found, tables, strict=True):
        pairs = [(table[v], p) for v, p in tables[-1].items()]
        gap = max(abs(a - b) for x, y in pairs for a, b in zip(x, y, strict=True))
        row["result"] = {"difference": gap, "from": found[-1]["contender"]}


def _dominates(size: tuple[int, ...], smaller: tuple[int, ...]) -> bool:
    return all(a >= b for a, b in zip(size, smaller, strict=True))


def _progress(task: Task, contender: Contender, row: dict) -> None:
    figure = f"{row['cpu']:.4g} s" if row["status"] == "ok" else f"{row['status']}: {row['note']}"
    print(f"{task.name}: {contender.name}: {figure}", file=sys.stderr, flush=True)


def ask_python(python: str, code: str) -> Iterator[str]:
    """Yield the lines that a piece of code prints in another Python."""
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    yield from done.stdout.splitlines()
