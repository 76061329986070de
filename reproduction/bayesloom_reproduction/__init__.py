"""The experiments of the papers behind the searches, as commands."""

from __future__ import annotations

from bayesloom_reproduction.catalogue import FIGURES
from bayesloom_reproduction.command import reproduce

__all__ = ["FIGURES", "reproduce"]
