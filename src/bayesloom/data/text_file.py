"""Text files in any encoding, read as the bytes of UTF-8."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesloom.data.byte_file import open_bytes
from bayesloom.errors import FileFormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STANDARD_INPUT = "-"
"""The name under which data come from standard input."""

NAME_THE_ENCODING = (
    "name the encoding of the file, such as encoding='cp1252' (--encoding cp1252), or save it as "
    "UTF-8"
)
"""What to do about bytes that are not UTF-8."""

_BLOCK = 1 << 18  # bytes decoded at a time
_MARKS = {  # longer ones first: that of UTF-32 begins like that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_KINDS = {b"\x1f\x8b": ".csv.gz", b"PAR1": ".parquet", b"ARROW1": ".arrow"}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file of text: where it is, what the user calls it, and how it writes its characters.

    Without an encoding it is UTF-8, or what the byte order mark at its start says.
    """

    path: str
    title: str
    encoding: str | None = None

    @contextmanager
    def open(self) -> Iterator[io.RawIOBase]:
        """Open the file to read its text in order, as UTF-8.

        Reading raises FileFormatError if bytes are no text of the encoding that is named; see also
        `open_bytes`.
        """
        encoding = self.encoding
        if encoding is None:
            with open_bytes(self.path, self.title) as stream:
                start = stream.read(4) or b""
            encoding = next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)
        elif codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            encoding = None
        with open_bytes(self.path, self.title) as stream:
            yield stream if encoding is None else _Recoded(stream, encoding, self.title)


@contextmanager
def spooled_input() -> Iterator[str]:
    """Copy standard input to a file of its kind, which is gone afterwards; give its name.

    Raises
    ------
    FileFormatError
        If there is no standard input.
    """
    import shutil
    import tempfile
    from pathlib import Path

    stream = None if sys.stdin is None else getattr(sys.stdin, "buffer", None)
    if stream is None or stream.closed:
        problem = "there is no standard input to read; name a file"
        raise FileFormatError(problem, "standard input")
    with tempfile.TemporaryDirectory() as folder:
        start = stream.read(max(map(len, _KINDS)))
        kind = next((kind for mark, kind in _KINDS.items() if start.startswith(mark)), ".csv")
        path = Path(folder, f"input{kind}")
        with path.open("wb") as file:
            file.write(start)
            shutil.copyfileobj(stream, file)
        yield str(path)


class _Recoded(io.RawIOBase):
    """The text of a stream in another encoding, as UTF-8."""

    def __init__(self, stream: io.RawIOBase, encoding: str, title: str) -> None:
        self._stream, self._encoding, self._title = stream, encoding, title
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._held = b""
        self._lines = 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Recode some bytes; 0 at the end."""
        into = memoryview(buffer).cast("B")
        more = True
        while more and not self._held:
            block = self._stream.read(_BLOCK) or b""
            more = bool(block)
            self._held = self._recoded(block, is_last=not more)
        size = min(len(into), len(self._held))
        into[:size] = self._held[:size]
        self._held = self._held[size:]
        return size

    def _recoded(self, block: bytes, *, is_last: bool) -> bytes:
        try:
            text = self._decoder.decode(block, is_last)
            self._lines += text.count("\n")
            return text.encode()
        except UnicodeError as error:
            start = getattr(error, "start", 0)
            before = block[:start].decode(self._encoding, "ignore")
            what = f"the byte 0x{block[start]:02x}" if start < len(block) else "the end of the file"
            problem = (
                f"{what} is no text of the encoding {self._encoding!r}; name the encoding that the "
                "file has (encoding=, --encoding)"
            )
            line = self._lines + before.count("\n")
            raise FileFormatError(problem, self._title, line) from None
