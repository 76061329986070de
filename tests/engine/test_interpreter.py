"""Sub-interpreters of Python are refused in a sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shell import ENVIRONMENT

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
