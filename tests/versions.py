"""Run the tests at the lowest versions promised and at the newest, on every Python at hand.

Promised are the versions of Python and of packages in pyproject.toml. Every run has a fresh
environment and a build of its own in ``build/versions``. What is not said otherwise goes to pytest:
``python tests/versions.py [--python 3.12] [--only lowest] [tests/cli ...]``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "versions"
TOOLS = {"docs", "lint", "release"}
"""Extras for those who work on the project; no test uses them."""
LOWEST, NEWEST = "lowest", "newest"
PASSED = "passed"


def project_file(folder: str = ".") -> Any:  # noqa: ANN401 - as TOML is
    """Return what the pyproject.toml of a folder holds."""
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))


def promised_pythons() -> list[str]:
    """Return the versions of Python that the classifiers name."""
    named = "\n".join(project_file()["project"]["classifiers"])
    return re.findall(r"Python :: (3\.\d+)$", named, re.MULTILINE)


def requirements() -> list[str]:
    """Return what is required to build, run and test."""
    found: list[str] = []
    for read in (project_file(), project_file("reproduction")):
        extras = read["project"].get("optional-dependencies", {})
        found += read["build-system"]["requires"] + read["project"]["dependencies"]
        found += [each for name in extras if name not in TOOLS for each in extras[name]]
    return [each for each in found if not each.startswith("bayesloom")]


def lowest_versions(required: Iterable[str]) -> dict[str, str]:
    """Return the lowest version of each package that all requirements allow."""
    found: dict[str, str] = {}
    for requirement in required:
        match = re.match(r"([\w.-]+)(?:\[\w+\])?(?:>=([\d.]+))?", requirement)
        if match is None:
            sys.exit(f"pyproject.toml: {requirement!r} is no requirement")
        name, version = match[1], match[2] or "0"
        found[name] = max(found.get(name, "0"), version, key=release)
    if loose := [name for name, version in found.items() if version == "0"]:
        sys.exit(f"pyproject.toml: {', '.join(loose)} has no lowest version; write one with >=")
    return found


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, which sort as versions do: 1.10 is above 1.9, 2.0 is 2."""
    numbers = [int(number) for number in version.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def pip(python: Path, *arguments: str) -> list[str]:
    """Return a call of the pip of an environment."""
    return [str(python), "-m", "pip", *arguments, "-q", "--disable-pip-version-check"]


def with_wheels(python: Path, name: str) -> list[str]:
    """Return the versions of a package that have a wheel for an interpreter."""
    # Asked for what cannot be, pip tells what there is; `pip index` would tell of sources, too.
    call = pip(python, "download", "--no-deps", "--only-binary", ":all:", f"{name}<0")
    said = subprocess.run(call, capture_output=True, text=True, check=False).stderr
    match = re.search(r"\(from versions: (.*)\)", said)
    if match is None:
        sys.exit(f"pip does not tell the versions of {name}:\n{said}")
    return [each for each in match[1].split(", ") if re.fullmatch(r"[\d.]+", each)]


def constraints(python: Path) -> list[str]:
    """Return the lowest versions for pip; one without a wheel for this Python is passed over."""
    found = []
    for name, bound in lowest_versions(requirements()).items():
        allowed = [each for each in with_wheels(python, name) if release(each) >= release(bound)]
        found.append(f"{name}=={min(allowed, key=release, default=bound)}")
    return found


def succeeds(call: Sequence[str], **environment: str) -> bool:
    """Return whether a call, which may speak to the user, ends well."""
    ended = subprocess.run(call, cwd=ROOT, env=os.environ | environment, check=False)
    return ended.returncode == 0


def outcome(version: str, which: str, tests: Sequence[str]) -> str:
    """Return what becomes of the tests with one Python, at the lowest versions or the newest."""
    base = shutil.which(f"python{version}")
    if (
        base is None
        or subprocess.run([base, "-c", ""], capture_output=True, check=False).returncode
    ):
        return f"not tested: there is no python{version} here"
    place = PLACE / f"{version}-{which}"
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([base, "-m", "venv", str(place)], check=True)
    python, named = place / "bin" / "python", place / "constraints.txt"
    named.write_text("\n".join(constraints(python) if which == LOWEST else []), encoding="utf-8")
    # Newer versions of pip take the second for what a build needs, older ones the first.
    held = {"PIP_CONSTRAINT": str(named), "PIP_BUILD_CONSTRAINT": str(named)}
    what = ["-e", ".[test]", "-e", "./reproduction", f"-Cbuild-dir={place / 'build'}"]
    if not succeeds(pip(python, "install", *what), **held):
        return "cannot be installed"
    call = [str(python), "-m", "pytest", "-n", "auto", "--dist", "loadfile", *tests]
    return PASSED if succeeds(call) else "failed"


def main() -> None:
    """Tell what became of every run; exit code 1 if one failed or none was made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", metavar="VERSION", help="only this, such as 3.12")
    parser.add_argument("--only", choices=(LOWEST, NEWEST))
    options, tests = parser.parse_known_args()
    pythons = [options.python] if options.python else promised_pythons()
    kinds = [options.only] if options.only else [LOWEST, NEWEST]
    told = {
        f"Python {each}, {kind}": outcome(each, kind, tests) for each in pythons for kind in kinds
    }
    for run, what in told.items():
        print(f"{run}: {what}")  # noqa: T201
    made = [what for what in told.values() if not what.startswith("not tested")]
    sys.exit(set(made) != {PASSED})


if __name__ == "__main__":
    main()
