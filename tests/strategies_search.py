"""Drawn tables with every kind of tie and degeneracy, and knowledge that can be met."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.graphs import relabelled
from bayesloom.scores import AIC, BIC, BDeu, K2Score, Score
from bayesloom.search import (
    GES,
    K2,
    XGES,
    ChowLiu,
    Exact,
    ExactMethod,
    HillClimbing,
    Knowledge,
    Limits,
    OrderSearch,
    SpanningTree,
    Start,
    Tabu,
)
from reference_search import Search

Codes = npt.NDArray[Any]
T = TypeVar("T")

ROWS = (1, 2, 5, 20, 60, 200, 500)
COLUMNS = (
    *("alone", "child", "child", "child", "copy", "relabelled", "noisy", "parity", "cycle"),
    "constant",
)


@st.composite
def tables(
    draw: st.DrawFn,
    least: int = 1,
    most: int = 6,
    rows: tuple[int, ...] = ROWS,
) -> Table:
    """A table in name order: dependent, copied, constant and perfectly balanced columns."""
    n = draw(st.integers(least, most))
    n_rows = draw(st.sampled_from(rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns: list[Codes] = []
    for _ in range(n):
        kind = draw(st.sampled_from(COLUMNS))
        columns.append(drawn_column(kind, columns, n_rows, rng))
    unseen = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    states = [
        [f"s{k}" for k in range(int(column.max()) + 1 + (extra == 2))]
        for column, extra in zip(columns, unseen, strict=True)
    ]
    names = draw(st.permutations("ABCDEFGH"[:n]))
    return Table(names, states, columns).in_name_order()


def drawn_column(kind: str, before: list[Codes], n_rows: int, rng: np.random.Generator) -> Codes:
    """Return one more column that depends, or not, on those before."""
    r = int(rng.integers(2, 5))
    alone: Codes = rng.choice(r, n_rows, p=rng.dirichlet(np.ones(r)))
    one, other = (before[int(rng.integers(len(before)))] if before else alone for _ in range(2))
    if kind == "child":
        chances = rng.dirichlet(np.full(r, 0.4), size=(int(one.max()) + 1, int(other.max()) + 1))
        return drawn_states(chances[one, other], rng)
    return {
        "alone": alone,
        "constant": np.zeros(n_rows, np.intp),
        "cycle": np.arange(n_rows) // int(rng.integers(1, 5)) % r,
        "copy": one.copy(),
        "relabelled": int(one.max()) - one,
        "noisy": np.where(rng.random(n_rows) < 0.1, rng.permutation(one), one),
        "parity": (one + other) % 2,
    }[kind]


def drawn_states(chances: Codes, rng: np.random.Generator) -> Codes:
    """Draw a state for every row with its own chances."""
    noise = rng.random((len(chances), 1))
    states: Codes = (noise > np.cumsum(chances, axis=1)[:, :-1]).sum(axis=1)
    return states


@st.composite
def dags_over(draw: st.DrawFn, n: int) -> list[int]:
    """The parent masks of a DAG over n nodes."""
    parents = [draw(st.integers(0, (1 << v) - 1)) for v in range(n)]
    return relabelled(parents, draw(st.permutations(range(n))))


def scores() -> st.SearchStrategy[Score]:
    """A score that gives equivalent graphs the same value."""
    return st.sampled_from(
        [
            BIC(),
            BIC(),
            AIC(),
            BIC(kappa=0.9),
            BDeu(),
            BDeu(ess=10.0),
            BDeu(ess=0.01),
            BDeu(ess=10.0, kappa=0.5),
            BDeu(per_parent=0.3),
        ]
    )


def searches(order: tuple[str, ...], score: Score = BIC()) -> dict[str, Search]:
    """Every search with the options that change its course, by name."""
    return {
        "hc": HillClimbing(score),
        "hc-complete": HillClimbing(score, start=Start.COMPLETE),
        "hc-tree": HillClimbing(score, start=Start.CHOW_LIU),
        "hc-restarts": HillClimbing(score, restarts=3, perturb=3, seed=1),
        "hc-k2": HillClimbing(K2Score()),
        "tabu": Tabu(score, patience=5),
        "tabu-empty": Tabu(score, start=Start.EMPTY, length=5, patience=5),
        "chow-liu": ChowLiu(score=score),
        "kruskal": ChowLiu(score=score, algorithm=SpanningTree.KRUSKAL),
        "forest": ChowLiu(score=score, forest=True),
        "k2": K2(order),
        "k3": K2(order, score, shrink=True),
        "order": OrderSearch(score, restarts=1, patience=3),
        "order-given": OrderSearch(score, order=order, restarts=0, patience=3, shrink=False),
        "ges": GES(score),
        "ges-turning": GES(score, turning=True),
        "xges-plain": XGES(score, extended=False),
        "xges": XGES(score),
        "xges-empty": XGES(score, start=Start.EMPTY),
        "exact": Exact(score, max_parents=3),
        "exact-ilp": Exact(score, max_parents=2, method=ExactMethod.ILP),
    }


SEARCHES = tuple(searches(()))
TREES = ("chow-liu", "kruskal", "forest")
CLASSES = ("ges", "ges-turning", "xges-plain", "xges", "xges-empty")


@dataclass(frozen=True)
class Known:
    """Knowledge with the limit on parents and an order of the variables that agree with it."""

    knowledge: Knowledge
    max_parents: int | None
    order: tuple[str, ...]

    def limits(self, names: tuple[str, ...]) -> Limits:
        return self.knowledge.limits(names, self.max_parents)

    @property
    def fits_a_tree(self) -> bool:
        """Whether no variable has two required parents."""
        heads = [b for _, b in self.knowledge.required]
        return len(heads) == len(set(heads))


def known(names: tuple[str, ...]) -> st.SearchStrategy[Known]:
    """Knowledge over the names that some graph meets."""
    return st.integers(0, 2**32 - 1).map(lambda seed: drawn_knowledge(seed, names))


def drawn_knowledge(seed: int, names: tuple[str, ...]) -> Known:
    """Draw knowledge of every kind around an order of the variables; the seed says all."""
    rng = np.random.default_rng(seed)

    def some(options: Iterable[T], most: int) -> list[T]:
        every = list(options)
        return [every[k] for k in rng.permutation(len(every))[: int(rng.integers(0, most + 1))]]

    order = tuple(names[k] for k in rng.permutation(len(names)))
    forward = [(a, b) for k, b in enumerate(order) for a in order[:k]]
    required = some(forward, 3)
    free = [edge for edge in (*forward, *((b, a) for a, b in forward)) if edge not in required]
    heads, tails = [b for _, b in required], [a for a, _ in required]
    groups: list[list[str]] = [[], [], []]
    if rng.random() < 0.5:
        levels = np.sort(rng.integers(0, 3, len(order)))
        for name in some(order, len(order)):
            groups[levels[order.index(name)]].append(name)
    forbidden = some(free, 5)
    if rng.random() < 0.2:  # nothing but pairs that are kept apart
        apart = [*forbidden, *((b, a) for a, b in forbidden)]
        return Known(Knowledge(forbidden=tuple(apart)), None, order)
    knowledge = Knowledge(
        tuple(required),
        tuple(forbidden),
        tuple(map(tuple, filter(None, groups))),
        tuple(some((v for v in order if v not in heads), 1)),
        tuple(some((v for v in order if v not in tails), 1)),
    )
    most = max(map(heads.count, heads), default=0) + int(rng.integers(0, 3))
    return Known(knowledge, None if rng.random() < 0.5 else most, order)


def rich_tables(least: int = 4, most: int = 7) -> st.SearchStrategy[Table]:
    """A table drawn from a dense random network: searches make many moves of every kind."""
    return st.integers(0, 2**32 - 1).map(lambda seed: rich_table(seed, least, most))


def rich_table(seed: int, least: int = 4, most: int = 7) -> Table:
    """Draw a network and rows of it; the seed says all."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(least, most + 1))
    n_rows = int(rng.choice([100, 300, 1000, 3000]))
    columns: list[Codes] = []
    for v in range(n):
        r = int(rng.integers(2, 4))
        parents = [p for p in range(v) if rng.random() < 0.6][-3:]
        sizes = [int(columns[p].max()) + 1 for p in parents]
        rows = rng.dirichlet(np.full(r, 0.7), size=sizes)
        chances = (
            rows[tuple(columns[p] for p in parents)] if parents else np.tile(rows, (n_rows, 1))
        )
        columns.append(drawn_states(chances, rng))
    states = [[f"s{k}" for k in range(int(column.max()) + 1)] for column in columns]
    names = ["ABCDEFGH"[k] for k in rng.permutation(n)]
    return Table(names, states, columns).in_name_order()


def shares_of(seed: int, n: int) -> list[tuple[int, int, float]]:
    """Draw shares of a few sets of parents per child."""
    rng = np.random.default_rng(seed)
    choices = []
    for v in range(n):
        masks = {int(rng.integers(0, 1 << n)) & ~(1 << v) for _ in range(3)}
        parts = rng.dirichlet(np.ones(len(masks)))
        choices += [(v, mask, float(part)) for mask, part in zip(sorted(masks), parts, strict=True)]
    return choices
