"""Codes of rows in a compact file: blocks of bit planes, and at the end all there is to know.

A file begins with a magic word; then come the blocks, each the bit planes of its columns, and then
the description of all (JSON) with its length, its checksum and the magic word again. It is written
under another name and renamed when it is complete, so a file that is there is whole, and whatever
else happens to it is found by its checksums: all blocks are compared with theirs when a cache is
opened, and again once they have been read and the file no longer looks as it did then.
"""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.data.census import ValueNumbers
from bayesloom.data.scan import Scan
from bayesloom.processor import n_processors

BLOCK_ROWS = 102_400
"""How many rows a block has, but for the last."""

_MAGIC = b"BLCODES1"
_TAIL = struct.Struct("<QI8s")  # length and checksum of the description, magic word
_TICK = 0.02  # seconds; a file that changes twice within them may look the same after both


class DamagedCacheError(ValueError):
    """A file of blocks is not what was written."""


class BlockWriter:
    """Write the numbers of values that a scan finds, block after block.

    Parameters
    ----------
    file : binary file
        Where to write, from its start.
    block_rows : int
        How many rows a block has, but for the last.
    """

    def __init__(self, file: BinaryIO, block_rows: int = BLOCK_ROWS) -> None:
        self._file, self._rows = file, block_rows
        self._columns: list[npt.NDArray[Any]] = []
        self._filled = 0
        self._place: list[int] = []
        self._n_rows: list[int] = []
        self._planes: list[list[int]] = []
        self._sums: list[int] = []
        self._at = file.write(_MAGIC.ljust(64, b"\0"))

    def take(self, codes: Sequence[ValueNumbers]) -> None:
        """Take some rows: one array of numbers per column."""
        if not self._columns:
            self._columns = [np.empty(self._rows, some.dtype) for some in codes]
        for v, some in enumerate(codes):
            if some.dtype.itemsize > self._columns[v].dtype.itemsize:
                self._columns[v] = self._columns[v].astype(some.dtype)
        start, n = 0, len(codes[0])
        while start < n:
            stop = min(n, start + self._rows - self._filled)
            for column, some in zip(self._columns, codes, strict=True):
                column[self._filled : self._filled + stop - start] = some[start:stop]
            self._filled += stop - start
            start = stop
            if self._filled == self._rows:
                self._flush()

    def _flush(self) -> None:
        n = self._filled
        if not n:
            return
        columns = [column[:n] for column in self._columns]
        planes = [int(column.max()).bit_length() for column in columns]
        block = _native.pack_planes(columns, planes, n_processors()).view(np.uint8).data
        self._file.write(block)
        self._place.append(self._at)
        self._n_rows.append(n)
        self._planes.append(planes)
        self._sums.append(zlib.crc32(block))
        self._at += len(block)
        self._filled = 0

    def finish(self, scan: Scan, about: Mapping[str, Any]) -> None:
        """Write the rest, and what the scan has agreed on."""
        self._flush()
        counts = [  # how often each state occurs
            np.bincount(code, weights=some, minlength=len(states)).astype(np.int64)
            for code, some, states in zip(scan.code_of, scan.counts, scan.states, strict=True)
        ]
        told = {
            "about": dict(about),
            "names": scan.names,
            "states": scan.states,
            "notes": scan.notes,
            "counts": [some.tolist() for some in counts],
            "code_of": [code.tolist() for code in scan.code_of],
            "place": self._place,
            "n_rows": self._n_rows,
            "planes": self._planes,
            "checksums": self._sums,
        }
        text = json.dumps(told, ensure_ascii=True).encode()
        self._file.write(text)
        self._file.write(_TAIL.pack(len(text), zlib.crc32(text), _MAGIC))


