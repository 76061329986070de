"""The facts of a run: machine and versions."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import environments

OURS = ("bayesloom", "numpy", "pyarrow")
_ASK = """
import importlib.metadata as m, platform
print("Python", platform.python_version())
for name in {names!r}: print(name, m.version(name))
"""


def facts(ours: str, peers: str) -> dict:
    """Return what a reader must know to judge the figures; fail if a program is not installed."""
    lines = environments.REQUIREMENTS.read_text().splitlines()
    names = [line.partition("==")[0] for line in lines if not line.startswith("#")]
    us = _versions(ours, OURS)
    return {
        "version": us[1].split()[1],
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "load": round(os.getloadavg()[0], 1),
        "system": f"{platform.system()} {platform.release()}",
        "us": us,
        "peers": _versions(peers, names),
    }


def _versions(python: str, names: tuple[str, ...] | list[str]) -> list[str]:
    ask = [python, "-c", _ASK.format(names=names)]
    done = subprocess.run(ask, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()
