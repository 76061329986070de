"""Local cuts: what the networks over a few variables allow, found by a small linear program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from bayesloom import _native
from bayesloom.arrays import Floats, Longs
from bayesloom.graphs import bits
from bayesloom.search.exact.cluster_program import ClusterProgram, CutRow, highs_module
from bayesloom.search.exact.separation import ClusterChoice

_SIZES = (5, 8)  # variables that are looked at together
_GRID = 2.0**20  # weights are multiples of its inverse, so that their sums are exact
_BROKEN = 1e-3  # share by which a cut must be broken to be worth a row
_TRIALS = 400  # networks that may be needed to say what others weigh at most
_LITTLE = 1e-3  # of the shares, added to weights
_KEPT = 300  # networks that are remembered for a group
_NOTHING = 1e-6


class LocalFamily(NamedTuple):
    """A member of a few variables with parents among them, both by place."""

    child: int
    parents: int


class LocalCut(NamedTuple):
    """Weights of families over a few variables, of which no network has more than ``most``.

    A family that has none counts as the heaviest whose parents are a part of its own: without the
    other edges a network is still one.
    """

    members: tuple[int, ...]
    weights: tuple[tuple[LocalFamily, float], ...]
    most: float

    def row(self, program: ClusterProgram) -> CutRow:
        """Return the cut as what the columns lack: at least so much in every network."""
        columns: list[Longs] = []
        lacks: list[Floats] = []
        least = -self.most
        for place, v in enumerate(self.members):
            own = [(f.parents, weight) for f, weight in self.weights if f.child == place]
            if not own:
                continue
            span = np.arange(program.first[v], program.first[v + 1])
            has = program.member[span][:, self.members]
            weighs = np.zeros(len(span))
            for parents, weight in own:
                held = has[:, bits(parents)].all(axis=1)
                np.maximum(weighs, weight, out=weighs, where=held)
            heaviest = max(weight for _, weight in own)
            least += heaviest
            columns.append(span[weighs < heaviest])
            lacks.append((heaviest - weighs)[weighs < heaviest])
        return CutRow(np.concatenate(columns), np.concatenate(lacks), least)


class LocalCuts:
    """Find local cuts, with a memory of the networks that other cuts of a group were found by.

    References
    ----------
    D. Applegate, R. Bixby, V. Chvatal, W. Cook: TSP cuts which do not conform to the template
    paradigm, in Computational Combinatorial Optimization, Springer 2001.

    Examples
    --------
    >>> shares = [(0, 0b010, 0.9), (0, 0, 0.1), (1, 0b100, 1.0), (2, 0b001, 1.0)]
    >>> (cut,) = LocalCuts().found(3, shares)
    >>> cut.members, cut.most
    ((0, 1, 2), 2.0)
    """

    def __init__(self) -> None:
        self._networks: dict[tuple[int, ...], list[tuple[LocalFamily, ...]]] = {}

    def found(self, n: int, choices: Sequence[ClusterChoice]) -> list[LocalCut]:
        """Return cuts that shares break, one for each of some groups of variables.

        Parameters
        ----------
        n : int
            How many variables there are.
        choices : sequence of (child, parents, share)
            The shares that are not 0; those of a child add up to 1.
        """
        cuts = (self._separated(members, choices) for members in _groups(n, choices))
        return list(dict.fromkeys(cut for cut in cuts if cut is not None))

    def _separated(
        self, members: tuple[int, ...], choices: Sequence[ClusterChoice]
    ) -> LocalCut | None:
        """Return a cut over some variables that the shares break, None if there is none.

        Weights are looked for that no network has more than 1 of, and the shares have most of. The
        networks that say so are found one by one: the heaviest for the weights at hand.
        """
        shares = _projected(members, choices)
        heaviest = HeaviestNetwork(len(members), list(shares))
        share = np.array(list(shares.values()))
        networks = self._networks.setdefault(members, [])
        solver = _weight_program(share, _rows_of(networks[-_KEPT:], heaviest.families))
        for _ in range(_TRIALS):
            solver.run()
            weights = np.array(solver.getSolution().col_value)
            if weights @ share <= 1 + _BROKEN:
                return None
            chosen = heaviest.chosen(weights + _LITTLE * share)  # families without weight as well
            if weights[chosen].sum() <= 1 + _NOTHING:
                chosen = heaviest.chosen(weights)
            if weights[chosen].sum() <= 1 + _NOTHING:
                return _rounded(members, heaviest, weights)
            networks.append(tuple(heaviest.families[j] for j in chosen))
            solver.addRow(-np.inf, 1.0, len(chosen), chosen.astype(np.int32), np.ones(len(chosen)))
        return None


def _groups(n: int, choices: Sequence[ClusterChoice]) -> Iterator[tuple[int, ...]]:
    """Yield groups of variables, grown from every undecided one along cycles of the shares."""
    flow = np.zeros((n, n))
    for child, parents, share in choices:
        flow[bits(parents), child] += share
    undecided = sorted({v for v, _, share in choices if share < 1 - _NOTHING})
    seen = set()
    for size in _SIZES:
        for v in undecided:
            group = _grown(v, flow, size)
            if len(group) > 2 and group not in seen:  # noqa: PLR2004 - pairs have cluster cuts
                seen.add(group)
                yield group


def _grown(v: int, flow: Floats, size: int) -> tuple[int, ...]:
    """Return a variable with those that most goes to and comes from, one after the other."""
    inside = np.zeros(len(flow), np.bool_)
    inside[v] = True
    while inside.sum() < size:
        comes, goes = flow[inside].sum(axis=0), flow[:, inside].sum(axis=1)
        ties = np.where(inside, 0.0, np.minimum(comes, goes) + 1e-3 * (comes + goes))
        if ties.max() <= _NOTHING:
            break
        inside[ties.argmax()] = True
    return tuple(np.flatnonzero(inside).tolist())


def _projected(
    members: tuple[int, ...], choices: Sequence[ClusterChoice]
) -> dict[LocalFamily, float]:
    """Return the shares of families inside a group, by places; those without parents are left."""
    place = {v: k for k, v in enumerate(members)}
    inside = sum(1 << v for v in members)
    shares: dict[LocalFamily, float] = {}
    for child, parents, share in choices:
        if child in place and parents & inside:
            mask = sum(1 << place[p] for p in bits(parents & inside))
            family = LocalFamily(place[child], mask)
            shares[family] = shares.get(family, 0.0) + share
    return dict(sorted(shares.items()))


def _weight_program(shares: Floats, networks: Sequence[Sequence[int]]) -> Any:  # noqa: ANN401
    """Return the program for weights that shares have most of, and networks no more than 1."""
    solver, size = highs_module().Highs(), len(shares)
    solver.setOptionValue("output_flag", False)
    solver.addVars(size, np.zeros(size), np.ones(size))
    solver.changeColsCost(size, np.arange(size, dtype=np.int32), -shares)
    if networks:
        many, index = len(networks), np.concatenate(networks).astype(np.int32)
        start = np.cumsum([0, *map(len, networks)])[:-1].astype(np.int32)
        low, high = np.full(many, -np.inf), np.ones(many)
        solver.addRows(many, low, high, len(index), start, index, np.ones(len(index)))
    return solver


def _rows_of(
    networks: Sequence[tuple[LocalFamily, ...]], families: Sequence[LocalFamily]
) -> list[list[int]]:
    """Return networks by the places of their families; a part of a network is one, too."""
    place = {family: j for j, family in enumerate(families)}
    rows = {tuple(place[f] for f in network if f in place): None for network in networks}
    return [list(row) for row in rows if len(row) > 1]


def _rounded(
    members: tuple[int, ...], heaviest: HeaviestNetwork, weights: Floats
) -> LocalCut | None:
    """Return the cut with weights on a grid; what a network has at most is then exact."""
    grid = np.round(weights / max(weights.max(), _NOTHING) * _GRID) / _GRID
    most = float(grid[heaviest.chosen(grid)].sum())
    kept = [(f, float(w)) for f, w in zip(heaviest.families, grid, strict=True) if w > 0]
    return LocalCut(members, tuple(kept), most) if kept else None


class HeaviestNetwork:
    """The network of the highest weight over a few variables, by dynamic programming."""

    def __init__(self, n: int, families: list[LocalFamily]) -> None:
        self.families = families
        own = [[j for j, f in enumerate(families) if f.child == v] for v in range(n)]
        self._start = np.cumsum([0, *(len(row) + 1 for row in own)], dtype=np.int64)
        self._mask = np.array(
            [mask for row in own for mask in (0, *(families[j].parents for j in row))], np.uint64
        )
        self._of = np.array([j for row in own for j in (-1, *row)])

    def chosen(self, weights: Floats) -> Longs:
        """Return which families it has."""
        worth = np.where(self._of < 0, 0.0, weights[self._of])
        picked = self._of[_native.best_sets(self._start, self._mask, worth, None)]
        return picked[picked >= 0]
