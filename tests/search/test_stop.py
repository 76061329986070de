"""Every search can be stopped in the middle of a batch, and what it returns is whole."""

from __future__ import annotations

from typing import Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom._native import OperatorCache, OperatorKind, ScoreMemory, StopSignal
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, FamilyKernel, NativeEngine, Tables, TestKernel
from bayesloom.errors import CapacityError, Stopped
from bayesloom.scores import BIC, LogLikelihood
from bayesloom.search import (
    GES,
    IGES,
    IHC,
    IL,
    IXGES,
    XGES,
    HillClimbing,
    Limits,
    Mode,
    OrderSearch,
    Search,
    SearchResult,
    Start,
    Stop,
    Tabu,
    Watch,
    memory,
)
from bayesloom.search.equivalence.climb import cpdag_state_of
from bayesloom.search.memory import check_memory
from bayesloom.search.start import joined_pairs
from every_search import NAMES, made
from strategies_search import rich_table

MORE = (
    HillClimbing(restarts=2, start=Start.CHOW_LIU),
    GES(turning=True, start=Start.CHOW_LIU),
    IHC(mode=Mode.BOUNDARY),
    IL(Tabu(BIC())),
    OrderSearch(restarts=1),
    XGES(extended=False),
)


class CutEngine(NativeEngine):
    """An engine that gives the signal itself when it is asked for the last of some batches."""

    def __init__(self, table: Table, batches: int) -> None:
        super().__init__(table, 1)
        self.left = [batches]
        self.signal: StopSignal | None = None

    def until(self, signal: StopSignal) -> Self:
        view = super().until(signal)
        view.signal = signal
        return view

    def _ask(self) -> None:
        if self.signal is None:
            return
        self.left[0] -= 1
        if not self.left[0]:
            self.signal.set()

    def families(
        self, batch: Batch, kernel: FamilyKernel, ess: float = 1.0, price: float = 0.0
    ) -> Floats:
        self._ask()
        return super().families(batch, kernel, ess, price)

    def informations(self, batch: Batch) -> Floats:
        self._ask()
        return super().informations(batch)

    def tests(self, batch: Batch, kernel: TestKernel) -> Floats:
        self._ask()
        return super().tests(batch, kernel)

    def entropies(self, batch: Batch) -> Floats:
        self._ask()
        return super().entropies(batch)

    def counts(self, batch: Batch) -> Tables:
        self._ask()
        return super().counts(batch)


def check_is_whole(found: SearchResult, table: Table, score: BIC | None) -> None:
    """Check that the steps lead from the start to the graph, and the score is that of the graph."""
    joined = set(found.start)
    for step in found.steps:
        links = [(step.x, step.y)] if step.change is None else step.change.links
        pairs = {(min(link), max(link)) for link in links}
        if step.operator in ("insert", "link"):
            joined |= pairs
        elif step.operator in ("delete", "unlink"):
            joined -= pairs
    if found.score is None:
        return  # a search that only tests takes no steps
    assert found.dag is not None
    assert joined == set(joined_pairs(found.dag.parent_masks))
    if score is not None:
        total = score.total(NativeEngine(table), found.dag.parent_masks)
        assert found.score == pytest.approx(total)


@pytest.mark.parametrize(
    "search", [*NAMES, *MORE], ids=lambda s: s if isinstance(s, str) else repr(s)[:30]
)
@given(seed=st.integers(0, 3), batches=st.integers(1, 60))
@settings(max_examples=30)
def test_a_search_that_is_cut_off_in_any_batch_returns_what_it_had(
    search: str | Search, seed: int, batches: int
) -> None:
    table = rich_table(seed, 6, 6).in_name_order()
    chosen = made(search, table.names) if isinstance(search, str) else search
    watch = Watch()
    engine = CutEngine(table, batches)
    found = chosen.search(engine, Limits.none(table.names), watch)
    assert (found.stop is Stop.INTERRUPTED) == watch.signal.is_set
    score = getattr(chosen, "score", None)
    check_is_whole(found, table, score if isinstance(score, BIC) else None)


def a_node_beside_a_clique(size: int) -> tuple[OperatorCache, ScoreMemory]:
    """Ask for the insertions at a node of a clique; there are two to the power of its size."""
    n = size + 2
    state = cpdag_state_of([(1 << v) - 1 if v <= size else 0 for v in range(n)])
    everything = [(1 << n) - 1 & ~(1 << v) for v in range(n)]
    cache = OperatorCache(OperatorKind.INSERT, everything, [0] * n, n, 0.0, 1e-9, 1024)
    cache.ask(state, 1)
    return cache, ScoreMemory(n)


def test_the_listing_of_cliques_heeds_the_signal() -> None:
    cache, memory = a_node_beside_a_clique(60)
    signal = StopSignal()
    signal.set()
    with pytest.raises(Stopped):
        cache.want(memory, signal)


def test_the_listing_of_cliques_goes_on_in_blocks_of_bounded_size() -> None:
    cache, memory = a_node_beside_a_clique(60)
    assert cache.want(memory, None)
    assert memory.n_bytes < 1 << 30


def test_copies_of_one_bit_end_in_time_with_a_network() -> None:
    """Under the likelihood every graph gains, and classes have cliques of all variables."""
    rng = np.random.default_rng(1)
    bit = rng.random(500) < 0.5
    codes = [(bit ^ (rng.random(500) < 0.1)).astype(np.uint8) for _ in range(20)]
    table = Table([f"v{k:02}" for k in range(20)], [["n", "y"]] * 20, codes)
    watch = Watch()
    watch.signal.deadline(0.3)
    found = GES(LogLikelihood()).search(NativeEngine(table), Limits.none(table.names), watch)
    assert found.stop is Stop.INTERRUPTED
    assert found.steps
    check_is_whole(found, table, None)


def test_work_that_does_not_fit_into_memory_is_refused_before_it_begins() -> None:
    with pytest.raises(CapacityError, match=r"^a matrix needs 1,\S+ bytes of memory, and this"):
        check_memory(1 << 60, "a matrix")


@pytest.mark.parametrize(
    ("search", "what"),
    [
        (HillClimbing(), "a search over DAGs with 4 variables"),
        (GES(), "a search over classes with 4 variables"),
        (XGES(), "a search over classes with 4 variables"),
        (IGES(), "a search over classes with 4 variables"),
        (IHC(), "a search over DAGs with 4 variables"),
        (IXGES(), "a search over classes with 4 variables"),
        (Tabu(), "a search over DAGs with 4 variables"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_search_says_how_many_bytes_it_lacks_before_it_begins(
    search: Search, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = rich_table(1, 4, 4)
    monkeypatch.setattr(memory, "physical_memory", lambda: 1 << 20)
    with pytest.raises(CapacityError, match=rf"{what} needs [\d,]+ bytes .* leave out columns"):
        search.search(NativeEngine(table), Limits.none(table.names), Watch())
