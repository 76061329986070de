"""How a command fails as promised."""

from __future__ import annotations

from click.testing import Result


def failed(done: Result, exit_code: int = 1) -> str:
    """Check that a command failed as promised and return its one line on standard error."""
    assert done.exit_code == exit_code, done.output
    assert done.stdout == ""
    *usage, line = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert bool(usage) == (exit_code == 2)
    assert "Traceback" not in done.stderr
    return line.removeprefix("Error: ")
