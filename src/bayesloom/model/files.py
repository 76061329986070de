"""Reading and writing network files, whose name says the format."""

from __future__ import annotations

import codecs
import os
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from bayesloom.data import atomic_file
from bayesloom.errors import FileFormatError, check_kind
from bayesloom.model.any_net import AnyNet, as_bayes_net
from bayesloom.model.bayes_net import BayesNet
from bayesloom.model.formats import JSON, format_of

if TYPE_CHECKING:
    from bayesloom.data import Reading

_MOST_BYTES = 1 << 30
"""The largest file, unpacked, that is read."""

_XML_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_ENCODINGS = frozenset(
    {"ascii", "cp1252", "iso8859-1", "iso8859-15", "utf-8", "utf-16", "utf-16-be", "utf-16-le"}
)
"""What an XML declaration may name; other codecs of Python take long, fail oddly or run code."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def load_net(path: str | os.PathLike[str]) -> BayesNet:
    """Read a network from a file.

    Parameters
    ----------
    path : str or path
        The file. Its ending says the format, one of `bayesloom.model.formats.FORMATS`: BIF,
        XMLBIF, Hugin, UAI or bayesloom's own JSON, each also packed as ``.gz``.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is not a network; the message names line and column.

    Examples
    --------
    >>> net = load_net("alarm.bif.gz")  # doctest: +SKIP
    """
    name = checked_name(path)
    kind = format_of(name)
    text = read_network_text(name)
    if kind is JSON:
        from bayesloom.model.graph_file import is_graph, read, without_parameters

        if is_graph(text):
            raise FileFormatError(without_parameters(read(text, name)[0]), name)
    return kind.codec.read(text, name)


def reading_in_file(path: str | os.PathLike[str]) -> Reading | None:
    """Return how the data of a network in a file were read; None if as usual, or not told.

    Raises
    ------
    FileFormatError
        If the file cannot be read.
    """
    name = checked_name(path)
    if format_of(name) is not JSON:
        from bayesloom.model.reading_line import reading_in_text

        return reading_in_text(read_network_text(name), name)
    from bayesloom.model import json_file

    _, further = json_file.read_with_members(read_network_text(name), name)
    return json_file.reading_in(further, name)


def save_net(net: AnyNet, path: str | os.PathLike[str]) -> None:
    """Write a network to a file, whole or not at all.

    Parameters
    ----------
    net : BayesNet
        The network.
    path : str or path
        The file. Its ending says the format, as for `load`. A file that is there is replaced.

    Raises
    ------
    FileFormatError
        If the ending is not known or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> net = BayesNet.from_tables({"rain": (["no", "yes"], [], [0.8, 0.2])})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_net(net, f"{folder}/rain.bif.gz")
    ...     print(load_net(f"{folder}/rain.bif.gz"))
    BayesNet of 1 variable, 0 edges, 1 free parameter
      rain: no, yes
    """
    bayes = as_bayes_net(net)
    name = checked_name(path)
    write_text(format_of(name).text_of(bayes), name)


def read_network_text(name: str) -> str:
    """Read the text of a network file, unpacked if its name ends in ``.gz``.

    Raises
    ------
    FileFormatError
        If the file cannot be read, is too large, damaged or not text.
    """
    try:
        with Path(name).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the file cannot be read ({reason}); check its name"
        raise FileFormatError(problem, name) from None
    if name.lower().endswith(".gz"):
        data = _unpacked(data, name)
    if len(data) > _MOST_BYTES:
        problem = f"the file holds more than {_MOST_BYTES >> 20} MiB, too much for a network"
        raise FileFormatError(problem, name)
    return _decoded(data, name)


def write_text(text: str, name: str) -> None:
    """Write the text of a network file, packed if its name ends in ``.gz``, whole or not at all.

    Raises
    ------
    FileFormatError
        If the file cannot be written.
    """
    if Path(name).exists() and not Path(name).is_file():
        problem = "the file cannot be written: it is a folder or a device, not a file"
        raise FileFormatError(problem, name)
    data = text.encode()
    if name.lower().endswith(".gz"):
        import gzip

        data = gzip.compress(data, mtime=0)  # the same bytes at any time
    # A link stays a link: the file it names is replaced.
    with atomic_file(os.path.realpath(name) if Path(name).is_symlink() else name) as file:
        file.write(data)


def checked_name(path: object) -> str:
    """Return a path as text, or say that it is none."""
    wanted = "the name of a file, such as 'net.bif'"
    check_kind("path", path, str | os.PathLike, wanted)
    name = os.fspath(path)  # type: ignore[call-overload]
    check_kind("path", name, str, wanted)
    return str(name)


def _unpacked(data: bytes, name: str) -> bytes:
    """Unpack gzip data, at most a little more than what is read."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    pieces, size = [], 0
    try:
        while data and size <= _MOST_BYTES:
            pieces.append(unpacker.decompress(data, _MOST_BYTES + 1 - size))
            size += len(pieces[-1])
            data = unpacker.unconsumed_tail
            if unpacker.eof:
                data = unpacker.unused_data.lstrip(b"\0")
                if data:
                    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    except zlib.error as error:
        problem = f"the file is not gzip or is damaged ({error})"
        raise FileFormatError(problem, name) from None
    if not unpacker.eof and size <= _MOST_BYTES:
        problem = "the gzip file ends too early"
        raise FileFormatError(problem, name)
    return b"".join(pieces)


def _decoded(data: bytes, name: str) -> str:
    """Turn bytes into text: UTF-8, or what a byte order mark or an XML declaration says."""
    encoding = "utf-8"
    for mark, found in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            encoding = found
    if encoding == "utf-8" and (declared := _XML_ENCODING.match(data)) is not None:
        encoding = declared[1].decode("ascii")
        if _codec_name(encoding) not in _ENCODINGS:
            problem = f"the encoding {encoding!r} is not known; save the file as UTF-8"
            raise FileFormatError(problem, name)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        place = f"byte {error.start + 1}"
        problem = f"the file is not {encoding} text at {place}; save it as UTF-8"
        raise FileFormatError(problem, name) from None


def _codec_name(encoding: str) -> str:
    """Return Python's own name of an encoding; empty if it has none."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""
