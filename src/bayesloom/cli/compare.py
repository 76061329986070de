"""``bayesloom compare``: searches side by side on one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.options import (
    count_option,
    crew_option,
    data_options,
    knowledge_from,
    knowledge_option,
    max_parents_option,
    output_options,
    progress_option,
    reading_of,
    time_limit_option,
)
from bayesloom.cli.output import check_not_read, emit, leave_if_interrupted, shows_progress
from bayesloom.cli.settings import (
    Settings,
    each_made,
    fitting,
    made,
    settings_of,
    settings_option,
)
from bayesloom.registry import ESTIMATORS, SCORES, SEARCHES, Registry

if TYPE_CHECKING:
    from bayesloom.scores import Score
    from bayesloom.search import Search


class NamedList(click.ParamType):  # type: ignore[type-arg] # as in `options.Named`
    """Names of a registry with commas between."""

    name = "list"

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[str, ...]:
        """Return the names, if something is called so."""
        if not isinstance(value, str):
            return tuple(value)
        names = tuple(part.strip() for part in value.split(",") if part.strip())
        for name in names:
            if name not in self.registry:
                known = ", ".join(self.registry)
                self.fail(f"{name!r} is no {self.registry.kind}; known are {known}", param, ctx)
        if not names:
            self.fail("name at least one", param, ctx)
        return tuple(dict.fromkeys(names))


def joined(
    _ctx: click.Context, _param: click.Parameter, lists: tuple[tuple[str, ...], ...]
) -> tuple[str, ...] | None:
    """Return what all uses of an option name, each name once; None if it is not used."""
    return tuple(dict.fromkeys(name for names in lists for name in names)) or None


@click.command(short_help="Compare searches on one data set.")
@click.argument("data")
@click.option(
    "--search",
    "searches",
    type=NamedList(SEARCHES),
    multiple=True,
    callback=joined,
    default=["chow-liu,hc,ges,ixges"],
    show_default="chow-liu,hc,ges,ixges",
    metavar="A,B,...",
    help="The searches, with commas between. Repeatable.",
)
@click.option(
    "--score",
    "scores",
    type=NamedList(SCORES),
    multiple=True,
    callback=joined,
    metavar="A,B,...",
    help="Scores; every search that has a score runs with each. Default: the searches' own.",
)
@click.option(
    "--estimator",
    "estimators",
    type=NamedList(ESTIMATORS),
    multiple=True,
    callback=joined,
    metavar="A,B,...",
    help="Estimators; every network is fitted with each. Default: bdeu.",
)
@settings_option(
    "Any other option, for all searches that have it, such as restarts=2; or of their parts and of "
    "estimators, such as score.ess=1, test.min_expected=3, estimator.ess=1."
)
@count_option("--folds", least=2, default=5, told="In how many parts the rows are divided.")
@count_option("--seed", default=0, told="Seed of the division.")
@max_parents_option
@knowledge_option
@data_options
@time_limit_option("Stop after this time, such as 60s or 5m.")
@click.option("--html", metavar="FILE", help="Write the comparison as an HTML page.")
@progress_option
@count_option("--threads", least=1, told="Searches side by side. Default: all processors.")
@crew_option
@output_options
def compare(**options: Any) -> None:  # noqa: ANN401 - options come as click collects them
    """Run searches on DATA, and cross-validate each on the same folds.

    \b
    bayesloom compare data.csv
    bayesloom compare data.csv --search ges,iges,chow-liu --folds 5
    bayesloom compare data.csv --search ges,hc --score bic,bdeu --html compare.html --json

    Told are the log-loss of rows that the search has not seen, and of all rows the score, the
    number of edges and the time; how far the networks agree; and which pairs how many of them
    join. A search that fails is told in its row. One search with different options: in Python.
    """
    from bayesloom.facade import compare as compared

    as_json, quiet, html = options["as_json"], options["quiet"], options["html"]
    read = {f"--{key}": options[key] for key in ("knowledge", "states")}
    check_not_read("--html", html, read | {"DATA": options["data"]})
    if html is not None:
        from bayesloom.report.page import check_page_path

        check_page_path(html)
    estimators: dict[str, Any] = {name: (name, {}) for name in options["estimators"] or ("bdeu",)}
    of_searches = [each for each in options["settings"] if each.path[0] != "estimator"]
    found = compared(
        options["data"],
        _searches(options["searches"], options["scores"], of_searches),
        estimators=[*each_made(ESTIMATORS, estimators, settings_of(options, "estimator")).values()],
        knowledge=knowledge_from(options),
        progress=shows_progress(options),
        **{key: options[key] for key in ("folds", "seed", "max_parents", "time_limit")},
        **{key: options[key] for key in ("threads", "scheduler")},
        **reading_of(options).to_dict(),
    )
    written = ""
    if html is not None:
        found.to_html(html)
        written = f"\nwritten to {html}"
    emit(found.to_dict() if as_json else {}, f"{found}{written}", as_json=as_json, quiet=quiet)
    leave_if_interrupted(found.stop)


def _searches(
    names: tuple[str, ...], scores: tuple[str, ...] | None, settings: Settings
) -> dict[str, Search]:
    """Make the searches, each with every score where it has one; titles are as they are typed."""
    wanted: dict[str, tuple[str, dict[str, Any]]] = {}
    for name in names:
        if scores is None or "score" not in SEARCHES.options(name):
            wanted[name] = name, {}
            continue
        for score in scores:
            wanted[f"{name} {score}"] = name, {"score": _score(score, settings)}
    return each_made(SEARCHES, wanted, settings)


def _score(name: str, settings: Settings) -> Score:
    if "prior" in SCORES.options(name):
        msg = f"the score {name} needs earlier rows, which compare cannot give"
        raise click.UsageError(msg)
    own = [each.below for each in settings if each.path[0] == "score" and each.path[1:]]
    found: Score = made(SCORES, name, fitting(SCORES[name], own))
    return found
