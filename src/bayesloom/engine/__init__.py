"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from __future__ import annotations

from bayesloom._native import StopSignal
from bayesloom.engine.batch import Batch, Tables
from bayesloom.engine.block import BlockEngine
from bayesloom.engine.completion import Completions, completions_of
from bayesloom.engine.contract import Engine, FamilyKernel, TestKernel
from bayesloom.engine.data_engine import as_engine, is_engine, rows_behind, told_of
from bayesloom.engine.interpreter import refuse_sub_interpreter
from bayesloom.engine.native import NativeEngine
from bayesloom.engine.pooled import PooledEngine
from bayesloom.engine.reductions import Reductions, SparseTables
from bayesloom.engine.resample import Resampling, row_weights

__all__ = [
    "Batch",
    "BlockEngine",
    "Completions",
    "Engine",
    "FamilyKernel",
    "NativeEngine",
    "PooledEngine",
    "Reductions",
    "Resampling",
    "SparseTables",
    "StopSignal",
    "Tables",
    "TestKernel",
    "as_engine",
    "completions_of",
    "is_engine",
    "row_weights",
    "rows_behind",
    "told_of",
]

refuse_sub_interpreter()
