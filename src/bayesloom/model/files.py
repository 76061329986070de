"""Reading and writing network files, whose name says the format."""

from __future__ import annotations

import codecs
import os
import re
import zlib
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from bayesloom.data import atomic_file
from bayesloom.errors import FileFormatError
from bayesloom.model.bayes_net import BayesNet, check_net

_MOST_BYTES = 1 << 30
"""The largest file, unpacked, that is read."""

_XML_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


_FORMATS = {
    ".bif": "bif",
    ".xml": "xmlbif",
    ".xmlbif": "xmlbif",
    ".bifxml": "xmlbif",
    ".net": "hugin",
    ".uai": "uai",
    ".json": "json_file",
}
"""The module that reads and writes the files of an ending; only the one needed is imported."""


class _Format(Protocol):
    def read(self, text: str, path: str) -> BayesNet: ...
    def write(self, net: BayesNet) -> str: ...


def load(path: str | os.PathLike[str]) -> BayesNet:
    """Read a network from a file.

    Parameters
    ----------
    path : str or path
        The file. Its ending says the format: ``.bif``, ``.xml`` (also ``.xmlbif``, ``.bifxml``),
        ``.net``, ``.uai`` or ``.json``, each also with ``.gz``.

    Raises
    ------
    FileFormatError
        If the file cannot be read, or is not a network; the message names line and column.

    Examples
    --------
    >>> net = load("alarm.bif.gz")  # doctest: +SKIP
    """
    name = os.fspath(path)
    chosen, packed = _format_of(name)
    try:
        with Path(name).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the file cannot be read ({reason}); check its name"
        raise FileFormatError(problem, name) from None
    if packed:
        data = _unpacked(data, name)
    if len(data) > _MOST_BYTES:
        problem = f"the file holds more than {_MOST_BYTES >> 20} MiB, too much for a network"
        raise FileFormatError(problem, name)
    return chosen.read(_decoded(data, name), name)


def save(net: BayesNet, path: str | os.PathLike[str]) -> None:
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
    ...     save(net, f"{folder}/rain.bif.gz")
    ...     print(load(f"{folder}/rain.bif.gz"))
    BayesNet of 1 variable, 0 edges, 1 free parameter
      rain: no, yes
    """
    check_net(net)
    name = os.fspath(path)
    chosen, packed = _format_of(name)
    if Path(name).exists() and not Path(name).is_file():
        problem = "the file cannot be written: it is a folder or a device, not a file"
        raise FileFormatError(problem, name)
    data = chosen.write(net).encode()
    # A link stays a link: the file it names is replaced.
    with atomic_file(os.path.realpath(name) if Path(name).is_symlink() else name) as file:
        file.write(_packed(data) if packed else data)


def _format_of(name: str) -> tuple[_Format, bool]:
    """Return the format that a file name asks for, and whether the file is packed."""
    plain = name.lower()
    packed = plain.endswith(".gz")
    ending = Path(plain.removesuffix(".gz")).suffix
    if ending not in _FORMATS:
        known = ", ".join(_FORMATS)
        problem = f"unknown ending {ending!r}; network files end in {known}, each also with .gz"
        raise FileFormatError(problem, name)
    return cast("_Format", import_module(f"bayesloom.model.{_FORMATS[ending]}")), packed


def _packed(data: bytes) -> bytes:
    """Pack data with gzip, the same way at any time."""
    import gzip

    return gzip.compress(data, mtime=0)


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
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        place = f"byte {error.start + 1}"
        problem = f"the file is not {encoding} text at {place}; save it as UTF-8"
        raise FileFormatError(problem, name) from None
    except (LookupError, ValueError, AttributeError):
        problem = f"the encoding {encoding!r} is not known; save the file as UTF-8"
        raise FileFormatError(problem, name) from None
