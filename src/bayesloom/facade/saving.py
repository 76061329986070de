"""Networks in files together with how they were learned and how their data were read.

Every format keeps the network. bayesloom's own JSON also keeps the record of the search and the
choices of reading, as the further members ``learned`` and ``reading``, which readers of the network
alone pass over.
"""

from __future__ import annotations

import os

from bayesloom.data import Reading
from bayesloom.data.path import check_place
from bayesloom.errors import BayesloomError, FileFormatError
from bayesloom.graphs import DAG
from bayesloom.graphs.exchange import GRAPH_ENDINGS, dot_text, graphml_text
from bayesloom.learning.record import Record
from bayesloom.learning.structure import Structure, directed, undirected
from bayesloom.model import BayesNet, save_net
from bayesloom.model.files import checked_name
from bayesloom.model.formats import JSON, format_of

_RECORD = "learned"


def save_network(
    net: BayesNet,
    path: str | os.PathLike[str],
    record: Record | None = None,
    reading: Reading | None = None,
) -> None:
    """Write a network, and in JSON its record and its reading, whole or not at all.

    Raises
    ------
    FileFormatError
        If the ending is not known or the file cannot be written.
    """
    name = checked_name(path)
    if not keeps_record(name):
        save_net(net, path)
        return
    from bayesloom.model import json_file
    from bayesloom.model.files import write_text

    further: dict[str, object] = {}
    if record is not None:
        further[_RECORD] = record.to_dict()
    if reading is not None and (chosen := reading.memory()):
        further[json_file.READING] = chosen
    text = json_file.write(net, further)
    check_place(path)
    write_text(text, name)


def is_graph_path(path: str | os.PathLike[str]) -> bool:
    """Say whether a file of this name holds a graph alone: DOT or GraphML.

    Examples
    --------
    >>> is_graph_path("net.dot"), is_graph_path("net.graphml.gz"), is_graph_path("net.bif")
    (True, True, False)
    """
    return checked_name(path).lower().removesuffix(".gz").endswith(GRAPH_ENDINGS)


def save_graph(graph: Structure, path: str | os.PathLike[str]) -> None:
    """Write a graph for other programs, as DOT or GraphML, whole or not at all.

    Raises
    ------
    FileFormatError
        If the file cannot be written.
    """
    from bayesloom.model.files import write_text

    name = checked_name(path)
    check_place(path)
    kind = graphml_text if ".graphml" in name.lower() else dot_text
    write_text(kind(graph.names, directed(graph), undirected(graph)), name)


def load_network(path: str | os.PathLike[str]) -> tuple[BayesNet, Record | None, Reading | None]:
    """Read a network with what its file tells of the search and of the data.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or tells of a search for another network.
    """
    from bayesloom.model import load_net

    if not isinstance(path, str | os.PathLike) or not keeps_record(path):
        return load_net(path), None, None
    from bayesloom.model import json_file
    from bayesloom.model.files import read_network_text

    name = os.fspath(path)
    net, further = json_file.read_with_members(read_network_text(name), name)
    found = further.get(_RECORD)
    record = Record.from_dict(found, name) if isinstance(found, dict) else None
    if record is not None:
        _check_belongs(record, net, name)
    return net, record, json_file.reading_in(further, name)


def structure_in(record: Record, dag: DAG, path: str | os.PathLike[str]) -> Structure:
    """Return what the search of a file's record was about.

    Raises
    ------
    FileFormatError
        If the record tells knowledge of variables that the network does not have.
    """
    try:
        return record.structure(dag)
    except BayesloomError as error:
        problem = f'the member "learned" belongs to another network ({error}); learn again'
        raise FileFormatError(problem, os.fspath(path)) from None


def check_network_path(path: str | os.PathLike[str]) -> None:
    """Raise if a network cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not known or a file cannot be written there.
    """
    if not is_graph_path(path):
        keeps_record(path)
    check_place(path)


def keeps_record(path: str | os.PathLike[str]) -> bool:
    """Say whether a file of this name keeps how its network was learned."""
    return format_of(checked_name(path)) is JSON


def _check_belongs(record: Record, net: BayesNet, name: str) -> None:
    """Refuse the record of a search for a network with other variables."""
    known = set(net.names)
    told = {end for step in record.steps for end in (step.x, step.y, *step.others)}
    told |= {end for found in record.dependencies for end in (found.x, found.y, *found.given)}
    told |= {end for pair in record.start for end in pair}
    told |= {end for edge in record.strengths for end in (edge.parent, edge.child)}
    if others := sorted(told - known):
        problem = (
            f'the member "learned" belongs to another network: it tells of {others[0]!r}, which is '
            "no variable here; learn again, or take the member out"
        )
        raise FileFormatError(problem, name)
