"""Classifiers compared: naive Bayes, TAN, learned networks, and two of scikit-learn's own."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Ints
from bayesloom.classification import Training, Validation, cross_validate, train
from bayesloom.classification.structure import (
    USUAL_SEARCH,
    ClassStructure,
    SearchedStructure,
    StarStructure,
    TreeStructure,
)
from bayesloom.classification.validation import stratified_folds
from bayesloom.scores import BIC
from bayesloom.search import HillClimbing
from bayesloom_reproduction.classifier_sets import (
    NAMES,
    SPLIT,
    Frame,
    available,
    kinds_of,
    others_on,
    read_complete,
)
from bayesloom_reproduction.experiment import (
    Experiment,
    Figure,
    Findings,
    Generator,
    Row,
    Rows,
    Trial,
    deviation,
    joined,
    mean,
    numbers,
)
from bayesloom_reproduction.scatter import Dot, scatter_plot

FOLDS = 10
WEKAS_FOLDS = 5

MODELS: dict[str, ClassStructure] = {
    "nb": StarStructure(),
    "tan": TreeStructure(),
    "net": SearchedStructure(USUAL_SEARCH, augmented=True),
    "free": SearchedStructure(HillClimbing(BIC())),
}
"""Ours: naive Bayes, TAN, an augmented network, and a network that knows nothing of classes."""

PEERS = ("logistic", "boosting")
"""scikit-learn's: logistic regression and gradient boosting, on the numbers themselves."""

TITLES = {
    "nb": "naive Bayes",
    "tan": "TAN",
    "net": "BayesNetClassifier",
    "free": "unsupervised network",
    "logistic": "logistic regression",
    "boosting": "gradient boosting",
}


def compare_classifiers(trial: Trial, _rng: Generator, folder: Path | None = None) -> Rows:
    """Cross-validate every classifier on one set; the repetition is the seed of the folds.

    The classifiers of scikit-learn take part in the first repetition only.
    """
    name, seed = str(trial["set"]), int(trial["rep"]) + 1
    frame = read_complete(name, folder)
    rows: list[Row] = []
    for model, structure in MODELS.items():
        training = training_on(name, structure)
        found = cross_validate(frame, "class", training, folds=FOLDS, seed=seed)
        rows.append({"protocol": "ten-fold", "model": model, **_measured(found)})
        right = _by_wekas_protocol(name, frame, training, seed)
        rows.append({"protocol": "weka", "model": model, "error": 100 - 100 * right})
    if seed == 1:
        for model in PEERS:
            judged = cross_validate_peer(model, name, frame, seed)
            rows.append({"protocol": "ten-fold", "model": model, **_measured(judged)})
    return {"errors": [{"log_loss": math.nan, "auc": math.nan, **row} for row in rows]}


def training_on(name: str, structure: ClassStructure) -> Training:
    """Return how a classifier is trained on a set: half a pseudo-count, numbers cut by MDL."""
    numeric, nominal = kinds_of(name)
    return Training(structure, categories=nominal, numbers=numeric, threads=1)


def _measured(found: Validation) -> Row:
    return {
        "error": 100 - 100 * found.accuracy,
        "log_loss": found.log_loss,
        "auc": found.auc,
        "calibration": found.calibration_error,
    }


def _by_wekas_protocol(name: str, frame: Frame, training: Training, seed: int) -> float:
    """Return the accuracy in five folds, or after training on the first rows."""
    if name not in SPLIT:
        return cross_validate(frame, "class", training, folds=WEKAS_FOLDS, seed=seed).accuracy
    first = SPLIT[name]
    classifier = train({c: cells[:first] for c, cells in frame.items()}, "class", training)
    told = classifier.predict({c: cells[first:] for c, cells in frame.items()})
    return float((told == np.array(frame["class"][first:])).mean())


def cross_validate_peer(model: str, name: str, frame: Frame, seed: int) -> Validation:
    """Cross-validate a classifier of scikit-learn in the same folds."""
    import pandas as pd
    from threadpoolctl import threadpool_limits

    numeric, nominal = kinds_of(name)
    data = pd.DataFrame({c: frame[c] for c in (*numeric, *nominal)})
    data[numeric] = data[numeric].astype(float)
    classes, truth = np.unique(frame["class"], return_inverse=True)
    codes: Ints = truth.astype(np.int32)
    fold_of = stratified_folds(codes, FOLDS, seed)
    logs = np.full((len(codes), len(classes)), -np.inf)
    for k in range(FOLDS):
        inside = fold_of == k
        with threadpool_limits(1), np.errstate(divide="ignore"):  # processes share the trials
            fitted = _peer(model, numeric, nominal).fit(data[~inside], codes[~inside])
            logs[np.ix_(inside, fitted.classes_)] = np.log(fitted.predict_proba(data[inside]))
    right: npt.NDArray[np.bool_] = logs.argmax(axis=1) == codes
    folds = tuple(float(right[fold_of == k].mean()) for k in range(FOLDS))
    return Validation(tuple(map(str, classes)), folds, codes, logs)


