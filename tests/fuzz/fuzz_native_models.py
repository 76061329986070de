"""Throw malformed networks, sets of parents, blocks and texts at the native border.

    python tests/fuzz/fuzz_native_models.py --count 60000 --seed 1

What ``fuzz_native.py`` is for batches and graphs, this is for all else that crosses the border.
Every call must either answer or raise one of a few errors. A known network is asked again now and
then: its answer may never change. A crash ends the process; the same seed repeats it.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1]))

from bayesloom import _native
from bayesloom.engine import Batch
from fuzz.fuzz_native import main, random_batch, random_mask, spoil

native: Any = _native  # called with all that its stub forbids

Rng = np.random.Generator

NUMBERS = (-(2**31), -3, -1, 0, 1, 2, 3, 5, 13, 64, 300)
HUGE = (2**31, 2**32 + 1, 2**62, 2**63, 2**64 - 1, 2**70)
SHARES = (-1.0, -0.0, 0.0, 0.5, 1.0, 1.5, 1e-320, 1e300, np.inf, -np.inf, np.nan)
STRANGE = (None, "text", 2.5, b"bytes", (), [1, 2])
BIF = (
    "network n {\n}\n"
    "variable a {\n  type discrete [ 2 ] { x, y };\n}\n"
    "variable b {\n  type discrete [ 3 ] { 1, 2, 3 };\n}\n"
    "probability ( a ) {\n  table 0.25, 0.75;\n}\n"
    "probability ( b | a ) {\n  (x) 0.5, 0.25, 0.25;\n  (y) 0.1, 0.2, 0.7;\n}\n"
)


class Size:
    """A size that must not be made huge: it says how much memory or time is wanted."""

    def __init__(self, value: int) -> None:
        self.value = value


def one_spoiled(rng: Rng, value: Any) -> Any:  # noqa: ANN401
    """Return something like a value, but wrong in one way."""
    if rng.random() < 0.1:
        return STRANGE[rng.integers(len(STRANGE))]
    if isinstance(value, np.ndarray):
        return spoiled_array(rng, value)
    if isinstance(value, list) and value:
        return spoiled_list(rng, value)
    if isinstance(value, tuple):
        return tuple(one_spoiled(rng, part) if rng.random() < 0.5 else part for part in value)
    others = {bool: (True, False), int: (*NUMBERS, *HUGE), float: SHARES}.get(type(value), (value,))
    return others[rng.integers(len(others))]


def spoiled_list(rng: Rng, values: list[Any]) -> list[Any]:
    """Return a list in which some are left out, one comes twice, or one is spoiled."""
    where, change = int(rng.integers(len(values))), rng.random()
    if change < 0.4:
        return values[:where] + values[where + int(rng.integers(1, 3)) :]
    one = values[rng.integers(len(values))] if change < 0.6 else one_spoiled(rng, values[where])
    return [*values[:where], one, *values[where + 1 :]]


def spoiled_array(rng: Rng, array: npt.NDArray[Any]) -> Any:  # noqa: ANN401
    """Return a spoiled array, most often of the same shape."""
    if array.dtype == np.float64 and array.size and rng.random() < 0.5:
        changed = array.copy()
        changed.flat[rng.integers(array.size)] = rng.choice(SHARES)
        return changed
    if rng.random() < 0.05:  # not aligned to the size of its numbers
        room = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
        room[...] = array
        return room
    changed = spoil(rng, array.ravel())
    if array.ndim == 2 and isinstance(changed, np.ndarray) and changed.size == array.size:
        return changed.reshape(array.shape)
    return changed


def called(rng: Rng, function: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401
    """Call a function, in half of all cases with one or two of its arguments spoiled."""
    given = list(arguments)
    for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2]))):
        where = rng.integers(len(given))
        if isinstance(given[where], Size):
            given[where] = Size(int(rng.choice(NUMBERS)))
        else:
            given[where] = one_spoiled(rng, given[where])
    return function(*(g.value if isinstance(g, Size) else g for g in given))


def ints(values: Any) -> npt.NDArray[np.int32]:  # noqa: ANN401
    return np.array(values, np.int32)


def longs(values: Any) -> npt.NDArray[np.int64]:  # noqa: ANN401
    return np.array(values, np.int64)


def starts(parts: list[Any]) -> npt.NDArray[np.int64]:
    """Return where each part begins if all are laid end to end, and where the last ends."""
    return longs(np.cumsum([0, *(len(part) for part in parts)]))


def end_to_end(parts: list[Any], kind: type[np.generic] = np.int32) -> npt.NDArray[Any]:
    return np.array([number for part in parts for number in part], kind)


@dataclass(frozen=True)
class Net:
    """A small network: parents have lower numbers, tables have the child's states last."""

    states: npt.NDArray[np.int32]
    parents: list[list[int]]
    tables: list[npt.NDArray[np.float64]]

    @property
    def scopes(self) -> list[list[int]]:
        return [[*parents, v] for v, parents in enumerate(self.parents)]


