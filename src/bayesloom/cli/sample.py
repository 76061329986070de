"""``bayesloom sample``: rows drawn from a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bayesloom.cli.evidence import evidence_in, evidence_options
from bayesloom.cli.options import count_option, output_options
from bayesloom.cli.output import emit, print_file

if TYPE_CHECKING:
    from bayesloom.data import Table


@click.command(short_help="Draw rows from a network.")
@click.argument("net")
@count_option("-n", "--rows", least=1, default=1000, told="How many rows.")
@count_option("--seed", default=0, told="Seed of the random numbers.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the rows: .csv, .csv.gz, .parquet or .arrow (which keep all states).",
)
@evidence_options
@output_options
def sample(
    *,
    net: str,
    rows: int,
    seed: int,
    output: str | None,
    given: tuple[str, ...],
    soft: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw rows from the network file NET and print them as CSV.

    \b
    bayesloom sample net.bif -n 5000 --seed 1 -o data.csv
    bayesloom sample net.bif -n 5000 --given SMOKE=yes -o smokers.csv

    The same network, number of rows, seed and evidence always give the same rows. Rows that agree
    with the evidence are drawn exactly, however improbable it is.
    """
    from bayesloom.data.writing import check_table_path, write_rows, write_table
    from bayesloom.inference import sample as draw
    from bayesloom.model import load_net

    if output is not None:
        check_table_path(output)
    network = load_net(net)
    known, likely = evidence_in(network, given, soft)
    table = draw(network, rows, seed, known, soft=likely)
    found: dict[str, object] = {"variables": list(table.names), "rows": rows, "seed": seed}
    if output is not None:
        write_table(table, output)
        said = f"{rows:,} rows of {table.n_columns} variables written to {output}"
        emit({**found, "output": output}, said, as_json=as_json, quiet=quiet)
    elif as_json:
        emit({**found, "data": _labels(table)}, "", as_json=True, quiet=quiet)
    elif not quiet:
        print_file(lambda file: write_rows(table, file))


def _labels(table: Table) -> list[list[str | None]]:
    return [list(row) for row in zip(*(table[name] for name in table.names), strict=True)]
