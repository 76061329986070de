"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from __future__ import annotations

from bayesloom._native import StopSignal
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.block import BlockEngine
from bayesloom.engine.contract import Engine, FamilyKernel, TestKernel
from bayesloom.engine.data_engine import as_engine, is_engine, told_of
from bayesloom.engine.native import NativeEngine
from bayesloom.engine.reductions import Reductions, SparseTables

__all__ = [
    "Batch",
    "BlockEngine",
    "Engine",
    "FamilyKernel",
    "NativeEngine",
    "Reductions",
    "SparseTables",
    "StopSignal",
    "Tables",
    "TestKernel",
    "as_engine",
    "is_engine",
    "told_of",
]
