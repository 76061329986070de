"""Graphs as text for other programs: DOT of Graphviz, and GraphML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bayesloom.graphs.text import writable

Edges = Iterable[tuple[str, str]]

GRAPH_ENDINGS = (".dot", ".gv", ".graphml")
"""Endings of files that hold a graph alone."""


def dot_text(names: Sequence[str], directed: Edges, undirected: Edges = ()) -> str:
    """Return a graph in the DOT language of Graphviz.

    Parameters
    ----------
    names : sequence of str
        The nodes.
    directed, undirected : iterables of pairs of str
        The edges.

    Examples
    --------
    >>> print(dot_text(["rain", "wet"], [("rain", "wet")]))
    digraph {
      "rain";
      "wet";
      "rain" -> "wet";
    }
    <BLANKLINE>
    """
    lines = [f"  {_quoted(name)};" for name in names]
    lines += [f"  {_quoted(x)} -> {_quoted(y)};" for x, y in directed]
    lines += [f"  {_quoted(x)} -> {_quoted(y)} [dir=none];" for x, y in undirected]
    return "\n".join(["digraph {", *lines, "}", ""])


def graphml_text(names: Sequence[str], directed: Edges, undirected: Edges = ()) -> str:
    """Return a graph in GraphML, which networkx, igraph, yEd, Gephi and Cytoscape read.

    A node's id is its name. An edge says itself whether it has a direction; readers that know one
    kind only go by the graph, which is directed if one of its edges is.

    Examples
    --------
    >>> "<edge source=" in graphml_text(["rain", "wet"], [("rain", "wet")])
    True
    """
    pairs = [(x, y, "true") for x, y in directed] + [(x, y, "false") for x, y in undirected]
    usual = "directed" if not pairs or any(way == "true" for *_, way in pairs) else "undirected"
    nodes = [f"    <node id={_attribute(name)}/>" for name in names]
    edges = [
        f'    <edge source={_attribute(x)} target={_attribute(y)} directed="{way}"/>'
        for x, y, way in pairs
    ]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
            f'  <graph edgedefault="{usual}">',
            *nodes,
            *edges,
            "  </graph>",
            "</graphml>",
            "",
        ]
    )


def _quoted(name: str) -> str:
    r"""Return a name as DOT has it; backslashes would begin escapes there.

    Examples
    --------
    >>> print(_quoted('say "hi"'))
    "say \"hi\""
    """
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _attribute(name: str) -> str:
    r"""Return a name as the value of an attribute; `xml.sax` would import half of the web.

    Examples
    --------
    >>> print(_attribute('a < "b"'), _attribute("two\nlines"))
    "a &lt; &quot;b&quot;" "two&#10;lines"
    """
    found = escape(writable(name, kept="\t\n\r"))
    return f'"{found.translate({9: "&#9;", 10: "&#10;", 13: "&#13;"})}"'
