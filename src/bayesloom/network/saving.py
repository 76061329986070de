"""Networks in files together with the record of how they were learned.

Every format keeps the network. bayesloom's own JSON also keeps the record, as a further member
``learned``, which readers of the network alone pass over.
"""

from __future__ import annotations

import os

from bayesloom.data.path import check_place
from bayesloom.errors import FileFormatError
from bayesloom.learning.record import Record
from bayesloom.model import BayesNet, save
from bayesloom.model.formats import JSON, format_of

_MEMBER = "learned"


def save_network(net: BayesNet, record: Record | None, path: str | os.PathLike[str]) -> None:
    """Write a network, and in JSON its record, whole or not at all.

    Raises
    ------
    FileFormatError
        If the ending is not known or the file cannot be written.
    """
    name = os.fspath(path)
    if record is None or not keeps_record(name):
        save(net, path)
        return
    from bayesloom.model import json_file
    from bayesloom.model.files import write_text

    text = json_file.write(net, {_MEMBER: record.to_dict()})
    check_place(path)
    write_text(text, name)


def load_record(path: str | os.PathLike[str]) -> Record | None:
    """Read how the network in a file was learned; None if the file does not say.

    Raises
    ------
    FileFormatError
        If the file cannot be read.
    """
    name = os.fspath(path)
    if not keeps_record(name):
        return None
    from bayesloom.model import json_file
    from bayesloom.model.draft import FileText
    from bayesloom.model.files import read_network_text

    content = json_file.parse(FileText(read_network_text(name), name), 0)
    if not isinstance(content, dict):
        problem = "expected one object with named members"
        raise FileFormatError(problem, name)
    learned = content.get(_MEMBER)
    return Record.from_dict(learned, name) if isinstance(learned, dict) else None


def check_network_path(path: str | os.PathLike[str]) -> None:
    """Raise if a network cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not known or a file cannot be written there.
    """
    format_of(os.fspath(path))
    check_place(path)


def keeps_record(path: str | os.PathLike[str]) -> bool:
    """Say whether a file of this name keeps how its network was learned."""
    return format_of(os.fspath(path)) is JSON
