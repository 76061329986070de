"""``bayesloom blanket``: what makes all other columns uninformative about one."""

from __future__ import annotations

from typing import Any

import click

from bayesloom.cli.independence_options import (
    FLAGS,
    control_from,
    independence_options,
    independence_test_from,
)
from bayesloom.cli.options import (
    WHERE,
    Named,
    data_options,
    engine_here_options,
    made,
    output_options,
    reading_of,
    threads_option,
    time_limit_option,
)
from bayesloom.cli.output import emit, leave_if_interrupted
from bayesloom.registry import SEARCHES

_SEARCHES = ("gs", "iamb")


@click.command(short_help="Find the Markov blanket of one variable.")
@click.argument("data")
@click.argument("variable", metavar="TARGET")
@click.option(
    "--search",
    "search_name",
    type=Named(SEARCHES),
    default="iamb",
    show_default=True,
    metavar="[gs|iamb]",
    help="How to look for it: gs, iamb, or with options, such as 'IAMB(variant=inter)'.",
)
@independence_options
@data_options
@time_limit_option("Stop after this time, such as 60s, 5m or 1h30m.")
@threads_option
@engine_here_options
@output_options
def blanket(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Find the Markov blanket of the column TARGET of DATA.

    These are its parents, its children and the children's other parents: given them, it does not
    depend on any other column. Only its own blanket is looked for.

    \b
    bayesloom blanket data.csv LUNG
    bayesloom blanket data.csv LUNG --search gs --alpha 0.01 --json
    bayesloom blanket data.csv LUNG --control bh --search "IAMB(variant='inter')"
    """
    from bayesloom.engine.choice import engine_here
    from bayesloom.facade import markov_blanket

    value, as_json, quiet = (options[key] for key in ("search_name", "as_json", "quiet"))
    if value.name not in _SEARCHES:
        msg = f"--search must be one of {', '.join(_SEARCHES)}, got {value.name}"
        raise click.UsageError(msg)
    given: dict[str, Any] = {
        "control": control_from(options),
        "test": independence_test_from(options, value.kind().test),
    }
    given = {key: value for key, value in given.items() if value is not None}
    if options["target"] is None and any("mdl" in rule for rule in options["discretize"]):
        options["target"] = options["variable"]
    where = {key: options[key] for key in (*WHERE, "threads")}
    found = markov_blanket(
        engine_here(options["data"], reading_of(options), **where)[0],
        options["variable"],
        made(value, given, flags=FLAGS),
        time_limit=options["time_limit"],
    )
    emit(found.to_dict(), str(found), as_json=as_json, quiet=quiet)
    leave_if_interrupted(found.stop)
