"""Decomposable scores of graphs: frozen values that check themselves; larger is better."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
