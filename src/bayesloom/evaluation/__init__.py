"""How good a learned network is: divergence, structure, and loss on data."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
