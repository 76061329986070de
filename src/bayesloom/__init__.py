"""Learn Bayesian networks and decomposable Markov networks from tables.

Every public name is imported when it is first used, so that ``import bayesloom`` costs nothing.
A new name is one line in ``__init__.pyi``.
"""

from bayesloom.lazy import attach_stub

__version__ = "0.1.0"

__getattr__, __dir__ = attach_stub(__name__)
