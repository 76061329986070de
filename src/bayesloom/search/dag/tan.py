"""Tree-augmented naive Bayes: the class above every attribute, and a tree among these."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bayesloom.arrays import Floats
from bayesloom.engine import Batch, CountingEngine, Engine, counting
from bayesloom.errors import OptionError, check_flag, check_kind, check_number
from bayesloom.scores import BIC, Score, check_score
from bayesloom.search.dag.chow_liu import (
    all_pair_parameters,
    check_tree,
    edge_prices,
    edge_weights,
    heaviest_tree,
)
from bayesloom.search.dag.naive_bayes import (
    check_target,
    class_parents,
    insert_families,
    target_index,
)
from bayesloom.search.limits import Limits
from bayesloom.search.memory import check_memory
from bayesloom.search.result import ScoredResult
from bayesloom.search.search import BaseSearch
from bayesloom.search.start import scored_network
from bayesloom.search.watch import Watch

_BYTES_PER_PAIR = 100  # what a batch and the spanning tree take
_TABLES = 1 << 18  # asked for at once
_CELLS = 1 << 22  # counted at once where informations are smoothed


@dataclass(frozen=True, slots=True)
class TAN(BaseSearch):
    """Tree-augmented naive Bayes: of all such networks the one of maximum likelihood.

    Every attribute gets the class as a parent and at most one other attribute. The tree among the
    attributes is a maximum spanning tree whose weights are the mutual informations of two
    attributes given the class. Its root changes nothing in the likelihood. Constant columns tell
    nothing and stay alone; what the knowledge does not allow is left out.

    Parameters
    ----------
    target : str
        The class.
    root : str, optional
        The attribute that the tree's edges lead away from; by default the first in name order.
    forest : bool
        Leave out edges of the tree whose information does not pay for their parameters under BIC.
    pseudocount : float
        Added to every count before the informations are computed; 0 gives the maximum-likelihood
        tree.
    score : Score
        What is reported as the score of the result; it does not change the tree.

    References
    ----------
    N. Friedman, D. Geiger, M. Goldszmidt: Bayesian network classifiers, Machine Learning 29, 1997.

    Examples
    --------
    >>> from bayesloom.facade import learn
    >>> frame = {
    ...     "play": ["no", "yes"] * 20,
    ...     "wind": ["low", "low", "high", "high"] * 10,
    ...     "sail": ["in", "in", "out", "out"] * 10,
    ... }
    >>> learn(frame, TAN("play")).edges
    (('play', 'sail'), ('play', 'wind'), ('sail', 'wind'))
    """

    target: str
    root: str | None = None
    forest: bool = False
    pseudocount: float = 0.0
    score: Score = BIC()

    def __post_init__(self) -> None:
        check_score(self.score)
        check_target(self.target)
        if self.root is not None:
            check_kind("root", self.root, str, "the name of an attribute")
            if self.root == self.target:
                msg = f"the root of the tree must be an attribute, and {self.root} is the class"
                raise OptionError(msg)
        check_flag("forest", self.forest)
        check_number("pseudocount", self.pseudocount, least=0)
        object.__setattr__(self, "pseudocount", float(self.pseudocount))

    def search(self, engine: Engine, limits: Limits, watch: Watch) -> ScoredResult:
        """Run the search; see `bayesloom.learn` for the everyday call."""
        engine = counting(engine, "TAN")
        target = target_index(self.target, engine.names, limits)
        among = _among_attributes(limits, target)
        check_tree(self.root, engine.names, among)
        wanted = class_parents(target, engine, limits)
        information = class_informations(engine, target, self.pseudocount, watch)
        if information is not None:
            among = _with_room(among, wanted)
            alone = engine.constant.copy()
            alone[target] = True
            classes = int(engine.cardinality[target])
            n_rows = engine.n_rows
            price = None
            if self.forest:
                price = edge_prices(all_pair_parameters(engine), n_rows, classes)
            weights = edge_weights(information, alone, among, price)
            root = None if self.root is None else engine.names.index(self.root)
            tree = heaviest_tree(weights, among, root)
            wanted = [mask | more for mask, more in zip(wanted, tree, strict=True)]
        parents = insert_families(
            wanted, target, self.score, engine=engine, limits=limits, watch=watch
        )
        looked_at = 0 if information is None else len(information)
        return scored_network(
            parents, self.score, engine, limits=limits, watch=watch, candidates=looked_at
        )


def _among_attributes(limits: Limits, target: int) -> Limits:
    """Return the limits without the class, which is no part of the tree."""
    others = ~(1 << target)
    allowed = [0 if v == target else mask & others for v, mask in enumerate(limits.allowed)]
    required = [mask & others for mask in limits.required]
    return replace(limits, allowed=tuple(allowed), required=tuple(required))


def _with_room(limits: Limits, parents: Sequence[int]) -> Limits:
    """Return the limits in which variables that can have no further parent get none."""
    if limits.max_parents is None:
        return limits
    allowed = [
        limits.required[v] if parents[v].bit_count() >= limits.most else mask
        for v, mask in enumerate(limits.allowed)
    ]
    return replace(limits, allowed=tuple(allowed))


def class_informations(
    engine: CountingEngine, target: int, pseudocount: float, watch: Watch
) -> Floats | None:
    """Return the mutual information, given the class, of all pairs in order.

    Pairs with the class get 0. None if the watch runs out.

    Raises
    ------
    CapacityError
        If there are more pairs than fit into memory.
    """
    n = engine.n_variables
    check_memory(_BYTES_PER_PAIR * n * (n - 1) // 2, f"comparing all pairs of {n:,} variables")
    asked = engine.until(watch.signal)
    found = np.zeros((n, n))
    with watch.heeded():
        for some in _blocks(engine, target, smoothed=pseudocount > 0):
            batch = Batch.of((x, (target,), _after(x, n, target)) for x in some if x != target)
            if pseudocount > 0:
                tables = asked.counts(batch)
                values = np.array([smoothed_information(cells, pseudocount) for cells in tables])
            else:
                values = asked.informations(batch)
            found[batch.target[batch.request_of], batch.partner] = values
        information: Floats = found[np.triu_indices(n, 1)]
        return information
    return None


def smoothed_information(counts: npt.ArrayLike, pseudocount: float) -> float:
    """Return the information of two attributes given the class, in nats, from smoothed estimates.

    Parameters
    ----------
    counts : array of shape (classes, x, y)
        How often each combination occurs.
    pseudocount : float
        Added to every count of each of the estimates P(c, x, y), P(x, y | c), P(x | c), P(y | c).

    Examples
    --------
    >>> round(smoothed_information([[[2, 0], [0, 2]]], 0.0), 6)
    0.693147
    """
    cells = np.asarray(counts, dtype=np.float64)
    x, y = cells.sum(axis=2), cells.sum(axis=1)
    n_c = x.sum(axis=1)
    rows, columns = x.shape[1], y.shape[1]
    joint = (cells + pseudocount) / (cells.sum() + pseudocount * cells.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        both = (cells + pseudocount) / (n_c + pseudocount * rows * columns)[:, None, None]
        one = (x + pseudocount) / (n_c + pseudocount * rows)[:, None]
        other = (y + pseudocount) / (n_c + pseudocount * columns)[:, None]
        terms = joint * np.log(both / (one[:, :, None] * other[:, None, :]))
    return math.fsum(terms[joint > 0])


def _after(x: int, n: int, target: int) -> list[int]:
    """Return the attributes after an attribute."""
    return [y for y in range(x + 1, n) if y != target]


def _blocks(engine: CountingEngine, target: int, *, smoothed: bool) -> Iterator[range]:
    """Yield the variables in runs whose tables fit one batch."""
    n = engine.n_variables
    states = engine.cardinality.astype(np.float64)
    size = states * states.sum() * states[target] if smoothed else np.full(n, float(n))
    most, first, used = (_CELLS if smoothed else _TABLES), 0, 0.0
    for x in range(n):
        if x > first and used + size[x] > most:
            yield range(first, x)
            first, used = x, 0.0
        used += size[x]
    yield range(first, n)
