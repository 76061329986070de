"""The options of independence tests on the command line, and the values they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.options import Named, Options, number_option, settings_from, together
from bayesloom.registry import CONTROLS, TESTS

if TYPE_CHECKING:
    from bayesloom.independence import Control, IndependenceTest

test_options = together(
    click.option("--test", "test_name", type=Named(TESTS), help="The test. Default: chi-square."),
    number_option(
        "--min-expected", "Expected rows per cell that make a test conclusive. Default: 5.", "N"
    ),
    click.option(
        "--coverage",
        type=click.Choice(["strict", "relaxed"]),
        help="Ask that of every cell (strict) or on average (relaxed: with iges and ihc it may add "
        "edges for minutes, set --time-limit). Default: strict; for pc, gs, iamb, mmhc and "
        "aracne relaxed.",
    ),
)

independence_options = together(
    number_option("--alpha", "Level of the tests. Default: 0.05.", "P"),
    click.option(
        "--control",
        "control_name",
        type=Named(CONTROLS),
        help="Which p-values reject. Default: fixed; spending if no search is named.",
    ),
    test_options,
)


def control_from(options: Options, usual: Control | None = None) -> Control | None:
    """Make the error control that the options name; None if they name none.

    A level without a name is the level of the usual control, and without one of a fixed level.
    """
    name, alpha = options["control_name"], options["alpha"]
    if name is None and alpha is None and not _are_set(options, "control"):
        return None
    title = name or ("fixed" if usual is None else CONTROLS.name_of(usual))
    known = CONTROLS.options(title)
    given = settings_from(options.get("settings", ()), "control", known, f"the control {title}")
    if alpha is not None:
        given["alpha"] = alpha
    made: Control = CONTROLS[title](**given)
    return made


def independence_test_from(
    options: Options, usual: IndependenceTest | None = None
) -> IndependenceTest | None:
    """Make the test that the options name; None if they name none.

    What they leave open is as in the usual test of the search.
    """
    wanted = [options[key] for key in ("test_name", "min_expected", "coverage")]
    if all(value is None for value in wanted) and not _are_set(options, "test"):
        return None
    name = options["test_name"] or ("chi-square" if usual is None else TESTS.name_of(usual))
    known = TESTS.options(name)
    given: dict[str, Any] = {} if usual is None else {"coverage": usual.coverage}
    given |= settings_from(options.get("settings", ()), "test", known, f"the test {name}")
    if options["min_expected"] is not None:
        given["min_expected"] = options["min_expected"]
    if options["coverage"] is not None:
        given["coverage"] = known["coverage"](options["coverage"])
    made: IndependenceTest = TESTS[name](**given)
    return made


def _are_set(options: Options, part: str) -> bool:
    return any(text.startswith(f"{part}.") for text in options.get("settings", ()))
