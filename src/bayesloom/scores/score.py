"""What all scores share: the batch of families, the structure prior, the explanation."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from bayesloom.arrays import Floats
from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, as_engine, is_counting
from bayesloom.engine.batch import NONE
from bayesloom.engine.data_engine import is_engine, refuse_reading
from bayesloom.errors import DataError, OptionError, check_kind, check_number, listed, shown
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.registry import SCORES, settings_of

if TYPE_CHECKING:
    from bayesloom.data.reading import ReadingOptions
    from bayesloom.scores.explanation import ScoreExplanation


_NAMED = 6  # columns that a message names
_MOST_SPARSITY = 1e100  # more could overflow a score


def minus_price(engine: Engine, batch: Batch, price: float) -> Floats:
    """Return a ceiling of all that a likelihood minus a price per free parameter can be."""
    if price < 0 or not is_counting(engine):  # densities are above 1 where numbers lie close
        return np.full(len(batch), np.inf)
    return -price * engine.free_parameters(batch)


def n_parents(batch: Batch) -> Floats:
    """Return the number of parents of every family."""
    given = batch.n_given if len(batch.target) == 1 else batch.n_given[batch.request_of]
    parents: Floats = given + (batch.partner != NONE).astype(np.float64)
    return parents


def family_batch(families: Sequence[tuple[int, Sequence[int]]]) -> Batch:
    """Ask for the scores of families ``(child, parents)``, in the form engines answer fastest."""
    return Batch.of(
        (child, parents[:-1], parents[-1:]) if len(parents) else (child, (), (NONE,))
        for child, parents in families
    )


def check_score(score: object) -> None:
    """Refuse what is not a score: a text, or a class instead of a value.

    Examples
    --------
    >>> check_score("bic")
    Traceback (most recent call last):
    bayesloom.errors.OptionError: score must be a score such as BIC() or BDeu(ess=10), got 'bic'
    """
    check_kind("score", score, Score, "a score such as BIC() or BDeu(ess=10)")


def check_complete(score: Score, engine: Engine) -> None:
    """Refuse data with holes for a score that adds up over rows, which differ by family then.

    Examples
    --------
    >>> from bayesloom.scores import BIC
    >>> holes = as_engine(Table.from_frame({"A": ["n", None, "y"]}, missing="keep"))
    >>> check_complete(BIC(), holes)
    Traceback (most recent call last):
    bayesloom.errors.DataError: the score bic adds up over rows, and families would know different \
