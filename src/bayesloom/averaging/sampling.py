"""Several chains side by side, and what they say of every edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.averaging.chain import OrderChain, PartitionChain, partition_of
from bayesloom.averaging.diagnostics import HalfMoments, effective_size, r_hat, r_hat_of
from bayesloom.averaging.parent_sets import ScoredSets
from bayesloom.search import Limits, Stop, Watch
from bayesloom.search.dag.order_search import random_order

METHODS = ("order", "partition")
"""What chains go over."""

_RUN_UP = 50  # moves per variable
_DOUBTFUL = 0.01  # an edge nearer to 0 and to 1 than this in all chains needs no R-hat


_STRETCH = 100  # moves of a chain between two looks at the watch


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long chains run.

    Parameters
    ----------
    chains : int
        How many chains, each from a random start.
    moves : int
        Moves of each chain.
    burn_in : float
        The share of moves at the start that is not sampled.
    samples : int
        How many samples are taken of the rest, equally far apart; after every move if it is less.
    """

    chains: int = 3
    moves: int = 200_000
    burn_in: float = 0.25
    samples: int = 10_000

    @property
    def first(self) -> int:
        """The number of the first move that may be sampled."""
        return int(self.moves * self.burn_in)

    @property
    def taken(self) -> int:
        """How many samples that makes."""
        return min(self.samples, self.moves - self.first)

    def next_sample(self, done: int) -> int:
        """Return the number of the move after which the next sample is taken.

        Examples
        --------
        >>> plan = Schedule(moves=10, burn_in=0.3, samples=3)
        >>> plan.first, [plan.next_sample(done) for done in (0, 3, 6, 8)]
        (3, [6, 6, 8, 10])
        """
        span = self.moves - self.first
        k = max(0, done - self.first) * self.taken // span + 1
        return self.first - (-k * span // self.taken)


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """What chains have sampled.

    Parameters
    ----------
    edges : array of shape (chains, variables, variables)
        For every chain the posterior probability of x -> y.
    traces : array of shape (chains, samples)
        The score of each sample: the logarithm of the sum over the graphs of its layout.
    edge_r_hat : float
        The largest split R-hat of the probability of an edge that is in doubt.
    moves : int
        Moves that each chain has made.
    acceptance : float
        The share of moves that changed something.
    stop : Stop
        Why they ended.
    """

    edges: Floats
    traces: Floats
    edge_r_hat: float
    moves: int
    acceptance: float
    stop: Stop

    @property
    def mean(self) -> Floats:
        """The posterior probability of x -> y, over all chains."""
        mean: Floats = self.edges.mean(axis=0)
        return mean

    @property
    def spread(self) -> float:
        """How far apart two chains are at most in the probability that two variables are joined."""
        joined = self.edges + self.edges.transpose(0, 2, 1)
        return float((joined.max(axis=0) - joined.min(axis=0)).max(initial=0.0))

    @property
    def arrow_spread(self) -> float:
        """How far apart two chains are at most in the probability of x -> y."""
        return float((self.edges.max(axis=0) - self.edges.min(axis=0)).max(initial=0.0))

    @property
    def score_r_hat(self) -> float:
        """The split R-hat of the traces."""
        return r_hat(self.traces)

    @property
    def score_samples(self) -> float:
        """The effective number of samples of the score."""
        return effective_size(self.traces)


def run_chains(
    sets: ScoredSets,
    limits: Limits,
    schedule: Schedule,
    *,
    method: str,
    seed: int,
    watch: Watch,
    tell: Callable[[int], None] = lambda _moves: None,
) -> Sampled:
    """Run chains in turn, a few moves each, so that all are equally long when they are ended.

    What chains have sampled until the watch ends them counts, from the end of the burn-in on.
    """
    chains = [
        _chain(sets, limits, method, np.random.default_rng([seed, k]))
        for k in range(schedule.chains)
    ]
    moments = [HalfMoments(schedule.taken) for _ in chains]
    traces: list[list[float]] = [[] for _ in chains]
    done = 0
    while done < schedule.moves and watch.may_go_on():
        due = schedule.next_sample(done)
        stretch = min(_STRETCH, due - done)
        for chain in chains:
            chain.run(stretch)
        done += stretch
        if done == due:
            for chain, moment, trace in zip(chains, moments, traces, strict=True):
                moment.add(chain.shares())
                trace.append(chain.score)
        tell(done)
    if not traces[0]:  # ended before the first sample: where the chains stand is all there is
        for chain, moment, trace in zip(chains, moments, traces, strict=True):
            moment.add(chain.shares())
            trace.append(chain.score)
    accepted = sum(chain.accepted for chain in chains) / max(1, done * len(chains))
    return Sampled(
        np.array([moment.mean for moment in moments]),
        np.array(traces),
        _edge_r_hat(moments),
        done,
        accepted,
        Stop.COMPLETE if done >= schedule.moves else watch.why(Stop.INTERRUPTED),
    )


def _chain(
    sets: ScoredSets, limits: Limits, method: str, rng: np.random.Generator
) -> OrderChain | PartitionChain:
    chain = OrderChain(sets.sums, random_order(limits, rng), int(rng.integers(1 << 63)))
    if method == "order":
        return chain
    # Partitions are slow to leave a bad start: a short chain of orders finds a good one.
    chain.run(_RUN_UP * len(limits.names))
    rooms, before = [0] * len(limits.names), 0
    for v in chain.layout:
        rooms[v] = before
        before |= 1 << v
    start = partition_of(sets.draw(rooms, rng))
    return PartitionChain(sets.sums, start, sets.near, int(rng.integers(1 << 63)))


def _edge_r_hat(moments: Sequence[HalfMoments]) -> float:
    """Return the largest R-hat of an edge in doubt; NaN if chains are not whole."""
    if any(moment.seen < moment.samples or moment.samples < 4 for moment in moments):  # noqa: PLR2004
        return float("nan")
    halves = [half for moment in moments for half in moment.halves()]
    means, variances = (np.array(part) for part in zip(*halves, strict=True))
    found = r_hat_of(means, variances, moments[0].samples // 2)
    doubtful = (means.max(axis=0) > _DOUBTFUL) & (means.min(axis=0) < 1 - _DOUBTFUL)
    return float(found[doubtful].max(initial=1.0))
