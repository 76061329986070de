"""Pictures and pages made from results."""

from __future__ import annotations

from bayesloom.report.picture import Drawing, svg

__all__ = ["Drawing", "svg"]
