"""Evidence on the command line: states that are known, and likelihoods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bayesloom.cli.options import together
from bayesloom.errors import FileFormatError, shown

if TYPE_CHECKING:
    from bayesloom.model import BayesNet

evidence_options = together(
    click.option("--given", multiple=True, metavar="NAME=STATE", help="What is known. Repeatable."),
    click.option(
        "--soft",
        multiple=True,
        metavar="NAME=JSON",
        help="""Likelihoods of states, such as A='{"no": 0.1, "yes": 0.9}'. Repeatable.""",
    ),
)


def evidence_in(
    net: BayesNet, given: tuple[str, ...], soft: tuple[str, ...]
) -> tuple[list[tuple[str, str]] | None, dict[str, Any] | None]:
    """Return what the options say is known, and the likelihoods; None where they say nothing."""
    known = [observed(net, text) for text in given]
    return known or None, _likelihoods(soft) or None


def observed(net: BayesNet, text: str) -> tuple[str, str]:
    """Split NAME=STATE where the network has such a variable; either may contain ``=``.

    Examples
    --------
    >>> from bayesloom.model import BayesNet
    >>> net = BayesNet.from_tables({"a=b": (["<=1", ">1"], [], [0.5, 0.5])})
    >>> observed(net, "a=b=<=1")
    ('a=b', '<=1')
    """
    parts = text.split("=")
    splits = [("=".join(parts[:k]), "=".join(parts[k:])) for k in range(1, len(parts))]
    if not splits:
        msg = f"--given {text}: expected NAME=STATE"
        raise click.UsageError(msg)
    named = [(name, state) for name, state in splits if name in net.names]
    fitting = [(name, state) for name, state in named if state in net.states_of(name)]
    return (fitting or named or splits)[0]


def _likelihoods(texts: tuple[str, ...]) -> dict[str, Any]:
    """Read every NAME=JSON."""
    from bayesloom.model.draft import FileText
    from bayesloom.model.json_file import parse

    found: dict[str, Any] = {}
    for text in texts:
        name, _, spelled = text.partition("={")
        if name in found:
            msg = f"--soft {shown(name)} is given twice; give each variable its likelihoods once"
            raise click.UsageError(msg)
        try:
            found[name] = parse(FileText("{" + spelled, "--soft"), 0)
        except FileFormatError as error:
            expected = """expected NAME=JSON, such as A='{"no": 0.1, "yes": 0.9}'"""
            msg = f"--soft {shown(text)}: {expected} ({error.problem})"
            raise click.UsageError(msg) from None
    return found
