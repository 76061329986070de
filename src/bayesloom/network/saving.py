"""Networks in files together with the record of how they were learned.

Every format keeps the network. bayesloom's own JSON also keeps the record, as a further member
``learned``, which readers of the network alone pass over.
"""

from __future__ import annotations

import os
from pathlib import Path

from bayesloom.data import atomic_file
from bayesloom.data.path import check_place
from bayesloom.errors import FileFormatError
from bayesloom.learning.record import Record
from bayesloom.model import BayesNet, save

ENDINGS = (".bif", ".xml", ".xmlbif", ".bifxml", ".net", ".uai", ".json")
"""The endings of network files, each also with ``.gz``."""


def save_network(net: BayesNet, record: Record | None, path: str | os.PathLike[str]) -> None:
    """Write a network, and in JSON its record, whole or not at all.

    Raises
    ------
    FileFormatError
        If the ending is not known or the file cannot be written.
    """
    name = os.fspath(path)
    if record is None or not _is_json(name):
        save(net, path)
        return
    import gzip
    import json

    from bayesloom.model import json_file

    body = json_file.write(net).rstrip().removesuffix("}")
    story = json.dumps(record.to_dict(), ensure_ascii=False, allow_nan=False)
    data = f'{body}, "learned": {story}}}\n'.encode()
    check_place(path)
    # A link stays a link: the file it names is replaced.
    with atomic_file(Path(name).resolve() if Path(name).is_symlink() else name) as file:
        file.write(gzip.compress(data, mtime=0) if name.lower().endswith(".gz") else data)


def load_record(path: str | os.PathLike[str]) -> Record | None:
    """Read how the network in a file was learned; None if the file does not say.

    Raises
    ------
    FileFormatError
        If the file cannot be read.
    """
    name = os.fspath(path)
    if not _is_json(name):
        return None
    from bayesloom.data.byte_file import MOST_UNPACKED
    from bayesloom.data.document import read_document

    learned = read_document(path, MOST_UNPACKED, "a network").get("learned")
    return Record.from_dict(learned, name) if isinstance(learned, dict) else None


def check_network_path(path: str | os.PathLike[str]) -> None:
    """Raise if a network cannot be saved under a name, before any work is done for it.

    Raises
    ------
    FileFormatError
        If the ending is not known or a file cannot be written there.

    Examples
    --------
    >>> check_network_path("net.doc")
    Traceback (most recent call last):
    bayesloom.errors.FileFormatError: net.doc: unknown ending '.doc'; network files end in .bif, \
.xml, .xmlbif, .bifxml, .net, .uai, .json, each also with .gz
    """
    name = os.fspath(path)
    ending = Path(name.lower().removesuffix(".gz")).suffix
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        problem = f"unknown ending {ending!r}; network files end in {known}, each also with .gz"
        raise FileFormatError(problem, name)
    check_place(path)


def _is_json(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith(".json")