class WatchedBlocks:
    """The blocks of an open file, which are known to be whole as long as the file is not touched.

    Parameters
    ----------
    file : BlockFile
        The blocks.
    checksums : sequence of int
        That of every block.
    """

    def __init__(self, file: _native.BlockFile, checksums: Sequence[int]) -> None:
        self.file = file
        self._checksums = tuple(checksums)
        self._seen = file.stamp(), time.monotonic()
        self._whole: tuple[int, ...] | None = None  # the stamp of a file that was compared

    def check(self) -> None:
        """Make sure that what was read of the blocks until now is what was written.

        They are compared with their checksums unless the file looks as it did when that was done.
        A change within the same tick of the file's clock does not show, so what is compared before
        the tick is over is compared again.

        Raises
        ------
        DamagedCacheError
            If a block differs.
        """
        stamp = self.file.stamp()
        if stamp == self._whole:
            return
        if stamp != self._seen[0]:
            self._seen = stamp, time.monotonic()
        settled = self._seen[1] + _TICK
        early = 0
        for block in range(len(self._checksums)):
            if time.monotonic() < settled:
                early = block + 1
            self._compare(block)
        if time.monotonic() >= settled:
            for block in range(early):
                self._compare(block)
            self._whole = stamp

    def _compare(self, block: int) -> None:
        if zlib.crc32(self.file.planes(block).data) != self._checksums[block]:
            msg = "a block differs from its checksum"
            raise DamagedCacheError(msg)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class BlockCache:
    """A file of blocks that is open."""

    path: str
    about: dict[str, Any]
    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    counts: tuple[npt.NDArray[np.int64], ...]
    n_rows: npt.NDArray[np.int64]
    planes: npt.NDArray[np.uint8]
    blocks: WatchedBlocks

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> BlockCache:
        """Read the description of a file.

        Raises
        ------
        DamagedCacheError
            If it is not what was written.
        OSError
            If it cannot be read.
        """
        with Path(path).open("rb") as file:
            told, size = _description(file)
        try:
            return cls._of(os.fspath(path), told, size)
        except (KeyError, TypeError, ValueError, OverflowError, RuntimeError) as error:
            raise DamagedCacheError(str(error)) from None

    @classmethod
    def _of(cls, path: str, told: dict[str, Any], size: int) -> BlockCache:
        """Return the cache of a description; its blocks have so many bytes."""
        names = tuple(map(str, told["names"]))
        states = tuple(map(tuple, told["states"]))
        counts = tuple(np.array(some, np.int64) for some in told["counts"])
        place, n_rows = np.array(told["place"], np.int64), np.array(told["n_rows"], np.int64)
        planes = np.array(told["planes"], np.uint8)
        code_of = [np.array(some, np.uint16) for some in told["code_of"]]
        cardinality = np.array([len(each) for each in states], np.int32)
        file = _native.BlockFile(path, place, n_rows, planes.ravel(), code_of, cardinality)
        ends = place.astype(object) + _sizes(n_rows, planes)  # whole numbers of any size
        fits = len(names) == len(states) and len(told["checksums"]) == len(place)
        for known, each in zip(states, counts, strict=True):
            fits &= len(each) - len(known) in (0, 1) and each.sum() == n_rows.sum()
        if not (fits and max(ends) <= size):
            msg = "the description does not fit the blocks"
            raise DamagedCacheError(msg)
        blocks = WatchedBlocks(file, told["checksums"])
        notes = tuple(map(str, told["notes"]))
        return cls(path, dict(told["about"]), names, states, notes, counts, n_rows, planes, blocks)

    def __reduce__(self) -> tuple[Callable[[str], BlockCache], tuple[str]]:
        """Open copies anew."""
        return BlockCache.open, (self.path,)

    @property
    def n_bytes(self) -> int:
        """How many bytes all blocks have together."""
        return sum(_sizes(self.n_rows, self.planes))


def _sizes(n_rows: npt.NDArray[np.int64], planes: npt.NDArray[np.uint8]) -> list[int]:
    """Return the size of every block."""
    return list(map(_block_bytes, n_rows.tolist(), planes.sum(axis=1).tolist()))


def _block_bytes(n_rows: int, n_planes: int) -> int:
    """Return the size of a block: whole lines of 512 rows."""
    return n_planes * ((n_rows + 511) // 512 * 64)


def _description(file: BinaryIO) -> tuple[dict[str, Any], int]:
    """Return the description of a file, and where it begins."""
    size = os.fstat(file.fileno()).st_size
    if size < len(_MAGIC) + _TAIL.size or file.read(len(_MAGIC)) != _MAGIC:
        raise DamagedCacheError
    file.seek(size - _TAIL.size)
    length, checksum, magic = _TAIL.unpack(file.read(_TAIL.size))
    if magic != _MAGIC or length > size - _TAIL.size:
        raise DamagedCacheError
    file.seek(size - _TAIL.size - length)
    text = file.read(length)
    if zlib.crc32(text) != checksum:
        raise DamagedCacheError
    told: dict[str, Any] = json.loads(text)
    return told, size - _TAIL.size - length