def random_net(rng: Rng) -> Net:
    n = int(rng.integers(1, 7))
    states = ints(rng.choice([1, 2, 3, 5], n))
    parents = [sorted(rng.permutation(v)[: rng.integers(0, 3)].tolist()) for v in range(n)]
    tables = []
    for v in range(n):
        weight = rng.random((int(np.prod(states[parents[v]])), states[v])) + 0.01
        tables.append((weight / weight.sum(1, keepdims=True)).ravel())
    return Net(states, parents, tables)


def inference_call(rng: Rng, _: Path) -> object:
    """Ask for posteriors and an explanation."""
    net = random_net(rng)
    n, scopes = len(net.states), (starts(net.scopes), end_to_end(net.scopes))
    called(rng, native.elimination_order, net.states, *scopes)
    asked = called(
        rng,
        native.Contractions,
        net.states,
        *scopes,
        starts(net.tables),
        np.concatenate(net.tables),
    )
    wanted, seen, soft = np.split(rng.permutation(n), sorted(rng.integers(0, n + 1, 2)))
    state = np.full(n, -1, np.int32)
    state[seen] = [rng.integers(net.states[v]) for v in seen]
    soft.sort()
    evidence = (state, ints(soft), rng.random(int(net.states[soft].sum())))
    sets = [[int(v)] for v in wanted] + ([sorted(wanted.tolist())] if len(wanted) else [])
    strategy, most = int(rng.integers(3)), float(rng.choice([1.0, 1e4, 1e9]))
    if rng.random() < 0.3:
        return called(rng, asked.explain, *evidence, most)
    return called(rng, asked.posteriors, *evidence, starts(sets), end_to_end(sets), strategy, most)


def completion_call(rng: Rng, _: Path) -> object:
    """Ask what is expected of rows with unknown cells."""
    net = random_net(rng)
    n_rows = int(rng.choice([1, 2, 7, 40]))
    codes = rng.integers(0, net.states + 1, (n_rows, len(net.states))).astype(np.uint16)
    rows = called(
        rng,
        native.Completion,
        net.states,
        starts(net.scopes),
        end_to_end(net.scopes),
        codes,
        float(rng.choice([1.0, 50.0, 1e6])),
    )
    table = np.concatenate(net.tables)
    rows.known()
    calls: list[Callable[[], object]] = [
        lambda: called(rng, rows.expect, table, Size(2)),
        lambda: called(rng, rows.log_likelihoods, table),
        lambda: called(rng, rows.complete, table, bool(rng.random() < 0.5), 1, True),
    ]
    return calls[rng.integers(len(calls))]()


def draw_call(rng: Rng, _: Path) -> object:
    """Draw rows from a network into columns that may not fit."""
    net = random_net(rng)
    n_rows = int(rng.choice([0, 1, 500, 9000]))
    made = called(
        rng,
        native.AncestralDraw,
        net.states,
        ints(range(len(net.states))),
        starts(net.parents),
        end_to_end(net.parents),
        np.concatenate(net.tables),
    )
    columns = [np.zeros(n_rows, rng.choice(["u1", "u2", "u4"])) for _ in net.states]
    generator = np.random.PCG64(1)  # has to live as long as its capsule is used
    return called(rng, made.draw, generator.capsule, columns)


def odds_call(rng: Rng, _: Path) -> object:
    """Ask for the odds of classes: of a tree of columns, or of factors of any."""
    n, k = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    states = ints(rng.choice([1, 2, 3], n))
    tree = bool(rng.random() < 0.5)
    factors: list[list[int]] = [[v] for v in range(n)]
    if tree:
        factors = [[int(rng.integers(v + 1, n)), v] if v + 1 < n else [v] for v in range(n)]
    tables = [rng.normal(size=k * int(np.prod(states[columns]))) for columns in factors]
    odds = called(
        rng,
        native.ClassOdds,
        states,
        rng.normal(size=k),
        starts(factors),
        end_to_end(factors),
        starts(tables),
        np.concatenate(tables),
        tree,
    )
    n_rows = int(rng.choice([1, 30]))
    codes = np.array([rng.integers(-1, r, n_rows) for r in states], np.int32)
    return called(rng, odds.logs, codes, Size(2))


