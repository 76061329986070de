"""``bayesloom sample``: rows drawn from a network."""

from __future__ import annotations

import shutil
import sys
import tempfile
from typing import TYPE_CHECKING

import click

from bayesloom.cli.options import output_options
from bayesloom.cli.output import emit

if TYPE_CHECKING:
    from bayesloom.data import Table


@click.command(short_help="Draw rows from a network.")
@click.argument("net")
@click.option(
    "-n",
    "--rows",
    type=click.IntRange(min=1),
    metavar="N",
    default=1000,
    show_default=True,
    help="How many rows.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    default=1,
    show_default=True,
    help="Seed of the random numbers.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the rows: .csv, .csv.gz, .parquet or .arrow (which keep all states).",
)
@output_options
def sample(
    *, net: str, rows: int, seed: int, output: str | None, as_json: bool, quiet: bool
) -> None:
    """Draw rows from the network file NET and print them as CSV.

    \b
    bayesloom sample net.bif -n 5000 --seed 1 -o data.csv

    The same network, number of rows and seed always give the same rows.
    """
    from bayesloom.data.writing import check_table_path, write_table
    from bayesloom.inference import sample as draw
    from bayesloom.model import load_net

    if output is not None:
        check_table_path(output)
    table = draw(load_net(net), rows, seed)
    found: dict[str, object] = {"variables": list(table.names), "rows": rows, "seed": seed}
    if output is not None:
        write_table(table, output)
        said = f"{rows:,} rows of {table.n_columns} variables written to {output}"
        emit({**found, "output": output}, said, as_json=as_json, quiet=quiet)
    elif as_json:
        emit({**found, "data": _labels(table)}, "", as_json=True, quiet=quiet)
    elif not quiet:
        _print_csv(table)


def _labels(table: Table) -> list[list[str]]:
    columns = [
        [states[code] for code in codes.tolist()]
        for states, codes in zip(table.states, table.codes, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _print_csv(table: Table) -> None:
    from bayesloom.data.writing import write_rows

    with tempfile.TemporaryFile() as file:  # it has no name, so nothing can be left behind
        write_rows(table, file)
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout.buffer)
