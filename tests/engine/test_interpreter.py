"""Sub-interpreters are refused in a sentence, and a forked child finds no lock taken."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shell import ENVIRONMENT, ROOT

CODE = """
import sys, _xxsubinterpreters as interpreters
inner = '''
import sys
sys.path[:] = %r
import bayesloom as bl
try:
    bl.learn({"a": ["n", "y"] * 9, "b": ["n", "y"] * 9})
except ImportError as error:
    print(error, flush=True)
''' % (sys.path,)
interpreters.run_string(interpreters.create(), inner)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module has another name there")
def test_a_sub_interpreter_is_refused_and_does_not_hang() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE],
        capture_output=True,
        text=True,
        timeout=100,
        env=ENVIRONMENT,
        check=False,
    )
    assert "which sub-interpreters of Python do not have" in done.stdout


def test_no_lock_of_a_property_can_be_held_while_a_process_forks() -> None:
    # Up to Python 3.11 functools.cached_property has one lock for all objects of a class.
    source = ROOT / "src" / "bayesloom"
    assert [p.name for p in source.rglob("*.py") if "cached_property" in p.read_text()] == []
