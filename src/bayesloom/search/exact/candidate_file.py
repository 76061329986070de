"""Candidate sets of parents in files, in the text format of GOBNILP.

The first line has the number of variables. Then follows for every variable a line with its name and
the number of its sets, and a line for each set: its score, the number of parents, their names.
"""

from __future__ import annotations

import math
import os
from typing import NamedTuple, NoReturn

from bayesloom.data import atomic_file
from bayesloom.data.byte_file import read_text
from bayesloom.data.path import checked_path
from bayesloom.errors import FileFormatError, OptionError, check_kind, shown
from bayesloom.graphs import bits
from bayesloom.search.exact.candidates import CandidateSets, ParentSet, in_order

_MOST_BYTES = 1 << 30
_DIGITS = 9  # of a whole number


def save_candidates(candidates: CandidateSets, path: str | os.PathLike[str]) -> None:
    """Write candidate sets to a text file that GOBNILP reads, whole or not at all.

    Parameters
    ----------
    candidates : CandidateSets
        What `find_candidates` returns.
    path : str or path
        The file.

    Raises
    ------
    OptionError
        If a name is empty, has blanks in it (the format separates names by blanks) or begins with
        ``#`` (the line would be a comment).
    FileFormatError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bayesloom as bl
    >>> found = bl.find_candidates({"rain": ["no", "yes"] * 9, "wet": ["no", "yes"] * 9})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bl.save_candidates(found, pathlib.Path(folder, "rain.scores"))
    ...     print(pathlib.Path(folder, "rain.scores").read_text().splitlines()[:3])
    ['2', 'rain 2', '-2.8903717578961645 1 wet']
    """
    check_kind(
        "candidates", candidates, CandidateSets, "CandidateSets, such as find_candidates returns"
    )
    name = checked_path(path)
    for variable in candidates.names:
        if not variable or variable.split() != [variable]:
            msg = (
                f"the file of candidates separates names by blanks, so {shown(repr(variable))} "
                "cannot be written; rename the column"
            )
            raise OptionError(msg)
        if variable.startswith("#"):
            msg = (
                "a line that begins with # is a comment in a file of candidates, so "
                f"{shown(repr(variable))} cannot be written; rename the column"
            )
            raise OptionError(msg)
    lines = [str(len(candidates.names))]
    for v, variable in enumerate(candidates.names):
        lines.append(f"{variable} {len(candidates.sets[v])}")
        for s in candidates.sets[v]:
            parents = [candidates.names[p] for p in bits(s.parents)]
            lines.append(" ".join([repr(s.score), str(len(parents)), *parents]))
    with atomic_file(name) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def load_candidates(path: str | os.PathLike[str]) -> CandidateSets:
    r"""Read candidate sets from a text file, as GOBNILP and `save_candidates` write it.

    The most parents of a set in the file count as the limit that the sets were found with.

    Raises
    ------
    FileFormatError
        If it is no such file; the message names the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.scores")
    ...     _ = path.write_text("2\nwet 1\n-8.5 0\nrain 2\n-2.9 1 wet\n-8.5 0\n")
    ...     load_candidates(path)
    CandidateSets(2 variables, 3 sets of parents, at most 1 parents)
    """
    name = checked_path(path)
    text = read_text(name, _MOST_BYTES, "a file of candidates")
    lines = [(k, line.split()) for k, line in enumerate(text.split("\n"), start=1)]
    return _Reading(name, [line for line in lines if line[1] and line[1][0][:1] != "#"]).run()


class _Reading:
    """Take the lines of a file one after the other."""

    def __init__(self, path: str, lines: list[tuple[int, list[str]]]) -> None:
        self.path, self.lines, self.at = path, lines, 0

    def run(self) -> CandidateSets:
        """Read all variables; their parents may be named before they are."""
        (count,) = self._next(1, "the number of variables")
        n = self._whole(count)
        found: dict[str, list[_Set]] = {}
        for _ in range(n):
            variable, many = self._next(2, "a variable and the number of its sets")
            if variable in found:
                self._refuse(f"the variable {shown(repr(variable))} is there twice")
            found[variable] = [self._set(variable) for _ in range(self._whole(many))]
        if self.at < len(self.lines):
            self.at += 1
            self._refuse(f"expected the end of the file after {n} variables")
        return self._made(found)

    def _set(self, variable: str) -> _Set:
        parts = self._next(None, f"a set of parents of {shown(repr(variable))}")
        try:
            score = float(parts[0])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            self._refuse(f"expected a score, got {shown(repr(parts[0]))}")
        parents = parts[2:]
        if len(parts) == 1 or len(parents) != self._whole(parts[1]):
            self._refuse("expected a score, the number of parents, and so many parents")
        if variable in parents:
            self._refuse(f"{shown(repr(variable))} is among its own parents")
        if len(set(parents)) < len(parents):
            self._refuse("a parent is there twice")
        return _Set(self.at, score, parents)

    def _made(self, found: dict[str, list[_Set]]) -> CandidateSets:
        names = tuple(sorted(found))
        place = {name: v for v, name in enumerate(names)}
        for name, sets in found.items():
            if not sets:
                problem = f"{name!r} has no set of parents, not even the empty one"
                raise FileFormatError(problem, self.path)
            for self.at, _, parents in sets:
                for parent in parents:
                    if parent not in place:
                        self._refuse(f"{shown(repr(parent))} is no variable of the file")
        made = [
            [ParentSet(s.score, sum(1 << place[p] for p in s.parents)) for s in found[name]]
            for name in names
        ]
        ordered = tuple(tuple(sorted(sets, key=in_order)) for sets in made)
        most = max((s.parents.bit_count() for sets in made for s in sets), default=0)
        return CandidateSets(names, ordered, tuple(s[0].score for s in ordered), max_parents=most)

    def _next(self, many: int | None, wanted: str) -> list[str]:
        if self.at == len(self.lines):
            problem = f"the file ends where {wanted} should be"
            raise FileFormatError(problem, self.path)
        self.at += 1
        parts = self.lines[self.at - 1][1]
        if many is not None and len(parts) != many:
            self._refuse(f"expected {wanted}")
        return parts

    def _whole(self, text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > _DIGITS:
            self._refuse(f"expected a whole number, got {shown(repr(text))}")
        return int(text)

    def _refuse(self, problem: str) -> NoReturn:
        """Raise an error about the line that was read last."""
        raise FileFormatError(problem, self.path, self.lines[self.at - 1][0])


class _Set(NamedTuple):
    """A set of parents as a file has it, and how many lines were read with it."""

    at: int
    score: float
    parents: list[str]
