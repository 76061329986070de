"""Read the bytes of files, packed with gzip or not: within bounds, and not while they change."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bayesloom.errors import FileFormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST_UNPACKED = 1 << 30
"""So many bytes may be unpacked from any file, however small."""

MOST_TIMES = 100
"""A packed file may be so many times as large when it is unpacked, even if that is more."""

CHANGED = "the file was changed while it was read; read it again when it is complete"
_CUT = "it ends too early"
_BLOCK = 1 << 18  # packed bytes taken at a time


@contextmanager
def open_bytes(path: str, title: str | None = None) -> Iterator[io.RawIOBase]:
    """Open a file to read its bytes in order; they are unpacked if the name ends in ``.gz``.

    Errors call it by its ``title``, which is its path unless one is given.
    Reading raises FileFormatError if the file changes meanwhile, and if it is packed and damaged or
    unpacks to more than ``MOST_UNPACKED`` bytes and ``MOST_TIMES`` its size.

    Raises
    ------
    OSError
        If the file cannot be opened.
    """
    with _Unchanged(path, title or path) as file:
        yield _Unpacked(file) if path.lower().endswith(".gz") else file


def read_bytes(path: str, most: int, what: str) -> bytes:
    """Return the bytes of a file, unpacked if the name ends in ``.gz``.

    Raises
    ------
    FileFormatError
        If the file cannot be read or holds more than ``most`` bytes, too many for ``what``.
    """
    try:
        with open_bytes(path) as file:
            pieces, size = [], 0
            while piece := file.read(_BLOCK):
                pieces.append(piece)
                size += len(piece)
                if size > most:
                    problem = (
                        f"the file holds more than {most >> 20} MiB, too much for {what}; leave "
                        "out what is not needed"
                    )
                    raise FileFormatError(problem, path)
            return b"".join(pieces)
    except (OSError, ValueError) as error:
        if isinstance(error, FileFormatError):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the file cannot be read ({reason}); check its name"
        raise FileFormatError(problem, path) from None


def read_text(path: str, most: int, what: str) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark; see `read_bytes`.

    Raises
    ------
    FileFormatError
        As `read_bytes`, or if the file is not UTF-8.
    """
    try:
        return read_bytes(path, most, what).decode("utf-8-sig")
    except UnicodeDecodeError:
        problem = "the file is not UTF-8 text; save it as UTF-8"
        raise FileFormatError(problem, path) from None


def pack(data: bytes) -> bytes:
    """Pack bytes with gzip, the same bytes in the same way at any time."""
    import gzip

    return gzip.compress(data, mtime=0)


class _Unchanged(io.RawIOBase):
    """The bytes of a file that nobody changes before the last one is read."""

    def __init__(self, path: str, title: str) -> None:
        self.title = title
        self._file = io.FileIO(path)
        self._before = self._look()

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._before[0]

    def _look(self) -> tuple[int, int]:
        found = os.fstat(self._file.fileno())
        return found.st_size, found.st_mtime_ns

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read some bytes; 0 at the end."""
        n = self._file.readinto(buffer) or 0
        if n == 0 and self._look() != self._before:
            raise FileFormatError(CHANGED, self.title)
        return n

    def close(self) -> None:
        self._file.close()
        super().close()


class _Unpacked(io.RawIOBase):
    """The bytes that a gzip file holds, member by member."""

    def __init__(self, file: _Unchanged) -> None:
        self._file = file
        self._unpacker = _new_unpacker()
        self._packed = b""
        self._left = max(MOST_UNPACKED, MOST_TIMES * file.size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Unpack some bytes; 0 at the end."""
        into = memoryview(buffer).cast("B")
        while len(into) and not (self._unpacker.eof and not self._has_another_member()):
            self._packed = self._packed or self._file.read(_BLOCK) or b""
            is_last = not self._packed
            try:
                found = self._unpacker.decompress(self._packed, len(into))
            except zlib.error as error:
                raise self._damaged(str(error)) from None
            self._packed = self._unpacker.unconsumed_tail or self._unpacker.unused_data
            if found:
                self._count(len(found))
                into[: len(found)] = found
                return len(found)
            if is_last:
                raise self._damaged(_CUT)
        return 0

    def _has_another_member(self) -> bool:
        """Go on to the next member, past the zeros that may stand before it, if there is one."""
        while not (packed := self._packed.lstrip(b"\0")):
            self._packed = self._file.read(_BLOCK) or b""
            if not self._packed:
                return False
        self._packed, self._unpacker = packed, _new_unpacker()
        return True

    def _count(self, n: int) -> None:
        self._left -= n
        if self._left < 0:
            problem = (
                f"the file unpacks to more than {MOST_TIMES} times its size, more than any table "
                "would; if that is right, unpack it with gunzip and read what comes out"
            )
            raise FileFormatError(problem, self._file.title)

    def _damaged(self, reason: str) -> FileFormatError:
        problem = f"the file cannot be unpacked ({reason}); compress it again with gzip"
        return FileFormatError(problem, self._file.title)


def _new_unpacker() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
