"""Networks with their parameters: made, fitted, sampled, read and written."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
