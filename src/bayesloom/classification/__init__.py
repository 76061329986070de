"""Classifiers: networks that tell a class from attributes, with what they make of columns.

Nothing here needs scikit-learn; `bayesloom.sklearn` puts its face on top.
"""

from bayesloom.lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
