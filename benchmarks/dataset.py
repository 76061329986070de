"""The data files of the benchmark: drawn once from known networks, then kept in ``.work``."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

import bif

HERE = Path(__file__).resolve().parent
WORK = HERE / ".work"
SEED = 1
HIDDEN = "hidden cause"


@dataclass(frozen=True, slots=True)
class Codes:
    """Codes 0..r-1 with one row of ``columns`` per variable; ``states`` are those that occur."""

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    columns: np.ndarray
    cardinality: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cardinality", tuple(map(len, self.states)))

    @property
    def n_rows(self) -> int:
        """Return the number of rows of the data file."""
        return self.columns.shape[1]


@cache
def network(name: str) -> bif.Network:
    """Return a bundled network, or a made one: ``syn500`` of 500 nodes, ``items100`` of items."""
    if name.startswith("syn"):
        return _made_network(int(name.removeprefix("syn")))
    if name.startswith("items"):
        return _items(int(name.removeprefix("items")))
    return bif.read(HERE / "networks" / f"{name}.bif.gz")


def _made_network(n: int) -> bif.Network:
    """Draw a network: 2 to 4 states, 0 to 3 earlier nodes as parents (1.55 on average)."""
    rng = np.random.default_rng(n)
    names = tuple(f"v{i:04}" for i in range(n))
    sizes = rng.integers(2, 5, n)
    states = {name: tuple("abcd"[:r]) for name, r in zip(names, sizes, strict=True)}
    parents, tables = {}, {}
    for i, name in enumerate(names):
        count = min(i, rng.choice(4, p=(0.15, 0.35, 0.3, 0.2)))
        given = rng.choice(i, count, replace=False) if count else []
        parents[name] = tuple(names[p] for p in given)
        tables[name] = rng.dirichlet(np.full(sizes[i], 0.5), tuple(sizes[p] for p in given))
    return bif.Network(names, states, parents, tables)


def _items(n: int) -> bif.Network:
    """Draw a network of binary items that all have one parent, which no data file shows."""
    rng = np.random.default_rng(n)
    items = tuple(f"i{i:03}" for i in range(n))
    names, no_yes = (HIDDEN, *items), ("no", "yes")
    low, high = rng.uniform(0.05, 0.45, n), rng.uniform(0.55, 0.95, n)
    tables = {
        item: np.array([[1 - a, a], [1 - b, b]])
        for item, a, b in zip(items, low, high, strict=True)
    }
    parents = dict.fromkeys(items, (HIDDEN,))
    return bif.Network(
        names,
        dict.fromkeys(names, no_yes),
        {HIDDEN: (), **parents},
        {HIDDEN: np.array([0.5, 0.5]), **tables},
    )


def bif_file(name: str) -> Path:
    """Return a bundled network as an uncompressed file."""
    path = WORK / "networks" / f"{name}.bif"
    if not path.exists():
        packed = HERE / "networks" / f"{name}.bif.gz"
        _write_whole(path, gzip.decompress(packed.read_bytes()))
    return path


def csv_file(name: str, rows: int, seed: int = SEED) -> Path:
    """Return a file of ``rows`` rows drawn from the network, without constant or hidden columns."""
    path = WORK / "data" / (f"{name}-{rows}" + f"-{seed}" * (seed != SEED) + ".csv")
    if not path.exists() or not _codes_file(path).exists():
        write_codes(_occurring(network(name), sample(network(name), rows, seed)), path)
    return path


def write_codes(codes: Codes, path: Path) -> None:
    """Write rows as a CSV file, and beside it as `load_codes` reads them."""
    labels = [
        np.array(s, dtype=object)[c] for s, c in zip(codes.states, codes.columns, strict=True)
    ]
    lines = [",".join(codes.names), *map(",".join, zip(*labels, strict=True)), ""]
    _write_whole(path, "\n".join(lines).encode())
    _write_whole(_codes_file(path), codes.columns.tobytes())
    about = {"names": codes.names, "states": codes.states, "type": codes.columns.dtype.str}
    _write_whole(path.with_suffix(".json"), json.dumps(about).encode())


def load_codes(csv: Path) -> Codes:
    """Return the rows of a file made by ``csv_file`` without parsing it."""
    about = json.loads(csv.with_suffix(".json").read_text())
    flat = np.fromfile(_codes_file(csv), dtype=about["type"])
    states = tuple(map(tuple, about["states"]))
    return Codes(tuple(about["names"]), states, flat.reshape(len(states), -1))


def codes_and_class(csv: str, target: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes of all other variables, one row per row, and those of the class."""
    codes = load_codes(Path(csv))
    place = codes.names.index(target)
    columns = codes.columns.astype(np.int64)
    return np.ascontiguousarray(np.delete(columns, place, axis=0).T), columns[place]


def sample(net: bif.Network, rows: int, seed: int) -> np.ndarray:
    """Draw rows, parents first, one uniform number per cell; row v of the result is variable v."""
    rng = np.random.default_rng(seed)
    place = {name: v for v, name in enumerate(net.names)}
    codes = np.zeros((len(net.names), rows), dtype=np.uint8)
    for name in net.order():
        given = net.parents[name]
        config = np.zeros(rows, dtype=np.intp)
        for parent in given:
            config = config * len(net.states[parent]) + codes[place[parent]]
        r = len(net.states[name])
        bounds = np.cumsum(net.tables[name].reshape(-1, r), axis=1)
        bounds /= bounds[:, -1:]  # the files round their probabilities
        draw = rng.random(rows)
        for state in range(r - 1):
            codes[place[name]] += draw >= bounds[config, state]
    return codes


def _occurring(net: bif.Network, codes: np.ndarray) -> Codes:
    names, states, columns = [], [], []
    for name, column in zip(net.names, codes, strict=True):
        seen = np.flatnonzero(np.bincount(column, minlength=len(net.states[name])))
        if len(seen) > 1 and name != HIDDEN:
            names.append(name)
            states.append(tuple(net.states[name][k] for k in seen))
            columns.append(np.searchsorted(seen, column).astype(np.uint8))
    return Codes(tuple(names), tuple(states), np.array(columns))


def _codes_file(csv: Path) -> Path:
    return csv.with_suffix(".codes")


def _write_whole(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(path.suffix + ".part")
    part.write_bytes(content)
    part.replace(path)
