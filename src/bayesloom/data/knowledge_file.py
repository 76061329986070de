"""Read background knowledge from a file, as plain data."""

from __future__ import annotations

import os
from collections.abc import Callable

from bayesloom.data.document import read_document
from bayesloom.errors import FileFormatError, listed, shown

_EDGES = ("required", "forbidden")
_LISTS = ("roots", "leaves")
_KNOWN = (*_EDGES, "tiers", *_LISTS, "belief")


def read_knowledge(path: str | os.PathLike[str]) -> dict[str, list[object]]:
    """Read a JSON or TOML file of background knowledge.

    Its members, all optional, are ``required`` and ``forbidden`` (lists of pairs [parent, child]),
    ``tiers`` (a list of lists of variables), ``roots`` and ``leaves`` (lists of variables), and
    ``belief`` (a list of triples [parent, child, probability]).

    Parameters
    ----------
    path : str or path
        The file, ``.json`` or ``.toml``.

    Returns
    -------
    dict
        The members, ready for ``Knowledge(**members)``.

    Raises
    ------
    FileFormatError
        If the file cannot be read, has another member, or a member of another form.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "known.json")
    ...     _ = path.write_text('{"forbidden": [["B", "A"]], "tiers": [["A"], ["B", "C"]]}')
    ...     read_knowledge(path)
    {'forbidden': [('B', 'A')], 'tiers': [('A',), ('B', 'C')]}
    """
    title = os.fspath(path)
    found = read_document(path, what="knowledge")
    known: dict[str, list[object]] = {}
    for member, value in found.items():
        if member not in _KNOWN:
            problem = f"unknown member {shown(repr(member))}; known are {listed(_KNOWN)}"
            raise FileFormatError(problem, title)
        if not isinstance(value, list):
            problem = f"{member!r} must be a list, got {shown(repr(value))}"
            raise FileFormatError(problem, title)
        read_one = _READERS.get(member, _group)
        known[member] = [read_one(item, member, title) for item in value]
    return known


def _pair(item: object, member: str, title: str) -> tuple[str, ...]:
    if not isinstance(item, list) or len(item) != 2:  # noqa: PLR2004 - a pair
        problem = f"{member!r} holds pairs [parent, child], got {shown(repr(item))}"
        raise FileFormatError(problem, title)
    return _group(item, member, title)


def _group(item: object, member: str, title: str) -> tuple[str, ...]:
    if not isinstance(item, list):
        problem = f"{member!r} holds lists of variables, got {shown(repr(item))}"
        raise FileFormatError(problem, title)
    return tuple(_name(name, member, title) for name in item)


def _belief(item: object, member: str, title: str) -> tuple[str, str, float]:
    if isinstance(item, list) and len(item) == 3:  # noqa: PLR2004 - a triple
        share = item[2]
        if isinstance(share, int | float) and not isinstance(share, bool):
            return _name(item[0], member, title), _name(item[1], member, title), float(share)
    problem = f"{member!r} holds triples [parent, child, probability], got {shown(repr(item))}"
    raise FileFormatError(problem, title)


def _name(item: object, member: str, title: str) -> str:
    if not isinstance(item, str | int) or isinstance(item, bool):
        problem = f"{member!r} names variables by their names, got {shown(repr(item))}"
        raise FileFormatError(problem, title)
    return str(item)


_READERS: dict[str, Callable[[object, str, str], object]] = {
    **dict.fromkeys(_EDGES, _pair),
    **dict.fromkeys(_LISTS, _name),
    "belief": _belief,
}
