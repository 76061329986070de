"""The environments of the contenders, made when they are needed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

import dataset

if TYPE_CHECKING:
    from pathlib import Path

PEERS = "BAYESLOOM_BENCH_PEERS"
REQUIREMENTS = dataset.HERE / "peers-requirements.txt"
PROJECT = dataset.HERE.parent
BUILT_FROM = ("pyproject.toml", "CMakeLists.txt", "cpp", "src")
STAMP = "installed.txt"
WRITTEN = (":!benchmarks/results", ":!docs/benchmarks.md", ":!docs/benchmarks")  # by a run itself


def ours(revision: str = "HEAD") -> str:
    """Return a Python that has a commit of bayesloom as users have it: installed, not linked."""
    parts = _git("rev-parse", *(f"{revision}:{part}" for part in BUILT_FROM))
    build = hashlib.sha256(parts).hexdigest()[:10]
    home = dataset.WORK / f"ours-{build}"
    sources = home / "sources"
    if not (home / STAMP).exists():
        sources.mkdir(parents=True, exist_ok=True)
        packed = _git("archive", revision)
        subprocess.run(["tar", "-x", "-C", str(sources)], input=packed, check=True)  # noqa: S607
    return _environment(home, build, f"{sources}[ilp,sklearn]")


def peers() -> str:
    """Return a Python that has the other programs."""
    if given := os.environ.get(PEERS):
        return given
    wanted = REQUIREMENTS.read_text()
    return _environment(dataset.WORK / "peers", wanted, "--requirement", str(REQUIREMENTS))


def find_r() -> str | None:
    """Return R's interpreter if it has bnlearn, and say so loudly if it has not."""
    program = shutil.which("Rscript")
    if program:
        ask = [program, "-e", "library(bnlearn)"]
        if not subprocess.run(ask, capture_output=True, check=False).returncode:
            return program
    why = "R has no package bnlearn" if program else "there is no Rscript"
    print(f"*** NOT MEASURED: bnlearn (R), since {why} here. ***", file=sys.stderr)
    return None


def commit_of(revision: str = "HEAD") -> str:
    """Return the short name of a commit."""
    return _git("rev-parse", "--short", f"{revision}^{{commit}}").decode().strip()


def changes() -> list[str]:
    """Return the files that differ from the commit, other than results and their page."""
    return _git("status", "--porcelain", "--", ".", *WRITTEN).decode().splitlines()


def _git(*arguments: str) -> bytes:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, check=True).stdout


def _environment(home: Path, wanted: str, *what: str) -> str:
    """Return the Python of an environment, after installing into it unless it is as wanted."""
    python = home / "bin" / "python"
    stamp = home / STAMP
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing into {home}", file=sys.stderr)
        stamp.unlink(missing_ok=True)
        venv.create(home, symlinks=True, with_pip=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
        subprocess.run([str(python), *install], check=True)
        stamp.write_text(wanted)
    return str(python)
