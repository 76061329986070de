"""Tests of conditional independence and the control of their errors."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
