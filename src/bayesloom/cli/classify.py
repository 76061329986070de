"""``bayesloom classify``: train, use and judge classifiers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.classifier_options import reading_from, training_from, training_options
from bayesloom.cli.options import (
    choice_option,
    count_option,
    missing_marker_option,
    output_options,
)
from bayesloom.cli.output import check_not_read, emit

if TYPE_CHECKING:
    from bayesloom.classification import Classifier, Validation

_MOST_CLASSES = 12  # of a confusion matrix that is printed

unseen_option = choice_option(
    "--unseen",
    ("missing", "error"),
    "States that training has not seen: as if the cell were not known, or an error.",
)


@click.group(short_help="Train, use and judge classifiers.")
def classify() -> None:
    """Tell a class from attributes: naive Bayes, TAN or any learned network.

    \b
    bayesloom classify cv data.csv --target class --model tan
    bayesloom classify fit data.csv --target class -o model.json
    bayesloom classify predict model.json new.csv --proba -o told.csv
    bayesloom classify explain model.json new.csv --row 1

    Numbers are cut where they tell the class; cells that are not known are summed over exactly.
    """


@classify.command(short_help="Train a classifier and keep it.")
@click.argument("data")
@training_options
@click.option("-o", "--output", metavar="FILE", help="Write the classifier: .json or .json.gz.")
@click.option("--plot", metavar="FILE", help="Draw the network as an .svg or .png picture.")
@output_options
def fit(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Train a classifier on DATA: a CSV, Parquet or Arrow file.

    \b
    bayesloom classify fit data.csv --target class -o model.json
    bayesloom classify fit data.csv --target class --model net --search ges --free -o model.json

    The file is a network like any other as well: query, plot, sample and convert take it.
    """
    from bayesloom.classification import save_classifier, train
    from bayesloom.classification.classifier_file import check_classifier_path
    from bayesloom.report.picture import check_picture_path

    output, plot = options["output"], options["plot"]
    check_not_read("--output", output, {"DATA": options["data"]})
    if output is not None:
        check_classifier_path(output)
    if plot is not None:
        check_picture_path(plot)
    training, reading = training_from(options), reading_from(options)
    classifier = train(options["data"], options["target"], training, reading=reading)
    said = _described(classifier)
    if output is not None:
        save_classifier(classifier, output)
        said += f"\nwritten to {output}"
    if plot is not None:
        classifier.plot(plot)
        said += f"\ndrawn in {plot}"
    net = classifier.net
    found = {
        "target": classifier.target,
        "classes": list(classifier.classes),
        "attributes": list(classifier.names),
        "cuts": {name: list(cuts) for name, cuts in classifier.cuts.items()},
        "used": list(classifier.used),
        "edges": [list(edge) for edge in net.edges],
        "parameters": net.n_parameters,
        "model": options["model"],
        "output": output,
    }
    emit(found, said, as_json=options["as_json"], quiet=options["quiet"])


