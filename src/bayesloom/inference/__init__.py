"""Exact inference: posteriors, the most probable explanation, the probability of evidence."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
