"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from __future__ import annotations

from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.contract import Engine, FamilyKernel
from bayesloom.engine.data_engine import as_engine, is_engine
from bayesloom.engine.native import NativeEngine

__all__ = ["Batch", "Engine", "FamilyKernel", "NativeEngine", "Tables", "as_engine", "is_engine"]
