"""Averaging: how sure is every edge, over resamples of the data or over the posterior."""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
