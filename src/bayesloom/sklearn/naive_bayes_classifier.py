"""Naive Bayes as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Sequence

from bayesloom.classification.structure import ClassStructure, StarStructure
from bayesloom.model import Estimator
from bayesloom.sklearn.partial_fit import PartialFit


class NaiveBayesClassifier(PartialFit):
    """Naive Bayes: given the class, all attributes are independent.

    Parameters
    ----------
    smoothing : float or Estimator
        What is added to every count (Laplace, Dirichlet), or an estimator such as
        ``bayesloom.BDeuMean()`` or ``bayesloom.TANSmoothing()``.
    discretize : {"mdl", "frequency", "width", "none"}
        How numbers are cut: where they tell the class, into bins of equal frequency or width, or
        not at all. Numbers are columns with a fraction or with more than 20 different values.
    bins : int
        The largest number of bins of equal frequency or width.
    categorical_features : "auto" or list
        The columns that are categories, by name, place or mask; all others are then numbers.
    unseen : {"missing", "error"}
        What a state is that was not there in training: not known, or an error.
    n_jobs : int, optional
        How many threads work; by default as many as there are processors.

    Attributes
    ----------
    classes_ : array
        The classes.
    classifier_ : bayesloom.Classifier
        The network with the class, and the cuts of numbers.
    network_ : bayesloom.Network
        The network alone, as `bayesloom.load` gives one.

    Examples
    --------
    >>> X = [["sunny", 30.5], ["rainy", 12.0], ["sunny", 28.5], ["rainy", 14.5]] * 4
    >>> clf = NaiveBayesClassifier().fit(X, ["out", "in", "out", "in"] * 4)
    >>> clf.predict([["sunny", 33.0], ["rainy", None]]).tolist()
    ['out', 'in']
    """

    def __init__(
        self,
        *,
        smoothing: float | Estimator = 0.5,
        discretize: str = "mdl",
        bins: int = 5,
        categorical_features: str | Sequence[object] = "auto",
        unseen: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.discretize = discretize
        self.bins = bins
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.n_jobs = n_jobs

    def _structure(self) -> ClassStructure:
        return StarStructure()
