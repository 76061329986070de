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
    data_options,
    engine_here_options,
    output_options,
    reading_of,
    threads_option,
    time_limit_option,
)
from bayesloom.cli.output import emit, leave_if_interrupted
from bayesloom.cli.settings import made, settings_option
from bayesloom.registry import SEARCHES


@click.command(short_help="Find the Markov blanket of one variable.")
@click.argument("data")
@click.argument("variable", metavar="TARGET")
@click.option(
    "--search",
    "search_name",
    type=click.Choice(["gs", "iamb"]),
    default="iamb",
    show_default=True,
    help="How to look for it.",
)
@independence_options
@settings_option(
    "Any other option of the search, such as variant=inter, or of its parts, such as "
    "test.min_expected=3."
)
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
    bayesloom blanket data.csv LUNG --control bh --set variant=inter
    """
    from bayesloom.engine.choice import engine_here
    from bayesloom.facade import markov_blanket

    name, as_json, quiet = (options[key] for key in ("search_name", "as_json", "quiet"))
    given: dict[str, Any] = {
        "control": control_from(options),
        "test": independence_test_from(options, SEARCHES[name]().test),
    }
    given = {key: value for key, value in given.items() if value is not None}
    if options["target"] is None and any("mdl" in rule for rule in options["discretize"]):
        options["target"] = options["variable"]
    where = {key: options[key] for key in (*WHERE, "threads")}
    found = markov_blanket(
        engine_here(options["data"], reading_of(options), **where)[0],
        options["variable"],
        made(SEARCHES, name, options["settings"], given, flags=FLAGS),
        time_limit=options["time_limit"],
    )
    emit(found.to_dict(), str(found), as_json=as_json, quiet=quiet)
    leave_if_interrupted(found.stop)
