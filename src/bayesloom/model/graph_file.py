"""Graphs without parameters as JSON: what a search found that no table was fitted to.

One object: ``format`` is "bayesloom graph", ``version`` is 1, ``kind`` says what the graph is
(``dag``, ``class`` or ``markov_network``), ``variables`` lists the names in node order. The edges
are pairs of names in ``directed`` and ``undirected``. ``states`` holds the states of every
variable, if they are known.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from bayesloom.data import member
from bayesloom.errors import BayesloomError, DataError, FileFormatError, GraphError
from bayesloom.graphs import CPDAG, DAG, PDAG, ChordalGraph
from bayesloom.model.draft import FileText
from bayesloom.model.json_file import parse

if TYPE_CHECKING:
    from bayesloom.data.declared import DeclaredStates

AnyGraph: TypeAlias = DAG | PDAG | ChordalGraph

NamePairs: TypeAlias = tuple[tuple[str, str], ...]

FORMAT = "bayesloom graph"

SCORED = "for a network with parameters learn by a search with a score, such as --search ges"
"""What to do where tests contradict each other, so that no DAG extends a graph."""

_VERSION = 1
_MEMBERS = frozenset({"format", "version", "kind", "variables", "directed", "undirected", "states"})


def write(
    graph: AnyGraph, states: DeclaredStates | None, further: Mapping[str, object] | None = None
) -> str:
    """Return a graph as JSON text, with further members that `read` gives back.

    Examples
    --------
    >>> print(write(DAG.from_edges([("rain", "wet")]), None))
    {"format": "bayesloom graph", "version": 1, "kind": "dag", "variables": ["rain", "wet"], \
"directed": [["rain", "wet"]], "undirected": []}
    <BLANKLINE>
    """
    kind, arrows, links = _edges(graph)
    content: dict[str, object] = {
        "format": FORMAT,
        "version": _VERSION,
        "kind": kind,
        "variables": list(graph.names),
        "directed": sorted(map(list, arrows)),
        "undirected": sorted(sorted(pair) for pair in links),
    }
    if states is not None:
        content["states"] = {name: list(states[name]) for name in graph.names}
    return json.dumps(content | dict(further or {}), ensure_ascii=False, allow_nan=False) + "\n"


def _edges(graph: AnyGraph) -> tuple[str, NamePairs, NamePairs]:
    """Return the kind of a graph, its arrows and its edges without direction."""
    if isinstance(graph, PDAG):
        return "class", graph.directed, graph.undirected
    return (
        ("dag", graph.edges, ()) if isinstance(graph, DAG) else ("markov_network", (), graph.edges)
    )


def is_graph(text: str) -> bool:
    """Say whether the text of a JSON file is that of a graph."""
    return f'"{FORMAT}"' in text[:200]


def read(text: str, path: str) -> tuple[AnyGraph, DeclaredStates | None, dict[str, object]]:
    """Read a graph from JSON text, its states if they are told, and the further members.

    Raises
    ------
    FileFormatError
        If the text is not JSON or not a graph.

    Examples
    --------
    >>> graph, states, _ = read(write(PDAG.from_edges([], [("rain", "wet")]), None), "g.json")
    >>> graph, states
    (CPDAG(2 nodes, 1 edge: rain - wet), None)
    """
    source = FileText(text, path)
    content = parse(source, 0)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        problem = f'expected an object with "format": "{FORMAT}"'
        raise source.error(problem, 0)
    if content.get("version") != _VERSION:
        problem = f"version {content.get('version')!r} is not known; this program reads {_VERSION}"
        raise source.error(problem, 0)
    try:
        names = member.many(member.text, content, "variables")
        arrows = member.many(member.pair, content, "directed")
        links = member.many(member.pair, content, "undirected")
        graph = _made(member.text(content, "kind"), names, arrows, links)
        states = None
        if "states" in content:
            told = member.part(content, "states")
            states = {name: member.many(member.text, told, name) for name in names}
    except BayesloomError as error:
        problem = f"the file holds no graph ({error})"
        raise FileFormatError(problem, path) from None
    further = {key: value for key, value in content.items() if key not in _MEMBERS}
    return graph, states, further


def _made(
    kind: str,
    names: tuple[str, ...],
    arrows: NamePairs,
    links: NamePairs,
) -> AnyGraph:
    if kind == "dag" and not links:
        return DAG.from_edges(arrows, names)
    if kind == "markov_network" and not arrows:
        return ChordalGraph.from_edges(links, names)
    if kind != "class":
        problem = f"a graph with these edges cannot be of the kind {kind!r}"
        raise DataError(problem)
    graph = PDAG.from_edges(arrows, links, names)
    try:
        return CPDAG(graph.names, graph.parent_masks, graph.neighbour_masks)
    except BayesloomError:
        return graph


def without_parameters(graph: AnyGraph) -> str:
    """Say that a file holds a graph alone, and how a network with parameters comes about.

    Examples
    --------
    >>> without_parameters(DAG.from_edges([("rain", "wet")]))
    'the file holds a graph without parameters; bl.load(...).fit(data) gives it some'
    """
    try:
        extends = not isinstance(graph, PDAG) or bool(graph.extension())
    except GraphError:
        extends = False
    if extends:
        return "the file holds a graph without parameters; bl.load(...).fit(data) gives it some"
    return (
        "the file holds a graph that no DAG extends, so it has no parameters and none can be "
        f"fitted; {SCORED}"
    )


def graph_in_file(path: str | os.PathLike[str]) -> AnyGraph | None:
    """Return the graph of a file that holds one without parameters; None for any other file.

    Raises
    ------
    FileFormatError
        If the file cannot be read.
    """
    from bayesloom.model.files import checked_name, read_network_text
    from bayesloom.model.formats import JSON, format_of

    name = checked_name(path)
    if format_of(name) is not JSON:
        return None
    text = read_network_text(name)
    return read(text, name)[0] if is_graph(text) else None
