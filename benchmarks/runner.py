"""Run tasks: every contender in fresh processes, in turns, by one rule for all.

A process makes a first call and up to ``WARM`` warm ones, each from a fresh set-up. Every
contender gets one process with a first and a warm call if they fit into ``LIMIT``; then more, until
it has had ``PROCESSES`` or has used ``ENOUGH``. Medians do not favour who ran more often.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import bif
import dataset
import graph
import scorer
from task import BNLEARN, Contender, Role, Task

LIMIT = 60  # CPU seconds of a process
PROCESSES = 5
WARM = 3
ENOUGH = 5  # CPU seconds of all processes of a contender, after which no other call begins
LOOK = 0.5  # seconds between two looks at a contender's CPU time
PATIENCE = 5  # wall seconds per second of the limit, which is on CPU time
JUDGED = ("directed", "undirected")  # edges, which are not kept once they have been judged
THREAD_SETTINGS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
)


@dataclass(slots=True)
class Runner:
    """The two Pythons and perhaps R; remembers which peer ran out of time on what."""

    ours: str
    peers: str
    r: str | None
    out_of_time: dict[tuple[str, str], list[Task]] = field(default_factory=dict)

    def run(self, task: Task) -> list[dict]:
        """Return one row per contender."""
        asked = [c for c in task.contenders if c is not BNLEARN or self.r]
        answers: dict[Contender, list[list[dict]]] = {c: [] for c in asked}
        faults: dict[Contender, str] = {}
        for _ in range(PROCESSES):
            for contender, processes in answers.items():
                if contender not in faults and _cost(processes) < ENOUGH:
                    calls, fault = self._ask(task, contender, ENOUGH - _cost(processes))
                    processes.extend([calls] if calls else [])
                    if fault:
                        faults[contender] = fault
        rows = [_row(c, answers[c], faults.get(c, "")) for c in asked]
        for row in rows:
            _judge(task, row)
            _tell_progress(task, row)
        compare_marginals(rows)
        return rows

    def _ask(self, task: Task, contender: Contender, enough: float) -> tuple[list[dict], str]:
        """Return the calls of a process and what went wrong, if anything did."""
        key = task.series, contender.name
        if contender.role is not Role.US and task.series:
            for smaller in self.out_of_time.get(key, []):
                if all(a >= b for a, b in zip(task.size, smaller.size, strict=True)):
                    return [], f"not run: no result in {LIMIT} s for {smaller.label}"
        python = self.ours if contender.role is Role.US else self.peers
        program = self.r if contender is BNLEARN else python
        calls, fault = run_worker(program, job_of(task, contender, python, enough))
        if "No module named" in fault:
            sys.exit(f"{task.name}: {contender.name}: {fault}; its environment is not complete")
        if fault.startswith("no result"):
            self.out_of_time.setdefault(key, []).append(task)
        return calls, fault


def job_of(task: Task, contender: Contender, python: str, enough: float = ENOUGH) -> dict:
    """Return what a worker is told to do."""
    options = task.resolved(contender)
    command = [python, *(a.format(**options) for a in contender.arguments)]
    return {
        "command": command if contender.arguments else [],
        "module": contender.module,
        "call": task.call,
        "options": options,
        "threads": contender.threads,
        "limit": LIMIT,
        "enough": enough,
        "warm": WARM,
    }


def run_worker(program: str, job: dict) -> tuple[list[dict], str]:
    """Return the calls that a process made and what went wrong, if anything did."""
    folder = dataset.HERE / "contenders"
    command, text = [program, str(dataset.HERE / "worker.py")], json.dumps(job)
    if job["module"].endswith(".R"):  # R has no JSON of its own
        options = (f"{key}={value}" for key, value in job["options"].items())
        limits = (str(job[key]) for key in ("warm", "limit", "enough"))
        command, text = [program, str(folder / job["module"]), job["call"], *limits, *options], ""
    settings = os.environ | {"PYTHONHASHSEED": "0"}
    if job["threads"]:
        settings |= dict.fromkeys(THREAD_SETTINGS, str(job["threads"]))
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    worker = subprocess.Popen(
        command, cwd=dataset.HERE, env=settings, text=True, start_new_session=True, **streams
    )
    try:
        answers, errors, out_of_time = _wait(worker, text, job["limit"])
    finally:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGKILL)  # its session is its own, so Ctrl-C misses it
            worker.communicate()
    calls = [json.loads(line) for line in answers.splitlines()]
    if out_of_time:
        return calls, "" if calls else f"no result in {job['limit']} s"
    if worker.returncode:
        return calls, f"failed: {(errors.strip().splitlines() or ['no message'])[-1][-160:]}"
    if job["command"] and "bif" in job["options"]:
        calls[0]["result"] = {"directed": bif.read_edges(Path(job["options"]["bif"]))}
    return calls, ""


def _wait(worker: subprocess.Popen, job: str, limit: float) -> tuple[str, str, bool]:
    """Return what a process prints and whether it was ended, its CPU time being above the limit."""
    end = time.monotonic() + PATIENCE * limit
    message: str | None = job
    while True:
        try:
            return *worker.communicate(message, timeout=LOOK), False
        except subprocess.TimeoutExpired:
            message = None  # it is on its way
        if cpu_seconds(worker.pid) > limit or time.monotonic() > end:
            os.killpg(worker.pid, signal.SIGKILL)
            return *worker.communicate(), True


def cpu_seconds(process: int | str) -> float:
    """Return the CPU time of a process and its children; a limit of the kernel blurs its clock."""
    home = Path(f"/proc/{process}")
    try:
        fields = (home / "stat").read_text().rpartition(")")[2].split()
        children = (home / "task" / str(process) / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(cpu_seconds, children))


def _cost(processes: list[list[dict]]) -> float:
    return sum(call["setup"] + call["cpu"] for calls in processes for call in calls)


def _row(contender: Contender, processes: list[list[dict]], fault: str) -> dict:
    """Return the medians of the first calls and of the warm calls."""
    row = {"contender": contender.name, "role": contender.role.value, "fault": fault}
    if fault or not processes:
        return row
    row["rss"] = max(call["rss"] for calls in processes for call in calls)
    row["first"] = medians([calls[0] for calls in processes])
    row["warm"] = medians([call for calls in processes for call in calls[1:]])
    return row | {"result": processes[0][0]["result"]}


def medians(calls: list[dict]) -> dict | None:
    """Return the number of calls and the median of each of their times, or None without any."""
    if not calls:
        return None
    times = {k: statistics.median(c[k] for c in calls) for k in ("setup", "cpu", "wall")}
    return {"calls": len(calls)} | times


def _judge(task: Task, row: dict) -> None:
    """Add score and structural distance of a learned graph, from the common scorer."""
    result = row.get("result", {})
    if not task.score or "directed" not in result:
        return
    try:
        edges = graph.extension(result["directed"], result.get("undirected", []))
    except ValueError:  # as tests that contradict each other can have it: a result without score
        row["result"] = {"unextended": True}
        return
    codes = dataset.load_codes(Path(task.options["csv"].make()))
    row["score"] = scorer.score(codes, edges, task.score)
    if task.truth:
        row["shd"] = graph.distance(edges, dataset.network(task.truth).edges)
    row["result"] = {k: v for k, v in result.items() if k not in JUDGED}


def compare_marginals(rows: list[dict]) -> None:
    """Replace posteriors by their largest difference from those of the last contender."""
    found = [row for row in rows if "marginals" in row.get("result", {})]
    tables = [row.pop("result")["marginals"] for row in found]
    for row, table in zip(found, tables, strict=True):
        pairs = [(table[v], p) for v, p in tables[-1].items()]
        gap = max(abs(a - b) for x, y in pairs for a, b in zip(x, y, strict=True))
        row["result"] = {"difference": gap, "from": found[-1]["contender"]}


def _tell_progress(task: Task, row: dict) -> None:
    figures = [f"{name} {row[name]['cpu']:.4g} s" for name in ("first", "warm") if row.get(name)]
    told = row["fault"] or ", ".join(figures)
    print(f"{task.name}: {row['contender']}: {told}", file=sys.stderr, flush=True)
