"""Throw malformed batches at the native border; the interpreter must survive and stay right.

    python tests/fuzz/fuzz_native.py --count 60000 --seed 1

Every call must either answer or raise ValueError, TypeError or IndexError. A known batch is asked
again now and then: its answer may never change. A crash ends the process, and the seed printed
first repeats it.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesloom import _native
from bayesloom.engine import Batch

native: Any = _native  # called with all that its stub forbids

Arrays = list[npt.NDArray[Any]]

ODD = (-(2**63), -(2**31), -5, -2, -1, 0, 1, 2, 3, 7, 2**16, 2**31 - 1, 2**31, 2**62, 2**63 - 1)
TYPES: tuple[type[np.generic], ...] = (
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.float64,
    np.int8,
    np.bool_,
    np.complex64,
)


def random_store(rng: np.random.Generator) -> tuple[Any, npt.NDArray[np.int32]]:
    n_columns, n_rows = int(rng.integers(1, 7)), int(rng.choice([1, 2, 63, 64, 200]))
    cardinality = rng.choice([1, 2, 3, 33, 257, 65_536], n_columns).astype(np.int32)
    columns = [
        rng.integers(
            0, r + (r < 65_536) * rng.integers(2), n_rows
        ).astype(  # with and without holes
            np.uint8 if r < 256 else np.uint16
        )
        for r in cardinality
    ]
    return native.Store(columns, cardinality), cardinality


def random_batch(rng: np.random.Generator, n: int) -> Arrays:
    """Return a batch that is right, more often than not."""
    requests = []
    for _ in range(rng.integers(0, 5)):
        order = rng.permutation(n).tolist()
        cut = int(rng.integers(1, n + 1))
        partners = rng.choice([-1, *order[cut:]], rng.integers(0, 4)).tolist()
        requests.append((order[0], order[1:cut], partners))
    return list(Batch.of(requests).arrays)


def spoil(rng: np.random.Generator, array: npt.NDArray[Any]) -> Any:  # noqa: ANN401
    """Return something like the array, but wrong in one way."""
    changed = array.copy()
    if len(array):
        with np.errstate(all="ignore"):
            changed[rng.integers(len(array))] = np.array(rng.choice(ODD)).astype(array.dtype)
    choices: list[Callable[[], Any]] = [
        lambda: array.astype(TYPES[rng.integers(len(TYPES))]),
        lambda: np.repeat(array, 2)[::2],
        lambda: array.reshape(1, -1),
        array[: rng.integers(0, len(array) + 1)].copy,
        lambda: np.append(array, array.dtype.type(rng.integers(-3, 9))),
        partial(rng.permutation, array),
        lambda: rng.integers(-3, 9, rng.integers(0, 9)).astype(array.dtype),
        lambda: changed,
        lambda: rng.choice(np.array([None, 3, "text", 2.5], object)),
    ]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        return choices[rng.integers(len(choices))]()


def random_call(
    rng: np.random.Generator, asked: _native.Store, cardinality: npt.NDArray[np.int32]
) -> Callable[[], object]:
    """Return a call of one of the entry points, with some of its arguments spoiled."""
    store: Any = asked
    batch: list[Any] = list(random_batch(rng, len(cardinality)))
    try:
        start = Batch(*batch).table_starts(np.minimum(cardinality, 40).astype(np.int32))
    except MemoryError:
        start = np.zeros(len(batch[4]) + 1, np.int64)
    cells = rng.integers(0, 5, min(int(start[-1]), 100_000))
    states = np.minimum(cardinality, 40).astype(np.int32)
    threads = int(rng.choice([-3, 0, 1, 2, 3, 10_000]))
    ess, price = (float(rng.choice([1.0, 1e-6, 0.0, -1.0, np.nan, np.inf])) for _ in range(2))
    kind = int(rng.integers(-1, 4))
    spoiled: list[Any] = [start, cells, states, states]
    axes = Batch(*batch).axes
    for _ in range(rng.integers(0, 3)):
        where = rng.integers(len(batch) + len(spoiled))
        if where < len(batch):
            batch[where] = spoil(rng, good(batch[where]))
        else:
            where -= len(batch)
            spoiled[where] = spoil(rng, good(spoiled[where]))
    start, cells, declared, observed = spoiled
    tables = (declared, observed, *batch, cells, start)
    calls: list[Callable[[], object]] = [
        lambda: store.counts(*batch, start, threads),
        lambda: store.families(*batch, kind, ess, price, threads),
        lambda: store.informations(*batch, threads),
        lambda: store.tests(*batch, kind, threads),
        lambda: store.entropies(*batch, threads),
        lambda: native.CountedTables(*tables).families(kind, ess, price),
        lambda: store.families_with_prior(*batch, ess, price, threads),
        lambda: native.CountedTables(*tables).families_with_prior(ess, price),
        lambda: native.CountedTables(*tables).informations(),
        lambda: native.CountedTables(*tables).tests(kind),
        lambda: native.CountedTables(*tables).entropies(),
        partial(listed_call, rng, axes, states, (declared, observed, *batch)),
        lambda: native.log_p_values(cells, start),
        lambda: native.Store([declared, cells], observed),
        partial(graph_call, rng),
        partial(graph_call, rng),
        partial(scores_call, rng),
        partial(scores_call, rng),
        partial(cover_call, rng),
    ]
    return calls[rng.integers(len(calls))]


def listed_call(
    rng: np.random.Generator,
    axes: list[list[int]],
    states: npt.NDArray[np.int32],
    tables: tuple[Any, ...],
) -> object:
    """Reduce lists of cells that fit the axes of their tables, unless something was spoiled."""
    sizes = rng.integers(0, 6, len(axes))
    codes = [
        rng.integers(0, states[variables], (n, len(variables))).ravel()
        for variables, n in zip(axes, sizes, strict=True)
    ]
    arrays: list[Any] = [
        rng.integers(0, 5, sizes.sum()),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int64), *codes]).astype(np.uint16),
    ]
    if rng.random() < 0.3:
        where = rng.integers(3)
        arrays[where] = spoil(rng, arrays[where])
    counted, kind = native.CountedTables(*tables, *arrays), int(rng.integers(-1, 4))
    calls: list[Callable[[], object]] = [
        lambda: counted.families(kind, 1.0, 0.0),
        lambda: counted.families_with_prior(1.0, 0.0),
        counted.informations,
        counted.entropies,
        lambda: counted.tests(kind),
    ]
    return calls[rng.integers(len(calls))]()


def random_mask(rng: np.random.Generator, n: int) -> Any:  # noqa: ANN401
    """Return a set of nodes, most often one that fits a graph of n."""
    if rng.random() < 0.02:
        return (-1, 1 << n, 1 << 200, 2.5, None, "text", True)[rng.integers(7)]
    return int.from_bytes(rng.bytes((n + 7) // 8), "little") & ((1 << n) - 1)


def random_kind(rng: np.random.Generator) -> native.OperatorKind:
    return native.OperatorKind(int(rng.integers(0, 3)))


def graph_call(rng: np.random.Generator) -> object:
    """Ask something about a graph that may be cyclic, asymmetric or no graph at all."""
    n = int(rng.choice([0, 1, 2, 5, 63, 64, 65, 130]))
    one, other = ([random_mask(rng, n) for _ in range(n)] for _ in range(2))
    order = rng.permutation(n).tolist()
    dag = [0] * n
    for k, v in enumerate(order):
        for u in order[:k][-2:]:
            dag[v] |= 1 << u
    op = native.Operator(
        random_kind(rng),
        int(rng.integers(0, n + 1)),
        int(rng.integers(0, n + 1)),
        max(0, random_mask(rng, n)),
        1.0,
    )
    state = native.CPDAGState.of_ordered_dag(dag, order)
    changes = native.EdgeChanges(dag, [0] * n, rng.normal(size=n))
    ends = rng.integers(-1, n + 2, 2).tolist()
    barred = [(random_kind(rng), *ends)]
    calls: list[Callable[[], object]] = [
        lambda: native.remove_sinks(one, other),
        lambda: native.class_of_dag(one, order),
        lambda: native.topological_order(one),
        lambda: native.moral_graph(one),
        lambda: native.transposed(one),
        lambda: native.d_connected(one, [(int(rng.integers(-1, n + 1)), random_mask(rng, n))]),
        lambda: state.after(op),
        lambda: (state.move(op), state.copy() == state, state.member_after(op)),
        lambda: state.open_path(op),
        lambda: state.changed_by(op),
        lambda: native.EdgeChanges(one, other, rng.normal(size=n)),
        lambda: changes.best(0.0, 0.1, barred),
        lambda: (changes.apply(random_kind(rng), *ends), changes.legal()),
    ]
    return calls[rng.integers(len(calls))]()


def heap_call(
    rng: np.random.Generator,
    cache: native.OperatorCache,
    state: native.CPDAGState,
    masks: list[int],
) -> object:
    """Fill a queue, take operators off it, put some back, and ask for more too early."""
    n = len(state.parents)
    heap = native.OperatorHeap(random_kind(rng), n + int(rng.random() < 0.05))
    heap.renew(cache, masks[1])
    heap = heap.copy({(0, 1), (n, n + 1)})
    if rng.random() < 0.2:
        heap.drop(masks[2])
    taken: list[Any] = []
    for _ in range(5):
        found = heap.pop(state) if rng.random() < 0.7 else heap.take_first()
        if found:
            taken.append(found[1])
            (heap.put_back if rng.random() < 0.5 else heap.park)(taken[-1])
    heap.lift_bans()
    native.OperatorHeap(native.OperatorKind.INSERT, 3).put_back(*taken[:1])
    return heap.ask_more(cache) if rng.random() < 0.5 else heap.go_on(cache)


def cover_call(rng: np.random.Generator) -> object:
    """Ask what graphs cover of dependencies, of nodes that may not exist."""
    n = int(rng.choice([1, 2, 5, 64, 70]))
    cover = native.DependencyCover(n)
    dag = [(1 << v) - 1 & 0b101 << max(0, v - 3) for v in range(n)]
    free = [(v, random_mask(rng, n), random_mask(rng, n)) for v in range(n)]
    cover.add([(x, g & ~(1 << x), y & ~g & ~(1 << x)) for x, g, y in free if min(g, y) >= 0][:9])
    pair = tuple(rng.integers(-1, n + 1, 2).tolist())
    chosen = None if rng.random() < 0.3 else pair
    cover.go_to(dag, chosen, bool(rng.random() < 0.5))
    calls: list[Callable[[], object]] = [
        lambda: cover.settle(None),
        lambda: cover.keeps(dag[: n - int(rng.random() < 0.1)], chosen, None),
        lambda: cover.gains([0] * n, chosen, None),
        lambda: (cover.joins(*pair), cover.may_gain(*pair)),
        lambda: (cover.uncovered(), cover.n_uncovered),
        lambda: cover.add([(pair[0], random_mask(rng, n), 1)]),
    ]
    for k in rng.integers(len(calls), size=4):
        calls[k]()
    return None


def ahead_call(rng: np.random.Generator, scores: native.ScoreMemory, n: int) -> None:
    """Let a second memory note what one lacks, and take its answers, which may not be there."""
    ahead = native.ScoreMemory(n if rng.random() < 0.9 else n + 1)
    ahead.want_missing_of(scores)
    noted = ahead.missing()
    if noted is not None and rng.random() < 0.9:
        ahead.fill(rng.normal(size=len(noted[4])))
    if rng.random() < 0.9:
        scores.fill_from(ahead)


def scores_call(rng: np.random.Generator) -> object:
    """Ask a memory of scores for operators and changes, with values that may not fit."""
    n = int(rng.choice([1, 2, 5, 64, 70]))
    scores = native.ScoreMemory(n)
    order = list(range(n))
    dag = [mask & ((1 << v) - 1) & 0b111 << max(0, v - 3) for v, mask in enumerate([-1] * n)]
    state = native.CPDAGState.of_ordered_dag(dag, order)
    masks = [random_mask(rng, n) for _ in range(4)]
    child = int(rng.integers(-1, n + 1))
    most = int(rng.integers(0, 4))
    everything = [(1 << n) - 1] * n
    cache = native.OperatorCache(random_kind(rng), everything, [0] * n, n, 0.0, 1e-9, most)
    choice = rng.integers(3)
    if choice == 0:
        scores.want([(child, masks[0], masks[1])], [(child, masks[2])])
    elif choice == 1:
        scores.want_changes(child, *masks[:3])
    else:
        cache.ask(state, masks[0])
        cache.want(scores, None)
    if rng.random() < 0.2:
        ahead_call(rng, scores, n)
    missing = scores.missing()
    if missing is not None:
        scores.fill(rng.normal(size=len(missing[4]) + int(rng.random() < 0.05)))
    if choice == 0:
        return scores.family(child, masks[3])
    if choice == 1:
        changes = native.EdgeChanges(dag, [0] * n, rng.normal(size=n))
        changes.write(scores, child, *masks[:3])
        best = changes.best(-np.inf, 0.1, [])
        return best and (changes.apply(*best[:3]), changes.best(-np.inf, 0.1, []), changes.legal())
    cache.take(native.ScoreMemory(int(rng.integers(0, 9))) if rng.random() < 0.1 else scores)
    if rng.random() < 0.5:
        return heap_call(rng, cache, state, masks)
    lists = cache.answer()
    if lists and rng.random() < 0.5:
        cache.ask_following(lists[0][1])
    return [listed.operator(int(rng.integers(0, 5)), random_kind(rng)) for _, listed in lists]


def good(value: Any) -> npt.NDArray[Any]:  # noqa: ANN401
    return value if isinstance(value, np.ndarray) and value.ndim == 1 else np.zeros(2, np.int64)


def fuzz(count: int, seed: int) -> Counter[str]:
    """Make ``count`` calls and return how many ended in which way."""
    rng = np.random.default_rng(seed)
    outcomes: Counter[str] = Counter()
    store, cardinality = random_store(rng)
    known = random_batch(rng, len(cardinality))
    expected = store.entropies(*known, 1).tobytes()
    for i in range(count):
        if i % 200 == 0:
            if store.entropies(*known, 2).tobytes() != expected:
                msg = f"an answer changed after call {i} of seed {seed}"
                raise AssertionError(msg)
            store, cardinality = random_store(rng)
            known = random_batch(rng, len(cardinality))
            expected = store.entropies(*known, 1).tobytes()
        try:
            random_call(rng, store, cardinality)()
            outcomes["answered"] += 1
        except (ValueError, TypeError, IndexError) as error:
            outcomes[type(error).__name__] += 1
    return outcomes


def main(fuzz: Callable[[int, int], Counter[str]], told: str | None) -> None:
    """Run as many calls as are asked for and report."""
    parser = argparse.ArgumentParser(description=told)
    parser.add_argument("--count", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes = fuzz(options.count, options.seed)
    found = ", ".join(f"{n} {name}" for name, n in sorted(outcomes.items()))
    sys.stdout.write(f"{options.count} calls with seed {options.seed}: {found}\n")


if __name__ == "__main__":
    main(fuzz, __doc__)
