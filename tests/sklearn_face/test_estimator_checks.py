"""scikit-learn's own checks of estimators, without exceptions.

Discretisers are checked with their default encoding: the checks subtract outputs, and labels are
texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesloom.sklearn import (
    BayesNetClassifier,
    FrequencyDiscretizer,
    MDLDiscretizer,
    NaiveBayesClassifier,
    TANClassifier,
    WidthDiscretizer,
)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [
        NaiveBayesClassifier(),
        TANClassifier(),
        TANClassifier(forest=True, discretize="frequency"),
        BayesNetClassifier(),
        BayesNetClassifier(augmented=False),
        MDLDiscretizer(),
        FrequencyDiscretizer(),
        WidthDiscretizer(),
    ]
)
def test_an_estimator_keeps_to_the_rules_of_scikit_learn(
    estimator: Any,  # noqa: ANN401
    check: Callable[[Any], None],
) -> None:
    check(estimator)
