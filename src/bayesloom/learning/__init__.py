"""Learning: from an engine and a search to a result and the record of how it came about."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
