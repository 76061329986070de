"""Any learned network as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.classification.structure import USUAL_SEARCH, ClassStructure, SearchedStructure
from bayesloom.model import Estimator
from bayesloom.search import Search
from bayesloom.sklearn.network_classifier import NetworkClassifier


class BayesNetClassifier(NetworkClassifier):
    """A network that any search learns; the class is told from its Markov blanket.

    Parameters
    ----------
    search : Search, optional
        How the graph is learned; by default ``HillClimbing(K2Score())``. Training rows with
        cells that are not known are left out of the search, not of the tables.
    augmented : bool
        Require the class as a parent of every attribute (augmented naive Bayes); otherwise the
        class is a variable like any other.
    max_parents : int, optional
        The most parents of a variable, the class among them.
    smoothing, discretize, bins, categorical_features, unseen, n_jobs
        As for `NaiveBayesClassifier`.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    >>> clf = BayesNetClassifier().fit(X, [0, 0, 1, 1] * 5)
    >>> clf.predict([[1, 0]]).tolist(), clf.classifier_.used
    ([1], ('x0', 'x1'))
    """

    def __init__(
        self,
        *,
        search: Search | None = None,
        augmented: bool = True,
        max_parents: int | None = None,
        smoothing: float | Estimator = 0.5,
        discretize: str = "mdl",
        bins: int = 5,
        categorical_features: str | Sequence[object] = "auto",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.search = search
        self.augmented = augmented
        self.max_parents = max_parents
        self.smoothing = smoothing
        self.discretize = discretize
        self.bins = bins
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure(self) -> ClassStructure:
        search = USUAL_SEARCH if self.search is None else self.search
        return SearchedStructure(search, self.augmented, self.max_parents)
