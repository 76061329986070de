"""The files that a glob, a folder or a list stands for, in the order of their names."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bayesloom.data.path import checked_path
from bayesloom.data.reader import file_kind
from bayesloom.errors import DataError, FileFormatError, OptionError, listed, shown

_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of a data set, and the columns that the names of its folders hold.

    Attributes
    ----------
    partition : tuple of pairs
        Column and value of every folder such as ``year=2024``; None is a missing value.
    row_groups : pair of int, optional
        Of a Parquet file, the first row group and the one after the last, if it is not all.
    """

    path: str
    partition: tuple[tuple[str, str | None], ...] = ()
    row_groups: tuple[int, int] | None = None

    @property
    def title(self) -> str:
        """How messages call it.

        Examples
        --------
        >>> DataFile("a.parquet", row_groups=(2, 4)).title
        'a.parquet (row groups 2 to 3)'
        """
        if self.row_groups is None:
            return self.path
        first, end = self.row_groups
        last = end - 1
        which = f"row group {first}" if first == last else f"row groups {first} to {last}"
        return f"{self.path} ({which})"

    def stamp(self) -> tuple[int, int]:
        """Return what changes when the file does: its size and the time of its last change.

        Copies of the file on other machines may have the same.

        Raises
        ------
        FileFormatError
            If the file is not there.
        """
        found = self._stat()
        return found.st_size, found.st_mtime_ns

    def fingerprint(self) -> tuple[int, int, int]:
        """Return the same, and when the file was last touched, which no copying program can set.

        Raises
        ------
        FileFormatError
            If the file is not there.
        """
        found = self._stat()
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns

    def _stat(self) -> os.stat_result:
        try:
            return Path(self.path).stat()
        except OSError as error:
            problem = f"the file cannot be read ({error.strerror or error}); check its name"
            raise FileFormatError(problem, self.path) from None


def is_dataset(data: object) -> bool:
    """Tell whether a name stands for several files: a folder or a glob.

    Examples
    --------
    >>> is_dataset("big/*.parquet"), is_dataset("alarm.csv")
    (True, False)
    """
    if not isinstance(data, str | os.PathLike):
        return False
    name = os.fsdecode(data)
    return "\0" not in name and (
        Path(name).is_dir() or (glob.has_magic(name) and not Path(name).exists())
    )


def data_files(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
) -> tuple[DataFile, ...]:
    """Return the files of a data set, sorted by name.

    Parameters
    ----------
    source : path or iterable of paths
        A file, a folder with all that lies below it, a glob such as ``big/**/*.parquet``, or a
        list of these. Names that begin with ``.`` or ``_`` are left out of folders. Folders named
        ``column=value`` (hive partitions) are columns of the files in them.

    Raises
    ------
    FileFormatError
        If there is no such file, or one is of no known kind.
    DataError
        If the files are of different kinds.
    OptionError
        If the source is no name.
    """
    if isinstance(source, str | os.PathLike):
        titles = [checked_path(source)]
    elif isinstance(source, Iterable):
        titles = [checked_path(one) for one in source]
    else:
        msg = f"the source must be the name of files, such as 'big/*.parquet', got {source!r}"
        raise OptionError(msg)
    found = {file.path: file for title in titles for file in _files_of(title)}
    files = tuple(found[path] for path in sorted(found))
    if not files:
        msg = "the source must name at least one file, got an empty list"
        raise OptionError(msg)
    kinds = {_family(file_kind(file.path)): file.path for file in files}
    if len(kinds) > 1:
        msg = f"the files are of different kinds, such as {listed(kinds.values())}; read one kind"
        raise DataError(msg)
    return files


def _family(kind: str) -> str:
    """Return what files of several extensions have in common."""
    text = kind.removesuffix(".gz")
    return "text" if text in (".csv", ".tsv", ".txt") else kind


def _files_of(title: str) -> Iterator[DataFile]:
    """Yield the files that one name stands for."""
    place = Path(title)
    if place.is_dir():
        yield from _files_below(place)
    elif is_dataset(title):
        # Path.glob refuses patterns that begin at the root.
        names = [x for x in glob.glob(title, recursive=True) if not Path(x).is_dir()]  # noqa: PTH207
        if not names:
            problem = "no file has such a name; check the pattern"
            raise FileFormatError(problem, title)
        for name in names:
            yield DataFile(name, _partition(Path(name).parent.parts, name))
    else:
        file_kind(title)
        yield DataFile(title)


def _files_below(folder: Path) -> Iterator[DataFile]:
    """Yield all the files below a folder but hidden ones."""
    some = False
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if path.is_dir() or any(part[0] in "._" for part in inside.parts):
            continue
        some = True
        yield DataFile(str(path), _partition(inside.parent.parts, str(path)))
    if not some:
        problem = "there is no file in this folder; name a folder with data, or a file"
        raise FileFormatError(problem, str(folder))


def _partition(parts: Iterable[str], path: str) -> tuple[tuple[str, str | None], ...]:
    """Return the columns that folders such as ``year=2024`` hold."""
    from urllib.parse import unquote

    found: dict[str, str | None] = {}
    for part in parts:
        name, equals, value = map(unquote, part.partition("="))
        if not (equals and name):
            continue
        if name in found:
            msg = f"two folders above it give the column {shown(repr(name))}; rename one of them"
            raise FileFormatError(msg, path)
        found[name] = None if value in (_NO_VALUE, "") else value
    return tuple(found.items())
