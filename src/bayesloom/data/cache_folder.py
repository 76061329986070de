"""The folder of caches: files of codes by the fingerprint of what they were made of."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from bayesloom.data.atomic import atomic_file, is_left_over, process_mark, sweep_drafts
from bayesloom.data.block_cache import BLOCK_ROWS, BlockCache, BlockWriter, DamagedCacheError
from bayesloom.data.path import checked_path
from bayesloom.data.scan import Scan, Sink
from bayesloom.errors import FileFormatError

CACHE_VARIABLE = "BAYESLOOM_CACHE"
"""The environment variable that names the folder of caches."""

_ENDING = ".codes"
_ANOTHER = f"choose another folder (cache=, --cache, {CACHE_VARIABLE})"
_HOUR = 3600.0
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_ONCE = re.compile(r"once-(?P<host>[0-9a-f]{8})-(?P<process>[0-9]+)-.*", re.DOTALL)

Fill = Callable[[Sink], Scan]
"""Reads a source: hands the numbers of its values to a sink and says what they stand for."""


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """One file of the folder: what it is called, what it holds and how large it is."""

    key: str
    source: str
    n_rows: int
    n_columns: int
    n_bytes: int
    used: float
    """When it was last opened, to the hour, in seconds since 1970."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain data."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.used))
        return {
            "key": self.key,
            "source": self.source,
            "rows": self.n_rows,
            "columns": self.n_columns,
            "bytes": self.n_bytes,
            "used": stamp,
        }


class CacheFolder:
    """A folder with caches.

    Parameters
    ----------
    path : path, optional
        The folder. Default: what the environment variable ``BAYESLOOM_CACHE`` names, or else
        ``bayesloom`` in the user's folder of caches (``XDG_CACHE_HOME`` or ``~/.cache``).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     CacheFolder(folder).entries()
    []
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = usual_folder() if path is None else Path(checked_path(path))

    def open(
        self,
        fingerprint: Mapping[str, Any],
        source: str,
        fill: Fill,
        block_rows: int = BLOCK_ROWS,
    ) -> BlockCache:
        """Return the cache of a source, made now unless it is there and whole.

        Parameters
        ----------
        fingerprint : mapping
            Plain data that change whenever the codes might: files, times, options.
        source : str
            How the user calls the source.
        fill : callable
            Reads the source if need be.
        block_rows : int
            How many rows a block has.

        Raises
        ------
        FileFormatError
            If the cache cannot be written.
        """
        told = json.dumps([fingerprint, block_rows], sort_keys=True)
        key = hashlib.sha256(told.encode()).hexdigest()[:16]
        place = self.path / f"{key}{_ENDING}"
        _touch(place)
        found = _whole(place)
        if found is None:
            self._make_folder()
            _write(place, fill, {"source": source, "fingerprint": told}, block_rows)
            found = BlockCache.open(place)
        return found

    def make_for_once(self, source: str, fill: Fill, block_rows: int = BLOCK_ROWS) -> BlockCache:
        """Return a cache of a source without a fingerprint; it is gone when nobody uses it.

        Raises
        ------
        FileFormatError
            If the cache cannot be written.
        """
        self._make_folder()
        self._sweep()
        try:
            folder = Path(tempfile.mkdtemp(prefix=f"once-{process_mark()}-", dir=self.path))
        except OSError as error:
            raise _cannot_write(self.path, error) from None
        place = folder / f"once{_ENDING}"
        try:
            with place.open("xb") as file:
                _fill(file, fill, {"source": source}, block_rows)
            found = BlockCache.open(place)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise _cannot_write(place, error) from None
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        weakref.finalize(found, shutil.rmtree, folder, ignore_errors=True)
        return found

    def _sweep(self) -> None:
        """Remove what killed processes have left in the folder."""
        sweep_drafts(self.path)
        with suppress(OSError):
            for folder in self.path.glob("once-*"):
                found = _ONCE.fullmatch(folder.name)
                if found and is_left_over(found["host"], int(found["process"])):
                    shutil.rmtree(folder, ignore_errors=True)

    def entries(self) -> list[CacheEntry]:
        """Return what is in the folder, the latest used first; leftovers of killed runs go."""
        if not self.path.is_dir():
            return []
        self._sweep()
        found = [_entry(file) for file in self.path.glob(f"*{_ENDING}")]
        return sorted(found, key=lambda entry: (-entry.used, entry.key))

    def remove(self, name: str) -> list[CacheEntry]:
        """Remove the entries with a key, or of a source, and return them.

        Raises
        ------
        FileFormatError
            If there is none.
        """
        chosen = [e for e in self.entries() if name in (e.key, e.source)]
        if not chosen:
            problem = f"there is no cache {name!r}; `bayesloom cache list` shows what there is"
            raise FileFormatError(problem, os.fspath(self.path))
        return self._removed(chosen)

    def clear(self) -> list[CacheEntry]:
        """Remove all entries and return them."""
        return self._removed(self.entries())

    def _removed(self, entries: list[CacheEntry]) -> list[CacheEntry]:
        for entry in entries:
            (self.path / f"{entry.key}{_ENDING}").unlink(missing_ok=True)
        return entries

    def _make_folder(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            if self.path.exists():
                problem = f"this is a file, and caches need a folder; {_ANOTHER}"
            else:
                problem = f"this folder cannot be made ({error.strerror or error}); {_ANOTHER}"
            raise FileFormatError(problem, os.fspath(self.path)) from None


def usual_folder() -> Path:
    """Return the folder of caches if nobody names one."""
    own = os.environ.get(CACHE_VARIABLE)
    if own:
        return Path(own)
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "bayesloom"


def _touch(place: Path) -> None:
    """Note that a cache is used; not every time, as engines that have it open compare it again."""
    with suppress(OSError):
        if time.time() - place.stat().st_mtime > _HOUR:
            os.utime(place)


def _whole(place: Path) -> BlockCache | None:
    """Return a cache that is there and whole; a damaged one is removed."""
    try:
        found = BlockCache.open(place)
        found.blocks.check()
    except FileNotFoundError:
        return None
    except (DamagedCacheError, OSError, RuntimeError):
        with suppress(OSError):
            place.unlink()
        return None
    return found


def _write(place: Path, fill: Fill, about: Mapping[str, Any], block_rows: int) -> None:
    try:
        with atomic_file(place) as file:
            _fill(file, fill, about, block_rows)
    except FileFormatError as error:
        if error.path != os.fspath(place):
            raise
        if not isinstance(error.__context__, OSError):
            raise
        raise _cannot_write(place, error.__context__) from None


def _fill(file: BinaryIO, fill: Fill, about: Mapping[str, Any], block_rows: int) -> None:
    writer = BlockWriter(file, block_rows)
    writer.finish(fill(writer.take), about)


def _cannot_write(place: Path, error: OSError) -> FileFormatError:
    """Say why a cache cannot be written; only where the disk is full does it help to make room."""
    room = "make room (`bayesloom cache clear`), or " if error.errno in _FULL else ""
    problem = f"the cache cannot be written ({error.strerror or error}); {room}{_ANOTHER}"
    return FileFormatError(problem, os.fspath(place))


def _entry(file: Path) -> CacheEntry:
    stat = file.stat()
    try:
        found = BlockCache.open(file)
    except (DamagedCacheError, OSError):
        return CacheEntry(file.stem, "damaged", 0, 0, stat.st_size, stat.st_mtime)
    return CacheEntry(
        file.stem,
        str(found.about.get("source")),
        int(found.n_rows.sum()),
        len(found.names),
        stat.st_size,
        stat.st_mtime,
    )
