"""The environment of the other programs: made once, or the one the user names."""

from __future__ import annotations

import os
import subprocess
import sys
import venv

import dataset

VARIABLE = "BAYESLOOM_BENCH_PEERS"
REQUIREMENTS = dataset.HERE / "peers-requirements.txt"


def python() -> str:
    """Return a Python that has the peers, after installing them if need be."""
    if given := os.environ.get(VARIABLE):
        return given
    home = dataset.WORK / "peers"
    found = home / "bin" / "python"
    stamp = home / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing the peers into {home} (once)", file=sys.stderr)
        venv.create(home, clear=True, symlinks=True, with_pip=True)
        install = [
            str(found),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--requirement",
            str(REQUIREMENTS),
        ]
        subprocess.run(install, check=True)
        stamp.write_text(wanted)
    return str(found)
