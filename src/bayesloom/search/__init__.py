"""Searches for graphs: frozen values with a ``search`` method that reads like its pseudo-code."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
