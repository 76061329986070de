"""The options of independence tests on the command line, and the values they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.options import Named, Options, made, number_option, together
from bayesloom.expression import parse_value
from bayesloom.registry import CONTROLS, TESTS

if TYPE_CHECKING:
    from bayesloom.independence import Control, IndependenceTest

FLAGS = {
    "control": "--control and --alpha",
    "test": "--test, --min-expected and --coverage",
}
"""What chooses the control and the test of a search."""

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
    value, alpha = options["control_name"], options["alpha"]
    if value is None and alpha is None:
        return None
    if value is None:
        value = parse_value("fixed" if usual is None else CONTROLS.name_of(usual), CONTROLS)
    found: Control = made(value, {} if alpha is None else {"alpha": alpha})
    return found


def independence_test_from(
    options: Options, usual: IndependenceTest | None = None
) -> IndependenceTest | None:
    """Make the test that the options name; None if they name none.

    What they leave open is as in the usual test of the search.
    """
    from bayesloom.independence import ContingencyTest, Coverage

    keys = {"test_name": "test", "min_expected": "min_expected", "coverage": "coverage"}
    given: dict[str, Any] = {
        option: options[key] for key, option in keys.items() if options[key] is not None
    }
    if not given:
        return None
    value = given.pop("test", None)
    if value is None:
        value = parse_value("chi-square" if usual is None else TESTS.name_of(usual), TESTS)
    if "coverage" in given:
        given["coverage"] = Coverage(given["coverage"])
    before = {"coverage": usual.coverage} if isinstance(usual, ContingencyTest) else {}
    found: IndependenceTest = made(value, given, usual=before)
    return found
