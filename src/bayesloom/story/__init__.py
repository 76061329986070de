"""Stories: how a network came about, told pair by pair and as one screen."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
