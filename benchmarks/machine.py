"""The facts of a run: machine, versions, commit."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import dataset
import runner

PACKAGES = {
    "us": ("bayesloom", "numpy", "pyarrow"),
    "peers": (
        "pyagrum",
        "pgmpy",
        "causal-learn",
        "xges",
        "scikit-learn",
        "polars",
        "pyarrow",
        "pandas",
        "numpy",
    ),
}
_ASK = """
import importlib.metadata as m, platform
print("Python", platform.python_version())
for name in {names!r}:
    try: print(name, m.version(name))
    except m.PackageNotFoundError: print(name, "not installed")
"""


def facts(ours: str, peers: str) -> dict:
    """Return what a reader must know to judge the figures."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "load": round(os.getloadavg()[0], 1),
        "system": f"{platform.system()} {platform.release()}",
        "us": list(runner.ask_python(ours, _ASK.format(names=PACKAGES["us"]))),
        "peers": list(runner.ask_python(peers, _ASK.format(names=PACKAGES["peers"]))),
    }


def commit() -> str:
    """Return the short name of the commit, with a mark if the tree has changes."""
    describe = ["git", "describe", "--always", "--dirty=-changed"]
    done = subprocess.run(describe, cwd=dataset.HERE, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "uncommitted"


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()
