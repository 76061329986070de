"""``bayesloom studio``: learn and look in a browser."""

from __future__ import annotations

import sys
from typing import Any

import click


@click.command(short_help="Learn networks and look at them in a browser.")
@click.argument("data", required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Where to listen. Default: a port that is free.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Who may reach it; by default this machine alone.",
)
@click.option(
    "--project",
    metavar="FILE",
    help="The file that keeps data sets and runs. Default: one in the user's data folder.",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def studio(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Open the studio: drop a table into a page, watch the search, look at the network, ask it.

    \b
    bayesloom studio
    bayesloom studio data.csv
    bayesloom studio --project work.db --port 8765 --no-browser

    DATA, a CSV, Parquet or Arrow file, is put into the project first. The address that is printed
    holds a secret: whoever has it can use the studio. Data sets and runs are kept in the project,
    one SQLite file, and are there again next time. Ctrl-C ends it.

    It needs the extra web: pip install 'bayesloom[web]'.
    """
    from bayesloom.studio import serve

    def ready(address: str) -> None:
        click.echo(f"studio at {address}")
        click.echo("Ctrl-C ends it; data sets and runs are kept.", err=True)
        if options["host"] not in ("127.0.0.1", "::1", "localhost"):
            said = "others can reach it, and what is sent is not encrypted"
            click.echo(f"Warning: it listens on {options['host']}: {said}.", err=True)
        sys.stdout.flush()
        if not options["no_browser"]:
            click.launch(address)

    try:
        serve(
            options["data"],
            host=options["host"],
            port=options["port"],
            project=options["project"],
            ready=ready,
        )
    except KeyboardInterrupt:
        click.echo("The studio has ended.", err=True)
