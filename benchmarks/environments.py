"""The environments of the contenders: made when they are needed, or named by the user."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

import dataset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PEERS = "BAYESLOOM_BENCH_PEERS"
REQUIREMENTS = dataset.HERE / "peers-requirements.txt"
PROJECT = dataset.HERE.parent


def ours() -> str:
    """Return a Python that has bayesloom as users have it: installed, not linked to its sources."""
    return _environment("ours", _digest_of_sources(), str(PROJECT))


def peers() -> str:
    """Return a Python that has the other programs."""
    if given := os.environ.get(PEERS):
        return given
    return _environment("peers", REQUIREMENTS.read_text(), "--requirement", str(REQUIREMENTS))


def _environment(name: str, wanted: str, *what: str) -> str:
    """Return the Python of an environment, after installing into it unless it is as wanted."""
    home = dataset.WORK / name
    python = home / "bin" / "python"
    stamp = home / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing into {home}", file=sys.stderr)
        stamp.unlink(missing_ok=True)
        venv.create(home, symlinks=True, with_pip=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
        subprocess.run([str(python), *install], check=True)
        stamp.write_text(wanted)
    return str(python)


def _digest_of_sources() -> str:
    """Return a text that changes with every file that bayesloom is built from."""
    digest = hashlib.sha256()
    for path in sorted(_sources()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(PROJECT)} {content}\n".encode())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    yield PROJECT / "pyproject.toml"
    yield PROJECT / "CMakeLists.txt"
    for folder in ("cpp", "src"):
        for path in (PROJECT / folder).rglob("*"):
            made = path.suffix == ".so" or "__pycache__" in path.parts
            if path.is_file() and not made:
                yield path
