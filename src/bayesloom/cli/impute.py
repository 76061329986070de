"""``bayesloom impute``: missing cells filled in by a network."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.options import (
    choice_option,
    count_option,
    file_options,
    missing_marker_option,
    missing_option,
    output_options,
    written_out,
)
from bayesloom.cli.output import check_not_read, emit, print_file

_READING = ("missing", "missing_markers", "encoding", "delimiter")
"""The options that say how to read the rows."""


@click.command(short_help="Fill in the missing cells of data.")
@click.argument("net")
@click.argument("data")
@choice_option(
    "--method",
    ("most_probable", "sample"),
    "The states most probable together in their row, or states drawn by chance.",
)
@count_option("--seed", default=0, told="Seed of the draws.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write the rows: .csv, .csv.gz, .parquet or .arrow."
)
@click.option(
    "--cells",
    metavar="FILE",
    help="Write every cell that was filled in, with its probability, to such a file.",
)
@missing_option
@missing_marker_option
@file_options
@output_options
def impute(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Fill in the missing cells of DATA by the network file NET and print the rows as CSV.

    \b
    bayesloom impute net.json holes.csv -o full.csv
    bayesloom impute net.json holes.csv --method sample --seed 1 -o full.csv --cells filled.csv

    Known cells stay as they are. Variables without a column in DATA are missing in every row; other
    columns are left out, and numbers become their bins.
    """
    from bayesloom.data.writing import check_table_path, write_columns, write_rows, write_table
    from bayesloom.facade import load
    from bayesloom.inference import impute as fill_in

    output, cells, as_json = options["output"], options["cells"], options["as_json"]
    read = {"NET": options["net"], "DATA": options["data"]}
    for option, path in (("--output", output), ("--cells", cells)):
        if path is not None:
            check_table_path(path)
            check_not_read(option, path, read)
    given = written_out({name: options[name] for name in _READING})
    found = fill_in(
        load(options["net"]),
        options["data"],
        options["method"],
        seed=options["seed"],
        **given,
    )
    table = found.table
    told: dict[str, object] = {
        "rows": table.n_rows,
        "method": options["method"],
        "seed": options["seed"],
        "filled": found.filled,
        "log_probability": float(found.log_probabilities.sum()),
    }
    said = f"{len(found):,} missing cells of {table.n_rows:,} rows filled in"
    if cells is not None:
        write_columns(dict(found._columns()), cells)  # noqa: SLF001 - its frame, without a library
        told["cells"] = cells
    if output is not None:
        write_table(table, output)
        said = f"{said}, written to {output}"
        told["output"] = output
    elif not as_json and not options["quiet"]:
        print_file(lambda file: write_rows(table, file))
        return
    emit(told, said, as_json=as_json, quiet=options["quiet"])
