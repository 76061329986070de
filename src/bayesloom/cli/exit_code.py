"""The exit codes beside click's own: 0 done, 1 bad data or input, 2 wrong usage."""

from __future__ import annotations

INTERRUPTED = 130
"""After Ctrl-C or SIGTERM; what was found until then has been written."""
