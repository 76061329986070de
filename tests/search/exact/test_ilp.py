"""Branch and cut: bounds hold for every price, nodes cover all networks, cuts are valid."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom import _native
from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import NativeEngine
from bayesloom.scores import AIC, BDeu
from bayesloom.search import Limits, Watch
from bayesloom.search.exact.cluster_program import ClusterCut, ClusterProgram
from bayesloom.search.exact.component import Component, strong_components
from bayesloom.search.exact.dynamic import solve_dynamically
from bayesloom.search.exact.ilp import BranchAndCut, Node, cyclic_core
from bayesloom.search.exact.levels import CandidateSearch
from bayesloom.search.exact.separation import find_cluster
from reference_exact import all_dags, is_acyclic
from strategies_search import rich_table, shares_of


def component_of(table: Table, score: AIC | BDeu = AIC()) -> Component:  # noqa: B008 - frozen
    limits = Limits.none(table.names)
    candidates = CandidateSearch(NativeEngine(table), score, limits, Watch()).run()
    parts = strong_components(candidates, math.inf)
    return max(parts, key=lambda part: len(part.members))


def choices_of(parents: tuple[int, ...]) -> list[tuple[int, int, float]]:
    return [(v, mask, 1.0) for v, mask in enumerate(parents)]


def test_no_dag_breaks_a_cluster() -> None:
    for parents in all_dags(4):
        for first in (1, 2, 3):
            assert _native.broken_clusters(4, first, choices_of(parents), 1e-6, 10) == []
            for cluster in range(1, 16):
                counts = sum(
                    (parents[v] & cluster).bit_count() < first for v in range(4) if cluster >> v & 1
                )
                assert counts >= min(first, cluster.bit_count())


@given(st.lists(st.integers(0, 31), min_size=5, max_size=5))
def test_the_core_of_a_graph_is_empty_if_it_has_no_cycle(masks: list[int]) -> None:
    parents = [mask & ~(1 << v) for v, mask in enumerate(masks)]
    core = cyclic_core(parents)
    assert (core == 0) == is_acyclic(parents)
    assert all(parents[v] & core for v in range(5) if core >> v & 1)


def total(choices: list[tuple[int, int, float]], cluster: int, first: int) -> float:
    return math.fsum(
        share
        for child, mask, share in choices
        if cluster >> child & 1 and (mask & cluster).bit_count() < first
    )


@given(seed=st.integers(0, 10**6), first=st.integers(1, 3))
def test_clusters_that_are_grown_are_broken_as_told(seed: int, first: int) -> None:
    choices = shares_of(seed, 6)
    found = _native.broken_clusters(6, first, choices, 1e-3, 100)
    assert [s for s, _ in found] == sorted(s for s, _ in found)
    for told, cluster in found:
        assert told == pytest.approx(total(choices, cluster, first), abs=1e-9)
        assert told < first


@given(seed=st.integers(0, 10**6), first=st.integers(1, 2))
@settings(max_examples=25)
def test_the_integer_program_finds_the_cluster_that_is_broken_most(seed: int, first: int) -> None:
    choices = shares_of(seed, 5)
    found = find_cluster(5, first, choices, 1e-3)
    worst = min(
        total(choices, cluster, first) for cluster in range(1 << 5) if cluster.bit_count() > first
    )
    if found is None:
        assert worst >= first - 1e-3 - 1e-6
    else:
        assert total(choices, found, first) == pytest.approx(worst, abs=1e-6)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_every_price_gives_a_bound(seed: int) -> None:
    component = component_of(rich_table(seed % 50, 5, 5))
    program, n = ClusterProgram(component), len(component.members)
    if n < 3:
        return
    rng = np.random.default_rng(seed)
    cuts = {ClusterCut(int(rng.integers(3, 1 << n)), int(rng.integers(1, 3))) for _ in range(6)}
    program.add_cuts([cut for cut in sorted(cuts) if cut.cluster.bit_count() > cut.first])
    prices: Floats = rng.exponential(20, len(program.cuts))
    every = np.ones(len(program.loss), np.bool_)
    bound, each = program.bound(prices, every)
    best = solve_dynamically(component, Watch().signal)
    lost = component.score(best) - component.ceiling
    assert bound >= lost - 1e-9
    for v, mask in enumerate(best):
        column = next(
            j
            for j in range(len(program.masks))
            if program.child[j] == v and program.masks[j] == mask
        )
        assert each[column] >= lost - 1e-9  # what the optimum uses is never left out


def test_a_node_and_its_halves_hold_the_same_networks() -> None:
    component = component_of(rich_table(3, 5, 5))
    program, n = ClusterProgram(component), len(component.members)
    assert n >= 3
    root = Node(np.ones(len(program.loss), np.bool_), (0,) * n)
    halves = [root.ordered(0, 1, program), root.ordered(1, 0, program)]
    quarter = halves[0].ordered(1, 2, program)
    assert quarter.before[2] == 0b011
    for j, mask in enumerate(program.masks):
        if program.child[j] == 0:
            assert quarter.allowed[j] == (mask & 0b110 == 0)
    assert (halves[0].allowed | halves[1].allowed).all()


class _Stubborn(ClusterProgram):
    """A program whose solver never finds an optimum."""

    def solve(
        self,
        allowed: np.ndarray,  # noqa: ARG002
        seconds: float,  # noqa: ARG002
    ) -> tuple[Floats | None, Floats] | None:
        return None, np.zeros(len(self.cuts))


@pytest.mark.parametrize("seed", range(4))
def test_a_solver_that_fails_costs_time_and_no_proof(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = component_of(rich_table(seed, 4, 4))
    best = component.score(solve_dynamically(component, Watch().signal))
    start = component.chosen(range(len(component.members)))
    monkeypatch.setattr("bayesloom.search.exact.ilp.ClusterProgram", _Stubborn)
    cut = BranchAndCut(component, start, Watch(), lambda _score, _bound: None)
    cut.run()
    assert component.score(cut.parents) == pytest.approx(best, abs=1e-9)
    assert cut.bound == pytest.approx(best, abs=1e-6)


def test_a_node_without_networks_is_proven_to_have_none() -> None:
    component = component_of(rich_table(3, 5, 5))
    program = ClusterProgram(component)
    program.add_cuts([ClusterCut(0b11, 1)])
    allowed = np.ones(len(program.loss), np.bool_)
    for v, u in ((0, 1), (1, 0)):
        allowed &= ~((program.child == v) & ~program.member[:, u])
    assert program.has_choices(allowed)
    solved = program.solve(allowed, 10.0)
    assert solved is not None
    shares, prices = solved
    assert shares is None
    assert program.bound(prices, allowed)[0] < -1e5
