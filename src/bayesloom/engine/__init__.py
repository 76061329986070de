"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from bayesloom.engine.interpreter import refuse_sub_interpreter
from bayesloom.lazy import attach_stub

refuse_sub_interpreter()

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
