"""Run one contender once in a process of its own.

The job comes as JSON on standard input; the answer is one JSON line on standard output.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from pathlib import Path

SHORT = 0.2  # seconds; shorter work is repeated from a fresh start ...
ENOUGH = 3.0  # ... for about this long, and the fastest counts
MEMORY = 0.8  # share of the machine's memory a contender may take before it fails


def main() -> None:
    job = json.load(sys.stdin)
    answer_to = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the programs print is not part of the answer
    memory = int(MEMORY * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answer = time_process(job) if job["command"] else time_call(job)
    answer_to.write(json.dumps(answer) + "\n")


def time_call(job: dict) -> dict:
    """Time the work that ``contenders.<module>.<call>`` prepares."""
    from contenders import NotAvailableError

    try:
        module = importlib.import_module(f"contenders.{job['module']}")
        prepare = getattr(module, job["call"], None)
        if prepare is None:
            return {"status": "not available", "note": f"no {job['call']}"}
        return _fastest(prepare, job["options"])
    except NotAvailableError as reason:
        return {"status": "not available", "note": str(reason)}
    except AttributeError as reason:
        if job["module"] != "bayesloom":
            raise
        return {"status": "not available", "note": str(reason)}  # a name it does not have yet


def _fastest(prepare: callable, options: dict) -> dict:
    _check_clock()
    start = time.perf_counter()
    times = []
    while True:
        work, tell = prepare(**options)
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
        if times[0][1] > SHORT or time.perf_counter() - start > ENOUGH:
            break
    rss = _peak_memory()
    cpu, wall = (min(column) for column in zip(*times, strict=True))
    return {"status": "ok", "cpu": cpu, "wall": wall, "rss": rss, "result": tell(result)}


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


def time_process(job: dict) -> dict:
    """Time a whole command, from its start to its end."""
    wall = time.perf_counter()
    child = os.posix_spawn(job["command"][0], job["command"], os.environ)
    _, code, used = os.wait4(child, 0)
    wall = time.perf_counter() - wall
    cpu = used.ru_utime + used.ru_stime
    if code:
        return {"status": "failed", "note": f"exit code {os.waitstatus_to_exitcode(code)}"}
    return {"status": "ok", "cpu": cpu, "wall": wall, "rss": used.ru_maxrss / 1024, "result": {}}


if __name__ == "__main__":
    main()
