"""Run one contender in a process of its own: a first call, then warm ones.

The job comes as JSON on standard input; each call answers with a JSON line on standard output, so
that a first call counts even if the time runs out later.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = 0.8  # share of the machine's memory a contender may take before it fails


def main() -> None:
    job = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the programs print is not part of the answer
    memory = int(MEMORY * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if job["threads"]:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: job["threads"]])
    for answer in time_process(job) if job["command"] else time_calls(job):
        answers.write(json.dumps(answer) + "\n")


def time_calls(job: dict) -> Iterator[dict]:
    """Time what ``contenders.<module>.<call>`` prepares: import and set-up, then the work."""
    _check_clock()
    for turn in range(1 + job["warm"]):
        start = time.process_time()
        module = importlib.import_module(f"contenders.{job['module']}")
        work, tell = getattr(module, job["call"])(**job["options"])
        cpu, wall = time.process_time(), time.perf_counter()
        result = work()
        end, wall = time.process_time(), time.perf_counter() - wall
        answer = {"setup": cpu - start, "cpu": end - cpu, "wall": wall, "rss": _peak_memory()}
        yield answer | ({} if turn else {"result": tell(result)})
        if end + (end - start) > job["limit"] or (turn and end > job["enough"]):
            return


def _check_clock() -> None:
    """Refuse to measure with a CPU clock that moves in ticks, as it does under RLIMIT_CPU."""
    cpu, end = time.process_time(), time.perf_counter() + 0.001
    while time.perf_counter() < end:
        pass
    if time.process_time() == cpu:
        msg = (
            "the CPU clock stood still for a millisecond of work; it is too coarse to measure with"
        )
        raise RuntimeError(msg)


def _peak_memory() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def time_process(job: dict) -> Iterator[dict]:
    """Time a whole command, from its start to its end."""
    wall = time.perf_counter()
    child = os.posix_spawn(job["command"][0], job["command"], os.environ)
    _, code, used = os.wait4(child, 0)
    wall = time.perf_counter() - wall
    if code:
        sys.exit(f"exit code {os.waitstatus_to_exitcode(code)}")
    cpu = used.ru_utime + used.ru_stime
    yield {"setup": 0.0, "cpu": cpu, "wall": wall, "rss": used.ru_maxrss / 1024, "result": {}}


if __name__ == "__main__":
    main()
