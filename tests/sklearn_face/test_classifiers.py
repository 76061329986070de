"""The classifiers as users of scikit-learn meet them: frames, pipelines, weights, bad input."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bayesloom as bl
from bayesloom import inference
from bayesloom.errors import DataError, OptionError
from bayesloom.sklearn import (
    BayesNetClassifier,
    MDLDiscretizer,
    NaiveBayesClassifier,
    TANClassifier,
)
from uci import part, read_set

KINDS = [NaiveBayesClassifier, TANClassifier, BayesNetClassifier]


def weather(n: int = 300, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Numbers and categories, with holes, and a class."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["in", "out"], n)
    frame = pd.DataFrame(
        {
            "wind <m/s>": np.where(y == "in", 12.0, 6.0) + rng.normal(0, 2, n),
            "sky": rng.choice(["sun", "rain"], n),
            "day": rng.integers(1, 8, n),
        }
    )
    frame.loc[y == "in", "sky"] = rng.choice(["sun", "rain", "rain"], int((y == "in").sum()))
    frame.loc[rng.random(n) < 0.1, "wind <m/s>"] = np.nan
    frame.loc[rng.random(n) < 0.1, "sky"] = None
    return frame, y


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_frame_gives_the_same(kind: type[Any]) -> None:
    frame, y = weather()
    expected = kind().fit(frame, y).predict_proba(frame)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    for other in (pl.from_arrow(arrow), arrow):
        found = kind().fit(other, y)
        assert list(found.feature_names_in_) == list(frame.columns)
        np.testing.assert_array_equal(found.predict_proba(other), expected)
    array = kind().fit(frame.to_numpy(), y)
    named = frame.set_axis(["x0", "x1", "x2"], axis=1)  # the names that columns of arrays get
    expected = kind().fit(named, y).predict_proba(named)
    np.testing.assert_allclose(array.predict_proba(frame.to_numpy()), expected)


def test_whole_numbers_in_an_array_are_read_as_quickly_as_rightly() -> None:
    rng = np.random.default_rng(1)
    for dtype, low in ((np.int64, -3), (np.uint8, 0), (np.int16, 400)):
        x = (rng.choice([0, 1, 3, 7], (200, 4)) + low).astype(dtype)
        y = rng.integers(0, 3, 200)
        clf = TANClassifier().fit(x, y)
        assert clf.classifier_.net.states_of("x0") == tuple(str(low + k) for k in (0, 1, 3, 7))
        slow = TANClassifier().fit(x.astype(object), y)
        np.testing.assert_array_equal(clf.predict_proba(x), slow.predict_proba(x))
        strange = np.full((1, 4), low + 2, dtype)
        assert clf.predict_proba(strange).shape == (1, 3)


def test_naive_bayes_is_that_of_scikit_learn_on_codes() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 4, (400, 6)), rng.integers(0, 3, 400)
    ours = NaiveBayesClassifier(smoothing=1.0).fit(x, y)
    theirs = CategoricalNB(alpha=1.0, class_prior=ours.classifier_.net.table("class")).fit(x, y)
    np.testing.assert_allclose(ours.predict_log_proba(x), theirs.predict_log_proba(x), atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_matched_by_name(kind: type[Any]) -> None:
    frame, y = weather()
    clf = kind().fit(frame, y)
    turned = frame[frame.columns[::-1]].assign(further=1)
    np.testing.assert_array_equal(clf.predict(turned), clf.predict(frame))
    with pytest.raises(ValueError, match="missing"):
        clf.predict(frame[["sky", "day"]])
    with (
        pytest.raises(ValueError, match="expecting 3 features"),
        pytest.warns(UserWarning, match="feature names"),
    ):
        clf.predict(np.zeros((2, 4)))


def test_missing_cells_are_summed_over_and_not_imputed() -> None:
    frame, y = weather()
    clf = TANClassifier().fit(frame, y)
    net, target = clf.network_, clf.classifier_.target
    row = pd.DataFrame({"wind <m/s>": [np.nan], "sky": ["rain"], "day": [np.nan]})
    told = inference.query(net, target, {"sky": "rain"})
    np.testing.assert_allclose(clf.predict_proba(row)[0], list(told.probabilities.values()))


def test_unseen_states_are_not_known_or_an_error() -> None:
    frame, y = weather()
    strange = pd.DataFrame({"wind <m/s>": [5.0], "sky": ["fog"], "day": [3]})
    unknown = strange.assign(sky=None)
    clf = NaiveBayesClassifier().fit(frame, y)
    np.testing.assert_array_equal(clf.predict_proba(strange), clf.predict_proba(unknown))
    with pytest.raises(DataError, match="the state 'fog' was not there in training"):
        NaiveBayesClassifier(unseen="error").fit(frame, y).predict(strange)


@pytest.mark.parametrize("kind", KINDS)
def test_whole_weights_are_repeated_rows(kind: type[Any]) -> None:
    frame, y = weather()
    weights = np.random.default_rng(2).integers(0, 4, len(y))
    again = np.repeat(np.arange(len(y)), weights)
    one = kind().fit(frame, y, sample_weight=weights)
    other = kind().fit(frame.iloc[again].reset_index(drop=True), y[again])
    np.testing.assert_allclose(one.predict_proba(frame), other.predict_proba(frame), atol=1e-12)


def test_weights_with_fractions_count_in_cuts_and_tables() -> None:
    x = np.array([[1.5], [2.5], [7.5], [8.5]] * 5)
    y = np.array([0, 0, 1, 1] * 5)
    clf = NaiveBayesClassifier(smoothing=0.5).fit(x, y, sample_weight=np.full(20, 2.5))
    assert clf.classifier_.cuts["x0"] == (5.0,)
    assert clf.classifier_.net.table("x0")[0, 0] == pytest.approx((25 + 0.5) / (25 + 1))


@pytest.mark.parametrize("kind", [NaiveBayesClassifier, TANClassifier])
def test_portions_add_up_to_the_whole(kind: type[Any]) -> None:
    """On a fixed structure; the categories of later portions may be new."""
    rng = np.random.default_rng(1)
    x = pd.DataFrame({"a": rng.choice(list("pqr"), 200), "b": rng.choice(list("st"), 200)})
    x.loc[150:, "a"] = rng.choice(list("pqrz"), 50)
    y = rng.integers(0, 2, 200)
    clf = kind().partial_fit(x[:100], y[:100], classes=[0, 1, 2])
    clf.partial_fit(x[100:150], y[100:150]).partial_fit(x[150:], y[150:])
    assert clf.classifier_.net.states_of("a") == ("p", "q", "r", "z")
    assert clf.classes_.tolist() == [0, 1, 2]
    counts = dict(zip(clf.network_.names, clf.counts_, strict=True))
    assert counts["class"].sum() == 200
    for k, label in enumerate(clf.classifier_.net.states_of("a")):
        assert counts["a"][..., k].sum() == (x["a"] == label).sum()
    if kind is NaiveBayesClassifier:
        whole = kind().partial_fit(x, y, classes=[0, 1, 2])
        np.testing.assert_allclose(clf.predict_proba(x), whole.predict_proba(x))
    with pytest.raises(DataError, match="y has the class 7, which is not among 0, 1, 2"):
        clf.partial_fit(x[:3], [0, 1, 7])


def test_they_work_in_pipelines_searches_and_calibration() -> None:
    frame, y = weather()
    numbers = frame[["wind <m/s>"]].fillna(0)
    pipe = make_pipeline(StandardScaler(), MDLDiscretizer(), TANClassifier())
    assert cross_val_score(pipe, numbers, y, cv=3).mean() > 0.8
    columns = ColumnTransformer(
        [("cut", MDLDiscretizer(encode="label"), ["wind <m/s>"])], remainder="passthrough"
    ).set_output(transform="pandas")
    both = make_pipeline(columns, NaiveBayesClassifier()).fit(frame, y)
    assert both.score(frame, y) > 0.8
    grid = GridSearchCV(
        TANClassifier(), {"smoothing": [0.1, 1.0, bl.TANSmoothing()], "forest": [False, True]}, cv=3
    ).fit(frame, y)
    assert grid.best_score_ > 0.8
    calibrated = CalibratedClassifierCV(NaiveBayesClassifier(), cv=3).fit(numbers, y)
    np.testing.assert_allclose(calibrated.predict_proba(numbers).sum(axis=1), 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_clone_a_copy_and_a_file_say_the_same(kind: type[Any], tmp_path: Path) -> None:
    frame, y = weather()
    clf = kind(smoothing=bl.BDeuMean(ess=2)).fit(frame, y)
    expected = clf.predict_proba(frame)
    np.testing.assert_array_equal(clone(clf).fit(frame, y).predict_proba(frame), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(clf)).predict_proba(frame), expected)
    clf.save(tmp_path / "model.json")
    loaded = bl.load_classifier(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.probabilities(frame), expected)
    clf.network_.save(tmp_path / "model.bif")
    assert set(bl.load(tmp_path / "model.bif").edges) == set(clf.network_.edges)
    told = clf.network_.query("class", given={"sky": "sun"})
    alike = inference.query(clf.classifier_.net, "class", {"sky": "sun"})
    assert told.probabilities == alike.probabilities
    assert clf.network_.sample(3, seed=1).n_rows == 3
    assert "class" in str(clf.plot())


def test_a_row_is_explained_in_whatever_form_it_comes() -> None:
    frame, y = weather()
    clf = TANClassifier().fit(frame, y)
    cells: dict[str, Any] = {"wind <m/s>": 4.0, "sky": "sun", "day": 2}
    first = clf.explain(cells)
    assert first.label == clf.predict(pd.DataFrame([cells]))[0] == "out"
    series = pd.Series(cells)
    for row in (pd.DataFrame([cells]), pl.DataFrame([cells]), series, series[::-1]):
        assert clf.explain(row) == first
    assert clf.explain(cells, "in", "out").log_odds == pytest.approx(-first.log_odds)
    with pytest.raises(DataError, match="explain takes one row, got 300"):
        clf.explain(frame)


def test_chosen_columns_are_categories_and_the_others_numbers() -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    x = pd.DataFrame({"zip": rng.integers(0, 60, 300), "score": 3 * y + rng.integers(0, 5, 300)})
    auto = NaiveBayesClassifier().fit(x, y).classifier_
    assert set(auto.cuts) == {"zip"}
    for chosen in (["zip"], [0], [True, False]):
        told = NaiveBayesClassifier(categorical_features=chosen).fit(x, y).classifier_
        assert set(told.cuts) == {"score"}
        assert len(told.net.states_of("zip")) > 50
    for wrong in ("zip", ["city"], [2], 3):
        with pytest.raises(OptionError, match="categorical_features"):
            NaiveBayesClassifier(categorical_features=wrong).fit(x, y)  # type: ignore[arg-type]


def test_a_feature_may_be_called_like_the_class() -> None:
    clf = TANClassifier().fit(pd.DataFrame({"class": [0, 1] * 5, "class_": [0, 1] * 5}), [0, 1] * 5)
    assert clf.network_.names == ("class", "class_", "class__")
    assert clf.predict(pd.DataFrame({"class": [1], "class_": [1]})).tolist() == [1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": ["in"] * 299 + [None]}, "the class is missing .* in 1 of 300 rows"),
        ({"y": ["in"] * 3}, "y has 3 rows, but X has 300"),
        ({"y": None}, "requires y to be passed"),
        ({"y": np.random.default_rng(1).normal(size=300)}, "continuous"),
        ({"sample_weight": np.zeros(300)}, "non-zero|all weights are 0"),
        ({"sample_weight": -np.ones(300)}, "[Nn]egative"),
        ({"wind": np.inf}, "inf is not a finite number"),
    ],
)
def test_bad_input_gets_a_sentence(change: dict[str, Any], message: str) -> None:
    frame, y = weather()
    if "wind" in change:
        frame.loc[3, "wind <m/s>"] = change["wind"]
    with pytest.raises(ValueError, match=message):
        TANClassifier().fit(frame, change.get("y", y), change.get("sample_weight"))


@pytest.mark.parametrize(
    "options",
    [
        {"smoothing": -1},
        {"smoothing": "laplace"},
        {"discretize": "best"},
        {"bins": 1},
        {"unseen": "ignore"},
        {"root": 3},
        {"forest": "yes"},
    ],
)
def test_bad_options_are_refused_at_fit(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options)) + "|pseudocount"):
        TANClassifier(**options).fit([[0], [1]], [0, 1])


def test_nothing_left_after_discretisation_leaves_the_prior() -> None:
    x = np.random.default_rng(1).normal(size=(60, 3))
    clf = TANClassifier(smoothing=1.0).fit(x, [0, 0, 1] * 20)
    assert all(cuts == () for cuts in clf.classifier_.cuts.values())
    np.testing.assert_allclose(clf.predict_proba(x[:2]), [[41 / 62, 21 / 62]] * 2)


def test_a_single_class_is_always_told() -> None:
    clf = TANClassifier().fit([[0], [1]], ["only", "only"])
    assert clf.predict([[1], [5]]).tolist() == ["only", "only"]


def test_mofn_in_ten_lines() -> None:
    frame = read_set("mofn-3-7-10")
    first, rest = pd.DataFrame(part(frame, 0, 300)), pd.DataFrame(part(frame, 300))
    for kind, right in ((NaiveBayesClassifier, 886), (TANClassifier, 939)):
        clf = kind().fit(first.drop(columns="class"), first["class"])
        assert int((clf.predict(rest.drop(columns="class")) == rest["class"]).sum()) == right


def test_columns_of_one_name_are_refused() -> None:
    frame, y = weather()
    with pytest.raises(DataError, match="columns 1 and 4 have the same name 'wind <m/s>'"):
        TANClassifier().fit(pd.concat([frame, frame], axis=1), y)


@pytest.mark.parametrize("y", [[1, "1"], ["1", 1], ["a", 1.5]])
def test_classes_of_two_kinds_are_refused(y: list[object]) -> None:
    with pytest.raises(DataError, match="give classes of one kind"):
        TANClassifier().fit([[0], [1]], np.array(y, dtype=object))
