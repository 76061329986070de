"""The options of training a classifier, and the values they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bayesloom.cli.options import (
    Named,
    Options,
    choice_option,
    count_option,
    delimiter_option,
    drop_option,
    made,
    missing_marker_option,
    number_option,
    reading_of,
    threads_option,
    together,
)
from bayesloom.registry import ESTIMATORS, SEARCHES, options_of

if TYPE_CHECKING:
    from bayesloom.classification import Training
    from bayesloom.classification.structure import ClassStructure
    from bayesloom.data import Reading
    from bayesloom.model import Estimator

_STRENGTH = {"laplace": "pseudocount", "bdeu": "ess", "tan": "strength"}
"""The option of an estimator that --smoothing sets."""

_ONLY = {
    "root": ("tan",),
    "forest": ("tan",),
    "search_name": ("net",),
    "free": ("net",),
    "max_parents": ("net",),
}
"""Options that only some models have."""

training_options = together(
    click.option("--target", required=True, metavar="NAME", help="The column that is the class."),
    click.option(
        "--model",
        type=click.Choice(["nb", "tan", "net"]),
        default="tan",
        show_default=True,
        help="Naive Bayes, tree-augmented naive Bayes, or a network that a search finds.",
    ),
    click.option(
        "--search",
        "search_name",
        type=Named(SEARCHES),
        help="The search of --model net. Default: hc with score k2.",
    ),
    click.option(
        "--free",
        is_flag=True,
        help="With --model net: do not put the class above every attribute.",
    ),
    count_option(
        "--max-parents",
        least=1,
        told="With --model net: most parents of a variable, the class among them.",
    ),
    click.option(
        "--root", metavar="NAME", help="The root of TAN's tree. Default: the first by name."
    ),
    click.option(
        "--forest", is_flag=True, help="Leave edges out of TAN's tree that do not pay under BIC."
    ),
    click.option(
        "--estimator",
        type=Named(ESTIMATORS),
        default="laplace",
        show_default=True,
        help="How probabilities come from counts.",
    ),
    number_option(
        "--smoothing",
        "Pseudo-count of laplace (default 0.5), ess of bdeu (1), strength of tan (5).",
    ),
    choice_option(
        "--discretize",
        ("mdl", "frequency", "width", "none"),
        "Cut numbers where they tell the class, or into bins of equal frequency or width.",
    ),
    count_option("--bins", least=2, told="Most bins of a column. Default: 5."),
    click.option(
        "--category",
        "categories",
        multiple=True,
        metavar="NAME",
        help="This column of numbers is a category. Repeatable.",
    ),
    click.option(
        "--number",
        "numbers",
        multiple=True,
        metavar="NAME",
        help="Cut this column of numbers, though it has few values. Repeatable.",
    ),
    missing_marker_option,
    drop_option,
    delimiter_option,
    threads_option,
)


def reading_from(options: Options) -> Reading:
    """Return how the data are read."""
    return reading_of({key: options[key] for key in ("missing_markers", "drop", "delimiter")})


def training_from(options: Options) -> Training:
    """Return how the classifier is trained."""
    from bayesloom.classification import NumberCutting, Training

    for option, models in _ONLY.items():
        if options[option] and options["model"] not in models:
            name = "--search" if option == "search_name" else f"--{option.replace('_', '-')}"
            msg = f"{name} has no meaning for --model {options['model']}"
            raise click.UsageError(msg)
    how = options["discretize"]
    if options["bins"] is not None and how not in ("frequency", "width"):
        msg = "--bins needs --discretize frequency or --discretize width"
        raise click.UsageError(msg)
    return Training(
        _structure_from(options),
        _estimator_from(options),
        NumberCutting(how, options["bins"] or NumberCutting().bins),
        options["categories"],
        options["numbers"],
        options["threads"],
    )


def _structure_from(options: Options) -> ClassStructure:
    from bayesloom.classification.structure import (
        USUAL_SEARCH,
        SearchedStructure,
        StarStructure,
        TreeStructure,
    )

    if options["model"] == "nb":
        return StarStructure()
    if options["model"] == "tan":
        return TreeStructure(options["root"], options["forest"])
    value = options["search_name"]
    if value is None:
        search = USUAL_SEARCH
    else:
        known = options_of(value.kind)
        search = made(value, {key: options[key] for key in ("target",) if key in known})
    return SearchedStructure(search, not options["free"], options["max_parents"])


def _estimator_from(options: Options) -> Estimator:
    value, smoothing = options["estimator"], options["smoothing"]
    if smoothing is not None and value.name not in _STRENGTH:
        msg = f"--smoothing has no meaning for the estimator {value.name}"
        raise click.UsageError(msg)
    strength = _STRENGTH.get(value.name, "")
    given = {} if smoothing is None else {strength: smoothing}
    usual = {"pseudocount": 0.5} if value.name == "laplace" else {}
    found: Estimator = made(value, given, usual=usual, flags={strength: "--smoothing"})
    return found
