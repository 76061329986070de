"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from __future__ import annotations

from bayesloom._native import StopSignal
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.contract import Engine, FamilyKernel
from bayesloom.engine.native import NativeEngine

__all__ = ["Batch", "Engine", "FamilyKernel", "NativeEngine", "StopSignal", "Tables"]
