"""A Markov network over many columns: pairs in blocks, and links kept as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.errors import CapacityError
from bayesloom.search import DMN, Limits, Stop, Watch, memory, pair_scan
from bayesloom.search.markov import informations
from bayesloom.search.markov.informations import Link
from bayesloom.search.markov.loose_links import LooseLinks
from reference_search import Asked, run
from strategies_search import tables


def chain(n: int = 14) -> Table:
    """Draw a chain of bits, each like the one before."""
    rng = np.random.default_rng(1)
    columns = [rng.random(200) < 0.5]
    for _ in range(n - 1):
        columns.append(columns[-1] ^ (rng.random(200) < 0.2))
    codes = [column.astype(np.uint8) for column in columns]
    return Table("ABCDEFGHIJKLMN"[:n], [["n", "y"]] * n, codes)


@given(
    tables(2, 6),
    st.booleans(),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([None, 0.05]),
)
@settings(max_examples=60)
def test_links_are_the_same_whether_all_pairs_are_kept_or_asked_for_in_blocks(
    table: Table,
    backward: bool,  # noqa: FBT001
    max_clique: int | None,
    significance: float | None,
) -> None:
    search = DMN(backward=backward, max_clique=max_clique, significance=significance)
    whole = run(search, table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_scan, "_TABLES", 1)
        patch.setattr(informations, "_MOST_PAIRS", 0)
        found = run(search, table)
    assert (found.graph, found.score, found.steps) == (whole.graph, whole.score, whole.steps)
    assert found.notes == whole.notes


def test_no_batch_asks_for_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_scan, "_TABLES", 30)
    table = chain()
    engine = Asked(table)
    found = DMN(lookahead=1).search(engine, Limits.none(table.names), Watch())
    assert found.stop is Stop.LOCAL_OPTIMUM
    assert len(found.steps) >= 13
    assert max(engine.sizes) <= 30


@pytest.mark.parametrize("gives_at", [1, 3])
def test_a_network_that_time_runs_out_for_while_pairs_are_compared_is_empty(
    gives_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_scan, "_TABLES", 30)
    table = chain()
    engine = Asked(table, gives_at)
    found = DMN().search(engine, Limits.none(table.names), Watch())
    assert (found.stop, found.steps) == (Stop.INTERRUPTED, ())
    assert found.candidates == sum(engine.sizes[: gives_at - 1])
    assert found.dag is not None
    assert not any(found.dag.parent_masks)


def test_links_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "physical_memory", lambda: 100)
    table = chain()
    with pytest.raises(CapacityError, match=r"keeping \d+ links with a gain needs"):
        DMN().search(NativeEngine(table), Limits.none(table.names), Watch())


def test_links_have_their_turn_before_an_entry_that_is_worse() -> None:
    x, y = np.array([0, 0, 1], np.int32), np.array([1, 2, 2], np.int32)
    loose = LooseLinks.in_order([LooseLinks(np.array([-3.0, -7.0, -3.0]), x, y, np.ones(3))])
    worse = (-3.0, 0, 2, Link(0, 2, 2))
    assert [entry[1:3] for entry, _ in loose.until(worse)] == [(0, 2), (0, 1)]
    inside = np.array([False, True, True])
    assert [entry[1:3] for entry, _ in loose.across(inside)] == [(0, 2), (0, 1)]
    assert [entry[1:3] for entry, _ in loose.until(None)] == [(1, 2)]
    assert [entry[1:3] for entry, _ in loose.across(inside)] == [(0, 2), (0, 1)]
