"""``bayesloom compare``: searches side by side on one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.options import (
    Named,
    count_option,
    crew_option,
    data_options,
    knowledge_from,
    knowledge_option,
    made,
    max_parents_option,
    output_options,
    progress_option,
    reading_of,
    time_limit_option,
)
from bayesloom.cli.output import check_not_read, emit, leave_if_interrupted, shows_progress
from bayesloom.expression import Written, parse_value
from bayesloom.registry import ESTIMATORS, SCORES, SEARCHES, Registry, options_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bayesloom.scores import Score
    from bayesloom.search import Search


class NamedList(click.ParamType):  # type: ignore[type-arg] # as in `options.Named`
    """Values of a registry, names or expressions, with commas between."""

    name = "list"

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> dict[str, Written]:
        """Return what is written, by its text."""
        if isinstance(value, dict):
            return value
        one = Named(self.registry)
        texts = [text.strip() for text in _apart(value)]
        found = {text: one.convert(text, param, ctx) for text in texts if text}
        if not found:
            self.fail("name at least one", param, ctx)
        return found


def _apart(text: str) -> list[str]:
    """Split a text at the commas that stand in no parentheses and no quotes.

    Examples
    --------
    >>> _apart("hc,Tabu(patience=3, length=5),K2(order=('a,b', 'c'))")
    ['hc', 'Tabu(patience=3, length=5)', "K2(order=('a,b', 'c'))"]
    """
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        depth += (sign in "([") - (sign in ")]") if not quote else 0
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def joined(
    _ctx: click.Context, _param: click.Parameter, lists: tuple[dict[str, Written], ...]
) -> dict[str, Written] | None:
    """Return what all uses of an option write, each once; None if it is not used."""
    return {text: value for each in lists for text, value in each.items()} or None


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
    join. A search that fails is told in its row. One search with different options:

    \b
    bayesloom compare data.csv --search "ges,GES(turning=True),Tabu(patience=50)"
    """
    from bayesloom.facade import compare as compared

    as_json, quiet, html = options["as_json"], options["quiet"], options["html"]
    read = {f"--{key}": options[key] for key in ("knowledge", "states")}
    check_not_read("--html", html, read | {"DATA": options["data"]})
    if html is not None:
        from bayesloom.report.page import check_page_path

        check_page_path(html)
    estimators = options["estimators"] or {"bdeu": parse_value("bdeu", ESTIMATORS)}
    found = compared(
        options["data"],
        _searches(options["searches"], options["scores"]),
        estimators=[made(each) for each in estimators.values()],
        knowledge=knowledge_from(options),
        progress=shows_progress(options),
        **{key: options[key] for key in ("folds", "seed", "max_parents", "time_limit")},
        **{key: options[key] for key in ("threads", "scheduler")},
        **reading_of(options).to_dict(),
    )
    place = ""
    if html is not None:
        found.to_html(html)
        place = f"\nwritten to {html}"
    emit(found.to_dict() if as_json else {}, f"{found}{place}", as_json=as_json, quiet=quiet)
    leave_if_interrupted(found.stop)


def _searches(
    searches: Mapping[str, Written], scores: Mapping[str, Written] | None
) -> dict[str, Search]:
    """Make the searches, each with every score where it has one; titles are as they are typed."""
    found: dict[str, Search] = {}
    for text, search in searches.items():
        if scores is None or "score" not in options_of(search.kind):
            found[text] = made(search)
            continue
        for name, score in scores.items():
            found[f"{text} {name}"] = made(search, {"score": _score(score)})
    return found


def _score(value: Written) -> Score:
    if "prior" in options_of(value.kind):
        msg = f"the score {value.name} needs earlier rows, which compare cannot give"
        raise click.UsageError(msg)
    score: Score = made(value)
    return score