def random_sets(rng: Rng, n: int) -> list[list[list[int]]]:
    """Return for every variable the empty set of parents, and a few others."""
    others = [[u for u in range(n) if u != v] for v in range(n)]
    return [
        [
            [],
            *(rng.permutation(o)[: rng.integers(0, 3)].tolist() for _ in range(rng.integers(0, 6))),
        ]
        for o in others
    ]


def walk_call(rng: Rng, _: Path) -> object:
    """Walk over orders or partitions, over sets of parents that may be none."""
    n = int(rng.choice([1, 2, 5, 64, 66]))
    sets = random_sets(rng, n)
    padded = [(*parents, -1, -1)[:2] for own in sets for parents in own]
    sums = called(
        rng, native.ParentSetSums, starts(sets), end_to_end(padded), 2, rng.normal(size=len(padded))
    )
    asked = [(int(rng.integers(n)), random_mask(rng, n), random_mask(rng, n)) for _ in range(3)]
    called(rng, sums.log_sums, asked)
    called(rng, sums.shares, asked)
    order = rng.permutation(n).tolist()
    if rng.random() < 0.5:
        walk = called(rng, native.OrderWalk, sums, order, int(rng.integers(2, 6)), 1)
        kinds = rng.integers(0, 3, 12).astype(np.uint8)
    else:
        cuts = sorted({0, n, *rng.integers(0, n + 1, 3).tolist()})
        elements = [sum(1 << v for v in order[i:j]) for i, j in pairwise(cuts)]
        near = [random_mask(rng, n) for _ in range(n)]
        walk = called(rng, native.PartitionWalk, sums, elements, near, 3, Size(4), 1)
        kinds = rng.integers(0, 4, 12).astype(np.uint8)
    called(rng, walk.moves, kinds)
    return walk.shares(), walk.local


def exact_call(rng: Rng, _: Path) -> object:
    """Ask for the best network of some sets of parents, and for clusters that choices break."""
    n = int(rng.integers(1, 7))
    sets = random_sets(rng, n)
    masks = np.array([sum(1 << u for u in p) for own in sets for p in own], np.uint64)
    if rng.random() < 0.5:
        return called(rng, native.best_sets, starts(sets), masks, rng.normal(size=len(masks)), None)
    choices = [
        (v, sum(1 << u for u in parents), float(rng.random()))
        for v, own in enumerate(sets)
        for parents in own
    ]
    return called(rng, native.broken_clusters, Size(n), 1, choices, 0.01, 5)


def chain_call(rng: Rng, _: Path) -> object:
    """Ask for informations parent after parent, for sizes of tables and for regrets."""
    n = int(rng.integers(1, 7))
    states = ints(rng.choice([1, 2, 3, 300], n))
    batch = random_batch(rng, n)
    called(rng, native.n_cells, *batch, states)
    regrets = called(rng, native.Regrets, Size(int(rng.choice([0, 1, 100]))))
    called(rng, regrets, np.array([1.0, 2.0, 40.0, 1e9]))
    called(rng, regrets.quotients, *batch, states)
    chains = called(rng, native.InformationChains, Size(n))
    for ask in (chains.wanted_pairs, chains.wanted_terms):
        wanted = called(rng, ask, *batch)
        if wanted is not None:
            called(rng, chains.fill, *wanted, rng.random(len(wanted[4])))
    called(rng, chains.sums, *batch)
    known, entropies = np.full(n, 50.0), rng.random(n)
    return called(rng, chains.scores, *batch, states, entropies, known, 60.0, 1.0)


def block_call(rng: Rng, path: Path) -> object:
    """Pack columns into a file of two blocks, and read and count what may not be there."""
    n, sizes = int(rng.integers(1, 5)), [int(rng.choice([1, 64, 200])) for _ in range(2)]
    cardinality = ints(rng.choice([1, 2, 3, 40, 300], n))
    planes = [max(1, int(r).bit_length()) for r in cardinality]
    kinds = ["u1" if r < 256 else "u2" for r in cardinality]
    packed = []
    for n_rows in sizes:
        columns = [
            rng.integers(0, r, n_rows).astype(kind)
            for r, kind in zip(cardinality, kinds, strict=True)
        ]
        called(rng, native.count_codes, columns[0], Size(int(cardinality[0])))
        packed.append(called(rng, native.pack_planes, columns, planes, Size(2)))
    path.write_bytes(b"".join(block.tobytes() for block in packed)[: rng.choice([100_000, 60])])
    file = called(
        rng,
        native.BlockFile,
        str(path),
        longs([0, packed[0].nbytes]),
        longs(sizes),
        np.array(planes * 2, np.uint8),
        [np.arange(r + rng.integers(2), dtype=np.uint16) for r in cardinality],
        cardinality,
    )
    called(rng, file.stamp)
    called(rng, file.planes, int(rng.integers(3)))
    called(rng, file.codes, 1, int(rng.integers(n)))
    called(rng, file.taken, 0, rng.integers(0, sizes[0], 5).astype(np.uint32))
    batch = random_batch(rng, n)
    listed = [bool(rng.random() < 0.3) for _ in batch[4]]
    places = listed_starts(batch, cardinality, listed)
    count = called(rng, native.BlockCount, file, *batch, places, listed, 10**7)
    called(rng, count.run, 0, 2, Size(2))
    if True in listed:
        called(rng, count.list, listed.index(True))
    return count.cells()