ones: 1 cell is missing (A 1); use the score PNAL (--score pnal), learn with StructuralEM \
(--search structural-em), or read the data with missing='drop' or missing='state' (--missing)
    """
    if score.takes_holes or not engine.missing.any():
        return
    n = int(engine.missing.sum())
    some = [
        (-count, name)
        for name, count in zip(engine.names, engine.missing.tolist(), strict=True)
        if count
    ]
    counts = listed((f"{shown(name)} {-count}" for count, name in sorted(some)), _NAMED)
    msg = (
        f"the score {SCORES.name_of(score)} adds up over rows, and families would know different "
        f"ones: {n:,} cell{'s are' if n > 1 else ' is'} missing ({counts}); use the score PNAL "
        "(--score pnal), learn with StructuralEM (--search structural-em), or read the data with "
        "missing='drop' or missing='state' (--missing)"
    )
    raise DataError(msg)


def are_of_package(score: Score, engine: Engine) -> bool:
    """Say whether the classes of a score and an engine are the package's, not somebody's own.

    Examples
    --------
    >>> from bayesloom.scores import BIC
    >>> engine = as_engine({"A": ["n", "y"]})
    >>> are_of_package(BIC(), engine), are_of_package(type("Own", (BIC,), {})(), engine)
    (True, False)
    """
    scored = getattr(score, "named_after", score)  # a prior may be around somebody's own
    return all(type(each).__module__.startswith("bayesloom.") for each in (scored, engine))


def checked_scores(score: Score, engine: Engine, batch: Batch) -> Floats:
    """Return the local scores of a batch; what somebody's own score or engine says is looked at.

    Raises
    ------
    OptionError
        If there is not one number per family.
    """
    values = score.local_scores(engine, batch)
    if are_of_package(score, engine):
        return values
    found = np.asarray(values)
    if found.shape != (len(batch),) or found.dtype.kind not in "fiu":
        name = SCORES.name_of(score)
        msg = f"the score {name} must return one number per family, got {shown(repr(values))}"
        raise OptionError(msg)
    odd = np.flatnonzero(np.isnan(found) | (found == np.inf))
    if len(odd):
        child = engine.names[int(batch.target[batch.request_of[odd[0]]])]
        what = f"gave {found[odd[0]]} for a family of {child!r}"
        msg = f"the score {SCORES.name_of(score)} {what}; it must give numbers"
        raise OptionError(msg)
    return np.ascontiguousarray(found, np.float64)


def _engine_for(
    network: Any,  # noqa: ANN401 - of the rooms above
    dag: DAG,
    data: object,
    given: Mapping[str, Any],
) -> Engine:
    """Return an engine over data; for a network that has states they are read with these."""
    if is_engine(data):
        refuse_reading(given)
        return data
    from bayesloom.data.network_rows import read_rows, reading_of_columns

    net = getattr(network, "net", network)
    if not hasattr(net, "states"):
        if isinstance(data, Table) and not given:
            return as_engine(data)
        return as_engine(reading_of_columns(dag.names, given).apply(data))
    remembered = getattr(network, "reading", None)
    return as_engine(read_rows(net.names, net.states, data, remembered=remembered, given=given))


def _believed(
    score: Score,
    knowledge: Any,  # noqa: ANN401 - of the rooms above
    names: Sequence[str],
) -> Score:
    """Return a score that counts what a `Knowledge` believes of these variables."""
    from bayesloom.scores.belief import BelievedScore

    if not hasattr(knowledge, "beliefs"):
        msg = f"knowledge must be a Knowledge(belief=...), got {shown(repr(knowledge))}"
        raise OptionError(msg)
    knowledge.limits(names)
    return BelievedScore.over(score, knowledge.beliefs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(ABC):
    """A score that is a sum over families, with an optional prior over structures.

    Parameters
    ----------
    kappa : float, optional
        Multiply the prior of a graph by ``kappa`` for every free parameter; 0.001 is the setting
        of the I-map learning experiments.
    per_parent : float, optional
        Expect this many parents per variable: a family with k of the m = n - 1 possible parents
        gets k log(e/m) + (m - k) log(1 - e/m).
    sparsity : float, optional
        Multiply the prior of a graph over n variables by ``n ** -sparsity`` for every edge: the
        more pairs there are, the more of them look dependent by chance. With `BIC` this is the
        extended BIC of J. Chen and Z. Chen, Biometrika 95, 2008.
    """

    kappa: float | None = None
    per_parent: float | None = None
    sparsity: float | None = None

    name: ClassVar[str]
    formula: ClassVar[str]
    equivalent: ClassVar[bool] = True
    """Whether Markov equivalent graphs always get the same score of complete data."""
    takes_holes: ClassVar[bool] = False
    """Whether it compares families that know different rows; all others refuse missing cells."""

    @property
    def guides(self) -> tuple[Score, ...]:
        """Scores whose best graphs are good places to begin the search for the best of this one.

        They must be scores of the same data, and equivalent if this one is.
        """
        return ()

    def is_equivalent(self, engine: Engine) -> bool:
        """Say whether equivalent graphs get the same score of these data; with holes none does."""
        return self.equivalent and not engine.missing.any()

    def __post_init__(self) -> None:
        if self.kappa is not None:
            check_number("kappa", self.kappa, above=0, most=1)
        if self.per_parent is not None:
            check_number("per_parent", self.per_parent, above=0)
        if self.sparsity is not None:
            check_number("sparsity", self.sparsity, least=0, most=_MOST_SPARSITY)

    @abstractmethod
    def fit(self, engine: Engine, batch: Batch, price: float) -> Floats:
        """Return the marginal or maximal likelihoods, minus ``price`` per free parameter."""

    def parameters(self, engine: Engine, batch: Batch) -> Floats:
        """Return how many free parameters the child of every family has."""
        return engine.free_parameters(batch)

    def formula_of(self, engine: Engine) -> str:  # noqa: ARG002 - one for most scores
        """Return the formula of a local term, of columns as those of an engine."""
        return self.formula

    def price(self, n_rows: int) -> float:  # noqa: ARG002 - most scores do not need it
        """Return what a free parameter costs with this many rows, without structure prior."""
        return 0.0

    def local_scores(self, engine: Engine, batch: Batch) -> Floats:
        """Return the local score of every family of the batch: target given (given..., partner).

        Raises
        ------
        DataError
            If cells are missing and the score cannot compare families that know different rows.
        """
        # In every step of a search: any() takes ten times as long.
        if not self.takes_holes and np.count_nonzero(engine.missing):
            check_complete(self, engine)
        price = self._full_price(engine.n_rows)
        if self.per_parent is None and self.sparsity is None:
            return self.fit(engine, batch, price)
        prior = self._log_edge_prior(engine.n_variables, n_parents(batch))
        return prior + self.fit(engine, batch, price)

    def fit_ceilings(self, engine: Engine, batch: Batch, price: float) -> Floats:  # noqa: ARG002
        """Return what `fit` cannot exceed for the families, whatever parents are added to them.

        A score that knows such an upper bound overrides this; infinity stands for none.
        """
        return np.full(len(batch), np.inf)

    @property
    def has_ceilings(self) -> bool:
        """Whether `fit_ceilings` belongs to the `fit` of the class, not to a replaced one."""
        parts = ("fit_ceilings", "fit", "local_scores")
        own = next(kind for kind in type(self).__mro__ if any(part in vars(kind) for part in parts))
        return own is not Score and "fit_ceilings" in vars(own)

    def ceilings(self, engine: Engine, batch: Batch) -> Floats:
        """Return what no family scores more than that has at least these parents (upper bound).

        Exact learning leaves out families by it. Infinity stands for no known bound: that is so for
        a score of your own, unless it has `fit_ceilings` beside its `fit`.

        Examples
        --------
        >>> from bayesloom.scores import BIC
        >>> engine = as_engine({"A": ["n", "y", "y", "n"], "B": ["n", "y", "y", "y"]})
        >>> BIC().ceilings(engine, Batch.of([(0, (), (-1, 1))])).round(4).tolist()
        [-0.6931, -1.3863]
        """
        if not self.has_ceilings:
            return np.full(len(batch), np.inf)
        found = self.fit_ceilings(engine, batch, self._full_price(engine.n_rows))
        if self.per_parent is None and self.sparsity is None:
            return found
        n, k = engine.n_variables, n_parents(batch)
        prior = self._log_edge_prior(n, k)  # goes up or down with every parent
        return found + np.maximum(prior, self._log_edge_prior(n, np.full_like(k, n - 1)))

    def total(self, engine: Engine, parents: Sequence[int]) -> float:
        """Return the score of the graph with these parent masks."""
        families = [(v, bits(mask)) for v, mask in enumerate(parents)]
        return math.fsum(checked_scores(self, engine, family_batch(families)))

    def explain(
        self,
        data: Any,  # noqa: ANN401 - frames of whatever library
        dag: Any,  # noqa: ANN401 - of the rooms above
        knowledge: Any = None,  # noqa: ANN401 - of the rooms above
        **reading: Unpack[ReadingOptions],
    ) -> ScoreExplanation:
        """Show formula, settings and the local term of every variable.

        Parameters
        ----------
        data : path, frame, Table or Engine
            The data, of any kind that `bayesloom.learn` takes.
        dag : DAG or network
            A graph over columns of the data, in any order, or a network: its ``dag``. Of files and
            frames only these columns are read; for a network with its states, so that numbers
            fall into its bins.
        knowledge : Knowledge, optional
            What is believed of arrows: its log prior is counted, in the family of each arrow's
            child.
        **reading
            How to read the data, such as ``missing="keep"``; see `bayesloom.Reading`. What is not
            written out is read as a network's own data were, if it remembers.

        Returns
        -------
        ScoreExplanation
            Prints as a table; its fields hold the same as data.

        Examples
        --------
        >>> from bayesloom.graphs import DAG
        >>> from bayesloom.scores import BIC
        >>> frame = {"A": ["n", "y", "y", "n"], "B": ["n", "y", "y", "y"]}
        >>> round(BIC().explain(frame, DAG.from_edges([("A", "B")])).value, 6)
        -6.238325
        """
        from bayesloom.scores.explanation import LocalTerm, ScoreExplanation

        known = getattr(dag, "dag", dag)
        check_kind("dag", known, DAG, "a DAG or a network")
        engine = _engine_for(dag, known, data, reading)
        scored = self if knowledge is None else _believed(self, knowledge, engine.names)
        graph = known.reordered(engine.names)
        families = [(v, bits(mask)) for v, mask in enumerate(graph.parent_masks)]
        batch = family_batch(families)
        scores, free = checked_scores(scored, engine, batch), scored.parameters(engine, batch)
        terms = tuple(
            LocalTerm(
                engine.names[v],
                tuple(engine.names[p] for p in parents),
                float(free[v]),
                float(scores[v]),
            )
            for v, parents in families
        )
        return ScoreExplanation(
            SCORES.name_of(scored),
            scored.formula_of(engine),
            scored.settings(),
            engine.n_rows,
            terms,
            math.fsum(scores),
        )

    def settings(self) -> dict[str, float | str]:
        """Return the options that change the value, by name, those of the class itself first."""
        return {key: value for key, value in settings_of(self).items() if value is not None}

    def _full_price(self, n_rows: int) -> float:
        """Return what a free parameter costs, the structure prior included."""
        price = self.price(n_rows)
        return price if self.kappa is None else price - math.log(self.kappa)

    def _log_edge_prior(self, n: int, k: Floats) -> Floats:
        """Return what the priors on edges give to families of k parents among n variables."""
        found = -(self.sparsity or 0.0) * math.log(n) * k
        return found if self.per_parent is None else found + _log_binomial(self.per_parent, n, k)


def _log_binomial(expected: float, n: int, k: Floats) -> Floats:
    """Return the prior of k parents where so many are expected of n - 1 that are possible."""
    most = n - 1
    if most < 1:
        return np.zeros_like(k)
    if expected >= most:
        msg = f"per_parent must be below the {most} possible parents, got {expected}"
        raise OptionError(msg)
    share = expected / most
    return k * math.log(share) + (most - k) * math.log1p(-share)
