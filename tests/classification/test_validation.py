"""Cross-validation: its folds, and measures that agree with scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from bayesloom.classification import Training, cross_validate
from bayesloom.classification.structure import StarStructure
from bayesloom.classification.validation import stratified_folds
from bayesloom.errors import DataError, OptionError
from uci import numbers_of, read_set


@pytest.mark.parametrize("name", ["heart", "vehicle"])
def test_the_measures_agree_with_those_of_scikit_learn(name: str) -> None:
    found = cross_validate(read_set(name), "class", Training(numbers=numbers_of(name)), folds=4)
    chances, truth = np.exp(found.log_probabilities), found.truth
    assert found.log_loss == pytest.approx(metrics.log_loss(truth, chances))
    assert (found.confusion == metrics.confusion_matrix(truth, found.predicted)).all()
    two = len(found.classes) == 2
    auc = metrics.roc_auc_score(truth, chances[:, 1] if two else chances, multi_class="ovr")
    assert found.auc == pytest.approx(auc)
    assert found.confusion.trace() / len(truth) == pytest.approx(found.accuracy, abs=0.01)
    assert sum(b.rows for b in found.calibration) == len(truth)
    assert 0 <= found.calibration_error <= 1


def test_folds_have_their_share_of_every_class_and_depend_on_the_seed_alone() -> None:
    truth = np.repeat([0, 1, 2], [50, 31, 7]).astype(np.int32)
    fold_of = stratified_folds(truth, 5, seed=3)
    for c, n in enumerate((50, 31, 7)):
        sizes = np.bincount(fold_of[truth == c], minlength=5)
        assert set(sizes) <= {n // 5, -(-n // 5)}
    assert max(np.bincount(fold_of)) - min(np.bincount(fold_of)) <= 1
    assert (stratified_folds(truth, 5, seed=3) == fold_of).all()
    assert (stratified_folds(truth, 5, seed=4) != fold_of).any()


def test_numbers_are_cut_inside_of_each_fold() -> None:
    """Noise that is cut with the classes of the test rows in view would seem to tell them."""
    rng = np.random.default_rng(1)
    frame: dict[str, Any] = {f"x{v}": rng.normal(size=60) for v in range(40)}
    frame["class"] = rng.integers(0, 2, 60)
    found = cross_validate(frame, "class", Training(StarStructure()), folds=10)
    assert found.accuracy < 0.7


def test_a_class_of_a_single_row_is_never_told_and_costs_the_most() -> None:
    frame = {"x": ["a", "b"] * 10 + ["a"], "class": ["n", "y"] * 10 + ["rare"]}
    found = cross_validate(frame, "class", folds=3)
    assert np.isfinite(found.log_loss)
    assert found.confusion[found.classes.index("rare")].tolist()[1] == 0


def test_bad_options_get_a_sentence() -> None:
    frame = {"x": ["a", "b"], "class": ["n", "y"]}
    with pytest.raises(DataError, match="10 folds need at least as many rows, got 2"):
        cross_validate(frame, "class")
    with pytest.raises(OptionError, match="folds must be at least 2"):
        cross_validate(frame, "class", folds=1)
    with pytest.raises(OptionError, match="seed must be 0 or more"):
        cross_validate(frame, "class", folds=2, seed=-1)


def test_one_class_has_no_auc() -> None:
    found = cross_validate({"x": ["a", "b"] * 5, "class": ["n"] * 10}, "class", folds=2)
    assert found.accuracy == 1.0
    assert np.isnan(found.auc)
