from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from bayesloom.data import Table, write_csv
from bayesloom.engine import Batch, NativeEngine
from bayesloom.engine.batch import NONE
from bayesloom.errors import DataError, OptionError, UnknownVariableError
from bayesloom.graphs import DAG
from bayesloom.graphs.masks import bits
from bayesloom.scores import (
    AIC,
    BIC,
    FNML,
    QNML,
    BDe,
    BDeu,
    BDm,
    BDs,
    K2Score,
    LogLikelihood,
    Score,
)
from bayesloom.scores.score import family_batch
from bayesloom.search import GES
from strategies import (
    FEW_STATES,
    Family,
    Request,
    asked_tables,
    graphs,
    make_table,
    scored_tables,
    tables,
)

EQUIVALENT = (
    LogLikelihood(),
    AIC(),
    BIC(),
    BIC(penalty=0.3, kappa=0.01),
    BDeu(ess=1),
    BDeu(ess=10, kappa=0.001),
    BDeu(ess=0.1, per_parent=0.5),
    QNML(),
    QNML(guard=0.3, per_parent=0.5),
    QNML(guard=4, sparsity=0.5),
    BDm(),
    BDm(ess=0.5, sparsity=1),
)
SCORES = (*EQUIVALENT, K2Score(), K2Score(per_parent=0.7), FNML(), BDs(ess=2))
SMALL = (*FEW_STATES, 40)


def covered_edges(dag: DAG) -> list[tuple[int, int]]:
    """Return the edges that may be turned without leaving the equivalence class."""
    return [
        (parent, child)
        for child in range(dag.n)
        for parent in bits(dag.parent_masks[child])
        if dag.parent_masks[child] == dag.parent_masks[parent] | 1 << parent
    ]


def turned(dag: DAG, parent: int, child: int) -> DAG:
    parents = list(dag.parent_masks)
    parents[child] &= ~(1 << parent)
    parents[parent] |= 1 << child
    return DAG(dag.names, tuple(parents))


