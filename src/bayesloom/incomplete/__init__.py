"""Parameters from rows with missing cells: expectation-maximisation."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