def listed_starts(
    batch: list[npt.NDArray[Any]], cardinality: npt.NDArray[np.int32], listed: list[bool]
) -> npt.NDArray[np.int64]:
    """Return where dense tables begin; those that are lists take no room."""
    sizes = np.diff(Batch(*batch).table_starts(cardinality))
    return longs(np.cumsum([0, *np.where(listed, 0, sizes)])) if len(sizes) else longs([0])


def text_call(rng: Rng, _: Path) -> object:
    """Encode text of random marks, in blocks that end anywhere."""
    n = int(rng.integers(1, 4))
    cells = ["a", "bc", '"q"', '"x,y"', '"s""t"', '"two\nlines"', "", "\u00e9", '"open', "\r", "\0"]
    weights = np.array([8, 8, 3, 3, 2, 2, 2, 2, 0.1, 0.1, 0.1])
    lines = [",".join(rng.choice(cells, n, p=weights / weights.sum())) for _ in range(30)]
    text = np.frombuffer(rng.choice(["\n", "\r\n"]).join(lines).encode(), np.uint8)
    chosen = rng.permutation(n)[: rng.integers(0, n + 1)].tolist()
    piece = int(rng.choice([0, 1, 7, 50]))
    encoder = called(rng, native.TextEncoder, ",", Size(n), chosen, Size(2), Size(piece))
    place, cut = 0, int(rng.integers(0, len(text) + 1))
    for end in (cut, len(text)):
        used = called(rng, encoder.encode, text[place:end].copy(), end < len(text))
        if used is None:
            break
        place += used
    return encoder.take_columns()


def bif_call(rng: Rng, _: Path) -> object:
    """Read the text of a small file with some of its parts cut, doubled or changed."""
    text = BIF
    for _change in range(int(rng.integers(0, 4))):
        i, j = sorted(rng.integers(0, len(text) + 1, 2).tolist())
        j = min(j, i + 12)
        text = text[:i] + rng.choice(["", text[i:j] * 2, "9", "{", "}", ";", "|", '"']) + text[j:]
    return called(rng, native.plain_bif, text)


CALLS = (
    inference_call,
    completion_call,
    draw_call,
    odds_call,
    walk_call,
    exact_call,
    chain_call,
    block_call,
    text_call,
    bif_call,
)


def known_answer() -> bytes:
    """Return the bytes of posteriors that never change."""
    net = random_net(np.random.default_rng(5))
    n = len(net.states)
    scopes = (starts(net.scopes), end_to_end(net.scopes))
    asked = native.Contractions(net.states, *scopes, starts(net.tables), np.concatenate(net.tables))
    nothing = (np.full(n, -1, np.int32), ints([]), np.zeros(0))
    found: npt.NDArray[np.float64] = asked.posteriors(
        *nothing, longs(range(n + 1)), ints(range(n)), 0, 1e9
    )[0]
    return found.tobytes()


def fuzz(count: int, seed: int) -> Counter[str]:
    """Make ``count`` calls and return how many ended in which way."""
    rng = np.random.default_rng(seed)
    outcomes: Counter[str] = Counter()
    expected = known_answer()
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            if i % 200 == 0 and known_answer() != expected:
                msg = f"an answer changed after call {i} of seed {seed}"
                raise AssertionError(msg)
            call = CALLS[rng.integers(len(CALLS))]
            try:
                call(rng, Path(folder, "blocks"))
                outcomes["answered"] += 1
            except (ValueError, TypeError, IndexError) as error:
                outcomes[type(error).__name__] += 1
            except RuntimeError as error:
                if str(error) != "the blocks cannot be read":
                    raise
                outcomes["unreadable"] += 1
    return outcomes


if __name__ == "__main__":
    main(fuzz, __doc__)
