"""An engine over numbers, a score and a test of a stranger work in every search and every story."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import bayesloom as bl
from bayesloom.arrays import Floats
from bayesloom.errors import DataError, OptionError
from bayesloom.independence import IndependenceTest, TestResults
from bayesloom.registry import SCORES, SEARCHES, TESTS

NAMES = ("a", "b", "c", "d", "e")
TRUE = {("a", "c"), ("b", "c"), ("c", "d"), ("c", "e")}
SPEAKS_OF_STATES = re.compile(r"chi-square|expected count|\b(states?|cells?|nan)\b", re.IGNORECASE)


class CovarianceEngine:
    """Answers from one covariance matrix: nothing in it is of the package but the contract."""

    round_trip = 0.0

    def __init__(self, rows: Floats) -> None:
        self.rows, self.n_rows, self.n_variables = rows, *rows.shape
        self.names = NAMES[: self.n_variables]
        self.missing = np.zeros(self.n_variables, np.int64)
        self.constant = rows.std(axis=0) == 0
        self.sigma = np.cov(rows.T, bias=True).reshape(self.n_variables, -1)

    def until(self, signal: bl.engine.StopSignal) -> CovarianceEngine:  # noqa: ARG002
        return self

    def resampled(self, seed: int) -> CovarianceEngine:
        rng = np.random.default_rng(seed)
        return CovarianceEngine(self.rows[rng.integers(0, self.n_rows, self.n_rows)])

    def log_det(self, chosen: list[int]) -> float:
        return float(np.linalg.slogdet(self.sigma[np.ix_(chosen, chosen)])[1])

    def families(self, batch: bl.Batch, kernel: Any, ess: float = 1, price: float = 0) -> Floats:  # noqa: ANN401, ARG002
        if kernel is not bl.engine.FamilyKernel.LOG_LIKELIHOOD:
            msg = f"numbers have no score of the kind {kernel.name}"
            raise OptionError(msg)
        found = [
            -self.n_rows
            / 2
            * (math.log(2 * math.pi * math.e) + self.log_det([*p, v]) - self.log_det(p))
            for v, p in families(batch)
        ]
        return np.array(found) - price * self.free_parameters(batch)

    def free_parameters(self, batch: bl.Batch) -> Floats:
        return np.array([2.0 + len(parents) for _, parents in families(batch)])

    def informations(self, batch: bl.Batch) -> Floats:
        parts = ((axes[:-2], axes[-2], axes[-1]) for axes in batch.axes)
        ld = self.log_det
        found = [(ld([*s, x]) + ld([*s, y]) - ld(s) - ld([*s, x, y])) / 2 for s, x, y in parts]
        return np.maximum(found, 0.0)

    def entropies(self, batch: bl.Batch) -> Floats:
        each = math.log(2 * math.pi * math.e)
        return np.array([(len(s) * each + self.log_det(s)) / 2 for s in batch.axes])

    def tests(self, batch: bl.Batch, kernel: Any) -> Floats:  # noqa: ANN401
        if kernel is not bl.engine.TestKernel.G_SQUARE:
            msg = f"numbers have no test of the kind {kernel.name}"
            raise OptionError(msg)
        ratio = 2 * self.n_rows * self.informations(batch)
        one, rows = np.ones_like(ratio), np.full_like(ratio, self.n_rows)
        return np.stack([ratio, one, one, rows, rows], axis=1)


def families(batch: bl.Batch) -> Iterator[tuple[int, list[int]]]:
    """Yield child and parents of every family of a batch."""
    targets = batch.target[batch.request_of].tolist()
    for v, axes in zip(targets, batch.axes, strict=True):
        yield v, [u for u in axes if u != v]


@dataclass(frozen=True, slots=True)
class GaussianBIC(bl.Score):
    """A BIC of regressions: what a stranger writes who has never seen ours."""

    name: ClassVar[str] = "gaussian-bic"
    formula: ClassVar[str] = "-N/2 (log(2 pi s^2) + 1) - (log N / 2) (parents + 2)"

    def price(self, n_rows: int) -> float:
        return math.log(n_rows) / 2

    def fit(self, engine: bl.Engine, batch: bl.Batch, price: float) -> Floats:
        assert isinstance(engine, CovarianceEngine)
        return engine.families(batch, bl.engine.FamilyKernel.LOG_LIKELIHOOD, price=price)


@dataclass(frozen=True, slots=True)
class PartialCorrelation(IndependenceTest):
    """Fisher's z of a partial correlation."""

    name: ClassVar[str] = "partial-correlation"

    def run(self, engine: bl.Engine, batch: bl.Batch, level: float = 1.0) -> TestResults:  # noqa: ARG002
        r = np.sqrt(1 - np.exp(-2 * engine.informations(batch)))
        rows = np.full(len(batch), float(engine.n_rows))
        room = rows - 3 - batch.n_given[batch.request_of]
        z = np.arctanh(np.minimum(r, 1 - 1e-15)) * np.sqrt(np.maximum(room, 0))
        log_p = np.array([math.log(max(math.erfc(each / math.sqrt(2)), 1e-300)) for each in z])
        none = np.full(len(batch), np.nan)
        return TestResults(z, none, np.exp(log_p), log_p, none, room >= 1, rows)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Make the two known by name, as a plugin does."""
    for kind in (GaussianBIC, PartialCorrelation):
        bl.register(kind)
    yield
    for registry, kind in ((SCORES, GaussianBIC), (TESTS, PartialCorrelation)):
        registry._added.pop(kind.name)


@pytest.fixture(scope="module", name="engine")
def engine_of_five() -> CovarianceEngine:
    rng = np.random.default_rng(7)
    a, b, *noise = rng.normal(size=(5, 1000))
    c = 0.8 * a - 0.7 * b + noise[0]
    return CovarianceEngine(np.stack([a, b, c, 0.9 * c + noise[1], -0.6 * c + noise[2]], axis=1))


SCORE, TEST = GaussianBIC(), PartialCorrelation()
EVERY: dict[str, bl.Search] = {
    "hc": bl.HillClimbing(score=SCORE),
    "tabu": bl.Tabu(score=SCORE),
    "k2": bl.K2(NAMES, score=SCORE),
    "order": bl.OrderSearch(score=SCORE),
    "ges": bl.GES(score=SCORE),
    "xges": bl.XGES(score=SCORE),
    "boss": bl.BOSS(score=SCORE),
    "exact": bl.Exact(score=SCORE),
    "iges": bl.IGES(score=SCORE, test=TEST),
    "ixges": bl.IXGES(score=SCORE, test=TEST),
    "ihc": bl.IHC(score=SCORE, test=TEST),
    "il": bl.IL(bl.Tabu(score=SCORE), test=TEST),
    "pc": bl.PC(test=TEST),
    "gs": bl.GrowShrink(test=TEST),
    "iamb": bl.IAMB(test=TEST),
    "mmhc": bl.MMHC(score=SCORE, test=TEST),
    "miic": bl.MIIC(score=SCORE),
    "dmn": bl.DMN(),
    "chow-liu": bl.ChowLiu(score=SCORE),
    "aracne": bl.ARACNE(test=TEST),
}
"""A search of every kind; those that fit no class of DAGs come last."""
SKELETONS = ("chow-liu", "aracne", "dmn")


@pytest.mark.parametrize("name", EVERY)
def test_every_search_finds_the_true_graph(name: str, engine: CovarianceEngine) -> None:
    net = bl.learn(engine, EVERY[name])
    true = {frozenset(edge) for edge in TRUE}
    near = {frozenset(pair) for pair in (*net.edges, *net.undirected)}
    if name == "dmn":  # a Markov network marries the parents of a child
        assert near == true | {frozenset("ab")}
    else:
        assert near == true
    if name not in SKELETONS:
        assert set(net.cpdag.directed) == TRUE


def test_every_search_is_tried_but_those_with_a_class_or_with_missing_cells() -> None:
    assert set(SEARCHES) - set(EVERY) == {"nb", "tan", "structural-em"}


@pytest.mark.parametrize("name", EVERY)
def test_no_story_speaks_of_states(name: str, engine: CovarianceEngine, tmp_path: Path) -> None:
    net = bl.learn(engine, EVERY[name])
    told = [str(net), str(net.edge_table()), str(net.history)]
    for x, y in (("a", "c"), ("a", "b"), ("d", "e")):
        story = net.explain(x, y)
        told += [str(story), repr(story.to_dict())]
    net.plot(tmp_path / "net.svg")
    for text in told:
        plain = re.sub(r"min_expected", "", text)
        assert not SPEAKS_OF_STATES.search(plain), plain


def test_verbs_beside_learning_ask_the_same_engine(engine: CovarianceEngine) -> None:
    net = bl.learn(engine, bl.GES(score=SCORE))
    strengths = bl.bootstrap(engine, bl.GES(score=SCORE), replicates=5, seed=1)
    assert "5 replicates" in str(strengths)
    assert "3 chains" in str(bl.posterior(engine, score=SCORE, moves=500, seed=1))
    assert bl.certify(net, engine, SCORE).optimal
    assert bl.markov_blanket(engine, "c", bl.IAMB(test=TEST)).members == ("a", "b", "d", "e")
    found = bl.test(engine, "a", "c", given=["b"], test=TEST)
    assert found.dependent
    assert "partial-correlation 22.5" in str(found)
    assert not SPEAKS_OF_STATES.search(str(found))
    assert SCORE.explain(engine, net).value == pytest.approx(net.score.value)


def test_a_search_that_is_not_named_is_the_one_for_numbers(engine: CovarianceEngine) -> None:
    net = bl.learn(engine)
    assert net.history.search == "XGES(score=BIC(sparsity=1))"
    assert set(net.cpdag.directed) == TRUE


def test_what_counts_states_says_so_in_one_sentence(
    engine: CovarianceEngine, tmp_path: Path
) -> None:
    net = bl.learn(engine, bl.GES(score=SCORE))
    asked: list[Callable[[], object]] = [
        lambda: net.report(tmp_path / "net.html"),
        lambda: net.save(tmp_path / "net.bif"),
        lambda: net.query("c"),
        lambda: bl.learn(engine, bl.PC(test=bl.ChiSquare())),
        lambda: bl.learn(engine, bl.TAN("a")),
    ]
    for ask in asked:
        with pytest.raises(DataError, match="counts how often states occur together"):
            ask()
    with pytest.raises(OptionError, match="numbers have no score of the kind BDEU"):
        bl.learn(engine, bl.GES(score=bl.BDeu()))


def test_an_engine_that_lacks_a_neutral_part_is_told_which() -> None:
    class Half:
        def families(self) -> None: ...

        def informations(self) -> None: ...

    with pytest.raises(OptionError, match=r"lacks names, .*; see bayesloom\.Engine for the"):
        bl.learn(Half())
