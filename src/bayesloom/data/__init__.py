"""Tables of discrete data: read, checked, coded and written."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
