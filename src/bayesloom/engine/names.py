"""The names of engines, for options."""

from __future__ import annotations

ENGINES = ("auto", "memory", "disk", "dask")
"""The engines that data can be put behind by name."""

ENGINES_HERE = ("auto", "memory", "disk")
"""Those of this machine."""
