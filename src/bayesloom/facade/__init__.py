"""The network as users meet it: `learn`, what it returns, and files that keep its record."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
