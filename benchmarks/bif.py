"""Read the bundled networks, and the edges of BIF files that other programs write."""

from __future__ import annotations

import gzip
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

_TOKEN = re.compile(r'"[^"]*"|[^\s,;|(){}\[\]]+|[;|(){}\[\]]')
_HEAD = re.compile(r"^\s*probability\s*\(([^)]*)\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Network:
    """Names in file order; per name its states, its parents (file order) and its table.

    A table has one axis per parent, in the order of ``parents``, and the node's own states last.
    """

    names: tuple[str, ...]
    states: dict[str, tuple[str, ...]]
    parents: dict[str, tuple[str, ...]]
    tables: dict[str, np.ndarray]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Return all edges, in the order of the children."""
        return [(parent, child) for child in self.names for parent in self.parents[child]]

    def order(self) -> list[str]:
        """Return parents before children, otherwise as early as the file order allows."""
        placed: dict[str, None] = {}
        while len(placed) < len(self.names):
            before = len(placed)
            for name in self.names:
                if name not in placed and all(p in placed for p in self.parents[name]):
                    placed[name] = None
            if len(placed) == before:
                msg = "the network has a directed cycle"
                raise ValueError(msg)
        return list(placed)


def read(path: Path) -> Network:
    """Read a network file as the bundled ones are written."""
    tokens = [token.strip('"') for token in _TOKEN.findall(_text(path))]
    states: dict[str, tuple[str, ...]] = {}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, np.ndarray] = {}
    at = 0
    while at < len(tokens):
        end = _block_end(tokens, at)
        block = tokens[at:end]
        if block[0] == "variable":
            inner = block.index("{", block.index("{") + 1)
            states[block[1]] = tuple(block[inner + 1 : block.index("}")])
        elif block[0] == "probability":
            close = block.index(")")
            child, given = block[2], tuple(block[4:close])
            parents[child] = given
            tables[child] = _table(block[close + 2 : -1], states, child, given)
        at = end
    return Network(tuple(states), states, parents, tables)


def read_edges(path: Path) -> list[tuple[str, str]]:
    """Return the edges of any BIF file, from the heads of its probability blocks alone."""
    edges = []
    for head in _HEAD.findall(_text(path)):
        child, _, given = head.replace('"', " ").partition("|")
        edges += [
            (parent, child.strip()) for parent in re.split(r"[\s,]+", given.strip()) if parent
        ]
    return edges


def _text(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def _block_end(tokens: list[str], at: int) -> int:
    depth = 0
    for i in range(at, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[i], 0)
        if tokens[i] == "}" and depth == 0:
            return i + 1
    msg = "a block of the network file is not closed"
    raise ValueError(msg)


def _table(
    body: list[str], states: dict[str, tuple[str, ...]], child: str, given: tuple[str, ...]
) -> np.ndarray:
    shape = tuple(len(states[name]) for name in (*given, child))
    table = np.full(shape, math.nan)
    row: list[str] = []
    for word in body:
        if word != ";":
            row.append(word)
            continue
        if row[0] == "table":
            table = np.array([float(p) for p in row[1:]]).reshape(shape)
        else:
            close = row.index(")")
            labels = zip(given, row[1:close], strict=True)
            table[tuple(states[p].index(s) for p, s in labels)] = [
                float(p) for p in row[close + 1 :]
            ]
        row = []
    if np.isnan(table).any():
        msg = f"the table of {child} is incomplete"
        raise ValueError(msg)
    return table
