"""Networks in files together with how they were learned and how their data were read.

Every format keeps the network, and in a comment the choices of reading that are not the usual ones.
bayesloom's own JSON also keeps the record of the search and of EM, as the further members
``learned`` and ``em`` (and those choices as ``reading``), which readers of the network alone pass
over. It holds graphs without parameters, too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bayesloom.data.path import check_place
from bayesloom.errors import BayesloomError, FileFormatError, shown
from bayesloom.learning.structure import directed, extension_of, undirected
from bayesloom.model.files import checked_name
from bayesloom.model.formats import BIF, JSON, format_of

if TYPE_CHECKING:
    from bayesloom.data import Reading
    from bayesloom.engine import Engine
    from bayesloom.graphs import DAG
    from bayesloom.incomplete import EMRun
    from bayesloom.learning.record import Record
    from bayesloom.learning.structure import Structure
    from bayesloom.model import BayesNet

_RECORD, _EM = "learned", "em"


def save_network(
    net: BayesNet,
    path: str | os.PathLike[str],
    record: Record | None = None,
    reading: Reading | None = None,
    em_run: EMRun | None = None,
) -> None:
    """Write a network, and in JSON its record and its reading, whole or not at all.

    Raises
    ------
    FileFormatError
        If the ending is not known or the file cannot be written.
    """
    name = checked_name(path)
    kind = format_of(name)
    chosen = {} if reading is None else reading.memory()
    if kind is JSON:
        from bayesloom.model import json_file

        further = _further(record, chosen)
        if em_run is not None:
            further[_EM] = em_run.to_dict()
        text = json_file.write(net, further)
    else:
        from bayesloom.model.reading_line import with_reading

        text = kind.text_of(net)
        text = with_reading(text, kind.comment, chosen) if chosen and kind.comment else text
    _write(text, path)


def save_bare(
    graph: Structure,
    path: str | os.PathLike[str],
    states: Mapping[str, tuple[str, ...]] | None,
    record: Record | None = None,
    reading: Reading | None = None,
) -> None:
    """Write a graph that has no parameters, whole or not at all; JSON alone can keep one.

    Raises
    ------
    FileFormatError
        If the ending is another or the file cannot be written.
    """
    if not keeps_record(path):
        problem = (
            "no DAG extends the graph, so it has no parameters, and only .json files keep a graph "
            "alone; save it as .json instead (-o net.json)"
            if extension_of(graph) is None
            else "the network has no parameters, and only .json files keep a graph alone; "
            "net.fit(data) gives it some, or write a .json file"
        )
        raise FileFormatError(problem, os.fspath(path))
    from bayesloom.model import graph_file

    chosen = {} if reading is None else reading.memory()
    _write(graph_file.write(graph, states, _further(record, chosen)), path)


def _further(record: Record | None, chosen: dict[str, object]) -> dict[str, object]:
    """Return what JSON keeps besides the network."""
    from bayesloom.model.json_file import READING

    told: dict[str, object] = {} if record is None else {_RECORD: record.to_dict()}
    return told | ({READING: chosen} if chosen else {})


def _write(text: str, path: str | os.PathLike[str]) -> None:
    from bayesloom.model.files import write_text

    check_place(path)
    write_text(text, checked_name(path))


def is_graph_path(path: str | os.PathLike[str]) -> bool:
    """Say whether a file of this name holds a graph alone: DOT or GraphML.

    Examples
    --------
    >>> is_graph_path("net.dot"), is_graph_path("net.graphml.gz"), is_graph_path("net.bif")
    (True, True, False)
    """
    from bayesloom.graphs.exchange import GRAPH_ENDINGS

    return checked_name(path).lower().removesuffix(".gz").endswith(GRAPH_ENDINGS)


def export_graph(graph: Structure, path: str | os.PathLike[str]) -> None:
    """Write a graph for other programs, as DOT or GraphML, whole or not at all.

    Raises
    ------
    FileFormatError
        If the file cannot be written.
    """
    from bayesloom.graphs.exchange import dot_text, graphml_text

    kind = graphml_text if ".graphml" in checked_name(path).lower() else dot_text
    _write(kind(graph.names, directed(graph), undirected(graph)), path)


class Loaded(NamedTuple):
    """What a file holds: graph, DAG that extends it, parameters, records of search, reading, EM."""

    graph: Structure
    extension: DAG | None
    net: BayesNet | None
    record: Record | None
    reading: Reading | None
    em_run: EMRun | None = None


def load_network(path: str | os.PathLike[str]) -> Loaded:
    """Read a network with what its file tells of the search and of the data.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or tells of a search for another network.
    """
    from bayesloom.model.files import read_network_text

    name = checked_name(path)
    kind, text = format_of(name), read_network_text(name)
    if kind is not JSON:
        from bayesloom.model.reading_line import reading_in_text

        net = kind.codec.read(text, name)
        return Loaded(net.dag, net.dag, net, None, reading_in_text(text, name))
    from bayesloom.model import json_file
    from bayesloom.model.graph_file import is_graph

    if is_graph(text):
        return _loaded_graph(text, name)
    net, further = json_file.read_with_members(text, name)
    record = _record_in(further, net.names, name)
    graph = net.dag if record is None else structure_in(record, net.dag, name)
    em_run = _em_run_in(further, name)
    return Loaded(graph, net.dag, net, record, json_file.reading_in(further, name), em_run)


def _em_run_in(further: Mapping[str, object], path: str) -> EMRun | None:
    found = further.get(_EM)
    if not isinstance(found, dict):
        return None
    from bayesloom.incomplete import EMRun

    return EMRun.from_dict(found, path)


def _loaded_graph(text: str, name: str) -> Loaded:
    from bayesloom.data.reading import USUAL
    from bayesloom.model import graph_file, json_file

    graph, states, further = graph_file.read(text, name)
    reading = json_file.reading_in(further, name)
    if states is not None:
        reading = replace(reading or USUAL, states=states)
    record = _record_in(further, graph.names, name)
    return Loaded(graph, extension_of(graph), None, record, reading)


def _record_in(further: Mapping[str, object], names: Sequence[str], path: str) -> Record | None:
    found = further.get(_RECORD)
    if not isinstance(found, dict):
        return None
    import json

    from bayesloom.learning.record import Record

    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # it could not be saved again
        problem = (
            'the member "learned" is damaged (it holds half a character, a lone surrogate); learn '
            "again, or take the member out"
        )
        raise FileFormatError(problem, path) from None
    record = Record.from_dict(found, path)
    _check_belongs(record, names, path)
    return record


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


def notes_on_file(net: BayesNet | None, path: str | os.PathLike[str]) -> list[str]:
    """Return what to know before other programs read a file that a network is saved to."""
    if net is None or is_graph_path(path) or format_of(checked_name(path)) is not BIF:
        return []
    from bayesloom.model.bif import foreign

    found = foreign(net)
    told = f"not every program reads {found} from BIF; pgmpy and pyAgrum do from XMLBIF (.bifxml)"
    return [told] if found else []


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


def check_place_for(engine: Engine, path: str | os.PathLike[str]) -> None:
    """Raise if a network learned from some data cannot be saved under a name: it has numbers.

    Raises
    ------
    ModelError
        If the format has no place for them.
    """
    from bayesloom.engine import numeric_columns

    numeric = numeric_columns(engine)
    if numeric.any() and not is_graph_path(path):
        format_of(checked_name(path)).check_numbers(engine.names[int(numeric.argmax())])


def keeps_record(path: str | os.PathLike[str]) -> bool:
    """Say whether a file of this name keeps how its network was learned."""
    return format_of(checked_name(path)) is JSON


def _check_belongs(record: Record, names: Sequence[str], path: str) -> None:
    """Refuse the record of a search for a network with other variables."""
    known = set(names)
    told = {name for fact in record.facts() for name in fact.variables()}
    told |= {name for pair in record.start for name in pair}
    told |= {name for edge in record.strengths for name in (edge.parent, edge.child)}
    if others := sorted(told - known):
        problem = (
            f'the member "learned" belongs to another network: it tells of '
            f"{shown(repr(others[0]))}, which is "
            "no variable here; learn again, or take the member out"
        )
        raise FileFormatError(problem, path)
