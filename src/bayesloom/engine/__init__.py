"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