def _peer(model: str, numeric: list[str], nominal: list[str]):  # type: ignore[no-untyped-def] # noqa: ANN202
    """Return a classifier of scikit-learn with its usual preparation of columns."""
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    if model == "logistic":
        columns = ColumnTransformer(
            [
                ("numbers", StandardScaler(), numeric),
                ("categories", OneHotEncoder(handle_unknown="ignore"), nominal),
            ]
        )
        return make_pipeline(columns, LogisticRegression(max_iter=1000))
    unknown = {"handle_unknown": "use_encoded_value", "unknown_value": np.nan}
    columns = ColumnTransformer(
        [("categories", OrdinalEncoder(**unknown), nominal), ("numbers", "passthrough", numeric)]
    )
    mask = [True] * len(nominal) + [False] * len(numeric)
    boosting = HistGradientBoostingClassifier(categorical_features=mask, random_state=1)
    return make_pipeline(columns, boosting)


def figure_tan(tables: Rows) -> Findings:
    """Compare the errors of all classifiers, set by set, with each other and with Weka's."""
    rows = tables["errors"]
    by_model = joined([row for row in rows if row["protocol"] == "ten-fold"], "set", "model")
    sets = [name for name in NAMES if (name, "nb") in by_model]
    models = [*MODELS, *(peer for peer in PEERS if (sets[0], peer) in by_model)]
    error = {key: mean(numbers(found, "error")) for key, found in by_model.items()}
    loss = {key: mean(numbers(found, "log_loss")) for key, found in by_model.items()}
    weka = joined([row for row in rows if row["protocol"] == "weka"], "set", "model")
    as_weka = {key: 100 - mean(numbers(found, "error")) for key, found in weka.items()}
    spread = {
        model: mean([deviation(numbers(by_model[name, model], "error")) for name in sets])
        for model in MODELS
    }
    lines = ["error in % (ten folds)", f"{'set':15}" + "".join(f"{m:>10}" for m in models)]
    lines += [
        f"{name:15}" + "".join(f"{error[name, model]:>10.2f}" for model in models) for name in sets
    ]
    lines.append(
        f"{'mean':15}" + "".join(f"{mean([error[n, m] for n in sets]):>10.2f}" for m in models)
    )
    lines.append(
        f"{'mean log-loss':15}"
        + "".join(f"{mean([loss[n, m] for n in sets]):>10.3f}" for m in models)
    )
    others = {name: others_on(name) for name in sets}
    lines += [
        "",
        "accuracy in % by Weka's protocol, and Weka's own",
        f"{'set':15}{'nb':>8}{'Weka nb':>9}{'tan':>8}{'Weka tan':>9}{'net':>8}",
    ]
    lines += [
        f"{name:15}{as_weka[name, 'nb']:>8.2f}{others[name].weka_nb:>9.2f}"
        f"{as_weka[name, 'tan']:>8.2f}{others[name].weka_tan:>9.2f}{as_weka[name, 'net']:>8.2f}"
        for name in sets
    ]
    means = {
        "nb": mean([as_weka[name, "nb"] for name in sets]),
        "weka_nb": mean([others[name].weka_nb for name in sets]),
        "tan": mean([as_weka[name, "tan"] for name in sets]),
        "weka_tan": mean([others[name].weka_tan for name in sets]),
        "net": mean([as_weka[name, "net"] for name in sets]),
    }
    lines.append(
        f"{'mean':15}{means['nb']:>8.2f}{means['weka_nb']:>9.2f}{means['tan']:>8.2f}"
        f"{means['weka_tan']:>9.2f}{means['net']:>8.2f}"
    )
    data = {
        "sets": sets,
        "error": {m: {name: error[name, m] for name in sets} for m in models},
        "log_loss": {m: {name: loss[name, m] for name in sets} for m in models},
        "mean_error": {m: mean([error[name, m] for name in sets]) for m in models},
        "spread_over_seeds": spread,
        "by_wekas_protocol": {m: {name: as_weka[name, m] for name in sets} for m in MODELS},
        "mean_by_wekas_protocol": means,
        "published_nb": {name: others[name].published_nb for name in sets},
    }
    pairs = [("nb", "tan"), ("nb", "free"), *(("tan", m) for m in ("net", *PEERS) if m in models)]
    charts = {
        f"tan-{x}-{y}": scatter_plot(
            [Dot(name, error[name, x], error[name, y]) for name in sets],
            title=f"{TITLES[x]} against {TITLES[y]}",
            x=f"error of {TITLES[x]} (%)",
            y=f"error of {TITLES[y]} (%)",
        )
        for x, y in pairs
    }
    return Findings("\n".join(lines), data, charts)


def with_folder(experiment: Experiment, folder: Path | None) -> Experiment:
    """Return the experiment on the sets of a folder."""
    from dataclasses import replace

    grid = {"set": available(folder)}
    return replace(experiment, grid=grid, act=partial(compare_classifiers, folder=folder))


CLASSIFIERS = Experiment(
    "classifiers",
    {"set": available(None)},
    5,
    compare_classifiers,
    (Figure("tan", "classifiers on the sets of Friedman and others", figure_tan),),
)
"""Ten-fold cross-validation; the sets that are carried along, or those of a folder."""
