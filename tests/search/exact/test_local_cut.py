"""Local cuts: every network keeps them, fractions that no mixture of networks has break them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesloom.search.exact.candidates import ParentSet
from bayesloom.search.exact.cluster_program import ClusterProgram
from bayesloom.search.exact.component import Component
from bayesloom.search.exact.local_cut import LocalCut, LocalCuts
from reference_exact import all_dags
from strategies_search import shares_of


def weight(cut: LocalCut, parents: tuple[int, ...]) -> float:
    """Add up what a network weighs, from the definition."""
    total = 0.0
    for place, v in enumerate(cut.members):
        inside = sum(1 << k for k, p in enumerate(cut.members) if parents[v] >> p & 1)
        own = [w for f, w in cut.weights if f.child == place and not f.parents & ~inside]
        total += max(own, default=0.0)
    return total


def every_family(n: int) -> Component:
    """Return variables that may have any parents."""
    sets = tuple(
        tuple(ParentSet(-float(m.bit_count()), m) for m in range(1 << n) if not m >> v & 1)
        for v in range(n)
    )
    origin = tuple({s.parents: s for s in family} for family in sets)
    return Component(tuple(range(n)), sets, origin)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30)
def test_no_network_weighs_more_and_the_shares_do(seed: int) -> None:
    choices = shares_of(seed, 4)
    for cut in LocalCuts().found(4, choices):
        most = max(weight(cut, parents) for parents in all_dags(4))
        assert most == cut.most  # on the grid sums are exact
        has = math.fsum(
            share * weight(cut, tuple(mask if v == child else 0 for v in range(4)))
            for child, mask, share in choices
        )
        assert has > cut.most * (1 + 1e-4)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_the_row_of_a_cut_holds_for_every_network(seed: int) -> None:
    program = ClusterProgram(every_family(4))
    column = {(int(program.child[j]), mask): j for j, mask in enumerate(program.masks)}
    for cut in LocalCuts().found(4, shares_of(seed, 4)):
        row = cut.row(program)
        lacks = np.zeros(len(program.masks))
        lacks[row.columns] = row.weights
        least = min(
            sum(lacks[column[v, mask]] for v, mask in enumerate(parents)) for parents in all_dags(4)
        )
        assert least >= row.least
        assert least == row.least  # and some network has no more


def test_mixtures_of_networks_are_not_cut_off() -> None:
    rng = np.random.default_rng(5)
    dags = list(all_dags(4))
    for _ in range(10):
        shares: dict[tuple[int, int], float] = {}
        for k, part in zip(rng.choice(len(dags), 3), rng.dirichlet(np.ones(3)), strict=True):
            for v, mask in enumerate(dags[k]):
                shares[v, mask] = shares.get((v, mask), 0.0) + float(part)
        choices = [(v, mask, share) for (v, mask), share in sorted(shares.items())]
        assert LocalCuts().found(4, choices) == []


def test_cuts_that_are_not_needed_are_dropped_and_bounds_hold() -> None:
    program = ClusterProgram(every_family(4))
    program.add_cuts(LocalCuts().found(4, shares_of(3, 4)))
    many = len(program.cuts)
    assert many > 0
    shares = np.zeros(len(program.masks))
    shares[[j for j, mask in enumerate(program.masks) if mask == 0]] = 1.0
    program.drop_cuts(np.zeros(many), shares)
    assert program.cuts == []
    every = np.ones(len(program.loss), np.bool_)
    assert program.solve(every, 10.0) is not None
    assert program.bound(np.zeros(0), every)[0] == 0.0
