"""How graph values look when printed."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from bayesloom.errors import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_LINES = 40
_MOST_STEPS = 12


def counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(0, "edge"), counted(1, "edge"), counted(2, "edge")
    ('no edges', '1 edge', '2 edges')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{count or 'no'} {noun}s"


def closed_walk(names: Sequence[str], mark: str) -> str:
    """Write a cycle from its first node back to it; a long one is cut short.

    Examples
    --------
    >>> closed_walk(["A", "B"], "->")
    'A -> B -> A'
    """
    steps = list(names)
    if len(steps) > _MOST_STEPS:
        steps[_MOST_STEPS:] = [f"({len(steps) - _MOST_STEPS} more)"]
    return f" {mark} ".join([*steps, names[0]])


def one_line(kind: str, n: int, edges: Sequence[tuple[str, str, str]]) -> str:
    """Describe a graph in one line; a long list of edges is cut short.

    Parameters
    ----------
    kind : str
        The name of the class.
    n : int
        The number of nodes.
    edges : sequence of (str, str, str)
        First node, mark (``->`` or ``-``) and second node of each edge.

    Examples
    --------
    >>> one_line("DAG", 3, [("A", "->", "B")])
    'DAG(3 nodes, 1 edge: A -> B)'
    """
    shown = f": {listed(' '.join(edge) for edge in edges)}" if edges else ""
    return f"{kind}({counted(n, 'node')}, {counted(len(edges), 'edge')}{shown})"


def cut_short(lines: list[str]) -> list[str]:
    """Return the first lines of a long list, and how many follow."""
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"  and {len(lines) - _MOST_LINES} more lines"]


def screen(kind: str, names: Sequence[str], edges: Sequence[tuple[str, str, str]]) -> str:
    """Describe a graph on several lines: one per first node and mark, then the isolated nodes.

    Examples
    --------
    >>> print(screen("DAG", ["A", "B", "C", "D"], [("A", "->", "B"), ("A", "->", "C")]))
    DAG with 4 nodes and 2 edges
      A -> B, C
      isolated: D
    """
    ends: dict[tuple[str, str], list[str]] = {}
    for a, mark, b in edges:
        ends.setdefault((a, mark), []).append(b)
    lines = [f"  {a} {mark} {listed(others, most=20)}" for (a, mark), others in ends.items()]
    lines = cut_short(lines)
    touched = {name for a, _, b in edges for name in (a, b)}
    isolated = [name for name in names if name not in touched]
    if isolated:
        lines.append(f"  isolated: {listed(isolated, most=20)}")
    head = f"{kind} with {counted(len(names), 'node')} and {counted(len(edges), 'edge')}"
    return "\n".join([head, *lines])


def writable(text: str, kept: str = "") -> str:
    r"""Return a text that XML can hold: a control character is shown by a sign.

    Examples
    --------
    >>> writable("bell" + chr(7)), writable("a\tb"), writable("a\tb", kept="\t")
    ('bell␇', 'a␉b', 'a\tb')
    """
    return "".join(c if c in kept else _shown(c) for c in text)


def _shown(c: str) -> str:
    code = ord(c)
    if code < 0x20:  # noqa: PLR2004 - control characters have pictures of their own
        return chr(0x2400 + code)
    category = unicodedata.category(c)
    return "\ufffd" if category in ("Cc", "Cs") or code & 0xFFFE == 0xFFFE else c  # noqa: PLR2004
