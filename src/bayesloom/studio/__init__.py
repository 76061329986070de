"""The studio: the page of the report, alive, on a server for the one person who started it."""

from __future__ import annotations

from bayesloom.studio.server import serve

__all__ = ["serve"]
