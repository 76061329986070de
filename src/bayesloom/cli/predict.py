"""``bayesloom predict``: one variable for every row of data."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import (
    choice_option,
    drop_option,
    file_options,
    missing_marker_option,
    missing_option,
    output_options,
    written_out,
)
from bayesloom.cli.output import check_not_read, emit, print_file

_READING = ("drop", "missing", "missing_markers", "encoding", "delimiter")
"""The options that say how to read the rows."""


@click.command(short_help="Predict one variable for every row of data.")
@click.argument("net")
@click.argument("data")
@click.option("--target", required=True, metavar="NAME", help="The variable to predict.")
@click.option(
    "--proba",
    is_flag=True,
    help="Also the probability of every state; of a number its sd and 95 % interval.",
)
@choice_option(
    "--unseen",
    ("error", "ignore"),
    "States that the network does not know: refuse them, or take the cell as not observed.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the predictions: .csv, .csv.gz, .parquet or .arrow.",
)
@drop_option
@missing_option
@missing_marker_option
@file_options
@output_options
def predict(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Predict the variable TARGET of the network file NET for every row of DATA, as CSV.

    \b
    bayesloom predict net.json new.csv --target LUNG
    bayesloom predict net.json test.csv --target LUNG --drop LUNG --proba -o found.csv

    Columns are matched by name and numbers fall into their bins. Columns that the network does not
    have are ignored; variables without a column and empty cells are not observed. TARGET itself
    must not be among the columns: --drop leaves it out.
    """
    import numpy as np

    from bayesloom.data.writing import check_table_path, write_column_rows, write_columns
    from bayesloom.facade import load
    from bayesloom.inference import predict_proba

    output = options["output"]
    if output is not None:
        check_table_path(output)
        check_not_read("--output", output, {"NET": options["net"], "DATA": options["data"]})
    network, target = load(options["net"]), options["target"]
    given: Any = written_out({name: options[name] for name in _READING})
    found: Any = predict_proba(network, options["data"], target, unseen=options["unseen"], **given)
    numeric = target in network.net.numbers
    told = {"target": target, **({} if numeric else {"states": list(found.states)})}
    told["rows"] = len(found)
    as_json, quiet = options["as_json"], options["quiet"]
    if output is not None:
        write_columns(_columns(found, proba=options["proba"]), output)
        said = f"{len(found):,} predictions of {target} written to {output}"
        emit({**told, "output": output}, said, as_json=as_json, quiet=quiet)
    elif as_json:
        told["predictions"] = (found.means if numeric else found.labels).tolist()
        if options["proba"] and numeric:
            told["sd"] = found.sds.tolist()
            told["interval"] = np.stack([found.low, found.high], axis=1).tolist()
        elif options["proba"]:
            told["probabilities"] = found.probabilities.tolist()
        emit(told, "", as_json=True, quiet=quiet)
    elif not quiet:
        columns = _columns(found, proba=options["proba"])
        print_file(lambda file: write_column_rows(columns, file))


def _columns(found: Any, *, proba: bool) -> dict[str, list[Any]]:  # noqa: ANN401 - of both kinds
    """Return states or means, and if they are asked for probabilities, or deviation and bounds."""
    if not hasattr(found, "states"):
        names = ("", "_sd", "_low", "_high") if proba else ("",)
        parts = (found.means, found.sds, found.low, found.high)
        return {f"{found.target}{k}": x.tolist() for k, x in zip(names, parts, strict=False)}
    columns: dict[str, list[Any]] = {found.target: found.labels.tolist()}
    if proba:
        columns |= {f"{found.target}={state}": found[state].tolist() for state in found.states}
    return columns
