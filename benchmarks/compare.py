"""Compare two commits: python benchmarks/compare.py BEFORE AFTER [--only PATTERN ...].

Both are installed side by side, and our part of the core tasks runs alternately on the two, in
fresh processes. Fails if the second takes more CPU time than the first by more than the tolerance.
"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatch

import environments
import ratio
import runner
import tasks
from task import Contender, Role, Task

TOLERANCE = 1.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--rounds", type=int, default=7, help="processes of each (default 7)")
    options = parser.parse_args()
    pythons = environments.ours(options.before), environments.ours(options.after)
    slower = []
    print(f"CPU time of {options.after} over that of {options.before}; above 1 is slower")
    for task in tasks.every():
        if task.core and any(fnmatch(task.name, pattern) for pattern in options.only):
            for contender in task.contenders:
                if contender.role is Role.US:
                    found = compare(task, contender, pythons, options.rounds)
                    told = ", ".join(f"{call} {value:.2f}" for call, value in found.items())
                    print(f"{task.name}: {contender.name}: {told}", flush=True)
                    slower += [task.name] if max(found.values()) > TOLERANCE else []
    if slower:
        sys.exit(f"slower by more than {TOLERANCE - 1:.0%}: {', '.join(dict.fromkeys(slower))}")


def compare(
    task: Task, contender: Contender, pythons: tuple[str, str], rounds: int
) -> dict[str, float]:
    """Return for first and warm calls the second's least CPU time over the first's."""
    least: dict[tuple[str, str], float] = {}
    for turn in range(rounds):
        for python in pythons if turn % 2 else reversed(pythons):
            calls, fault = runner.run_worker(python, runner.job_of(task, contender, python))
            if fault:
                sys.exit(f"{task.name}: {contender.name}: {python}: {fault}")
            for place, call in enumerate(calls):
                key = python, ratio.CALLS[min(place, 1)]
                least[key] = min(least.get(key, call["cpu"]), call["cpu"])
    before, after = pythons
    return {c: least[after, c] / least[before, c] for c in ratio.CALLS if (before, c) in least}


if __name__ == "__main__":
    main()
