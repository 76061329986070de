"""Pictures and pages made from results."""

from __future__ import annotations

from bayesloom.report.drawing import Drawing, Line
from bayesloom.report.picture import Picture

__all__ = ["Drawing", "Line", "Picture"]
