"""Graphs written as text: ``A -> B <- C; D``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bayesloom.errors import GraphError, check_kind, shown
from bayesloom.graphs.dag import DAG

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<mark><->|->|<-|--|-|→|←|;|\n)"""
    r"""|"(?P<quoted>(?:[^"]|"")*)\""""
    r"""|(?P<plain>[^\s;"<>→←\[\]{}|,-]+)"""
    r"""|(?P<fault>\S)"""
)

_ARROWS = {"->": "->", "<-": "<-", "→": "->", "←": "<-"}


def dag_from_text(text: str) -> DAG:
    """Make a graph of arrows between names, as one would write them down.

    Chains of arrows are separated by semicolons or line breaks; a name alone is a node without
    edges. A name with blanks, arrows, hyphens, commas, semicolons, bars or brackets ``[]{}`` stands
    in double quotes, and a double quote within it is doubled. Nodes stand in the order in which
    they are mentioned.

    Parameters
    ----------
    text : str
        Such as ``"A->B<-C; D; E->F->G"``.

    Raises
    ------
    GraphError
        If the text has a part that is neither a name nor an arrow, an edge without direction, or a
        cycle.

    Examples
    --------
    >>> dag_from_text("rain -> wet <- sprinkler; moon")
    DAG(4 nodes, 2 edges: rain -> wet, sprinkler -> wet)
    >>> dag_from_text('"wet grass" -> slip').names
    ('wet grass', 'slip')
    """
    check_kind("text", text, str, "arrows between names, such as 'A->B<-C; D'")
    nodes: dict[str, None] = {}
    edges: list[tuple[str, str]] = []
    last: str | None = None
    mark: str | None = None
    for kind, token in _tokens(text):
        if kind == "name":
            if last is not None and mark is None:
                msg = (
                    f"the names {shown(repr(last))} and {shown(repr(token))} follow each other "
                    "without an arrow; write -> or <- between them, a semicolon, or put one name "
                    "with blanks in double quotes"
                )
                raise GraphError(msg)
            if last is not None:
                edges.append((last, token) if mark == "->" else (token, last))
            nodes.setdefault(token)
            last, mark = token, None
        elif kind == "arrow":
            if last is None or mark is not None:
                raise _without_end(token, "before")
            mark = token
        else:
            if mark is not None:
                raise _without_end(mark, "after")
            last = None
    if mark is not None:
        raise _without_end(mark, "after")
    if not nodes:
        msg = "the text names no node; write arrows between names, such as 'A->B<-C; D'"
        raise GraphError(msg)
    return DAG.from_edges(edges, nodes)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """List the names, arrows and ends of chains of a text."""
    for found in _TOKEN.finditer(text):
        kind, token = found.lastgroup, found.group()
        if kind == "quoted":
            name = found["quoted"].replace('""', '"')
            if not name:
                msg = f"the name at character {found.start() + 1} is empty; write it"
                raise GraphError(msg)
            yield "name", name
        elif kind == "plain":
            yield "name", token
        elif kind == "fault":
            place = f"the {token} at character {found.start() + 1}"
            msg = (
                f"{place} has no counterpart; close the quoted name"
                if token == '"'  # noqa: S105 - a sign, no secret
                else f"{place} belongs to no arrow; write -> or <- between names and ; between "
                "chains, or put a name that holds it in double quotes"
            )
            raise GraphError(msg)
        elif token in {";", "\n"}:
            yield "end", token
        elif token in _ARROWS:
            yield "arrow", _ARROWS[token]
        else:
            msg = (
                f"the edge {token} at character {found.start() + 1} has no direction; write -> or "
                "<-, or put a name that holds a hyphen in double quotes"
            )
            raise GraphError(msg)


def _without_end(arrow: str, where: str) -> GraphError:
    return GraphError(f"there is no name {where} an arrow {arrow}; name both of its ends")
