"""Every kind of engine; tests of what engines promise run on all of them."""

from __future__ import annotations

from collections.abc import Callable

from bayesloom.data import Table
from bayesloom.engine import Engine, NativeEngine

EngineOf = Callable[[Table], Engine]

ENGINES: tuple[EngineOf, ...] = (NativeEngine,)
