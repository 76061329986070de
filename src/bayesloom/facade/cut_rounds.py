"""Cut numbers for the network and learn the network for the cuts, in turn, until both agree."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from bayesloom.data import Reading, Table
from bayesloom.data.cutting import FineReading
from bayesloom.data.network_cuts import Cuts, FineTable
from bayesloom.data.notes import note_on_cuts
from bayesloom.data.reading import plain_options
from bayesloom.engine import Engine, NativeEngine
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.search import Budget, SearchResult, Stop, Watch

Run = Callable[[Engine, Budget], tuple[Watch, SearchResult]]
"""Searches in the data of an engine, within a budget."""

_ROUNDS = 10
_SHORTER = 1e-6  # nats by which the description must get shorter for another round


class CutAndLearned(NamedTuple):
    """What was found: data, the user's order of columns, notes on the data, the network, time."""

    engine: Engine
    names: tuple[str, ...]
    notes: tuple[str, ...]
    result: SearchResult
    seconds: float


def cut_and_learn(
    data: Any,  # noqa: ANN401 - frames of whatever library
    reading: Reading,
    run: Run,
    budget: Budget,
    threads: int | None,
) -> CutAndLearned:
    """Learn from data of which some columns are cut for the network.

    It begins with bins of equal frequency. A network is learned, columns are cut for it, and so on
    until no cut changes or the description of the data gets no shorter; the round with the shortest
    one counts. Where time is over or the user interrupts, the best round so far does.
    """
    fine, names = _fine_table(data, reading)
    cuts: Cuts = fine.start()
    best: tuple[float, Cuts, Engine, SearchResult] | None = None
    stop: Stop | None = None
    seconds = 0.0
    for _ in range(_ROUNDS):
        engine: Engine = NativeEngine(fine.coarse(cuts), threads)
        watch, result = run(engine, replace(budget, time_limit=budget.time_limit - seconds))
        stop = result.stop if result.stop in (Stop.TIME_LIMIT, Stop.INTERRUPTED) else None
        length = math.inf if result.dag is None else fine.length(cuts, _parents(result.dag))
        shorter = best is None or (stop is None and length < best[0] - _SHORTER)
        if shorter:
            best = length, cuts, engine, result
        before = cuts
        if shorter and stop is None and result.dag is not None:
            cuts, stop = _improved(fine, cuts, result.dag, watch)
        seconds += watch.seconds
        if cuts == before or stop is not None:
            break
    _, kept, engine, result = best  # type: ignore[misc] # there is a first round
    notes = (*fine.table.notes, *_notes(fine, kept, names))
    told = result if stop is None else replace(result, stop=stop)
    return CutAndLearned(engine, names, notes, told, seconds)


def _improved(fine: FineTable, cuts: Cuts, dag: DAG, watch: Watch) -> tuple[Cuts, Stop | None]:
    """Return cuts for a network, and why not all columns had their turn, if so."""
    try:
        found = fine.improved(cuts, _parents(dag), lambda: not watch.signal.is_set)
    except KeyboardInterrupt:
        return cuts, Stop.INTERRUPTED
    return found, Stop.TIME_LIMIT if watch.signal.is_set else None


def cut_for(dag: DAG, data: Any, reading: Reading) -> Table:  # noqa: ANN401
    """Return data of which some columns are cut for a network that is given."""
    fine, names = _fine_table(data, reading)
    cuts = fine.improved(fine.start(), _parents(dag.reordered(fine.table.names)))
    table = fine.coarse(cuts)
    notes = (*table.notes, *_notes(fine, cuts, names))
    return Table(table.names, table.states, table.codes, notes)


def _fine_table(data: Any, reading: Reading) -> tuple[FineTable, tuple[str, ...]]:  # noqa: ANN401
    finely = FineReading(**plain_options(reading))
    table = finely.apply(data)
    return FineTable(table.in_name_order(), finely.bins_of), table.names


def _parents(dag: DAG) -> list[tuple[int, ...]]:
    return [tuple(bits(mask)) for mask in dag.parent_masks]


def _notes(fine: FineTable, cuts: Cuts, names: tuple[str, ...]) -> list[str]:
    points = fine.points(cuts)
    return note_on_cuts({name: points[name] for name in names if name in points})
