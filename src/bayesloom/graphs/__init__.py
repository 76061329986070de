"""Graphs as values over node names, and the kernel over bitmasks that searches call directly."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
