"""Discretisers as transformers: where they cut, what they do with holes and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from bayesloom.errors import DataError, OptionError
from bayesloom.sklearn import FrequencyDiscretizer, MDLDiscretizer, WidthDiscretizer
from uci import numbers_of, read_set


def test_the_cuts_of_iris_are_those_of_the_literature() -> None:
    """Petal length and width, as Weka and R's package discretization cut them."""
    frame = read_set("iris")
    x = np.array([frame[name] for name in numbers_of("iris")], float).T
    cuts = MDLDiscretizer().fit(x, frame["class"]).cuts_
    assert cuts[2] == pytest.approx((2.45, 4.75))
    assert cuts[3] == pytest.approx((0.8, 1.75))


def test_missing_numbers_stay_missing() -> None:
    x = np.array([[1.0], [2.0], [np.nan], [8.0], [9.0]] * 4)
    y = [0, 0, 1, 1, 1] * 4
    found = MDLDiscretizer().fit_transform(x, y)
    np.testing.assert_array_equal(found[:5, 0], [0, 0, np.nan, 1, 1])
    labels = MDLDiscretizer(encode="label").fit_transform(x, y)[:5, 0].tolist()
    assert labels[:2] == ["(-inf,5]", "(-inf,5]"]
    assert labels[3] == "(5,inf)"


@pytest.mark.parametrize("kind", [MDLDiscretizer, FrequencyDiscretizer, WidthDiscretizer])
def test_frames_keep_their_names(kind: type[Any]) -> None:
    frame = pd.DataFrame({"a b": [1.0, 2.0, 8.0, 9.0], "c": [4.0, 3.0, 2.0, 1.0]})
    found = kind().set_output(transform="pandas").fit_transform(frame, [0, 0, 1, 1])
    assert list(found.columns) == ["a b", "c"]


def test_weights_count_like_repeated_rows() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    x[:, 0] += 3 * y
    weights = rng.integers(0, 4, 60)
    again = np.repeat(np.arange(60), weights)
    for kind in (MDLDiscretizer, FrequencyDiscretizer, WidthDiscretizer):
        one = kind().fit(x, y, sample_weight=weights)
        assert one.cuts_ == kind().fit(x[again], y[again]).cuts_


def test_bins_of_equal_frequency_and_of_equal_width() -> None:
    x = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [10.0]])
    assert FrequencyDiscretizer(bins=3).fit(x).transform(x).ravel().tolist() == [0, 0, 1, 1, 2, 2]
    assert WidthDiscretizer(bins=2).fit(x).cuts_ == [(5.0,)]


def test_bad_options_and_data_get_a_sentence() -> None:
    with pytest.raises(OptionError, match='encode must be "ordinal" or "label"'):
        WidthDiscretizer(encode="onehot").fit([[1.0], [2.0]])
    with pytest.raises(OptionError, match="bins must be at least 2"):
        WidthDiscretizer(bins=1).fit([[1.0], [2.0]])
    with pytest.raises(DataError, match="requires y to be passed"):
        MDLDiscretizer().fit([[1.0], [2.0]], None)
    with pytest.raises(ValueError, match="infinity"):
        MDLDiscretizer().fit([[1.0], [np.inf]], [0, 1])