@classify.command(short_help="Tell the classes of rows.")
@click.argument("model")
@click.argument("data")
@click.option("--proba", is_flag=True, help="Add the probability of every class.")
@unseen_option
@missing_marker_option
@click.option(
    "-o", "--output", metavar="FILE", help="Write the classes: .csv, .csv.gz, .parquet or .arrow."
)
@output_options
def predict(
    *,
    model: str,
    data: str,
    proba: bool,
    unseen: str,
    missing_markers: tuple[str, ...],
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Tell the class of every row of DATA with the classifier MODEL, and print them as CSV.

    \b
    bayesloom classify predict model.json new.csv
    bayesloom classify predict model.json new.csv --proba -o told.parquet

    Columns are matched by name; further ones are ignored. A cell that is empty is not known.
    """
    import numpy as np

    from bayesloom.classification import load_classifier
    from bayesloom.data.writing import check_table_path, write_column_rows, write_columns

    check_not_read("--output", output, {"MODEL": model, "DATA": data})
    if output is not None:
        check_table_path(output)
    classifier = load_classifier(model)
    codes = classifier.codes(data, unseen, missing_markers)  # type: ignore[arg-type]
    labels = [classifier.classes[c] for c in classifier.best(codes).tolist()]
    columns: dict[str, list[Any]] = {classifier.target: labels}
    if proba:
        chances = np.exp(classifier.log_probabilities(codes))
        for c, label in enumerate(classifier.classes):
            columns[f"P({classifier.target}={label})"] = chances[:, c].tolist()
    found: dict[str, object] = {"target": classifier.target, "rows": len(labels)}
    if output is not None:
        write_columns(columns, output)
        said = f"the classes of {len(labels):,} rows written to {output}"
        emit({**found, "output": output}, said, as_json=as_json, quiet=quiet)
    elif as_json:
        told: dict[str, object] = {**found, "predicted": labels}
        if proba:
            told["classes"] = list(classifier.classes)
            told["probabilities"] = chances.tolist()
        emit(told, "", as_json=True, quiet=quiet)
    elif not quiet:
        write_column_rows(columns, sys.stdout.buffer)


@classify.command(short_help="Explain the class of a row.")
@click.argument("model")
@click.argument("data")
@count_option("--row", least=1, default=1, told="Which row of DATA, counted from 1.")
@click.option("--class", "label", metavar="LABEL", help="The class to explain.")
@click.option("--against", metavar="LABEL", help="The class to compare it with.")
@unseen_option
@missing_marker_option
@click.option("--plot", metavar="FILE", help="Draw the explanation as an .svg or .png picture.")
@output_options
def explain(
    *,
    model: str,
    data: str,
    row: int,
    label: str | None,
    against: str | None,
    unseen: str,
    missing_markers: tuple[str, ...],
    plot: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what every attribute of one row of DATA adds to the log-odds of its class.

    \b
    bayesloom classify explain model.json new.csv --row 3
    bayesloom classify explain model.json new.csv --class yes --against no --plot why.svg
    """
    from bayesloom.classification import load_classifier
    from bayesloom.classification.explanation import explain_codes
    from bayesloom.errors import DataError
    from bayesloom.report.picture import check_picture_path

    if plot is not None:
        check_picture_path(plot)
    classifier = load_classifier(model)
    codes = classifier.codes(data, unseen, missing_markers)  # type: ignore[arg-type]
    if row > codes.shape[1]:
        msg = f"{data}: there is no row {row}; the file has {codes.shape[1]}"
        raise DataError(msg)
    found = explain_codes(classifier, codes[:, row - 1], label, against)
    said = str(found)
    if plot is not None:
        found.plot(plot)
        said += f"\ndrawn in {plot}"
    emit({"row": row, **found.to_dict()}, said, as_json=as_json, quiet=quiet)


@classify.command(short_help="Cross-validate a classifier.")
@click.argument("data")
@training_options
@count_option(
    "--folds", least=2, default=10, metavar="K", told="In how many parts the rows are divided."
)
@count_option("--seed", default=1, told="Seed of the division.")
@output_options
def cv(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Cross-validate a classifier on DATA: accuracy, log-loss, AUC, confusion, calibration.

    \b
    bayesloom classify cv data.csv --target class
    bayesloom classify cv data.csv --target class --model nb --folds 5 --seed 7 --json

    Everything, the cuts of numbers included, is learned in each fold anew.
    """
    from bayesloom.classification import cross_validate

    found = cross_validate(
        options["data"],
        options["target"],
        training_from(options),
        folds=options["folds"],
        seed=options["seed"],
        reading=reading_from(options),
    )
    told = {**found.to_dict(), "model": options["model"], "seed": options["seed"]}
    emit(told, _judged(found), as_json=options["as_json"], quiet=options["quiet"])


def _described(classifier: Classifier) -> str:
    """Return what a new classifier is, in a few lines."""
    net = classifier.net
    cut = [name for name, cuts in classifier.cuts.items() if cuts]
    flat = [name for name, cuts in classifier.cuts.items() if not cuts]
    lines = [
        str(classifier),
        f"{len(net.edges)} edges, {net.n_parameters:,} free parameters",
        f"{len(classifier.used)} attributes tell of the class",
    ]
    if cut:
        lines.append(f"cut: {', '.join(f'{name} ({len(classifier.cuts[name])})' for name in cut)}")
    if flat:
        lines.append(f"numbers that tell nothing of the class, so not cut: {', '.join(flat)}")
    return "\n".join(lines)


def _judged(found: Validation) -> str:
    """Return what a validation found, for people."""
    import numpy as np

    from bayesloom.grid import tabulated

    spread = np.std(found.folds, ddof=1) if len(found.folds) > 1 else 0.0
    lines = [
        f"accuracy  {found.accuracy:.4f}  ({len(found.folds)} folds, deviation {spread:.4f})",
        f"log-loss  {found.log_loss:.4f}  nats per row",
        f"AUC       {found.auc:.4f}",
        f"expected calibration error {found.calibration_error:.4f}",
    ]
    if len(found.classes) <= _MOST_CLASSES:
        rows = [["class", *(f"told {label}" for label in found.classes)]]
        rows += [
            [label, *map(str, counts)]
            for label, counts in zip(found.classes, found.confusion.tolist(), strict=True)
        ]
        lines += ["", tabulated(rows, right=range(1, len(found.classes) + 1))]
    rows = [["probability", "rows", "mean", "right"]]
    rows += [
        [f"{b.low:.1f} to {b.high:.1f}", str(b.rows), f"{b.confidence:.3f}", f"{b.accuracy:.3f}"]
        for b in found.calibration
    ]
    lines += ["", tabulated(rows, right=(1, 2, 3))]
    return "\n".join(lines)
