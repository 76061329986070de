from __future__ import annotations

import contextlib
import math
from random import Random
from threading import Event, Thread
from typing import Any, TypeAlias

import numpy as np

from bayesloom import _native

Arrays: TypeAlias = Any  # a list of arrays of several types


def draw_network(rng: Random, states: list[int]) -> Arrays:
    n = len(states)
    scopes = [sorted({v, *rng.sample(range(n), rng.randint(0, min(n, 3)))}) for v in range(n)]
    sizes = [math.prod(states[u] for u in scope) for scope in scopes]
    table = [rng.choice([0.0, 1e-200, 0.1, 0.5, 1.0]) for _ in range(sum(sizes))]
    return [
        np.array(states, np.int32),
        np.cumsum([0, *map(len, scopes)], dtype=np.int64),
        np.array([u for scope in scopes for u in scope], np.int32),
        np.cumsum([0, *sizes], dtype=np.int64),
        np.array(table),
    ]


def draw_question(rng: Random, states: list[int]) -> Arrays:
    n = len(states)
    state = [rng.choice([-1, -1, rng.randrange(r)]) for r in states]
    soft = sorted(rng.sample(range(n), rng.randint(0, min(n, 2))))
    likelihood = [rng.choice([0.0, 1e-300, 0.5, 1.0]) for v in soft for _ in range(states[v])]
    free = [v for v in range(n) if state[v] < 0]
    sets = [sorted(rng.sample(free, rng.randint(1, len(free)))) for _ in free[:3]]
    if rng.random() < 0.5:
        sets = [[v] for v in free]
    return [
        np.array(state, np.int32),
        np.array(soft, np.int32),
        np.array(likelihood, np.float64),
        np.cumsum([0, *map(len, sets)], dtype=np.int64),
        np.array([v for part in sets for v in part], np.int32),
    ]


def spoiled(rng: Random, arrays: Arrays) -> Arrays:
    """Change a number or the length of some array, or nothing."""
    result = [array.copy() for array in arrays]
    k = rng.randrange(len(result))
    array = result[k]
    if rng.random() < 0.3 and array.size:
        wrong = [-1, 0, 1, 2, 100, 2**31 - 1, -(2**31)]
        array[rng.randrange(array.size)] = rng.choice(wrong)
    elif rng.random() < 0.2:
        result[k] = array[:-1].copy() if rng.random() < 0.5 else np.concatenate([array, array[:1]])
    return result


def test_spoiled_arrays_are_answered_or_refused_but_never_trusted() -> None:
    rng = Random(1)
    answered = refused = 0
    for _ in range(1500):
        states = [rng.randint(1, 4) for _ in range(rng.randint(1, 6))]
        try:
            network = _native.Contractions(*spoiled(rng, draw_network(rng, states)))
            arrays = spoiled(rng, draw_question(rng, states))
            strategy, most_bytes = rng.choice([0, 1, 2]), rng.choice([1e9, 1e9, 200.0, 50.0])
            values, _, needed = network.posteriors(
                arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], strategy, most_bytes
            )
            assert (values.size > 0) == (needed <= most_bytes and arrays[4].size > 0)
            found, _, _ = network.explain(arrays[0], arrays[1], arrays[2], most_bytes)
            assert found.size == len(arrays[0])
            answered += 1
        except ValueError:
            refused += 1
    assert answered > 300
    assert refused > 300


def test_arrays_that_another_thread_changes_meanwhile_do_no_harm() -> None:
    rng = Random(3)
    states = [2] * 14
    network = _native.Contractions(*draw_network(rng, states))
    question = draw_question(rng, states)
    ends = Event()

    def change() -> None:
        kept = [array.copy() for array in question]
        while not ends.is_set():
            for array, old in zip(question, kept, strict=True):
                array[...] = 1_000_000_000
                array[...] = old

    changing = Thread(target=change)
    changing.start()
    try:
        for _ in range(2000):
            state, soft, likelihood, starts, sets = question
            with contextlib.suppress(ValueError):
                network.posteriors(state, soft, likelihood, starts, sets, 0, 1e9)
            with contextlib.suppress(ValueError):
                network.explain(state, soft, likelihood, 1e9)
    finally:
        ends.set()
        changing.join()