@settings(max_examples=40)
@given(table=tables(min_columns=3, states=SMALL), data=st.data())
def test_equivalent_graphs_have_equal_scores(table: Table, data: st.DataObject) -> None:
    dag = data.draw(graphs(table.names))
    other = dag
    for _ in range(data.draw(st.integers(1, 6))):
        if edges := covered_edges(other):
            other = turned(other, *data.draw(st.sampled_from(edges)))
    assert dag.is_equivalent_to(other)
    engine = NativeEngine(table)
    for score in (*EQUIVALENT, BDe(prior=table.take([0]), ess=2)):
        assert score.equivalent
        left, right = score.total(engine, dag.parent_masks), score.total(engine, other.parent_masks)
        assert left == pytest.approx(right, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("score", [K2Score(), FNML(), BDs(ess=1)])
def test_scores_that_tell_equivalent_graphs_apart_say_so(score: Score) -> None:
    engine = NativeEngine(make_table([[0, 0, 1, 1, 2], [0, 1, 1, 1, 0]], [4, 2]))
    there, back = (score.total(engine, parents) for parents in ((0, 1), (2, 0)))
    assert abs(there - back) > 0.01
    assert not score.equivalent
    with pytest.raises(OptionError, match=rf"{type(score).__name__} is not: use BIC, BDeu or QNML"):
        GES(score=score)


@settings(max_examples=40)
@given(table=tables(min_columns=2, states=SMALL), data=st.data())
def test_a_score_is_the_sum_of_its_families(table: Table, data: st.DataObject) -> None:
    dag = data.draw(graphs(table.names))
    engine = NativeEngine(table)
    for score in SCORES:
        if table.n_columns == 2 and (score.per_parent or 0) >= 1:
            continue
        parts = [
            score.local_scores(engine, family_batch([(v, bits(mask))]))[0]
            for v, mask in enumerate(dag.parent_masks)
        ]
        assert score.total(engine, dag.parent_masks) == math.fsum(parts)


@settings(max_examples=40)
@given(asked=asked_tables(states=SMALL))
def test_a_family_scores_the_same_whatever_parent_is_the_partner(
    asked: tuple[Table, list[Request]],
) -> None:
    table, requests = asked
    engine = NativeEngine(table)
    for target, given_variables, partners in requests:
        for partner in partners:
            parents = (*given_variables, partner) if partner != NONE else given_variables
            forms: list[Request] = [(target, parents, (NONE,))]
            forms += [(target, tuple(p for p in parents if p != last), (last,)) for last in parents]
            for score in (BIC(), BDeu(ess=1), K2Score(), QNML(), FNML(), BDs(), BDm()):
                found = score.local_scores(engine, Batch.of(forms))
                np.testing.assert_allclose(found, found[0], rtol=1e-14, atol=0)


@settings(max_examples=40)
@given(table=tables(min_columns=2, states=SMALL), data=st.data())
def test_neither_columns_nor_rows_nor_labels_have_an_order_that_matters(
    table: Table, data: st.DataObject
) -> None:
    dag = data.draw(graphs(table.names))
    order = data.draw(st.permutations(table.names))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    relabel = [rng.permutation(len(states)) for states in table.states]
    codes = [relabel[v][codes] for v, codes in enumerate(table.codes)]
    changed = make_table(codes, [len(states) for states in table.states])
    changed = changed.take(rng.permutation(table.n_rows)).select(order)
    for score in SCORES:
        if table.n_columns == 2 and (score.per_parent or 0) >= 1:
            continue
        before = score.total(NativeEngine(table), dag.parent_masks)
        after = score.total(NativeEngine(changed), dag.reordered(order).parent_masks)
        assert after == pytest.approx(before, rel=1e-13, abs=1e-13)


@settings(max_examples=40)
@given(scored=scored_tables())
def test_free_parameters_count_declared_states(scored: tuple[Table, list[Family]]) -> None:
    table, families = scored
    found = NativeEngine(table).free_parameters(family_batch(families))
    assert found.tolist() == [reference.free_parameters(table, v, p) for v, p in families]


@pytest.mark.parametrize("score", [AIC(), BIC(), BDeu(ess=1), K2Score(), BIC(kappa=0.5)])
def test_declared_states_count_even_if_they_never_occur(score: Score) -> None:
    seen = make_table([[0, 1, 1, 0, 1], [0, 1, 0, 0, 1]], [2, 2])
    more = make_table([[0, 1, 1, 0, 1], [0, 1, 0, 0, 1]], [2, 3])
    for child, parents in ((1, ()), (1, (0,)), (0, (1,))):
        batch = family_batch([(child, parents)])
        few, many = (score.local_scores(NativeEngine(t), batch)[0] for t in (seen, more))
        if isinstance(score, K2Score) and child == 0:
            assert few == many  # q does not enter the K2 score
        else:
            assert few != many


@pytest.mark.parametrize("kind", [LogLikelihood, AIC, BIC, BDeu, K2Score])
def test_options_that_are_no_priors_are_refused(kind: type[Score]) -> None:
    for kappa in (0, -1, 1.5, math.nan):
        with pytest.raises(OptionError, match=f"kappa must be above 0 and at most 1, got {kappa}"):
            kind(kappa=kappa)
    for expected in (0, -1, math.inf, math.nan):
        with pytest.raises(OptionError, match=rf"per_parent must be above 0.*, got {expected}"):
            kind(per_parent=expected)


@pytest.mark.parametrize("expected", [7, 7.5, 100])
def test_more_expected_parents_than_there_are_variables_are_refused(
    asia: Table, expected: float
) -> None:
    with pytest.raises(OptionError, match=f"below the 7 possible parents, got {expected}"):
        BIC(per_parent=expected).total(NativeEngine(asia), [0] * 8)


@settings(max_examples=30)
@given(scored=scored_tables(states=SMALL), sparsity=st.sampled_from((0.0, 0.5, 3.0)))
def test_sparsity_takes_the_logarithm_of_the_variables_off_per_parent(
    scored: tuple[Table, list[Family]], sparsity: float
) -> None:
    table, families = scored
    engine, batch = NativeEngine(table), family_batch(families)
    edge = sparsity * math.log(table.n_columns)
    for plain, sparse in (
        (BIC(), BIC(sparsity=sparsity)),
        (QNML(guard=2), QNML(guard=2, sparsity=sparsity)),
        (BDeu(per_parent=0.1), BDeu(per_parent=0.1, sparsity=sparsity)),
    ):
        found = plain.local_scores(engine, batch) - sparse.local_scores(engine, batch)
        expected = [edge * len(parents) for _, parents in families]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("sparsity", [-1, math.nan, math.inf, 1e200])
def test_a_sparsity_that_is_no_price_is_refused(sparsity: float) -> None:
    with pytest.raises(OptionError, match="sparsity must be"):
        BIC(sparsity=sparsity)


def test_scores_are_values() -> None:
    assert BDeu(ess=1) == BDeu(ess=1) != BDeu(ess=2)
    assert len({BIC(), BIC(), AIC(), LogLikelihood(), K2Score()}) == 4
    with pytest.raises(AttributeError):
        BIC().penalty = 2.0  # type: ignore[misc]


# Explanations


@settings(max_examples=40)
@given(table=tables(min_columns=2, states=SMALL), data=st.data())
def test_an_explanation_adds_up_to_the_score(table: Table, data: st.DataObject) -> None:
    dag = data.draw(graphs(table.names))
    for score in (
        LogLikelihood(),
        AIC(),
        BIC(),
        BDeu(ess=3, kappa=0.1),
        K2Score(),
        BDe(prior=table),
    ):
        story = score.explain(table, dag)
        assert story.value == math.fsum(term.value for term in story.terms)
        assert story.value == score.total(NativeEngine(table), dag.parent_masks)
        assert [term.variable for term in story.terms] == list(table.names)
        assert [term.parents for term in story.terms] == [dag.parents(v) for v in table.names]
        assert story.n_rows == table.n_rows


def test_an_explanation_takes_a_graph_with_its_nodes_in_any_order(asia: Table) -> None:
    dag = DAG.from_edges([("S", "L"), ("L", "E"), ("T", "E")], asia.names)
    turned_names = tuple(reversed(asia.names))
    assert BIC().explain(asia, dag) == BIC().explain(asia, dag.reordered(turned_names))


def test_an_explanation_of_a_graph_over_other_variables_is_refused(asia: Table) -> None:
    with pytest.raises((UnknownVariableError, ValueError), match="Z"):
        BIC().explain(asia, DAG.from_edges([("A", "Z")]))


PRINTED = {
    "loglik": (LogLikelihood(), ["sum_jk N_jk log(N_jk / N_j)", "no structure prior"]),
    "aic": (AIC(), ["- (r - 1) q"]),
    "bic": (BIC(penalty=2), ["(log N / 2) (r - 1) q", "penalty = 2"]),
    "bdeu": (BDeu(ess=10, kappa=0.001), ["a = ess / q", "ess = 10", "kappa = 0.001"]),
    "k2": (K2Score(per_parent=1.5), ["lgamma(1 + N_jk)", "per_parent = 1.5"]),
}


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_explanation_names_formula_base_rows_settings_and_terms(
    name: str, asia: Table
) -> None:
    score, expected = PRINTED[name]
    dag = DAG.from_edges([("S", "L"), ("L", "E"), ("T", "E")], asia.names)
    story = score.explain(asia, dag)
    text = str(story)
    for part in [
        name,
        *expected,
        "natural logarithms",
        "N = 5000",
        "E | T, L",
        f"{story.value:.6f}",
    ]:
        assert part in text
    for term in story.terms:
        assert f"{term.value:.6f}" in text
    assert repr(story) == text
    assert max(map(len, text.splitlines())) <= 140


def test_an_explanation_of_bde_names_its_prior(asia: Table) -> None:
    text = str(BDe(prior=asia, ess=2).explain(asia, DAG.empty(asia.names)))
    assert "ess = 2, prior rows = 5000" in text
    assert "b_jk = prior count + ess / (q r)" in text


def test_every_score_of_every_family_of_three_variables_is_finite() -> None:
    table = make_table([[0], [0], [0]], [1, 2, 3])
    families = [
        (v, p) for v, p in product(range(3), [(), (0,), (1,), (2,), (0, 1), (1, 2), (0, 2)])
    ]
    batch = family_batch([(v, p) for v, p in families if v not in p])
    for score in SCORES:
        assert np.isfinite(score.local_scores(NativeEngine(table), batch)).all()


def test_an_explanation_takes_whatever_learning_takes(tmp_path: Path) -> None:
    columns = {"A": ["n", "y", "y", "n"], "B": ["n", "y", "y", "y"]}
    table, dag = Table.from_frame(columns), DAG.from_edges([("A", "B")])
    write_csv(table, tmp_path / "data.csv")
    for data in (columns, pd.DataFrame(columns), str(tmp_path / "data.csv")):
        assert BIC().explain(data, dag) == BIC().explain(table, dag)


def test_an_explanation_without_data_or_graph_is_refused_with_one_sentence() -> None:
    wrong: Any = "A -> B"
    with pytest.raises(DataError, match="no table can be made of a int; give a frame"):
        BIC().explain(3, DAG.empty(["A"]))
    with pytest.raises(OptionError, match="dag must be a DAG or a network, got 'A -> B'"):
        BIC().explain({"A": ["n", "y"]}, wrong)
