"""Classifiers and discretisers as scikit-learn estimators; needs scikit-learn (extra `sklearn`)."""

from importlib.util import find_spec

from bayesloom.lazy import attach_stub

if find_spec("sklearn") is None:
    from bayesloom.errors import MissingExtraError

    _MSG = (
        "bayesloom.sklearn needs scikit-learn, which is not installed; install it with: "
        "pip install 'bayesloom[sklearn]'"
    )
    raise MissingExtraError(_MSG)

__getattr__, __dir__ = attach_stub(__name__)
