"""The options of independence tests on the command line, and the values they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.catalogue import CONTROLS, COVERAGES, TESTS
from bayesloom.cli.options import together

if TYPE_CHECKING:
    from bayesloom.independence import Control, IndependenceTest

independence_options = together(
    click.option("--alpha", type=float, metavar="P", help="Level of the tests. Default: 0.05."),
    click.option(
        "--control",
        "control_name",
        type=click.Choice(list(CONTROLS)),
        help="Which p-values reject. Default: fixed; spending if no search is named.",
    ),
    click.option(
        "--test",
        "test_name",
        type=click.Choice(list(TESTS)),
        help="The test. Default: chi-square.",
    ),
    click.option(
        "--min-expected",
        type=float,
        metavar="N",
        help="Expected rows per cell that make a test conclusive. Default: 5.",
    ),
    click.option(
        "--coverage",
        type=click.Choice(COVERAGES),
        help="Ask that of every cell (strict) or on average (relaxed: may add edges for minutes, "
        "set --time-limit). Default: strict.",
    ),
)


def control_from(options: dict[str, Any], usual: Control | None = None) -> Control | None:
    """Take the options of the error control out of a command's options; None if none is given.

    A level without a name is the level of the usual control, and without one of a fixed level.
    """
    name, alpha = options.pop("control_name"), options.pop("alpha")
    if name is None and alpha is None:
        return None
    from bayesloom import independence

    kind: type[Control] = getattr(independence, CONTROLS[name or "fixed"])
    if name is None and usual is not None:
        kind = type(usual)
    return kind() if alpha is None else kind(alpha)


def independence_test_from(options: dict[str, Any]) -> IndependenceTest | None:
    """Take the options of the test out of a command's options; None if none is given."""
    name, coverage = options.pop("test_name"), options.pop("coverage")
    least = options.pop("min_expected")
    if name is None and coverage is None and least is None:
        return None
    from bayesloom import independence

    given: dict[str, Any] = {} if least is None else {"min_expected": least}
    if coverage is not None:
        given["coverage"] = independence.Coverage(coverage)
    kind: type[IndependenceTest] = getattr(independence, TESTS[name or "chi-square"])
    return kind(**given)
