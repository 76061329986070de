"""Tree-augmented naive Bayes as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.classification.structure import ClassStructure, TreeStructure
from bayesloom.model import Estimator
from bayesloom.sklearn.partial_fit import PartialFit


class TANClassifier(PartialFit):
    """TAN: every attribute depends on the class and on at most one other attribute.

    The tree among the attributes is the one of maximum likelihood: a maximum spanning tree whose
    weights are the mutual informations of two attributes given the class.

    Parameters
    ----------
    root : str, optional
        The attribute that the tree's edges lead away from; by default the first in name order.
    forest : bool
        Leave out edges whose information does not pay for their parameters under BIC.
    pseudocount : float
        Added to every count before the informations are computed.
    smoothing, discretize, bins, categorical_features, unseen, n_jobs
        As for `NaiveBayesClassifier`.

    References
    ----------
    N. Friedman, D. Geiger, M. Goldszmidt: Bayesian network classifiers, Machine Learning 29, 1997.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    >>> clf = TANClassifier().fit(X, ["even", "odd", "odd", "even"] * 5)  # a parity
    >>> clf.score(X, ["even", "odd", "odd", "even"] * 5), clf.network_.edges
    (1.0, (('class', 'x0'), ('class', 'x1'), ('x0', 'x1')))
    """

    def __init__(
        self,
        *,
        root: str | None = None,
        forest: bool = False,
        pseudocount: float = 0.0,
        smoothing: float | Estimator = 0.5,
        discretize: str = "mdl",
        bins: int = 5,
        categorical_features: str | Sequence[object] = "auto",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.root = root
        self.forest = forest
        self.pseudocount = pseudocount
        self.smoothing = smoothing
        self.discretize = discretize
        self.bins = bins
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure(self) -> ClassStructure:
        return TreeStructure(self.root, self.forest, self.pseudocount)
