from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesloom.data import Table
from bayesloom.engine import Batch, Engine, NativeEngine
from bayesloom.errors import KnowledgeError, OptionError
from bayesloom.graphs import DAG
from bayesloom.scores import BIC, BDeu, K2Score, Score
from bayesloom.scores.belief import BelievedScore, PairBelief
from bayesloom.search import Knowledge

NAMES = ("A", "B", "C", "D")


def engine_of(seed: int) -> Engine:
    rng = np.random.default_rng(seed)
    return NativeEngine(Table.from_frame({name: rng.integers(0, 2, 60) for name in NAMES}))


@st.composite
def beliefs(draw: st.DrawFn) -> tuple[PairBelief, ...]:
    found = []
    for i, a in enumerate(NAMES):
        for b in NAMES[i + 1 :]:
            if draw(st.booleans()):
                share = st.floats(0.01, 0.49)
                found.append(PairBelief.of(a, b, draw(share), draw(share)))
    return tuple(found)


def slow_log_prior(known: tuple[PairBelief, ...], dag: DAG) -> float:
    """Return what the definition says: log(3 p) of what the graph has, pair by pair."""
    total = 0.0
    for pair in known:
        if pair.first in dag.parents(pair.second):
            total += math.log(3 * pair.forward)
        elif pair.second in dag.parents(pair.first):
            total += math.log(3 * pair.back)
        else:
            total += math.log(3 * pair.none)
    return total


@st.composite
def dags(draw: st.DrawFn) -> DAG:
    order = draw(st.permutations(NAMES))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    return DAG.from_edges([pair for pair in pairs if draw(st.booleans())], NAMES)


@given(beliefs(), dags(), st.integers(0, 3))
def test_every_pair_is_charged_once_whatever_the_graph_has(
    known: tuple[PairBelief, ...], dag: DAG, seed: int
) -> None:
    engine, score = engine_of(seed), BIC()
    believed = BelievedScore.over(score, known).total(engine, dag.parent_masks)
    wanted = score.total(engine, dag.parent_masks) + slow_log_prior(known, dag)
    assert believed == pytest.approx(wanted, abs=1e-10)


@given(beliefs(), st.integers(0, 3))
def test_a_family_has_one_value_however_it_is_asked_for(
    known: tuple[PairBelief, ...], seed: int
) -> None:
    engine, score = engine_of(seed), BelievedScore.over(BDeu(), known)
    ways = [(0, (1, 2), (3,)), (0, (3, 1), (2,)), (0, (2, 3), (1,)), (0, (1, 2, 3), (-1,))]
    values = score.local_scores(engine, Batch.of(ways)).tolist()
    assert len(set(values)) == 1


@given(beliefs(), st.integers(0, 3))
def test_no_family_exceeds_the_ceiling_of_its_subsets(
    known: tuple[PairBelief, ...], seed: int
) -> None:
    engine, score = engine_of(seed), BelievedScore.over(BIC(), known)
    sets = [tuple(p for p in (1, 2, 3) if mask >> p & 1) for mask in range(0, 16, 2)]
    batch = Batch.of((0, parents, (-1,)) for parents in sets)
    ceilings, values = score.ceilings(engine, batch), score.local_scores(engine, batch)
    for small, most in zip(sets, ceilings, strict=True):
        for large, value in zip(sets, values, strict=True):
            if set(small) <= set(large):
                assert value <= most + 1e-9


@pytest.mark.parametrize("score", [BIC(), BDeu(), K2Score()])
def test_one_third_each_is_the_score_itself(score: Score) -> None:
    known = Knowledge(belief={("A", "B"): 1 / 3, ("C", "D"): 1 / 3, ("D", "C"): 1 / 3})
    assert BelievedScore.over(score, known.beliefs) is score


def test_the_prior_of_a_class_is_one_number_only_where_directions_are_equally_likely() -> None:
    even, uneven = PairBelief.of("A", "B", 0.4, 0.4), PairBelief.of("A", "B", 0.4)
    assert BelievedScore.over(BIC(), [even]).equivalent
    assert not BelievedScore.over(BIC(), [uneven]).equivalent
    assert BelievedScore.over(BIC(), [uneven], one_way=[("B", "A")]).equivalent
    assert not BelievedScore.over(K2Score(), [even]).equivalent


@pytest.mark.parametrize(
    ("said", "error", "message"),
    [
        ({("A", "B"): 0.0}, KnowledgeError, "is 0.0, which is law: give the edge as forbidden"),
        ({("A", "B"): 1}, KnowledgeError, "is 1, which is law: give the edge as required"),
        ({("A", "B"): 1.5}, OptionError, "the belief in A -> B must be .*1, got 1.5"),
        ({("A", "B"): "much"}, OptionError, "must be a number, got 'much'"),
        ({"AB": 0.5}, OptionError, "belief must be a mapping such as"),
        ([("A", "B")], OptionError, "holds triples .parent, child, probability., got"),
        ({("A", "A"): 0.5}, KnowledgeError, "join two variables, got A -> A"),
        ({("A", "B"): 0.6, ("B", "A"): 0.4}, KnowledgeError, "leave something for no arrow"),
        ([("A", "B", 0.6), ("A", "B", 0.7)], KnowledgeError, "given twice, as 0.6 and 0.7"),
    ],
)
def test_beliefs_that_are_none_are_refused(
    said: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Knowledge(belief=said)  # type: ignore[arg-type]


def test_law_and_belief_must_not_be_about_one_arrow() -> None:
    with pytest.raises(KnowledgeError, match=r"is 0.3, but it is forbidden; leave one of them out"):
        Knowledge(forbidden=[("A", "B")], belief={("A", "B"): 0.3})
    with pytest.raises(KnowledgeError, match=r"required, and the belief in A -> B is 0\.3"):
        Knowledge(required=[("B", "A")], belief={("A", "B"): 0.3})


def test_mappings_and_triples_say_the_same() -> None:
    told = Knowledge(belief={("B", "C"): 0.5, ("A", "B"): 0.8})
    assert told == Knowledge(belief=[["A", "B", 0.8], ("B", "C", 0.5)])  # type: ignore[list-item]
    assert hash(told) == hash(Knowledge(belief=told.belief))
    assert eval(repr(told)) == told
    assert (
        repr(Knowledge()) == "Knowledge(required=(), forbidden=(), tiers=(), roots=(), leaves=())"
    )


def test_explain_wants_knowledge() -> None:
    with pytest.raises(OptionError, match=r"knowledge must be a Knowledge.*, got 0.8"):
        BIC().explain({"A": [0, 1]}, DAG.from_edges([], ["A"]), knowledge=0.8)
