"""Engines: the only part of bayesloom that touches rows; they answer batches of requests."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
